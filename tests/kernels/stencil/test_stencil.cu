/* The stencils' shapes, layout, weights and oracle, and the kernels of the paper: every block shape
 * over boxes that are no multiple of it. */
/* test: long 17 */
#include "tests/kernels/stencil/stencil_device.cuh"

#include <math.h>

/* ---- shapes ---------------------------------------------------------------------------------- */

static void a_point_in_c(void **)
{
    const gb_params params = point(5, 6, 7, 3, "128x4x1", 5, 2);
    const st_shape shape = st_shape_of(&params);
    assert_int_equal(shape.x, 5);
    assert_int_equal(shape.y, 6);
    assert_int_equal(shape.z, 7);
    assert_int_equal(shape.radius, 3);
    assert_int_equal(shape.block.x, 128);
    assert_int_equal(shape.block.y, 4);
    assert_int_equal(shape.block.z, 1);
    assert_int_equal(st_sweeps(&shape), 3);
    assert_int_equal(st_sweep_steps(&shape, 0), 2);
    assert_int_equal(st_sweep_steps(&shape, 1), 2);
    assert_int_equal(st_sweep_steps(&shape, 2), 1);
    assert_int_equal(st_result(&shape), 0);
    const gb_params automatic = point(5, 6, 7, 3, "auto", 1, 1);
    assert_int_equal(st_shape_of(&automatic).block.x, 0);
    assert_null(st_own_block(&automatic));
    assert_non_null(st_own_block(&params));
    assert_null(st_no_fusing(&automatic));
    assert_non_null(st_no_fusing(&params));
}

static void sweeps_take_all_steps(void **)
{
    for (unsigned steps = 1; steps <= 30; steps++) {
        for (unsigned fused = 1; fused <= 8; fused++) {
            const gb_params params = point(1, 1, 1, 1, "auto", steps, fused);
            const st_shape shape = st_shape_of(&params);
            unsigned taken = 0;
            for (unsigned s = 0; s < st_sweeps(&shape); s++) {
                const unsigned now = st_sweep_steps(&shape, s);
                assert_true(now >= 1 && now <= fused);
                taken += now;
            }
            assert_int_equal(taken, steps);
            assert_int_equal(st_result(&shape), st_sweeps(&shape) % 2 ? 0 : 1);
        }
    }
}

static void every_block_of_the_axis_is_one(void **)
{
    const char *const *names = st_axes[ST_BLOCK].names;
    assert_string_equal(names[0], "auto");
    for (unsigned i = 1; names[i]; i++) {
        const gb_params params = point(1, 1, 1, 1, names[i], 1, 1);
        const st_block block = st_shape_of(&params).block;
        char again[32];
        snprintf(again, sizeof again, "%ux%ux%u", block.x, block.y, block.z);
        assert_string_equal(again, names[i]);
        assert_true(block.x * block.y * block.z <= 1024 && block.z <= 64);
    }
}

/* The paper counts 13, 25, 37, 49 operations a cell. */
static void the_work_of_a_point(void **)
{
    static const unsigned flops[] = {13, 25, 37, 49};
    for (unsigned radius = 1; radius <= ST_MAX_RADIUS; radius++) {
        const gb_params params = point(10, 20, 30, radius, "auto", 5, 2);
        const gb_work work = st_work(&params);
        assert_int_equal(work.items, 6000 * 5);
        assert_int_equal(work.flops, 6000 * 5 * flops[radius - 1]);
        assert_int_equal(work.bytes, 6000 * 8 * 3);
        assert_int_equal(work.footprint, 6000 * 8);
        assert_null(st_invalid(&params));
    }
    const gb_params large = point(65535, 65535, 65535, 4, "auto", 1, 1);
    assert_non_null(st_invalid(&large));
}

/* ---- layout and weights ---------------------------------------------------------------------- */

static void every_element_has_its_place(void **)
{
    for (uint64_t i = 0; i < 40; i++) {
        const gb_params params = point(1 + draw(1, i, 140), 1 + draw(2, i, 12), 1 + draw(3, i, 12),
                                       1 + (unsigned)i % 4, "auto", 1, 1);
        const st_shape shape = st_shape_of(&params);
        const st_layout layout = st_layout_of(&shape);
        const int64_t r = shape.radius, cells = (int64_t)shape.x * shape.y * shape.z;
        const int64_t with_ghosts = (shape.x + 2 * r) * (shape.y + 2 * r) * (shape.z + 2 * r);
        int64_t found[3] = {0, 0, 0};
        assert_int_equal(layout.pitch % ST_PAD, 0);
        assert_int_equal(layout.origin % ST_PAD, 0);
        assert_true(layout.pitch >= shape.x + 2 * r);
        for (int64_t e = 0; e < layout.total; e++) {
            const st_place at = st_place_of(&shape, &layout, e);
            found[at.kind]++;
            if (at.kind == ST_PADDING) continue;
            const bool inside = at.x >= 0 && at.x < shape.x && at.y >= 0 && at.y < shape.y &&
                                at.z >= 0 && at.z < shape.z;
            assert_int_equal(inside, at.kind == ST_CELL);
            assert_true(at.x >= -r && at.x < shape.x + r && at.y >= -r && at.y < shape.y + r);
            assert_true(at.z >= -r && at.z < shape.z + r);
            assert_int_equal(layout.origin + at.z * layout.plane + at.y * layout.pitch + at.x, e);
        }
        assert_int_equal(found[ST_CELL], cells);
        assert_int_equal(found[ST_GHOST], with_ghosts - cells);
    }
}

static void weights_differ_and_sum_to_one(void **)
{
    for (int radius = 1; radius <= ST_MAX_RADIUS; radius++) {
        const st_weights weights = st_weights_of(radius);
        double sum = 0;
        for (int i = 0; i < ST_MAX_COEFFICIENTS; i++) {
            sum += weights.w[i];
            assert_int_equal(weights.w[i] > 0, i <= 6 * radius);
            for (int j = 0; j < i && i <= 6 * radius; j++)
                assert_true(fabs(weights.w[i] / weights.w[j] - 1.0) > 0.01);
        }
        assert_true(fabs(sum - 1) < 1e-6);
    }
}

static void the_input_is_even_and_of_its_own_at_every_cell(void **)
{
    double sum = 0;
    for (int i = 0; i < 30000; i++) {
        const int x = i % 30 - 4, y = i / 30 % 25 - 4, z = i / 750 - 4;
        const float value = st_input(1, x, y, z);
        assert_true(value >= 0 && value < 1);
        sum += value;
        assert_true(value != st_input(1, x + 1, y, z) || value != st_input(1, x + 2, y, z));
        assert_true(value != st_input(1, x, y + 1, z) || value != st_input(1, x, y, z + 1));
        assert_true(value != st_input(2, x, y, z) || value != st_input(3, x, y, z));
    }
    assert_true(fabs(sum / 30000 - 0.5) < 0.01);
}

/* ---- the oracle ------------------------------------------------------------------------------ */

/* A single 1 among zeros: every neighbour gets the weight with which it sees the 1, as stencil.h
 * says: [6k-5] is the weight of x-k, so the cell at x+k gets it. */
static void the_oracle_spreads_a_single_one(void **)
{
    for (int radius = 1; radius <= ST_MAX_RADIUS; radius++) {
        const gb_params params = point(11, 12, 13, (unsigned)radius, "auto", 1, 1);
        gb_problem p;
        memset(&p, 0, sizeof p);
        p.shape = st_shape_of(&params);
        p.layout = st_layout_of(&p.shape);
        p.weights = st_weights_of(radius);
        float *from = (float *)calloc((size_t)p.layout.total, sizeof *from);
        float *to = (float *)calloc((size_t)p.layout.total, sizeof *to);
        assert_non_null(from);
        assert_non_null(to);
        from[element_of(&p, 5, 6, 7)] = 1;
        st_oracle_step(&p.shape, &p.weights, from, to);
        int nonzero = 0;
        for (int64_t e = 0; e < p.layout.total; e++)
            nonzero += to[e] != 0;
        assert_int_equal(nonzero, 6 * radius + 1);
        assert_true(to[element_of(&p, 5, 6, 7)] == p.weights.w[0]);
        for (int k = 1; k <= radius; k++) {
            const float *w = p.weights.w;
            assert_true(to[element_of(&p, 5 + k, 6, 7)] == w[6 * k - 5]);
            assert_true(to[element_of(&p, 5 - k, 6, 7)] == w[6 * k - 4]);
            assert_true(to[element_of(&p, 5, 6 + k, 7)] == w[6 * k - 3]);
            assert_true(to[element_of(&p, 5, 6 - k, 7)] == w[6 * k - 2]);
            assert_true(to[element_of(&p, 5, 6, 7 + k)] == w[6 * k - 1]);
            assert_true(to[element_of(&p, 5, 6, 7 - k)] == w[6 * k]);
        }
        free(from);
        free(to);
    }
}

/* A row of four cells with its ghosts, worked out here from its 9 numbers. */
static void the_oracle_in_one_dimension(void **)
{
    const gb_params params = point(4, 1, 1, 2, "auto", 1, 1);
    static const float row[] = {0.5f, 0.25f, 1, 0, 0.125f, 0.75f, 0.0625f, 0.375f};
    gb_problem p;
    memset(&p, 0, sizeof p);
    p.shape = st_shape_of(&params);
    p.layout = st_layout_of(&p.shape);
    p.weights = st_weights_of(2);
    float *from = (float *)calloc((size_t)p.layout.total, sizeof *from);
    float *to = (float *)calloc((size_t)p.layout.total, sizeof *to);
    assert_non_null(from);
    assert_non_null(to);
    memcpy(from + p.layout.origin - 2, row, sizeof row);
    st_oracle_step(&p.shape, &p.weights, from, to);
    const float *w = p.weights.w;
    const double right[4] = {
        w[7] * 0.5 + w[1] * 0.25 + w[0] * 1.0 + w[8] * 0.125,
        w[7] * 0.25 + w[1] * 1.0 + w[2] * 0.125 + w[8] * 0.75,
        w[7] * 1.0 + w[0] * 0.125 + w[2] * 0.75 + w[8] * 0.0625,
        w[1] * 0.125 + w[0] * 0.75 + w[2] * 0.0625 + w[8] * 0.375,
    };
    for (int x = 0; x < 4; x++)
        assert_true(fabs(to[p.layout.origin + x] - right[x]) < 1e-7);
    for (int64_t e = 0; e < p.layout.total; e++)
        assert_true((e >= p.layout.origin && e < p.layout.origin + 4) || to[e] == 0);
    free(from);
    free(to);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void every_block(const gb_variant *variant)
{
    const char *const *names = st_axes[ST_BLOCK].names;
    for (unsigned i = 0; names[i]; i++) {
        for (unsigned radius = 1; radius <= ST_MAX_RADIUS; radius++) {
            const uint64_t number = 10 * i + radius;
            const gb_params params =
                point(1 + draw(4, number, 150), 1 + draw(5, number, 40), 1 + draw(6, number, 7),
                      radius, names[i], 1 + draw(7, number, 3), 1);
            if (variant->unsupported(&params, &device))
                assert_true((variant == &st_comp || variant == &st_comp_as_printed) &&
                            st_shape_of(&params).block.z > 1);
            else
                passes(variant, &params, number);
        }
    }
}

static void base_in_every_block(void **)
{
    every_block(&st_base);
}
static void csl_in_every_block(void **)
{
    every_block(&st_csl);
}
static void comp_in_every_block(void **)
{
    every_block(&st_comp);
}

static void as_printed_in_every_block(void **)
{
    every_block(&st_base_as_printed);
    every_block(&st_csl_as_printed);
    every_block(&st_comp_as_printed);
}

/* Their index is an int. */
static void as_printed_in_boxes_beyond_an_int(void **)
{
    static const gb_variant *const variants[] = {&st_base_as_printed, &st_csl_as_printed,
                                                 &st_comp_as_printed};
    for (const gb_variant *variant : variants) {
        const gb_params most = point(2048, 1020, 1000, 1, "32x1x1", 1, 1);
        const gb_params more = point(2048, 1024, 1024, 1, "32x1x1", 1, 1);
        assert_null(variant->unsupported(&most, &device));
        const char *reason = variant->unsupported(&more, &device);
        assert_non_null(reason);
        assert_non_null(strstr(reason, "2147483647 elements"));
        assert_null(st_base.unsupported(&more, &device));
    }
}

static void variants_of_one_block_in_many_boxes(void **)
{
    static const gb_variant *const variants[] = {&st_cpu, &st_cpu_parallel, &st_cpu_copy, &st_copy};
    for (const gb_variant *variant : variants)
        for (unsigned i = 0; i < 40; i++) {
            const gb_params params = point(1 + draw(8, i, 300), 1 + draw(9, i, 40),
                                           1 + draw(10, i, 9), 1 + i % 4, "auto", 1 + i % 3, 1);
            passes(variant, &params, i);
        }
}

/* Beyond 32 MiB stores go around the cache; rows of more than a tile, of no whole group. */
static void cpu_variants_in_a_box_beyond_the_caches(void **)
{
    const gb_params params = point(1110, 63, 61, 2, "auto", 2, 1);
    passes(&st_cpu_parallel, &params, 3);
    passes(&st_cpu_copy, &params, 3);
}

/* Two steps of one run are a step, and a step from its result. */
static void two_steps_are_one_and_one(void **)
{
    static const gb_variant *const variants[] = {&st_base, &st_csl, &st_comp, &st_comp_as_printed};
    for (const gb_variant *variant : variants) {
        const gb_params two = point(70, 9, 6, 3, "32x4x1", 2, 1);
        const gb_params one = point(70, 9, 6, 3, "32x4x1", 1, 1);
        gb_job job[2];
        open_job(&job[0], variant, &two, 1);
        open_job(&job[1], variant, &one, 1);
        const size_t bytes = (size_t)job[0].problem->layout.total * sizeof(float);
        float *result[2] = {(float *)malloc(bytes), (float *)malloc(bytes)};
        assert_int_equal(variant->run(&job[0], NULL), GB_OK);
        for (int step = 0; step < 2; step++) {
            gb_problem *p = job[1].problem;
            assert_int_equal(variant->run(&job[1], NULL), GB_OK);
            assert_int_equal(cudaMemcpy(p->input, p->field[0], bytes, cudaMemcpyDeviceToDevice),
                             cudaSuccess);
        }
        const float *const ends[2] = {job[0].problem->field[1], job[1].problem->field[0]};
        for (int i = 0; i < 2; i++)
            assert_int_equal(cudaMemcpy(result[i], ends[i], bytes, cudaMemcpyDeviceToHost),
                             cudaSuccess);
        assert_memory_equal(result[0], result[1], bytes);
        for (int i = 0; i < 2; i++) {
            free(result[i]);
            close_job(&job[i]);
        }
    }
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_in_c),
        cmocka_unit_test(sweeps_take_all_steps),
        cmocka_unit_test(every_block_of_the_axis_is_one),
        cmocka_unit_test(the_work_of_a_point),
        cmocka_unit_test(every_element_has_its_place),
        cmocka_unit_test(weights_differ_and_sum_to_one),
        cmocka_unit_test(the_input_is_even_and_of_its_own_at_every_cell),
        cmocka_unit_test(the_oracle_spreads_a_single_one),
        cmocka_unit_test(the_oracle_in_one_dimension),
        cmocka_unit_test(base_in_every_block),
        cmocka_unit_test(csl_in_every_block),
        cmocka_unit_test(comp_in_every_block),
        cmocka_unit_test(as_printed_in_every_block),
        cmocka_unit_test(as_printed_in_boxes_beyond_an_int),
        cmocka_unit_test(variants_of_one_block_in_many_boxes),
        cmocka_unit_test(cpu_variants_in_a_box_beyond_the_caches),
        cmocka_unit_test(two_steps_are_one_and_one),
    };
    return cmocka_run_group_tests_name("stencil", tests, get_device, NULL);
}
