/* Threads that share out small pieces of host work, such as queueing the work of several GPUs: they
 * stay awake between pieces, so that handing one out takes no longer than a cache line does from
 * core to core. */
#ifndef GB_CREW_H
#define GB_CREW_H

#include "common/text/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_crew gb_crew;

enum { GB_CREW_ITEMS = 64 }; /* of a call, at most */

/* One item of a call, in any thread, beside others. Only a failure writes *error. */
typedef gb_status gb_crew_work(void *context, unsigned item, gb_error *error);

/* threads: the caller's among them, at least 1. The others sleep. */
gb_status gb_crew_open(unsigned threads, gb_crew **crew, gb_error *error);
/* Calls work for the items 0 ... items - 1, each once, by whoever is free, the caller too: it waits
 * for no thread that is not awake. Returns when all of them are done; of several failures that of
 * the lowest item. All that an item has written can be seen then. Wakes the others, which stay
 * awake, each on a core, until gb_crew_rest. */
gb_status gb_crew_run(gb_crew *crew, unsigned items, gb_crew_work *work, void *context,
                      gb_error *error);
/* The others may sleep. */
void gb_crew_rest(gb_crew *crew);
/* NULL: nothing. */
void gb_crew_close(gb_crew *crew);

#ifdef __cplusplus
}
#endif
#endif
