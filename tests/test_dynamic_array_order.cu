/* The growable array under other orders of threads: reading while others push, pushing in the order
 * of the input, and the cached pointer that makes the paper's busy waiting hang. */
#include "tests/dynamic_array.cuh"

#include "common/schedule.h"
#include "kernels/dynamic-array/growable_ordered.cuh"

enum { SCHEDULES = 400 };

struct any {
    __device__ bool operator()(unsigned) const { return true; }
};

static void set_schedule(unsigned i)
{
    static const simt::configuration defaults = simt::config;
    simt::config = defaults;
    simt::config.policy = i % 2 ? simt::random_order : simt::by_priority;
    simt::config.preempt_atomic = GB_PREEMPT_ALWAYS >> i % 5;
    simt::config.resident = 1 + i % 4;
    simt::config.explored = true;
    simt::reseed(i);
}

/* Some blocks push, one thread a time stores and says so; others read what they are told is there.
 */
static __global__ void push_and_read(gb_growable_view v, unsigned count, bool store_first,
                                     unsigned *bad)
{
    if (blockIdx.x % 2 == 0) {
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            const unsigned long long place = gb_reserve(v, 1);
            if (!store_first) gb_stored(v, place, 1);
            atomicExch(gb_place<unsigned>(v, place), i + 1);
            if (store_first) gb_stored(v, place, 1);
        }
        return;
    }
    for (unsigned look = 0; look < 20; look++) {
        const unsigned long long there = gb_readable(v);
        for (unsigned long long i = threadIdx.x; i < there; i += blockDim.x) {
            const unsigned value = atomicAdd(gb_place<unsigned>(v, i), 0u);
            if (value == 0 || value > count) atomicAdd(bad, 1u);
        }
    }
}

/* How many elements were read that had not been written. */
static unsigned read_too_early(bool store_first, unsigned schedules)
{
    gb_growable_pool *pool = new_pool(GRANULES);
    gb_growable *array = new_array(pool, 4);
    unsigned *bad, found = 0;
    assert_int_equal(cudaMalloc(&bad, 4), cudaSuccess);
    assert_int_equal(cudaMemset(bad, 0, 4), cudaSuccess);
    for (unsigned i = 0; i < schedules; i++) {
        assert_int_equal(cudaMemset(gb_growable_pool_base(pool), 0, GRANULES * GRANULE),
                         cudaSuccess);
        assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
        set_schedule(i);
        assert_int_equal(launch(push_and_read, dim3(4), dim3(32), 0, 0, gb_growable_view_of(array),
                                300u, store_first, bad),
                         cudaSuccess);
        set_schedule(0);
        assert_int_equal(size_of(array), 600);
    }
    assert_int_equal(cudaMemcpy(&found, bad, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    cudaFree(bad);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
    return found;
}

static void what_is_readable_is_there(void **)
{
    assert_int_equal(read_too_early(true, SCHEDULES), 0);
}

static void saying_so_before_storing_is_found(void **)
{
    assert_int_not_equal(read_too_early(false, 60), 0);
}

static __global__ void ask_readable(gb_growable_view v, unsigned long long *elements)
{
    *elements = gb_readable(v);
}

static unsigned long long readable_of(const gb_growable *array)
{
    unsigned long long *elements, found;
    assert_int_equal(cudaMalloc(&elements, 8), cudaSuccess);
    assert_int_equal(
        launch(ask_readable, dim3(1), dim3(1), 0, 0, gb_growable_view_of(array), elements),
        cudaSuccess);
    assert_int_equal(cudaMemcpy(&found, elements, 8, cudaMemcpyDeviceToHost), cudaSuccess);
    cudaFree(elements);
    return found;
}

/* What is pushed in bulk is readable as far as there was memory, and all of it in the end. */
static void what_is_pushed_in_bulk_is_readable(void **)
{
    enum { COUNT = 40 * ELEMENTS + 7, MAPPED = 20 };
    unsigned *in = on_device(numbers(COUNT));
    for (unsigned i = 0; i < 20; i++) {
        gb_growable_pool *pool = new_pool(MAPPED);
        gb_growable *array = new_array(pool, 4);
        const gb_growable_view v = gb_growable_view_of(array);
        set_schedule(i);
        assert_int_equal((gb_push_kept<unsigned, GB_PUSH_READABLE>(v, in, COUNT, any(), 0)),
                         cudaSuccess);
        set_schedule(0);
        assert_int_equal(size_of(array), COUNT);
        if (i % 2) assert_int_equal(readable_of(array), MAPPED * ELEMENTS);
        assert_int_equal(gb_growable_pool_map(pool, GRANULES * GRANULE), cudaSuccess);
        set_schedule(i);
        assert_int_equal((gb_push_kept<unsigned, GB_PUSH_READABLE>(v, in, COUNT, any(), 0, true)),
                         cudaSuccess);
        set_schedule(0);
        assert_int_equal(readable_of(array), COUNT);
        gb_growable_destroy(array);
        gb_growable_pool_destroy(pool);
    }
    cudaFree(in);
}

/* In order, by tiles so small that many groups of them look back. */
static void order_under_schedules(void **)
{
    enum { THREADS = 64, COUNT = 20000 };
    const unsigned tiles = (unsigned)gb_tile<unsigned, THREADS, 1>::tiles_of(COUNT);
    gb_growable_pool *pool = NULL;
    gb_growable *array = NULL;
    assert_int_equal(gb_growable_pool_create(&pool, 200 * GRANULE, GRANULE), cudaSuccess);
    assert_int_equal(gb_growable_pool_map(pool, 200 * GRANULE), cudaSuccess);
    assert_int_equal(gb_growable_create(&array, pool, 4, COUNT, tiles), cudaSuccess);
    const std::vector<unsigned> in = numbers(COUNT);
    std::vector<unsigned> out(COUNT);
    unsigned *device_in = on_device(in);
    gb_order_scratch *scratch;
    assert_int_equal(cudaMalloc((void **)&scratch, gb_order_scratch_bytes(tiles)), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0, gb_order_scratch_bytes(tiles)), cudaSuccess);
    for (unsigned i = 0; i < SCHEDULES / 4; i++) {
        assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
        set_schedule(i);
        auto kernel = gb_push_kept_in_order<unsigned, THREADS, 1, any>;
        assert_int_equal(launch(kernel, dim3(tiles), dim3(THREADS), 0, 0,
                                gb_growable_view_of(array), device_in, (unsigned long long)COUNT,
                                (unsigned long long)tiles, any(), scratch,
                                (unsigned long long)tiles),
                         cudaSuccess);
        set_schedule(0);
        assert_int_equal(size_of(array), COUNT);
        assert_int_equal(gb_growable_copy(array, 0, COUNT, out.data(), 0), cudaSuccess);
        assert_memory_equal(out.data(), in.data(), 4 * COUNT);
    }
    cudaFree(device_in);
    cudaFree(scratch);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

/* ---- why the paper's busy waiting hangs ------------------------------------------------------ */

/* One block makes the bucket, all wait for it by a load that the L1 answers or that it does not. A
 * multiprocessor's L1, as far as it matters: it keeps the line that it has seen, what its own
 * threads store is written through, and what others store does not reach it. */
static __global__ void wait_for_bucket(unsigned *bucket, unsigned *elected, bool past_the_l1,
                                       unsigned *gave_up)
{
    __shared__ unsigned l1;
    if (threadIdx.x == 0) l1 = atomicAdd(bucket, 0u);
    __syncthreads();
    if (threadIdx.x == 0 && atomicCAS(elected, 0u, 1u) == 0) {
        atomicExch(bucket, 1u);
        l1 = 1;
    }
    for (int looks = 0;; looks++) {
        const unsigned seen = past_the_l1 ? atomicAdd(bucket, 0u) : l1;
        if (seen) break;
        if (looks == 10000) {
            atomicAdd(gave_up, 1u);
            break;
        }
        __nanosleep(0);
    }
}

static unsigned waiters_that_gave_up(unsigned blocks, bool past_the_l1)
{
    unsigned *words, gave_up;
    assert_int_equal(cudaMalloc(&words, 12), cudaSuccess);
    assert_int_equal(cudaMemset(words, 0, 12), cudaSuccess);
    set_schedule(5);
    simt::config.resident = blocks;
    assert_int_equal(launch(wait_for_bucket, dim3(blocks), dim3(32), 0, 0, words, words + 1,
                            past_the_l1, words + 2),
                     cudaSuccess);
    set_schedule(0);
    assert_int_equal(cudaMemcpy(&gave_up, words + 2, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    cudaFree(words);
    return gave_up;
}

static void a_cached_pointer_is_never_refreshed(void **)
{
    assert_int_equal(waiters_that_gave_up(1, false), 0); /* one block: its own store */
    assert_int_not_equal(waiters_that_gave_up(4, false), 0);
    assert_int_equal(waiters_that_gave_up(4, true), 0);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_readable_is_there),
        cmocka_unit_test(saying_so_before_storing_is_found),
        cmocka_unit_test(what_is_pushed_in_bulk_is_readable),
        cmocka_unit_test(order_under_schedules),
        cmocka_unit_test(a_cached_pointer_is_never_refreshed),
    };
    return cmocka_run_group_tests_name("the growable array under schedules", tests, get_device,
                                       NULL);
}
