/* Work on many elements by all cores of the host. */
#include "common/worker/cpu_pool.h"
#include "kernels/radix-sort/opencl/data.h"

/* Fewer are not worth a thread. */
static const uint64_t least_share = 1 << 16;

typedef struct sharing {
    rs_part *part;
    void *context;
    uint64_t count;
    unsigned threads;
    gb_pool *pool;
} sharing;

/* The pool's run ends with a barrier of its work. */
static void work(void *context, unsigned thread)
{
    const sharing *s = context;
    s->part(s->context, thread, gb_pool_share(s->count, thread, s->threads),
            gb_pool_share(s->count, thread + 1, s->threads));
    gb_pool_barrier(s->pool);
}

gb_status rs_share_out(uint64_t count, rs_part *part, void *context, gb_error *error)
{
    sharing s = {.part = part, .context = context, .count = count, .threads = gb_pool_cores()};
    if (s.threads > RS_MOST_THREADS) s.threads = RS_MOST_THREADS;
    if (s.threads > count / least_share) s.threads = (unsigned)(count / least_share);
    if (s.threads <= 1) {
        part(context, 0, 0, count);
        return GB_OK;
    }
    gb_status status = gb_pool_open(s.threads, work, &s, &s.pool, error);
    if (status == GB_OK) gb_pool_run(s.pool);
    gb_pool_close(s.pool);
    return status;
}
