/* A run in a process of its own: this program started anew, which finds its data in memory that
 * both map. For variants whose time is that of a first call, from the start of a program to its
 * end, with all that a worker has behind it when it takes its samples. */
#ifndef GB_WORKER_FRESH_PROCESS_H
#define GB_WORKER_FRESH_PROCESS_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory that such a process maps as well; data is NULL before gb_fresh_open. */
typedef struct gb_fresh {
    int fd;
    void *whole; /* the process's last words, then the data */
    void *data;  /* bytes, aligned to a page */
    size_t bytes;
} gb_fresh;

/* Makes so many bytes of data, zeroed. GB_OUT_OF_MEMORY, with nothing to close, if there are none.
 */
gb_status gb_fresh_open(gb_fresh *fresh, size_t bytes, gb_error *error);
void gb_fresh_close(gb_fresh *fresh);

/* Starts this program anew, has it select the job's device and nothing else, do the primitive's
 * run_fresh with a variant on the data, and end; waits for that. What made it fail, and how it
 * ended, is in *error. It ends with this process, however this one ends. */
gb_status gb_fresh_run(const gb_fresh *fresh, const gb_job *job, const char *variant,
                       gb_error *error);

/* The first argument of such a process, and what its main() does; the exit status. */
#define GB_FRESH_OPTION "--fresh-run"
int gb_fresh_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
