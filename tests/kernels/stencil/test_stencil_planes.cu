/* The stencils that march along z: random boxes of several tiles and chunks for every radius, also
 * under other orders of threads; how a box is cut; what is unsupported. */
/* test: long 14 */
#include "common/protocol/schedule.h"
#include "common/worker/backend.h"
#include "kernels/stencil/march/column.cuh"
#include "tests/kernels/stencil/stencil_device.cuh"

enum { POINTS = 48, EXPLORED = 16 };

static const gb_variant *const marching[] = {&st_z_loop, &st_z_loop_registers,
                                             &st_z_loop_registers_csl, &st_planes, &st_async_copy};
enum { VARIANTS = sizeof marching / sizeof *marching };

/* A box of up to three tiles in x and y and as many planes as make up to `most` cells; the number
 * of multiprocessors decides how many chunks they are cut into. */
static gb_params draw_point(uint64_t i, const gb_variant *variant, unsigned most)
{
    static const char *const blocks[] = {"32x1x1", "32x8x1", "64x4x1", "128x2x1", "32x32x1"};
    static const unsigned multiprocessors[] = {1, 2, 7, 132};
    const bool own = variant == &st_planes || variant == &st_async_copy || draw(8, i, 4) == 0;
    const unsigned x = 1 + draw(1, i, 390), y = 1 + draw(2, i, 50);
    const unsigned z = 1 + draw(3, i, most / (x * y) < 60 ? 1 + most / (x * y) : 60);
    device.sms = (int)multiprocessors[draw(4, i, 4)];
    return point(x, y, z, 1 + (unsigned)(i % ST_MAX_RADIUS), own ? "auto" : blocks[draw(5, i, 5)],
                 1 + draw(6, i, 3), 1);
}

static void run_point(const gb_variant *variant, const gb_params *params, uint64_t seed,
                      const gb_schedule *schedule)
{
    const gb_value *value = params->value;
    gb_error error;
    gb_job job;
    open_job(&job, variant, params, seed);
    gb_status status = st_poison(&job, NULL);
    assert_int_equal(gb_backend_schedule(NULL, schedule, &error), GB_OK);
    gb_backend_begin_schedule(NULL);
    if (status == GB_OK) status = variant->run(&job, NULL);
    gb_backend_end_schedule(NULL);
    assert_int_equal(gb_backend_schedule(NULL, NULL, &error), GB_OK);
    if (status == GB_OK) status = st_check(&job, NULL);
    if (status != GB_OK)
        fail_msg("%s%s%s: box %llux%llux%llu, radius %llu, block %s, steps %llu, "
                 "%d multiprocessors: %s",
                 variant->name, schedule ? ", policy " : "",
                 schedule ? gb_policy_name(schedule->policy) : "",
                 (unsigned long long)value[ST_X].size, (unsigned long long)value[ST_Y].size,
                 (unsigned long long)value[ST_Z].size, (unsigned long long)value[ST_RADIUS].size,
                 value[ST_BLOCK].text, (unsigned long long)value[ST_STEPS].size, device.sms,
                 job.error.text);
    close_job(&job);
}

static void random_points(const gb_variant *variant)
{
    if (device.arch < 800 && variant == &st_async_copy) skip();
    for (uint64_t i = 0; i < POINTS; i++) {
        const gb_params params = draw_point(i, variant, 40000);
        run_point(variant, &params, i, NULL);
    }
}

static void random_z_loop(void **)
{
    random_points(&st_z_loop);
}
static void random_registers(void **)
{
    random_points(&st_z_loop_registers);
}
static void random_registers_csl(void **)
{
    random_points(&st_z_loop_registers_csl);
}
static void random_planes(void **)
{
    random_points(&st_planes);
}
static void random_async_copy(void **)
{
    random_points(&st_async_copy);
}

/* Only these two have threads that wait for each other. */
static void other_schedules(const gb_variant *variant)
{
    if (device.arch < 800 && variant == &st_async_copy) skip();
    for (unsigned i = 0; i < EXPLORED; i++) {
        const gb_params params = draw_point(1000 + i, variant, 12000);
        const gb_schedule schedule = {
            (gb_policy)(i % GB_POLICY_COUNT), i, 64u >> i % 5, 0, 0, 1u << i % 3, 0};
        run_point(variant, &params, i, &schedule);
    }
}

static void schedules_planes(void **)
{
    other_schedules(&st_planes);
}
static void schedules_async_copy(void **)
{
    other_schedules(&st_async_copy);
}

/* ---- the cut --------------------------------------------------------------------------------- */

static st_march cut(int x, int y, int z, int radius, unsigned tile_x, unsigned tile_y,
                    uint64_t slots)
{
    st_shape shape = {};
    shape.x = x;
    shape.y = y;
    shape.z = z;
    shape.radius = radius;
    const st_layout layout = st_layout_of(&shape);
    return st_march_of(&shape, &layout, tile_x, tile_y, slots);
}

/* Chunks are never empty and cover all planes; tiles cover all cells. */
static void cuts_are_whole(void **)
{
    for (uint64_t i = 0; i < 20000; i++) {
        const int x = 1 + (int)draw(20, i, 3000), y = 1 + (int)draw(21, i, 600);
        const int z = 1 + (int)draw(22, i, 600), radius = 1 + (int)draw(23, i, 4);
        const unsigned tile_x = 32u << draw(24, i, 4), tile_y = 1u << draw(25, i, 6);
        const st_march m = cut(x, y, z, radius, tile_x, tile_y, 1 + draw(26, i, 2000));
        assert_true(m.chunk >= 1 && m.chunks >= 1);
        assert_true((int64_t)(m.chunks - 1) * m.chunk < z && z <= (int64_t)m.chunks * m.chunk);
        assert_true((m.tiles_x - 1) * tile_x < (unsigned)x && (unsigned)x <= m.tiles_x * tile_x);
        assert_true((m.tiles_y - 1) * tile_y < (unsigned)y && (unsigned)y <= m.tiles_y * tile_y);
    }
}

/* One wave of whole columns where they fill the device; chunks where they do not, or where the last
 * wave would be nearly empty. */
static void cuts_fill_the_device(void **)
{
    st_march m = cut(2048, 256, 256, 4, 128, 16, 2 * 132);
    assert_int_equal(m.chunks, 1);
    m = cut(32, 256, 256, 1, 128, 16, 2 * 132); /* 16 tiles: 16 chunks fill 256 of 264 slots */
    assert_int_equal(m.chunks, 16);
    m = cut(2048, 272, 256, 1, 128, 16, 2 * 132); /* 272 tiles: 8 more than there are slots */
    assert_true(m.chunks > 1);
    m = cut(128, 16, 7, 4, 128, 16, 1000000); /* each plane on its own, at most */
    assert_int_equal(m.chunks, 7);
    assert_int_equal(m.chunk, 1);
    m = cut(128, 16, 7, 4, 128, 16, 1);
    assert_int_equal(m.chunks, 1);
}

/* Narrow boxes get narrow tiles, low ones wide tiles. */
static void tiles_fit_the_box(void **)
{
    static const struct {
        int x, y, radius, lanes;
    } cases[] = {{2048, 256, 1, 32}, {32, 256, 1, 8},    {64, 256, 1, 16}, {64, 256, 4, 16},
                 {2048, 16, 1, 32},  {2048, 256, 4, 16}, {32, 64, 1, 8},   {128, 1, 1, 32}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        st_shape shape = {};
        shape.x = cases[i].x;
        shape.y = cases[i].y;
        shape.radius = cases[i].radius;
        const int lanes = st_lanes_for(&shape, 256, 2);
        if (lanes != cases[i].lanes)
            fail_msg("%d x %d, radius %d: %d lanes, not %d", shape.x, shape.y, shape.radius, lanes,
                     cases[i].lanes);
    }
}

/* ---- what is unsupported --------------------------------------------------------------------- */

static void reasons(void **)
{
    gb_device modern = device, old = device;
    modern.arch = 800;
    old.arch = 750;
    for (unsigned v = 0; v < VARIANTS; v++) {
        const bool own = marching[v] == &st_planes || marching[v] == &st_async_copy;
        gb_params params = point(64, 64, 64, 1, "auto", 2, 1);
        assert_null(marching[v]->unsupported(&params, &modern));
        params.value[ST_FUSED].size = 2;
        says(marching[v], &params, &modern, "one time step a sweep");
        params = point(64, 64, 64, 1, "32x4x4", 2, 1);
        says(marching[v], &params, &modern, own ? "leave the axis block" : "1 thread in z, not 4");
        params = point(64, 64, 64, 1, "32x4x1", 2, 1);
        if (own)
            says(marching[v], &params, &modern, "leave the axis block");
        else
            assert_null(marching[v]->unsupported(&params, &modern));
    }
    gb_params params = point(64, 64, 64, 1, "auto", 2, 1);
    says(&st_async_copy, &params, &old, "needs cp.async (Ampere, sm_80)");
    assert_null(st_planes.unsupported(&params, &old));
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_z_loop),
        cmocka_unit_test(random_registers),
        cmocka_unit_test(random_registers_csl),
        cmocka_unit_test(random_planes),
        cmocka_unit_test(random_async_copy),
        cmocka_unit_test(schedules_planes),
        cmocka_unit_test(schedules_async_copy),
        cmocka_unit_test(cuts_are_whole),
        cmocka_unit_test(cuts_fill_the_device),
        cmocka_unit_test(tiles_fit_the_box),
        cmocka_unit_test(reasons),
    };
    return cmocka_run_group_tests_name("stencil planes", tests, get_device, NULL);
}
