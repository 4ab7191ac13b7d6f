/* The worker protocol: one JSON object a line, requests on the worker's stdin, answers on its
 * stdout, logs on stderr. docs: docs/protocol.md. */
#ifndef GB_PROTOCOL_PROTOCOL_H
#define GB_PROTOCOL_PROTOCOL_H

enum { GB_PROTOCOL_VERSION = 2 };

/* Devices that a `select` may name together. */
enum { GB_MOST_DEVICES = 64 };

/* The most that the answer to `dump` carries. */
enum { GB_MOST_DUMP_BYTES = 32 << 20, GB_MOST_DUMP_VALUES = 1900000 };

#endif
