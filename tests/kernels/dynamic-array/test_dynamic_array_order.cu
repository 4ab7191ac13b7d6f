/* The growable array under other orders of threads: reading while others push, pushing in the order
 * of the input, and the cached pointer that makes the paper's busy waiting hang. */
/* test: fast 7 */
#include "tests/kernels/dynamic-array/dynamic_array.cuh"

#include "common/protocol/schedule.h"
#include "kernels/dynamic-array/growable/growable_ordered.cuh"

enum { SCHEDULES = 400 };

struct any {
    template <class E> __device__ bool operator()(E) const { return true; }
};

/* All but the multiples of a number. */
struct but_every {
    unsigned nth;
    __device__ bool operator()(unsigned e) const { return e % nth != 0; }
};

static gb_order_scratch *new_scratch(unsigned tiles)
{
    gb_order_scratch *scratch;
    const size_t bytes = gb_order_scratch_bytes(tiles);
    assert_int_equal(cudaMalloc((void **)&scratch, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(scratch, 0, bytes), cudaSuccess);
    return scratch;
}

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

/* In order, by tiles so small that many groups of them look back: a block each, or few blocks. What
 * is kept is another part each time: what is left of the calls before would be wrong. */
static void order_under_schedules(void **)
{
    /* a tile of four asks for a granule ahead */
    enum { THREADS = 64, COUNT = 9000, LARGE = 64 * GRANULE };
    const unsigned tiles = (unsigned)gb_tile<unsigned, THREADS, 1>::tiles_of(COUNT),
                   groups = (unsigned)gb_order_groups(tiles);
    gb_growable_pool *pool = NULL;
    gb_growable *array = NULL;
    assert_int_equal(gb_growable_pool_create(&pool, 4 * LARGE, LARGE), cudaSuccess);
    assert_int_equal(gb_growable_pool_map(pool, 4 * LARGE), cudaSuccess);
    assert_int_equal(gb_growable_create(&array, pool, 4, COUNT, tiles), cudaSuccess);
    const gb_growable_view v = gb_growable_view_of(array);
    const std::vector<unsigned> in = numbers(COUNT);
    std::vector<unsigned> kept[4], out(COUNT);
    for (unsigned k = 0; k < 4; k++)
        for (unsigned e : in)
            if (e % (k + 2)) kept[k].push_back(e);
    const unsigned *device_in = on_device(in);
    gb_order_scratch *scratch = new_scratch(tiles);
    auto few = gb_push_few_in_order<unsigned, THREADS, 1, 1, but_every>;
    auto many = gb_push_many_in_order<unsigned, THREADS, 1, 1, but_every>;
    for (unsigned i = 0; i < 1000; i++) {
        const std::vector<unsigned> &expected = kept[i % 7 % 4];
        const but_every keep = {i % 7 % 4 + 2};
        assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
        set_schedule(i);
        if (i % 4 == 0)
            assert_int_equal(launch(few, dim3(tiles), dim3(THREADS), 0, 0, v, device_in,
                                    (unsigned long long)COUNT, true, keep, scratch, groups),
                             cudaSuccess);
        else
            assert_int_equal(launch(many, dim3(i % 4 == 1 ? tiles + i : 1 + i % 7), dim3(THREADS),
                                    0, 0, v, device_in, (unsigned long long)COUNT, tiles, keep,
                                    scratch, groups),
                             cudaSuccess);
        set_schedule(0);
        assert_int_equal(size_of(array), expected.size());
        assert_int_equal(gb_growable_copy(array, 0, expected.size(), out.data(), 0), cudaSuccess);
        assert_memory_equal(out.data(), expected.data(), 4 * expected.size());
    }
    cudaFree((void *)device_in);
    cudaFree(scratch);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

/* In order, behind what is there, where memory is missing, and again when it is not: calls of few
 * tiles and of many with the same scratch. */
static void order_where_memory_is_missing(void **)
{
    enum {
        SMS = 1,
        MOST = 60000,
        BEFORE = 77,
        MAPPED = 20,
        ALL = 4 * (MOST + 2 * BEFORE) / GRANULE
    };
    const unsigned tiles = (unsigned)gb_order_tiles<unsigned>(MOST);
    const std::vector<unsigned> in = numbers(MOST);
    std::vector<unsigned> out(BEFORE + MOST);
    const unsigned *device_in = on_device(in);
    gb_order_scratch *scratch = new_scratch(tiles);
    for (unsigned i = 0; i < 12; i++) {
        const unsigned count = i % 3 == 0 ? MOST : i % 3 == 1 ? 30000 : ELEMENTS * MAPPED - BEFORE;
        gb_growable_pool *pool = NULL;
        gb_growable *array = NULL;
        assert_int_equal(gb_growable_pool_create(&pool, 2 * ALL * GRANULE, GRANULE), cudaSuccess);
        assert_int_equal(gb_growable_pool_map(pool, MAPPED * GRANULE), cudaSuccess);
        assert_int_equal(gb_growable_create(&array, pool, 4, BEFORE + MOST, tiles), cudaSuccess);
        assert_int_equal(gb_growable_resize(array, BEFORE, 0), cudaSuccess);
        const gb_growable_view v = gb_growable_view_of(array);
        set_schedule(i);
        assert_int_equal(gb_push_kept_in_order(v, device_in, count, any(), scratch, tiles, SMS, 0),
                         cudaSuccess);
        set_schedule(0);
        assert_int_equal(size_of(array), BEFORE + count);
        uint64_t unplaced;
        assert_int_equal(gb_growable_unplaced(array, 0, &unplaced), cudaSuccess);
        assert_int_equal(unplaced, BEFORE + count - ELEMENTS * MAPPED);
        assert_int_equal(gb_growable_pool_map(pool, 2 * ALL * GRANULE), cudaSuccess);
        set_schedule(i);
        assert_int_equal(
            gb_push_kept_in_order(v, device_in, count, any(), scratch, tiles, SMS, 0, true),
            cudaSuccess);
        set_schedule(0);
        assert_int_equal(gb_growable_unplaced(array, 0, &unplaced), cudaSuccess);
        assert_int_equal(unplaced, 0);
        assert_int_equal(gb_growable_copy(array, BEFORE, count, out.data(), 0), cudaSuccess);
        assert_memory_equal(out.data(), in.data(), 4 * count);
        gb_growable_destroy(array);
        gb_growable_pool_destroy(pool);
    }
    cudaFree((void *)device_in);
    cudaFree(scratch);
}

/* What the arguments do not allow is refused; nothing to push is not. */
static void order_of_too_much(void **)
{
    gb_growable_pool *pool = new_pool(1);
    gb_growable *array = new_array(pool, 4);
    const gb_growable_view v = gb_growable_view_of(array);
    const unsigned *in = on_device(numbers(4));
    gb_order_scratch *scratch = new_scratch(1);
    const unsigned long long tile = gb_tile<unsigned, GB_ORDERED_THREADS, GB_ORDERED_MANY>::SIZE;
    assert_int_equal(gb_push_kept_in_order(v, in, tile + 1, any(), scratch, 1, 1, 0),
                     cudaErrorInvalidValue);
    assert_int_equal(gb_push_kept_in_order(v, in, 1001 * tile, any(), scratch, 2000, 1, 0),
                     cudaErrorInvalidValue);
    assert_int_equal(gb_push_kept_in_order(v, reinterpret_cast<const unsigned long long *>(in), 2,
                                           any(), scratch, 1, 1, 0),
                     cudaErrorInvalidValue);
    assert_int_equal(gb_push_kept_in_order(v, in, 0, any(), scratch, 1, 1, 0), cudaSuccess);
    assert_int_equal(size_of(array), 0);
    assert_int_equal(gb_push_kept_in_order(v, in, 4, any(), scratch, 1, 1, 0), cudaSuccess);
    assert_int_equal(size_of(array), 4);
    cudaFree((void *)in);
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
        cmocka_unit_test(order_where_memory_is_missing),
        cmocka_unit_test(order_of_too_much),
        cmocka_unit_test(a_cached_pointer_is_never_refreshed),
    };
    return cmocka_run_group_tests_name("the growable array under schedules", tests, get_device,
                                       NULL);
}
