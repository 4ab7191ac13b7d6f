/* What `gpubench list` shows, each part in a function. Inside the command only. */
#ifndef GB_COMMANDS_LIST_H
#define GB_COMMANDS_LIST_H

#include "bench/worker/devices.h"

/* The catalogues to show, those of the workers that answered. */
typedef struct gb_catalogues {
    const gb_catalogue **list;
    const char **commands; /* of their workers */
    size_t count;
} gb_catalogues;

/* Configs in configs/, wherever that is (bench/rows/published.h): title, points x variants,
 * whether valid. */
void gb_list_configs(const gb_catalogues *catalogues);
/* Published tables in results/published/, wherever that is: rows by kind, and where the first of
 * them stands in its paper. */
void gb_list_published(void);
/* The papers that are reproduced, or the works of others that they and our own variants are
 * compared with or made after (references); format: text, markdown or bibtex, which has both.
 * False: they cannot be read, and stderr says why. */
bool gb_list_papers(bool others, const char *format);

#endif
