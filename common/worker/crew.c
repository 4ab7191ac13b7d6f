/* A crew: what is to be done next is one word, from which threads take items by compare-and-swap.
 */
#include "common/worker/crew.h"

#include "common/worker/cpu_pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Looks at the word before a thread gives its core to others that may want it. */
enum { LOOKS = 2000 };

struct gb_crew {
    gb_pool *pool;    /* NULL: the caller is alone */
    atomic_bool rest; /* the others sleep, or are about to */
    /* The call's number, how many items it has, and the next one: a thread that has seen an earlier
     * call takes nothing of this one. */
    _Atomic uint64_t next;
    atomic_uint done;
    uint64_t calls;
    gb_crew_work *work;
    void *context;
    gb_status status[GB_CREW_ITEMS];
    gb_error error[GB_CREW_ITEMS];
};

static uint64_t word_of(uint64_t call, unsigned items)
{
    return call << 16 | items << 8;
}

/* Takes an item and does it. False: there is none left. */
static bool do_one(gb_crew *crew)
{
    uint64_t seen = atomic_load_explicit(&crew->next, memory_order_acquire);
    unsigned item;
    do {
        item = seen & 0xff;
        if (item >= (seen >> 8 & 0xff)) return false;
    } while (!atomic_compare_exchange_weak_explicit(&crew->next, &seen, seen + 1,
                                                    memory_order_acq_rel, memory_order_acquire));
    crew->status[item] = crew->work(crew->context, item, &crew->error[item]);
    atomic_fetch_add_explicit(&crew->done, 1, memory_order_acq_rel);
    return true;
}

static void pause_a_little(unsigned *looks)
{
#if defined(__SSE2__)
    _mm_pause();
#endif
    if (++*looks % LOOKS == 0) (void)sched_yield();
}

static void serve(void *context, unsigned thread)
{
    gb_crew *crew = context;
    unsigned looks = 0;
    if (thread == 0) return; /* gb_crew_run's own */
    while (!atomic_load_explicit(&crew->rest, memory_order_acquire))
        if (!do_one(crew)) pause_a_little(&looks);
}

gb_status gb_crew_open(unsigned threads, gb_crew **out, gb_error *error)
{
    gb_crew *crew = *out = calloc(1, sizeof *crew);
    if (!crew) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for threads");
    atomic_init(&crew->rest, true);
    if (threads < 2) return GB_OK;
    const gb_status status = gb_pool_open(threads, serve, crew, &crew->pool, error);
    if (status == GB_OK) return GB_OK;
    gb_crew_close(crew);
    *out = NULL;
    return status;
}

gb_status gb_crew_run(gb_crew *crew, unsigned items, gb_crew_work *work, void *context,
                      gb_error *error)
{
    unsigned looks = 0;
    crew->work = work;
    crew->context = context;
    atomic_store_explicit(&crew->done, 0, memory_order_relaxed);
    atomic_store_explicit(&crew->next, word_of(++crew->calls, items), memory_order_release);
    if (crew->pool && atomic_load_explicit(&crew->rest, memory_order_relaxed)) {
        atomic_store_explicit(&crew->rest, false, memory_order_release);
        gb_pool_run(crew->pool);
    }
    while (do_one(crew)) {
    }
    while (atomic_load_explicit(&crew->done, memory_order_acquire) != items)
        pause_a_little(&looks);
    for (unsigned i = 0; i < items; i++) {
        if (crew->status[i] == GB_OK) continue;
        *error = crew->error[i];
        return crew->status[i];
    }
    return GB_OK;
}

void gb_crew_rest(gb_crew *crew)
{
    atomic_store_explicit(&crew->rest, true, memory_order_release);
}

void gb_crew_close(gb_crew *crew)
{
    if (!crew) return;
    gb_crew_rest(crew);
    gb_pool_close(crew->pool);
    free(crew);
}
