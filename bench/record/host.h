/* Where a run took place: the host, the source's git state, the environment, as JSON for the meta
 * file. */
#ifndef GB_RECORD_HOST_H
#define GB_RECORD_HOST_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Whether GPUBENCH_ANONYMOUS is set: results that will be published name the GPU and its software,
 * not the machine. */
bool gb_anonymous(void);
/* name, os, kernel, cpu, cores, memory_bytes; what cannot be told is left out, and so are name and
 * kernel where gb_anonymous. */
cJSON *gb_host_json(void);
/* commit and dirty of the repository or bundle that this program lies in; NULL if it lies in none.
 */
cJSON *gb_git_json(void);
/* The same of the repository that a file lies in. */
cJSON *gb_git_of_file(const char *path);
/* The variables that change how CUDA, the simt device and gpubench behave, and no others: an
 * environment holds secrets. */
cJSON *gb_environment_json(void);

#endif
