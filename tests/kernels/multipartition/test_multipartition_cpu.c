/* The variants on the CPU against the oracle, at sizes around their borders: threads' slices, cache
 * lines that bins and threads share, output that is aligned to no line. */
#include "common/distributions.h"
#include "kernels/multipartition/experiment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUARD = 32 }; /* words after an output that nobody may touch */

/* The data is in host memory already: this stands in for the device's copy of it. */
gb_status mp_problem_host(struct gb_problem *problem, gb_error *error)
{
    (void)error;
    return problem->host_keys_in ? GB_OK : GB_CRASHED;
}

static uint32_t *words(uint64_t count)
{
    uint32_t *memory = malloc((size_t)(count + GUARD) * sizeof *memory);
    assert_non_null(memory);
    memset(memory, 0xA5, (size_t)(count + GUARD) * sizeof *memory);
    return memory;
}

static void guard_is_whole(const uint32_t *memory, uint64_t from)
{
    for (int i = 0; i < GUARD / 2; i++)
        assert_int_equal(memory[from + (uint64_t)i], 0xA5A5A5A5);
}

/* shift: words by which the outputs miss the alignment that malloc gives. */
static void try_point(const gb_variant *variant, mp_shape shape, const char *name, unsigned shift)
{
    gb_dist dist;
    const uint64_t n = shape.n;
    const uint32_t bins = shape.bins;
    assert_true(gb_dist_of(name, 3, n, &dist, NULL));
    uint32_t *limits = words(bins);
    mp_make_limits(3, bins, limits);
    struct gb_problem problem = {.shape = shape};
    problem.host_keys_in = words(n);
    uint32_t *out = words(n), *moved = words(n), *right = words(n), *right_moved = words(n);
    uint32_t *numbers = words(n);
    problem.host_keys_out = out + shift;
    if (shape.payload_bytes) {
        problem.host_payload_in = numbers;
        problem.host_payload_out = moved + (shift ? shift + 1 : 0);
    }
    problem.host_offsets = (uint64_t *)(void *)words(2 * ((uint64_t)bins + 1));
    uint64_t *right_offsets = (uint64_t *)(void *)words(2 * ((uint64_t)bins + 1));
    uint32_t max = 0;
    for (uint64_t i = 0; i < n; i++) {
        problem.host_keys_in[i] = gb_dist_key(&dist, i);
        if (problem.host_keys_in[i] > max) max = problem.host_keys_in[i];
        numbers[i] = (uint32_t)i;
    }
    problem.host_bin =
        shape.function == MP_MAX ? mp_bin_data_by_max(&shape, max) : mp_bin_data_of(&shape, limits);
    mp_oracle(&shape, &problem.host_bin, problem.host_keys_in, problem.host_payload_in, right,
              shape.payload_bytes ? right_moved : NULL, right_offsets);

    gb_job job = {.variant = variant, .problem = &problem};
    assert_int_equal(variant->prepare(&job), GB_OK);
    for (int again = 0; again < 3; again++) {
        memset(problem.host_keys_out, 0xA5, n * 4);
        memset(problem.host_offsets, 0xA5, ((size_t)bins + 1) * 8);
        assert_int_equal(variant->run(&job, NULL), GB_OK);
        assert_memory_equal(problem.host_offsets, right_offsets, ((size_t)bins + 1) * 8);
        if (n) assert_memory_equal(problem.host_keys_out, right, n * 4);
        guard_is_whole(problem.host_keys_out, n);
        if (!shape.payload_bytes) continue;
        if (n) assert_memory_equal(problem.host_payload_out, right_moved, n * 4);
        guard_is_whole(problem.host_payload_out, n);
    }
    if (variant->cleanup) variant->cleanup(&job);
    free(limits);
    free(problem.host_keys_in);
    free(out);
    free(moved);
    free(right);
    free(right_moved);
    free(numbers);
    free(problem.host_offsets);
    free(right_offsets);
}

static void try_all(const gb_variant *variant)
{
    static const uint64_t sizes[] = {0, 1, 33, 8191, 8192, 20011, 100003};
    static const uint32_t bins[] = {1, 2, 33, 361, 4096, 16384, 16385};
    static const char *const dists[] = {"uniform", "zipf", "constant", "reversed"};
    for (unsigned s = 0; s < 7; s++)
        for (unsigned b = 0; b < 7; b++)
            for (unsigned d = 0; d < 4; d++) {
                unsigned turn = s + b + d;
                mp_shape shape = {.n = sizes[s],
                                  .bins = bins[b],
                                  .function = (mp_function_kind)(turn % 5),
                                  .payload_bytes = turn % 2 * 4,
                                  .key_bytes = 4};
                try_point(variant, shape, dists[d], turn % 5);
            }
}

static void sequential_agrees(void **state)
{
    (void)state;
    try_all(&mp_cpu);
}

static void parallel_agrees(void **state)
{
    (void)state;
    try_all(&mp_cpu_parallel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequential_agrees),
        cmocka_unit_test(parallel_agrees),
    };
    return cmocka_run_group_tests_name("multipartition on the CPU", tests, NULL, NULL);
}
