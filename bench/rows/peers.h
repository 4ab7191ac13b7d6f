/* Rates of other programs that cannot be carried here, measured by somebody else on a device:
 * results/published/peers.csv. results/published/README.md describes its columns. */
#ifndef GB_ROWS_PEERS_H
#define GB_ROWS_PEERS_H

#include "bench/rows/terms.h"

typedef struct gb_peer {
    const char *peer, *version, *licence, *source, *device, *measured;
    const char *primitive, *name; /* name: what it is called in tables */
    const char *point_text;
    gb_terms point; /* axis=value; an axis that is left out may have any */
    bool stable;
    const char *cache, *scope; /* cache: "" where it is not said */
    double rate;               /* items/s */
    int digits;                /* that are printed */
    const char *unit, *note;
} gb_peer;

typedef struct gb_peers {
    gb_peer *items;
    size_t count, capacity;
} gb_peers;

/* Whether a file is one of these. */
bool gb_is_peers(const gb_csv *csv);

/* Adds the rows of results/published/peers.csv, wherever that is; none where it is not there. False
 * and *error with the row and what is allowed. Texts live in the arena. */
bool gb_peers_load(gb_arena *arena, gb_peers *peers, gb_error *error);

#endif
