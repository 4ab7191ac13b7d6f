/* Barriers in shared memory (common/cuda/mbarrier.cuh) and boxes of a 3-D array that come into
 * shared memory (common/cuda/tensor_map.cuh), as they are where there is no Hopper. */
#include "common/cuda/tensor_map.cuh"
#include "common/protocol/schedule.h"
#include "common/random.h"
#include "common/worker/backend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern "C" {
#include <cmocka.h>
}

enum { MOST_WARPS = 8, PHASES = 12, SCHEDULES = 48 };

/* Random numbers of a test: number i of stream `what`, below `limit`. */
static unsigned draw(uint64_t what, uint64_t i, unsigned limit)
{
    return gb_random(what, 0, i).word[0] % limit;
}

/* Schedule i of those that are tried. */
static gb_schedule schedule_of(unsigned i)
{
    return {(gb_policy)(i % GB_POLICY_COUNT), i, 128u >> i % 5, 0, 0, 1, 0};
}

/* Runs a kernel of one argument, in one block, under a schedule; returns how many mistakes it has
 * counted. */
static unsigned mistakes_of(void (*kernel)(unsigned *), unsigned threads,
                            const gb_schedule &schedule)
{
    gb_error error;
    unsigned *mistakes = NULL, found = 0;
    assert_int_equal(cudaMalloc(&mistakes, sizeof *mistakes), cudaSuccess);
    assert_int_equal(cudaMemset(mistakes, 0, sizeof *mistakes), cudaSuccess);
    assert_int_equal(gb_backend_schedule(NULL, &schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    const cudaError_t code = launch(kernel, dim3(1), dim3(threads), 0, NULL, mistakes);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    if (code != cudaSuccess)
        fail_msg("policy %s, seed %llu: %s", gb_policy_name(schedule.policy),
                 (unsigned long long)schedule.seed, cudaGetErrorString(code));
    assert_int_equal(cudaMemcpy(&found, mistakes, sizeof found, cudaMemcpyDefault), cudaSuccess);
    (void)cudaFree(mistakes);
    return found;
}

static void right_under_schedules(void (*kernel)(unsigned *), unsigned warps)
{
    for (unsigned i = 0; i < SCHEDULES; i++) {
        const gb_schedule schedule = schedule_of(i);
        const unsigned mistakes = mistakes_of(kernel, 32 * warps, schedule);
        if (mistakes)
            fail_msg("%u mistakes under policy %s, seed %u", mistakes,
                     gb_policy_name(schedule.policy), i);
    }
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* Phase after phase, all warps write, arrive, wait, and read what the others wrote. */
static __global__ void take_turns(unsigned *mistakes)
{
    __shared__ gb_mbarrier barrier;
    __shared__ unsigned written[2][MOST_WARPS * 32];
    const unsigned t = threadIdx.x, warps = blockDim.x / 32;
    if (t == 0) gb_mbarrier_init(&barrier, warps);
    gb_mbarrier_fence_init();
    __syncthreads();
    for (unsigned phase = 0; phase < PHASES; phase++) {
        written[phase % 2][t] = 1000 * phase + t;
        __syncwarp();
        gb_mbarrier_arrive(&barrier, t % 32 == phase % 32);
        gb_mbarrier_wait(&barrier, phase % 2);
        for (unsigned other = t % 32; other < blockDim.x; other += 32)
            if (written[phase % 2][other] != 1000 * phase + other) atomicAdd(mistakes, 1u);
    }
}

/* A ring of two slots: one warp fills it, the others read and give back; whoever fills waits for
 * the parity that an unused barrier has already. */
static __global__ void fill_a_ring(unsigned *mistakes)
{
    __shared__ gb_mbarrier full[2], empty[2];
    __shared__ unsigned ring[2][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, readers = blockDim.x / 32 - 1;
    if (threadIdx.x < 2) {
        gb_mbarrier_init(full + threadIdx.x, 1);
        gb_mbarrier_init(empty + threadIdx.x, readers);
    }
    gb_mbarrier_fence_init();
    __syncthreads();
    for (unsigned turn = 0; turn < PHASES; turn++) {
        const unsigned slot = turn % 2, parity = turn / 2 % 2;
        if (warp == readers) {
            gb_mbarrier_wait(empty + slot, parity ^ 1);
            ring[slot][lane] = 100 * turn + lane;
            __syncwarp();
            gb_mbarrier_arrive(full + slot, lane == 0);
        } else {
            gb_mbarrier_wait(full + slot, parity);
            const unsigned value = ring[slot][31 - lane];
            if (value != 100 * turn + 31 - lane) atomicAdd(mistakes, 1u);
            __syncwarp();
            gb_mbarrier_arrive_after(empty + slot, lane == 0, value, 0);
        }
    }
}

/* A phase takes as many arrivals as it was told, several by one thread among them; those that do
 * not want to arrive do not count. */
static __global__ void count_arrivals(unsigned *mistakes)
{
    __shared__ gb_mbarrier barrier;
    __shared__ unsigned arrived;
    if (threadIdx.x == 0) {
        gb_mbarrier_init(&barrier, 5);
        arrived = 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        gb_mbarrier_wait(&barrier, 0);
        if (atomicAdd(&arrived, 0u) != 5) atomicAdd(mistakes, 1u);
        return;
    }
    const unsigned warp = threadIdx.x / 32; /* 1 arrives once, 2 four times */
    for (unsigned i = 0; i < (warp == 1 ? 1u : 4u); i++) {
        gb_mbarrier_arrive(&barrier, false);
        if (threadIdx.x % 32 == 7) atomicAdd(&arrived, 1u);
        gb_mbarrier_arrive(&barrier, threadIdx.x % 32 == 7);
    }
}

/* More phases than the stand-in's half word counts. */
static __global__ void pass_many_phases(unsigned *mistakes)
{
    __shared__ gb_mbarrier barrier;
    gb_mbarrier_init(&barrier, 2);
    for (unsigned phase = 0; phase < 70000; phase++) {
        gb_mbarrier_wait(&barrier, (phase & 1) ^ 1); /* of the phase before */
        gb_mbarrier_arrive(&barrier, true);
        gb_mbarrier_arrive(&barrier, true);
        gb_mbarrier_wait(&barrier, phase & 1);
    }
    *mistakes = 0;
}

static void barrier_of_all_warps(void **)
{
    for (unsigned warps = 1; warps <= MOST_WARPS; warps = 2 * warps + 1)
        right_under_schedules(take_turns, warps);
}
static void barrier_of_a_ring(void **)
{
    for (unsigned warps = 2; warps <= 4; warps++)
        right_under_schedules(fill_a_ring, warps);
}
static void barrier_counts(void **)
{
    right_under_schedules(count_arrivals, 3);
}
static void barrier_of_many_phases(void **)
{
    assert_int_equal(mistakes_of(pass_many_phases, 1, schedule_of(0)), 0);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

enum { MOST_BOX = 1024, GUARD = 64 };
static const float untouched = -7;

/* Block b copies the box at at[b] and stores what it got, the floats behind it as well. */
static __global__ void copy_boxes(const GB_GRID_CONSTANT gb_tensor_map map, const int3 *at,
                                  float *out)
{
    __shared__ __align__(128) float box[MOST_BOX + GUARD];
    __shared__ gb_mbarrier barrier;
    if (threadIdx.x == 0) gb_mbarrier_init(&barrier, 1);
    gb_mbarrier_fence_init();
    for (unsigned i = threadIdx.x; i < MOST_BOX + GUARD; i += blockDim.x)
        box[i] = untouched;
    __syncthreads();
    const int3 corner = at[blockIdx.x];
    if (threadIdx.x < 32)
        gb_tensor_map_load(map, box, corner.x, corner.y, corner.z, &barrier, threadIdx.x);
    gb_mbarrier_wait(&barrier, 0);
    for (unsigned i = threadIdx.x; i < MOST_BOX + GUARD; i += blockDim.x)
        out[blockIdx.x * (size_t)(MOST_BOX + GUARD) + i] = box[i];
}

/* The array's element, or 0 where it has none. */
static float right_value(const gb_tensor_map *map, int x, int y, int z)
{
    if (x < 0 || y < 0 || z < 0 || x >= map->columns || y >= map->rows || z >= map->planes)
        return 0;
    return (float)(1 + x + 100 * (y + 100 * z));
}

static void check_box(const gb_tensor_map *map, const int3 &corner, const float *box)
{
    const int floats = map->box_columns * map->box_rows;
    for (int i = 0; i < MOST_BOX + GUARD; i++) {
        const float right = i >= floats ? untouched
                                        : right_value(map, corner.x + i % map->box_columns,
                                                      corner.y + i / map->box_columns, corner.z);
        if (box[i] != right)
            fail_msg("array of %d x %d x %d, box of %d x %d at (%d, %d, %d): float %d is %g, not "
                     "%g",
                     map->columns, map->rows, map->planes, map->box_columns, map->box_rows,
                     corner.x, corner.y, corner.z, i, (double)box[i], (double)right);
    }
}

/* Every place of a box around an array, from wholly outside to wholly outside. */
static void boxes_around(gb_tensor_map *map)
{
    enum { MOST = 4096 };
    static int3 corners[MOST];
    static float values[1 << 16];
    unsigned count = 0;
    for (int z = -2; z <= map->planes + 1; z++)
        for (int y = -map->box_rows - 1; y <= map->rows + 1; y++)
            for (int x = -map->box_columns - 4; x <= map->columns + 4; x += 4) {
                assert_true(count < MOST);
                corners[count++] = {x, y, z};
            }
    for (float &value : values)
        value = untouched;
    for (int z = 0; z < map->planes; z++)
        for (int y = 0; y < map->rows; y++)
            for (int x = 0; x < map->columns; x++)
                values[z * map->plane + y * map->pitch + x] = right_value(map, x, y, z);
    float *array = NULL, *out = NULL;
    int3 *at = NULL;
    const size_t floats = MOST_BOX + GUARD;
    float *const found = (float *)malloc(count * floats * sizeof *found);
    gb_device device = {};
    gb_error error;
    assert_non_null(found);
    assert_int_equal(cudaMalloc(&array, sizeof values), cudaSuccess);
    assert_int_equal(cudaMalloc(&out, count * floats * sizeof *out), cudaSuccess);
    assert_int_equal(cudaMalloc(&at, count * sizeof *at), cudaSuccess);
    assert_int_equal(cudaMemcpy(array, values, sizeof values, cudaMemcpyDefault), cudaSuccess);
    assert_int_equal(cudaMemcpy(at, corners, count * sizeof *at, cudaMemcpyDefault), cudaSuccess);
    map->base = array;
    assert_int_equal(gb_tensor_map_open(map, &device, &error), GB_OK);
    assert_int_equal(launch(copy_boxes, dim3(count), dim3(64), 0, NULL, *map, at, out),
                     cudaSuccess);
    assert_int_equal(cudaMemcpy(found, out, count * floats * sizeof *found, cudaMemcpyDefault),
                     cudaSuccess);
    for (unsigned i = 0; i < count; i++)
        check_box(map, corners[i], found + i * floats);
    (void)cudaFree(array);
    (void)cudaFree(out);
    (void)cudaFree(at);
    free(found);
}

/* Arrays larger and smaller than the box, pitches with and without padding. */
static void boxes_beyond_the_array(void **)
{
    for (uint64_t i = 0; i < 12; i++) {
        gb_tensor_map map = {};
        map.columns = 4 * (1 + (int)draw(1, i, 6));
        map.rows = 1 + (int)draw(2, i, 6);
        map.planes = 1 + (int)draw(3, i, 3);
        map.pitch = map.columns + 4 * (int64_t)draw(4, i, 3);
        map.plane = map.pitch * (map.rows + (int)draw(5, i, 2));
        map.box_columns = 4 * (1 + (int)draw(6, i, 9));
        map.box_rows = 1 + (int)draw(7, i, 8);
        boxes_around(&map);
    }
}

/* Whether the copy engine serves a device. */
static void engine_is_hoppers(void **)
{
    gb_device device = {};
    device.arch = 900;
    snprintf(device.backend, sizeof device.backend, "simt");
    assert_false(gb_tensor_map_engine(&device));
    device.arch = 800;
    snprintf(device.backend, sizeof device.backend, "cuda");
    assert_false(gb_tensor_map_engine(&device));
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barrier_of_all_warps),   cmocka_unit_test(barrier_of_a_ring),
        cmocka_unit_test(barrier_counts),         cmocka_unit_test(barrier_of_many_phases),
        cmocka_unit_test(boxes_beyond_the_array), cmocka_unit_test(engine_is_hoppers),
    };
    return cmocka_run_group_tests_name("mbarrier", tests, NULL, NULL);
}
