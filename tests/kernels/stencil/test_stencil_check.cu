/* The stencils' checker: what a variant can do wrong is found and named, on the device, on the CPU
 * and after a download, and what it has spoilt is made good for the next one. */
#include "tests/kernels/stencil/stencil_device.cuh"

/* ---- a run that is spoilt afterwards --------------------------------------------------------- */

enum { INPUT, FIELD_0, FIELD_1 };

/* What the planted variant does beside the right run. */
typedef struct mistake {
    bool fields_only;     /* nothing is computed */
    int swapped[2];       /* weights that change places; {0, 0}: none */
    unsigned fewer_steps; /* steps that are left out */
    int array, x, y, z;   /* where it writes */
    bool writes;
    float value; /* what it writes, or adds */
    bool adds;
    int64_t element;           /* if not negative: writes there instead */
    const char *words, *where; /* of the message */
} mistake;

static mistake plan;
static const gb_variant *right_variant;

static float *array_of(const gb_job *job, int array)
{
    const gb_problem *p = job->problem;
    const bool host = (job->variant->flags & GB_HOST) != 0;
    if (array == INPUT) return host ? p->host_input : p->input;
    return host ? p->host_field[array - FIELD_0] : p->field[array - FIELD_0];
}

static void put(const gb_job *job, float *at, float value, bool adds)
{
    const bool host = (job->variant->flags & GB_HOST) != 0;
    float now = 0;
    assert_int_equal(cudaMemcpy(&now, at, sizeof now, cudaMemcpyDefault), cudaSuccess);
    now = adds ? now + value : value;
    assert_int_equal(
        cudaMemcpy(at, &now, sizeof now, host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice),
        cudaSuccess);
}

static gb_status run_with_mistake(gb_job *job, gb_stream stream)
{
    gb_problem *p = job->problem;
    const st_weights weights = p->weights;
    const unsigned steps = p->shape.steps;
    if (plan.swapped[0] != plan.swapped[1]) {
        p->weights.w[plan.swapped[0]] = weights.w[plan.swapped[1]];
        p->weights.w[plan.swapped[1]] = weights.w[plan.swapped[0]];
    }
    p->shape.steps -= plan.fewer_steps;
    const gb_status status = plan.fields_only ? GB_OK : right_variant->run(job, stream);
    p->weights = weights;
    p->shape.steps = steps;
    if (status == GB_OK && plan.writes)
        put(job,
            array_of(job, plan.array) +
                (plan.element >= 0 ? plan.element : element_of(p, plan.x, plan.y, plan.z)),
            plan.value, plan.adds);
    return status;
}

static gb_variant planted_variant(const gb_variant *right)
{
    gb_variant planted = *right;
    planted.run = run_with_mistake;
    right_variant = right;
    return planted;
}

/* A mistake is found, its message says so, and the next run is right. */
static void is_found(const gb_variant *right, const gb_params *params, gb_scope scope,
                     const mistake *what)
{
    const gb_variant planted = planted_variant(right);
    gb_job job;
    plan = *what;
    open_job(&job, right, params, 5);
    job.scope = scope;
    job.variant = &planted;
    const gb_status status = verify(&job);
    if (status != GB_WRONG || !strstr(job.error.text, what->words) ||
        !strstr(job.error.text, what->where))
        fail_msg("%s, scope %d: status %d, \"%s\" instead of \"%s\", \"%s\"", right->name,
                 (int)scope, (int)status, job.error.text, what->words, what->where);
    job.variant = right;
    if (verify(&job) != GB_OK) fail_msg("%s afterwards: %s", right->name, job.error.text);
    close_job(&job);
}

/* On the device, with transfers, and on the CPU: one sweep of one core and the same in vectors. */
static void is_found_anywhere(const gb_params *params, const mistake *what)
{
    is_found(&st_base, params, GB_SCOPE_DEVICE, what);
    is_found(&st_base, params, GB_SCOPE_HOST_TO_HOST, what);
    is_found(&st_cpu, params, GB_SCOPE_DEVICE, what);
}

static const float not_a_number = __builtin_nanf("");

/* Two steps: the result is field 1. */
static gb_params usual(unsigned radius)
{
    return point(37, 6, 5, radius, "auto", 2, 1);
}

static double tolerance(const gb_params *params)
{
    return (double)params->value[ST_STEPS].size *
           (6.0 * (double)params->value[ST_RADIUS].size + 2) * 0x1p-24;
}

static mistake written(int array, int x, int y, int z, float value, const char *words,
                       const char *where)
{
    return mistake{false, {0, 0}, 0, array, x, y, z, true, value, false, -1, words, where};
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void a_cell_that_is_off(void **)
{
    for (unsigned radius = 1; radius <= ST_MAX_RADIUS; radius++) {
        const gb_params params = usual(radius);
        mistake off = written(FIELD_1, 36, 5, 4, (float)(1.5 * tolerance(&params)),
                              "the first of 1 wrong cells", "cell (36, 5, 4) is ");
        off.adds = true;
        is_found_anywhere(&params, &off);
        off.value = -off.value;
        is_found_anywhere(&params, &off);
    }
}

static void a_cell_within_the_tolerance(void **)
{
    const gb_params params = usual(4);
    const gb_variant planted = planted_variant(&st_base);
    gb_job job;
    plan = written(FIELD_1, 0, 0, 0, (float)(0.4 * tolerance(&params)), "", "");
    plan.adds = true;
    open_job(&job, &planted, &params, 5);
    if (verify(&job) != GB_OK) fail_msg("%s", job.error.text);
    close_job(&job);
}

static void a_nan(void **)
{
    const gb_params params = usual(1);
    const mistake what =
        written(FIELD_1, 3, 2, 1, not_a_number, "cell (3, 2, 1) is nan", "1 wrong");
    is_found_anywhere(&params, &what);
}

static void a_cell_that_is_not_written(void **)
{
    const gb_params params = usual(2);
    float poison;
    memcpy(&poison, &st_poison_bits, sizeof poison);
    const mistake what =
        written(FIELD_1, 0, 5, 2, poison, "cell (0, 5, 2) is not written", "1 wrong cells");
    is_found_anywhere(&params, &what);
}

static void nothing_is_written(void **)
{
    const gb_params params = usual(2);
    mistake what = {};
    what.fields_only = true;
    what.words = "cell (0, 0, 0) is not written";
    what.where = "of 1110 wrong";
    is_found_anywhere(&params, &what);
}

/* Three steps end in field 0; two of them leave the second one's result in field 1. */
static void a_step_is_left_out(void **)
{
    const gb_params params = point(37, 6, 5, 1, "auto", 3, 1);
    mistake what = {};
    what.fewer_steps = 1;
    what.words = " is ";
    what.where = "wrong cells";
    is_found_anywhere(&params, &what);
}

static void weights_that_changed_places(void **)
{
    for (int radius = 1; radius <= ST_MAX_RADIUS; radius++) {
        const gb_params params = usual((unsigned)radius);
        for (int i = 1; i <= 6 * radius; i++) {
            mistake what = {};
            what.swapped[0] = i - 1;
            what.swapped[1] = i;
            what.words = "wrong cells";
            what.where = "tolerance";
            is_found(&st_base, &params, GB_SCOPE_DEVICE, &what);
        }
    }
}

static void ghosts_that_are_written(void **)
{
    static const int ghosts[][3] = {{-1, 0, 0}, {37, 5, 4}, {0, -2, 0},   {36, 7, 4},
                                    {0, 0, -2}, {36, 5, 6}, {-2, -2, -2}, {38, 7, 6}};
    const gb_params params = usual(2);
    for (const int *g : ghosts) {
        for (int array = FIELD_0; array <= FIELD_1; array++) {
            char where[64];
            snprintf(where, sizeof where, "in field %d ghost (%d, %d, %d) is 0.5", array - FIELD_0,
                     g[0], g[1], g[2]);
            const mistake what = written(array, g[0], g[1], g[2], 0.5f, "where nobody may", where);
            is_found_anywhere(&params, &what);
        }
    }
}

/* A value that was computed anew is wrong there, too, even if it is the same number by chance. */
static void padding_that_is_written(void **)
{
    const gb_params params = usual(1);
    const st_shape shape = st_shape_of(&params);
    const st_layout layout = st_layout_of(&shape);
    const int64_t elements[] = {0, layout.origin + shape.x + 1, layout.total - 1};
    for (int64_t element : elements) {
        for (int array = INPUT; array <= FIELD_1; array++) {
            mistake what =
                written(array, 0, 0, 0, not_a_number, "where nobody may", "which is padding");
            what.element = element;
            is_found_anywhere(&params, &what);
        }
    }
}

static void the_input_is_changed(void **)
{
    const gb_params params = usual(3);
    const int places[][3] = {{0, 0, 0}, {36, 5, 4}, {-3, 2, 2}, {4, 8, 7}};
    for (const int *at : places) {
        mistake what = written(INPUT, at[0], at[1], at[2], 0x1p-24f, "in the input",
                               at[0] < 0 || at[1] > 5 ? "ghost (" : "cell (");
        what.adds = true;
        is_found_anywhere(&params, &what);
    }
}

/* What a device variant does right is lost on the way to the host. */
static void the_download_is_wrong(void **)
{
    const gb_params params = usual(1);
    gb_job job;
    open_job(&job, &st_base, &params, 5);
    job.scope = GB_SCOPE_HOST_TO_HOST;
    assert_int_equal(verify(&job), GB_OK);
    job.problem->locked_result[element_of(job.problem, 3, 1, 1)] += 0.25f;
    assert_int_equal(st_check(&job, NULL), GB_WRONG);
    assert_non_null(strstr(job.error.text, "cell (3, 1, 1) is "));
    assert_int_equal(verify(&job), GB_OK);
    job.problem->locked_result[element_of(job.problem, -1, 1, 1)] += 0.25f;
    assert_int_equal(st_check(&job, NULL), GB_WRONG);
    assert_non_null(strstr(job.error.text, "in the downloaded result ghost (-1, 1, 1)"));
    close_job(&job);
}

/* A copy is held to the input bit for bit. */
static void a_copy_that_is_off(void **)
{
    static const gb_variant *const copies[] = {&st_copy, &st_cpu_copy};
    const gb_params params = usual(1);
    for (const gb_variant *copy : copies) {
        gb_job job;
        open_job(&job, copy, &params, 5);
        assert_true(st_copies(copy));
        assert_int_equal(verify(&job), GB_OK);
        float *const cell = array_of(&job, FIELD_1) + element_of(job.problem, 36, 0, 4);
        put(&job, cell, 0x1p-24f, true);
        assert_int_equal(st_check(&job, NULL), GB_WRONG);
        assert_non_null(strstr(job.error.text, "cell (36, 0, 4) is"));
        assert_non_null(strstr(job.error.text, "tolerance 0"));
        close_job(&job);
    }
    assert_false(st_copies(&st_base));
    assert_false(st_copies(&st_cpu));
    assert_false(st_copies(&st_cpu_parallel));
}

static void memory_is_counted(void **)
{
    const gb_params params = usual(1);
    gb_error error;
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = &st_base;
    job.params = &params;
    job.device = &device;
    assert_int_equal(st_open(&params, 5, &device, &job.problem, &error), GB_OK);
    const uint64_t bytes = (uint64_t)job.problem->layout.total * sizeof(float);
    job.memory_limit = 5 * bytes - 1;
    assert_int_equal(st_problem_device(&job), GB_OUT_OF_MEMORY);
    job.memory_used = 0;
    job.memory_limit = 5 * bytes;
    assert_int_equal(st_problem_device(&job), GB_OK);
    assert_int_equal(job.memory_used, 5 * bytes);
    assert_int_equal(verify(&job), GB_OK);
    st_close(job.problem);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_that_is_off),
        cmocka_unit_test(a_cell_within_the_tolerance),
        cmocka_unit_test(a_nan),
        cmocka_unit_test(a_cell_that_is_not_written),
        cmocka_unit_test(nothing_is_written),
        cmocka_unit_test(a_step_is_left_out),
        cmocka_unit_test(weights_that_changed_places),
        cmocka_unit_test(ghosts_that_are_written),
        cmocka_unit_test(padding_that_is_written),
        cmocka_unit_test(the_input_is_changed),
        cmocka_unit_test(the_download_is_wrong),
        cmocka_unit_test(a_copy_that_is_off),
        cmocka_unit_test(memory_is_counted),
    };
    return cmocka_run_group_tests_name("stencil checker", tests, get_device, NULL);
}
