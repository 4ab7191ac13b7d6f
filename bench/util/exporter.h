/* The formats in which a command can write what it found: a table of them each, from which the
 * words of its --format, its help and its printing come. */
#ifndef GB_UTIL_EXPORTER_H
#define GB_UTIL_EXPORTER_H

#include "bench/util/options.h"

/* to: the command's own, what it writes to and how; item: what it writes one after another, such as
 * a comparison. A table ends with one that has no name. */
typedef struct gb_exporter {
    const char *name;        /* as --format has it */
    void (*begin)(void *to); /* before the first item; NULL: nothing is written there */
    void (*item)(void *to, const void *item);
    void (*end)(void *to); /* behind the last; may be NULL */
} gb_exporter;

/* --format, whose words are the names of the table: *to becomes the number of the one chosen. */
gb_option gb_exporter_option(const char *help, const gb_exporter *exporters, unsigned *to);

void gb_exporter_begin(const gb_exporter *exporter, void *to);
void gb_exporter_end(const gb_exporter *exporter, void *to);

#endif
