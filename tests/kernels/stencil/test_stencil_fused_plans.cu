/* How the marching stencils, tma and temporal, cut a box for a device; what is unsupported. */
#include "tests/kernels/stencil/stencil_fused.cuh"

enum { PLANS = 6000 };

/* ---- plans ----------------------------------------------------------------------------------- */

/* Rows that a warp may have: those for which warps * rows less the halo at both sides, a tile, has
 * been consistent with all plans of a kernel; bit i: i rows. */
static unsigned consistent_rows(const fused_plan *plan, const st_shape *shape, int halo)
{
    unsigned rows = 0;
    for (int i = 1; i <= 8; i++) {
        const int inner = plan->warps * i - 2 * halo;
        if (inner > 0 && (plan->tiles_y - 1) * inner < shape->y &&
            shape->y <= plan->tiles_y * inner)
            rows |= 1u << i;
    }
    return rows;
}

/* Tiles and chunks cover the box, none is empty; shared memory is within the device's. */
static void plans_are_whole(void **)
{
    unsigned rows[PAIRS], planned = 0;
    memset(rows, 0xFF, sizeof rows);
    for (uint64_t i = 0; i < PLANS; i++) {
        const unsigned k = (unsigned)(i % PAIRS);
        const int halo = pairs[k].radius * ((int)pairs[k].fused - 1);
        const int inner_x = 128 - 2 * ((halo + 3) / 4 * 4);
        gb_device on = {};
        st_shape shape = {};
        fused_plan plan;
        on.sms = 1 + (int)draw(71, i, 200);
        on.shared_optin = draw(72, i, 240 << 10);
        shape.x = 1 + (int)draw(73, i, 3000);
        shape.y = 1 + (int)draw(74, i, i % 2 ? 40 : 600);
        shape.z = 1 + (int)draw(75, i, i % 3 ? 300 : 12);
        shape.radius = pairs[k].radius;
        if (!fused_find(pairs[k].radius, pairs[k].fused)->plan(&shape, &on, &plan)) continue;
        planned++;
        assert_true(plan.warps >= 1 && plan.warps <= 31 && plan.slots >= 2);
        assert_true(plan.slot_floats % 32 == 0);
        assert_true(plan.shared_bytes < on.shared_optin);
        assert_true(plan.shared_bytes > (size_t)plan.slots * plan.slot_floats * sizeof(float));
        assert_true(plan.chunk >= 1 && (plan.chunks - 1) * plan.chunk < shape.z);
        assert_true(shape.z <= plan.chunks * plan.chunk);
        assert_true((plan.tiles_x - 1) * inner_x < shape.x && shape.x <= plan.tiles_x * inner_x);
        rows[k] &= consistent_rows(&plan, &shape, halo);
        const int64_t columns = (int64_t)plan.tiles_x * plan.tiles_y * plan.chunks;
        const int64_t read = columns * (plan.chunk + 2 * shape.radius * (int)pairs[k].fused);
        assert_true((int64_t)(plan.blocks - 1) * plan.span < read);
        assert_true(read <= (int64_t)plan.blocks * plan.span);
        assert_int_equal(plan.resident, plan.blocks == columns && columns <= on.sms);
    }
    assert_true(planned > PLANS / 2);
    for (unsigned k = 0; k < PAIRS; k++)
        if (!rows[k])
            fail_msg("radius %d, %u steps: tiles of no height explain the plans", pairs[k].radius,
                     pairs[k].fused);
}

/* The largest box of the axes, which no memory holds, is planned before that is known. */
static void the_largest_box(void **)
{
    for (const pair &p : pairs) {
        gb_device on = {};
        st_shape shape = {};
        fused_plan plan;
        on.sms = 132;
        on.shared_optin = 227 << 10;
        shape.x = shape.y = shape.z = 65535;
        shape.radius = p.radius;
        assert_true(fused_find(p.radius, p.fused)->plan(&shape, &on, &plan));
        assert_true(plan.blocks > 0);
        const int64_t columns = (int64_t)plan.tiles_x * plan.tiles_y * plan.chunks;
        assert_true(plan.blocks == columns || (plan.blocks < columns && plan.blocks <= on.sms));
    }
}

/* The words of progress that a sweep may use: of the planes of the longest march. */
static void progress_suffices(void **)
{
    for (unsigned k = 0; k < PAIRS; k++)
        for (int z = 1; z < 40; z++) {
            st_shape shape = {};
            shape.z = z;
            shape.radius = pairs[k].radius;
            const int planes = z + 2 * shape.radius * (int)pairs[k].fused;
            assert_true((int)fused_progress_words(&shape) >= (planes + shape.radius + 2) / 2);
        }
}

/* The pairs that the tests go through are those that there are kernels for. */
static void pairs_are_all(void **)
{
    for (int radius = 1; radius <= ST_MAX_RADIUS; radius++)
        for (unsigned fused = 0; fused <= ST_MAX_FUSED + 1; fused++) {
            bool listed = false;
            for (const pair &p : pairs)
                listed |= p.radius == radius && p.fused == fused;
            assert_int_equal(listed, fused_find(radius, fused) != NULL);
        }
}

/* ---- what is unsupported --------------------------------------------------------------------- */

static void reasons(void **)
{
    gb_device hopper = device, ampere = device;
    hopper.arch = 900;
    ampere.arch = 890;
    hopper.shared_optin = ampere.shared_optin = 227 << 10;
    gb_params params = point(64, 64, 64, 1, "auto", 4, 1);
    assert_null(st_tma.unsupported(&params, &hopper));
    says(&st_tma, &params, &ampere,
         "needs Hopper's tensor copies (sm_90); the device or its code is sm_89");
    says(&st_temporal, &params, &ampere, "give fused=2 or more");
    params = point(64, 64, 64, 1, "auto", 4, 4);
    assert_null(st_temporal.unsupported(&params, &ampere));
    says(&st_tma, &params, &hopper, "only temporal fuses more");
    params = point(64, 64, 64, 1, "32x8x1", 4, 2);
    says(&st_temporal, &params, &hopper, "leave the axis block at auto");
    says(&st_tma, &params, &hopper, "leave the axis block at auto");
    static const char *const most[] = {"", "at most 4", "at most 3", "at most 2", "at most 1"};
    for (unsigned radius = 1; radius <= ST_MAX_RADIUS; radius++) {
        params = point(64, 64, 64, radius, "auto", 100, 6 - radius);
        says(&st_temporal, &params, &hopper, most[radius]);
        says(&st_temporal, &params, &hopper, "do not fit into registers");
        params = point(64, 64, 64, radius, "auto", 1, 6 - radius); /* fuses none after all */
        assert_null(st_temporal.unsupported(&params, &hopper));
    }
}

/* A byte less than the smallest tile needs. */
static void too_little_shared_memory(void **)
{
    for (const pair &p : pairs) {
        const gb_params params = point(64, 64, 64, (unsigned)p.radius, "auto", p.fused, p.fused);
        const st_shape shape = st_shape_of(&params);
        const gb_variant *variant = p.fused > 1 ? &st_temporal : &st_tma;
        gb_device small = device;
        char bytes[64];
        small.arch = 900;
        small.shared_optin = least_shared(fused_find(p.radius, p.fused), &shape);
        assert_null(variant->unsupported(&params, &small));
        small.shared_optin--;
        (void)snprintf(bytes, sizeof bytes, "the %llu bytes of shared memory",
                       (unsigned long long)small.shared_optin);
        says(variant, &params, &small, bytes);
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_whole),   cmocka_unit_test(the_largest_box),
        cmocka_unit_test(progress_suffices), cmocka_unit_test(pairs_are_all),
        cmocka_unit_test(reasons),           cmocka_unit_test(too_little_shared_memory),
    };
    return cmocka_run_group_tests_name("stencil fused plans", tests, get_device, NULL);
}
