/* Files of samples beside NVBench's JSON (--jsonbin). */
#ifndef GB_FOREIGN_SAMPLES_H
#define GB_FOREIGN_SAMPLES_H

#include "bench/foreign/reader.h"

enum { GB_MOST_SAMPLES = 100000000 };

/* Reads the times of an entry: count numbers, float32, the low byte first, in s; they must have the
 * entry's mean. name is as the file says it: a path in the folder in which the benchmark ran, so
 * that it is also looked for beside the JSON. False, and the reader refuses, where the file is not
 * there, has another size, or holds what is no time. */
bool gb_samples_binary(gb_foreign_reader *reader, const char *name, size_t count,
                       gb_foreign_entry *entry);

#endif
