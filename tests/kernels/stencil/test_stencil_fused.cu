/* The marching stencils that take one step a sweep or several (variants tma and temporal): boxes
 * around the edges of tiles for every kernel there is, in plans of many devices, also under other
 * orders of threads; fused steps against as many single ones. */
/* test: long 22 */
#include "common/protocol/schedule.h"
#include "common/worker/backend.h"
#include "tests/kernels/stencil/stencil_fused.cuh"

enum { EXPLORED = 40, SPANS = 40 };

static uint64_t most_shared; /* bytes that a block of the simt device may have */

/* ---- the devices that plans are made for ------------------------------------------------------
 */

/* Gives the device a number of multiprocessors, which decides how many chunks the planes are cut
 * into, and some shared memory, which decides how high tiles are and how many planes the ring has:
 * from just enough on to all there is. False if all there is does not do. */
static bool draw_device(uint64_t i, const gb_params *params)
{
    static const int multiprocessors[] = {1, 2, 5, 132};
    const st_shape shape = st_shape_of(params);
    const unsigned sweeps = st_sweeps(&shape);
    uint64_t least = 0;
    for (unsigned last = 0; last < 2; last++) {
        const unsigned steps = st_sweep_steps(&shape, last ? sweeps - 1 : 0);
        const uint64_t needed = least_shared(fused_find(shape.radius, steps), &shape);
        if (needed > least) least = needed;
    }
    if (least > most_shared) return false;
    device.sms = multiprocessors[draw(40, i, 4)];
    const unsigned span = (unsigned)(most_shared - least + 1), some = draw(41, i, span);
    const unsigned kind = draw(42, i, 4);
    device.shared_optin = kind == 0 ? least : kind == 1 ? most_shared : least + some;
    return true;
}

/* What the plans that ran were like. */
static struct {
    unsigned points, chunks, tiles_x, tiles_y, wait, waves, low, short_ring;
} seen;

static void note_plan(const st_shape *shape)
{
    const fused_kernel *kernel = fused_find(shape->radius, st_sweep_steps(shape, 0));
    gb_device all = device;
    fused_plan plan, largest;
    all.shared_optin = most_shared;
    assert_true(kernel->plan(shape, &device, &plan) && kernel->plan(shape, &all, &largest));
    seen.points++;
    seen.chunks += plan.chunks > 1;
    seen.tiles_x += plan.tiles_x > 1;
    seen.tiles_y += plan.tiles_y > 1;
    seen.wait += plan.resident && plan.blocks > 1;
    seen.waves += plan.blocks > device.sms;
    seen.low += plan.warps < largest.warps;
    seen.short_ring += plan.slots < largest.slots;
}

/* ---- points ---------------------------------------------------------------------------------- */

static void run_point(const gb_params *params, uint64_t seed, const gb_schedule *schedule)
{
    const gb_value *value = params->value;
    char order[GB_SCHEDULE_TEXT] = "none";
    gb_error error;
    gb_job job;
    open_job(&job, value[ST_FUSED].size > 1 ? &st_temporal : &st_tma, params, seed);
    note_plan(&job.problem->shape);
    gb_status status = st_poison(&job, NULL);
    if (status == GB_OK) status = job.variant->reset(&job, NULL);
    assert_int_equal(gb_backend_schedule(NULL, schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    if (status == GB_OK) status = job.variant->run(&job, NULL);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    if (status == GB_OK) status = st_check(&job, NULL);
    if (status != GB_OK)
        fail_msg("%s: box %llux%llux%llu, radius %llu, steps %llu, fused %llu, %d "
                 "multiprocessors with %llu bytes, schedule %s: %s",
                 job.variant->name, (unsigned long long)value[ST_X].size,
                 (unsigned long long)value[ST_Y].size, (unsigned long long)value[ST_Z].size,
                 (unsigned long long)value[ST_RADIUS].size,
                 (unsigned long long)value[ST_STEPS].size, (unsigned long long)value[ST_FUSED].size,
                 device.sms, (unsigned long long)device.shared_optin,
                 schedule ? gb_schedule_format(schedule, order) : order, job.error.text);
    close_job(&job);
}

/* Up to two sweeps and what is left over. */
static unsigned draw_steps(uint64_t i, unsigned fused)
{
    return fused + draw(30, i, fused + 2);
}

/* Few planes, or more of them than a ring has. */
static unsigned draw_z(uint64_t i, int radius)
{
    const unsigned few = 2 * (unsigned)radius + 1, z = 1 + draw(31, i, few + 2);
    return z > few ? 17 : z;
}

/* Around multiples of what is stored of `of` rows or cells. */
static unsigned draw_around(uint64_t what, uint64_t i, unsigned of)
{
    const unsigned at = of * (1 + draw(what, i, 2)) + draw(what + 1, i, 3);
    return at > 1 ? at - 1 : 1;
}

/* Every kernel with boxes as wide as a tile stores and around that, and others. */
static void edges(unsigned first, unsigned last)
{
    static const unsigned widths[] = {0, 1, 3, 31, 33, 119, 120, 121, 127, 129, 245};
    enum { WIDTHS = sizeof widths / sizeof *widths };
    for (unsigned k = first; k < last; k++)
        for (unsigned w = 0; w < WIDTHS; w++) {
            const uint64_t i = 100 * k + w;
            const unsigned halo = (unsigned)pairs[k].radius * (pairs[k].fused - 1);
            const unsigned inner = 128 - 2 * ((halo + 3) / 4 * 4);
            const unsigned x = widths[w] ? widths[w] : draw_around(32, i, inner);
            const unsigned warps = 2 + draw(34, i, 4), rows = pairs[k].fused == 1 ? 2 : 3;
            const unsigned y = rows * warps > 2 * halo ? draw_around(35, i, rows * warps - 2 * halo)
                                                       : 1 + draw(36, i, 3);
            const unsigned fused = pairs[k].fused;
            const gb_params params =
                point(x, y, draw_z(i, pairs[k].radius), (unsigned)pairs[k].radius, "auto",
                      draw_steps(i, fused), fused);
            if (draw_device(i, &params)) run_point(&params, i, NULL);
        }
}

static void edges_of_single_steps(void **)
{
    edges(0, 4);
}
static void edges_of_two_steps(void **)
{
    edges(4, 7);
}
static void edges_of_more_steps(void **)
{
    edges(7, PAIRS);
}

/* High boxes, of the tiles that the largest shared memory has room for. */
static void high_tiles(void **)
{
    for (unsigned k = 0; k < PAIRS; k++) {
        const unsigned fused = pairs[k].fused;
        const gb_params params =
            point(1 + draw(50, k, 60), 30 + draw(51, k, 70), 1 + draw(52, k, 9),
                  (unsigned)pairs[k].radius, "auto", fused + 1, fused);
        if (!draw_device(k, &params)) continue;
        device.sms = 1;
        device.shared_optin = most_shared;
        run_point(&params, k, NULL);
    }
}

/* The points above are of all kinds. */
static void all_kinds_were_seen(void **)
{
    if (!seen.points) skip(); /* a pattern left them out */
    if (most_shared < 128 << 10) skip();
    assert_true(seen.points >= 100);
    assert_true(seen.chunks >= 10 && seen.tiles_x >= 15 && seen.tiles_y >= 20);
    assert_true(seen.wait >= 20 && seen.waves >= 15);
    assert_true(seen.low >= 5 && seen.short_ring >= 5);
}

/* The copying warp ahead or behind, blocks one after the other or together. */
static void other_schedules(void **)
{
    for (unsigned i = 0; i < EXPLORED; i++) {
        const pair p = pairs[i % PAIRS];
        const gb_params params =
            point(1 + draw(60, i, 140), 1 + draw(61, i, 12), 1 + draw(62, i, 8), (unsigned)p.radius,
                  "auto", 1 + draw(63, i, p.fused + 1), p.fused);
        const gb_schedule schedule = {
            (gb_policy)(i / 2 % GB_POLICY_COUNT), i, 64u >> i % 5, 0, 0, 1u << i % 3, 0};
        if (draw_device(i, &params)) run_point(&params, i, &schedule);
    }
}

/* ---- fused steps and single ones ------------------------------------------------------------- */

static float *array_of(const gb_problem *problem, bool poisoned)
{
    float *array = NULL;
    gb_error error;
    assert_int_equal(cudaMalloc(&array, (size_t)problem->layout.total * sizeof *array),
                     cudaSuccess);
    assert_int_equal(st_fill(problem, poisoned, array, NULL, &error), GB_OK);
    return array;
}

static fused_plan plan_of(const gb_problem *problem, unsigned steps)
{
    fused_plan plan;
    assert_true(fused_find(problem->shape.radius, steps)->plan(&problem->shape, &device, &plan));
    return plan;
}

/* One sweep of so many steps. */
static void sweep(const gb_problem *problem, unsigned steps, const fused_plan *plan,
                  const float *from, float *to, bool down)
{
    const fused_kernel *kernel = fused_find(problem->shape.radius, steps);
    const size_t bytes = fused_progress_words(&problem->shape) * sizeof(unsigned);
    unsigned *progress = NULL;
    gb_error error;
    assert_int_equal(cudaMalloc(&progress, bytes), cudaSuccess);
    assert_int_equal(cudaMemset(progress, 0, bytes), cudaSuccess);
    if (kernel->sweep(problem, plan, from, to, down, progress, NULL, &error) != GB_OK)
        fail_msg("%u steps: %s", steps, error.text);
    (void)cudaFree(progress);
}

static void compare(const gb_problem *problem, unsigned fused, bool down, const float *found,
                    const float *right)
{
    for (int64_t i = 0; i < problem->layout.total; i++) {
        float both[2];
        assert_int_equal(cudaMemcpy(both, found + i, sizeof *both, cudaMemcpyDefault), cudaSuccess);
        assert_int_equal(cudaMemcpy(both + 1, right + i, sizeof *both, cudaMemcpyDefault),
                         cudaSuccess);
        if (st_bits_of(both[0]) == st_bits_of(both[1])) continue;
        const st_place place = st_place_of(&problem->shape, &problem->layout, i);
        fail_msg("radius %d, %u steps %s: (%d, %d, %d) is %.9g, not %.9g", problem->shape.radius,
                 fused, down ? "down" : "up", place.x, place.y, place.z, (double)both[0],
                 (double)both[1]);
    }
}

/* A sweep by this plan against as many of one step. Sums are formed in one order, whatever stage a
 * step is: the same bits. */
static void same_as_single_steps(const gb_problem *problem, unsigned fused, const fused_plan *plan,
                                 bool down)
{
    const fused_plan single = plan_of(problem, 1);
    float *const input = array_of(problem, false), *const found = array_of(problem, true);
    float *from = array_of(problem, false), *to = array_of(problem, true);
    sweep(problem, fused, plan, input, found, down);
    for (unsigned step = 0; step < fused; step++) {
        sweep(problem, 1, &single, from, to, down);
        float *const other = from;
        from = to;
        to = other;
    }
    compare(problem, fused, down, found, from);
    (void)cudaFree(input);
    (void)cudaFree(found);
    (void)cudaFree(from);
    (void)cudaFree(to);
}

static void fused_steps_are_single_steps(void **)
{
    for (unsigned k = 0; k < 2 * PAIRS; k++) {
        const pair p = pairs[k / 2];
        const gb_params params = point(130, 11, 9, (unsigned)p.radius, "auto", p.fused, p.fused);
        gb_problem *problem = NULL;
        gb_error error;
        if (p.fused == 1 || !draw_device(k, &params)) continue;
        assert_int_equal(st_open(&params, k, &device, &problem, &error), GB_OK);
        const fused_plan plan = plan_of(problem, p.fused);
        same_as_single_steps(problem, p.fused, &plan, k % 2 != 0);
        st_close(problem);
    }
}

/* Blocks that march through parts of columns: spans from the shortest to all columns in one. */
static void parts_of_columns(void **)
{
    for (uint64_t i = 0; i < SPANS; i++) {
        const gb_params params =
            point(1 + draw(70, i, 300), 1 + draw(71, i, 60), 1 + draw(72, i, 20), 3, "auto", 2, 2);
        const int delay = 2 * 3 * 2;
        gb_problem *problem = NULL;
        gb_error error;
        if (!draw_device(200 + i, &params)) continue;
        assert_int_equal(st_open(&params, i, &device, &problem, &error), GB_OK);
        fused_plan plan = plan_of(problem, 2);
        plan.chunk = problem->shape.z;
        plan.chunks = 1;
        plan.resident = false;
        const int all = plan.tiles_x * plan.tiles_y * (plan.chunk + delay);
        plan.span = 2 * delay + (int)draw(73, i, (unsigned)(i % 3 ? 20 : all));
        plan.blocks = (all + plan.span - 1) / plan.span;
        same_as_single_steps(problem, 2, &plan, i % 2 != 0);
        st_close(problem);
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    cudaDeviceProp properties;
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    if (get_device(NULL) || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
    device.arch = 900; /* tma on every generation of the simt device */
    most_shared = properties.sharedMemPerBlockOptin;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_single_steps),        cmocka_unit_test(edges_of_two_steps),
        cmocka_unit_test(edges_of_more_steps),          cmocka_unit_test(high_tiles),
        cmocka_unit_test(all_kinds_were_seen),          cmocka_unit_test(other_schedules),
        cmocka_unit_test(fused_steps_are_single_steps), cmocka_unit_test(parts_of_columns),
    };
    return cmocka_run_group_tests_name("stencil fused", tests, NULL, NULL);
}
