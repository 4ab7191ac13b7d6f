/* The growable array through its own interface: sizes and granules, running out of memory and going
 * on, arrays that share a pool, elements of every size. */
#include "tests/kernels/dynamic-array/dynamic_array.cuh"

#include "kernels/dynamic-array/growable/growable_bulk.cuh"

static uint64_t taken(gb_growable_pool *pool)
{
    uint64_t granules = 0;
    assert_int_equal(gb_growable_pool_taken(pool, &granules), cudaSuccess);
    return granules;
}

static uint64_t unplaced_of(gb_growable *array)
{
    uint64_t places = 0;
    assert_int_equal(gb_growable_unplaced(array, 0, &places), cudaSuccess);
    return places;
}

/* The elements 0 ... count - 1 are there, each once, whatever their order. */
static void assert_holds(gb_growable *array, unsigned count)
{
    std::vector<unsigned> found(count), times(count);
    assert_int_equal(size_of(array), count);
    assert_int_equal(gb_growable_copy(array, 0, count, found.data(), 0), cudaSuccess);
    for (unsigned value : found) {
        assert_in_range(value, 0, count - 1);
        assert_int_equal(++times[value], 1);
    }
}

static __global__ void push_numbers(gb_growable_view v, unsigned count)
{
    const unsigned step = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        gb_push_back(v, i);
}

static void push(gb_growable *array, unsigned count)
{
    assert_int_equal(
        launch(push_numbers, dim3(3), dim3(64), 0, 0, gb_growable_view_of(array), count),
        cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

static void sizes_and_granules(void **)
{
    gb_growable_pool *pool = new_pool(GRANULES);
    gb_growable *array = new_array(pool, 4);
    uint64_t capacity;
    assert_int_equal(size_of(array), 0);
    assert_int_equal(taken(pool), 1); /* the first push finds it */
    assert_int_equal(gb_growable_reserve(array, 5 * ELEMENTS, 0), cudaSuccess);
    assert_int_equal(gb_growable_capacity(array, 0, &capacity), cudaSuccess);
    assert_int_equal(capacity, 5 * ELEMENTS);
    assert_int_equal(size_of(array), 0);
    assert_int_equal(gb_growable_resize(array, 7 * ELEMENTS + 1, 0), cudaSuccess);
    assert_int_equal(size_of(array), 7 * ELEMENTS + 1);
    assert_int_equal(taken(pool), 11);
    assert_int_equal(gb_growable_resize(array, 2 * ELEMENTS, 0), cudaSuccess);
    assert_int_equal(taken(pool), 4);
    assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
    assert_int_equal(taken(pool), 1);
    assert_int_equal(gb_growable_release(array, 0), cudaSuccess);
    assert_int_equal(taken(pool), 0);
    assert_int_equal(gb_growable_pool_unmap(pool), cudaSuccess);
    assert_int_equal(gb_growable_pool_mapped(pool), 0);
    assert_int_equal(gb_growable_pool_map(pool, GRANULES * GRANULE), cudaSuccess);
    push(array, 1000);
    assert_holds(array, 1000);
    assert_int_equal(gb_growable_pool_unmap(pool), cudaErrorInvalidValue); /* it is in use */
    gb_growable_destroy(array);
    assert_int_equal(taken(pool), 0);
    gb_growable_pool_destroy(pool);
}

static void what_cannot_be(void **)
{
    gb_growable_pool *pool = NULL;
    gb_growable *array = NULL;
    assert_int_equal(gb_growable_pool_create(&pool, 1 << 20, 1000), cudaErrorInvalidValue);
    assert_null(pool);
    pool = new_pool(1);
    assert_int_equal(gb_growable_create(&array, pool, 12, 100, 1), cudaErrorInvalidValue);
    assert_null(array);
    assert_int_equal(gb_growable_pool_map(pool, (GRANULES + 1) * GRANULE),
                     cudaErrorMemoryAllocation);
    array = new_array(pool, 4);
    unsigned *memory, value;
    assert_int_equal(cudaMalloc(&memory, 64), cudaSuccess);
    assert_int_equal(gb_growable_append(array, memory + 1, 4, 0), cudaErrorInvalidValue);
    assert_int_equal(gb_growable_append(array, memory, 1u << 31, 0), cudaErrorInvalidValue);
    assert_int_equal(gb_growable_copy(array, 0, 1, &value, 0), cudaErrorInvalidValue);
    assert_int_equal(gb_growable_resize(array, 1u << 31, 0), cudaErrorInvalidValue);
    cudaFree(memory);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
    gb_growable_destroy(NULL);
    gb_growable_pool_destroy(NULL);
}

/* Never more than one and a half times what it holds, and one granule. */
static void memory_is_bounded(void **)
{
    gb_growable_pool *pool = new_pool(GRANULES);
    gb_growable *array = new_array(pool, 4);
    for (unsigned count = 0; count < 40 * ELEMENTS; count += 1 + count / 7) {
        assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
        push(array, count);
        assert_true(2 * taken(pool) * GRANULE <= 3 * 4 * count + 2 * GRANULE);
    }
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

/* Whether it was pushed to a size or resized to it: the next push finds the same granules. */
static void resizing_takes_ahead_as_pushing_does(void **)
{
    gb_growable_pool *pool = new_pool(GRANULES);
    gb_growable *array = new_array(pool, 4);
    for (unsigned count = 0; count < 40 * ELEMENTS; count += 1 + count / 7) {
        assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
        push(array, count);
        const uint64_t by_pushing = taken(pool);
        assert_int_equal(gb_growable_release(array, 0), cudaSuccess);
        assert_int_equal(gb_growable_resize(array, count, 0), cudaSuccess);
        assert_int_equal(taken(pool), by_pushing);
    }
    /* as long as the pool has them */
    assert_int_equal(gb_growable_resize(array, GRANULES * ELEMENTS, 0), cudaSuccess);
    assert_int_equal(taken(pool), GRANULES);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

/* ---- running out of memory ------------------------------------------------------------------- */

template <class E> static void append_and_go_on(unsigned count)
{
    gb_growable_pool *pool = new_pool(3);
    gb_growable *array = new_array(pool, sizeof(E));
    std::vector<E> in(count), out(count);
    for (unsigned i = 0; i < count; i++)
        memset(&in[i], 0, sizeof(E)), memcpy(&in[i], &i, 4);
    E *device_in = on_device(in);
    assert_int_equal(gb_growable_append(array, device_in, count, 0), cudaSuccess);
    const unsigned fit = 3 * GRANULE / sizeof(E);
    assert_int_equal(size_of(array), count);
    assert_int_equal(unplaced_of(array), count > fit ? count - fit : 0);
    for (unsigned granules = 4; unplaced_of(array); granules += 5) {
        assert_true(granules < GRANULES + 5);
        const size_t most = (size_t)GRANULES * GRANULE, next = (size_t)granules * GRANULE;
        assert_int_equal(gb_growable_pool_map(pool, next < most ? next : most), cudaSuccess);
        assert_int_equal(gb_growable_append_again(array, device_in, count, 0), cudaSuccess);
    }
    std::vector<unsigned> times(count);
    assert_int_equal(gb_growable_copy(array, 0, count, out.data(), 0), cudaSuccess);
    for (const E &element : out) {
        unsigned number;
        memcpy(&number, &element, 4);
        assert_in_range(number, 0, count - 1);
        assert_int_equal(++times[number], 1);
        assert_memory_equal(&element, &in[number], sizeof(E));
    }
    cudaFree(device_in);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

static void appends_go_on(void **)
{
    append_and_go_on<uint32_t>(100);
    append_and_go_on<uint32_t>(3 * ELEMENTS);
    append_and_go_on<uint32_t>(3 * ELEMENTS + 1);
    append_and_go_on<uint32_t>(40 * ELEMENTS);
    append_and_go_on<uint2>(20 * ELEMENTS);
    append_and_go_on<uint4>(10 * ELEMENTS + 3);
}

static __global__ void push_or_note(gb_growable_view v, unsigned count, unsigned long long *place)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        bool stored;
        const unsigned long long at = gb_push_back(v, i, &stored);
        place[i] = stored ? ~0ull : at;
    }
}

static __global__ void put_noted(gb_growable_view v, unsigned count,
                                 const unsigned long long *place, unsigned *failed)
{
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        if (place[i] != ~0ull && !gb_put(v, place[i], i)) atomicAdd(failed, 1u);
}

static void single_pushes_go_on(void **)
{
    const unsigned count = 5 * ELEMENTS;
    gb_growable_pool *pool = new_pool(2);
    gb_growable *array = new_array(pool, 4);
    unsigned long long *place;
    unsigned *failed, none = 0;
    assert_int_equal(cudaMalloc(&place, 8 * count), cudaSuccess);
    assert_int_equal(cudaMalloc(&failed, 4), cudaSuccess);
    assert_int_equal(cudaMemset(failed, 0, 4), cudaSuccess);
    const gb_growable_view v = gb_growable_view_of(array);
    assert_int_equal(launch(push_or_note, dim3(1), dim3(96), 0, 0, v, count, place), cudaSuccess);
    assert_int_equal(unplaced_of(array), 3 * ELEMENTS);
    assert_int_equal(launch(put_noted, dim3(1), dim3(96), 0, 0, v, count, place, failed),
                     cudaSuccess);
    assert_int_equal(cudaMemcpy(&none, failed, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    assert_int_equal(none, 3 * ELEMENTS); /* still no memory */
    assert_int_equal(gb_growable_pool_map(pool, 8 * GRANULE), cudaSuccess);
    assert_int_equal(launch(put_noted, dim3(1), dim3(96), 0, 0, v, count, place, failed),
                     cudaSuccess);
    assert_int_equal(unplaced_of(array), 0);
    assert_holds(array, count);
    cudaFree(place);
    cudaFree(failed);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

/* What had no memory is no business of whoever uses the array next. */
static void clearing_forgets_what_had_no_memory(void **)
{
    enum { COUNT = 20 * ELEMENTS };
    gb_growable_pool *pool = new_pool(3);
    gb_growable *array = new_array(pool, 4);
    unsigned *device_in = on_device(numbers(COUNT));
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(gb_growable_append(array, device_in, COUNT, 0), cudaSuccess);
        assert_int_not_equal(unplaced_of(array), 0);
        assert_int_equal(gb_growable_clear(array, 0), cudaSuccess);
        assert_int_equal(unplaced_of(array), 0);
        assert_int_equal(gb_growable_append_again(array, device_in, COUNT, 0), cudaSuccess);
        assert_int_equal(size_of(array), 0);
        assert_int_equal(taken(pool), 1);
    }
    assert_int_equal(gb_growable_pool_map(pool, GRANULES * GRANULE), cudaSuccess);
    assert_int_equal(gb_growable_append(array, device_in, COUNT, 0), cudaSuccess);
    assert_int_equal(unplaced_of(array), 0);
    assert_holds(array, COUNT);
    cudaFree(device_in);
    gb_growable_destroy(array);
    gb_growable_pool_destroy(pool);
}

static void arrays_share_a_pool(void **)
{
    gb_growable_pool *pool = new_pool(GRANULES);
    gb_growable *one = new_array(pool, 4), *other = new_array(pool, 4);
    for (unsigned turn = 0; turn < 3; turn++) {
        push(one, 9 * ELEMENTS + turn);
        push(other, 4 * ELEMENTS);
        assert_holds(one, 9 * ELEMENTS + turn);
        assert_holds(other, 4 * ELEMENTS);
        assert_int_equal(gb_growable_clear(turn % 2 ? other : one, 0), cudaSuccess);
        assert_int_equal(gb_growable_release(turn % 2 ? one : other, 0), cudaSuccess);
        assert_int_equal(taken(pool), 1);
    }
    gb_growable_destroy(one);
    gb_growable_destroy(other);
    gb_growable_pool_destroy(pool);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_granules),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(resizing_takes_ahead_as_pushing_does),
        cmocka_unit_test(appends_go_on),
        cmocka_unit_test(single_pushes_go_on),
        cmocka_unit_test(clearing_forgets_what_had_no_memory),
        cmocka_unit_test(arrays_share_a_pool),
    };
    return cmocka_run_group_tests_name("the growable array", tests, get_device, NULL);
}
