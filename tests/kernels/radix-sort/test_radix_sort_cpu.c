/* The CPU variants of radix sort against the oracle: every type, order, payload and range of bits,
 * at sizes around their borders, on outputs that are aligned to no line. */
/* test: long 11 */
#include "kernels/radix-sort/keys.h"
#include "kernels/radix-sort/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GUARD = 128 }; /* bytes after an output that nobody may touch */

/* The data is in host memory already: this stands in for the device's copy of it. */
gb_status rs_problem_host(gb_job *job)
{
    return job->problem->host_keys_in ? GB_OK : GB_CRASHED;
}

static void *bytes(uint64_t count)
{
    void *memory = malloc((size_t)count + GUARD);
    assert_non_null(memory);
    return memset(memory, 0xA5, (size_t)count + GUARD);
}

static void guard_is_whole(const void *memory, uint64_t from)
{
    for (int i = 0; i < GUARD / 2; i++)
        assert_int_equal(((const unsigned char *)memory)[from + (uint64_t)i], 0xA5);
}

/* One point: its input, and what the oracle makes of it. */
typedef struct point {
    struct gb_problem problem;
    void *right;
    uint32_t *right_payload;
    char *keys_out, *payload_out; /* as allocated */
    char name[160];
} point;

/* shift: elements by which the outputs miss the alignment that malloc gives. */
static point make_point(rs_shape shape, const char *dist_name, uint64_t seed, unsigned shift)
{
    gb_dist dist;
    point p = {.problem = {.shape = shape, .seed = seed}};
    const size_t size = rs_key_bytes(shape.type);
    snprintf(p.name, sizeof p.name,
             "n=%llu dist=%s type=%d payload=%u descending=%d bits=%u-%u seed=%llu",
             (unsigned long long)shape.n, dist_name, (int)shape.type, shape.payload,
             shape.descending, shape.begin_bit, shape.end_bit, (unsigned long long)seed);
    assert_true(gb_dist_of(dist_name, seed, shape.n, &dist, NULL));
    p.problem.host_keys_in = bytes(shape.n * size);
    p.right = bytes(shape.n * size);
    p.keys_out = bytes((shape.n + shift) * size);
    p.problem.host_keys_out = p.keys_out + shift * size;
    p.right_payload = bytes(shape.n * 4);
    if (shape.payload) {
        p.problem.host_payload_in = bytes(shape.n * 4);
        p.payload_out = bytes((shape.n + shift) * 4);
        p.problem.host_payload_out = (uint32_t *)(void *)(p.payload_out + shift * 4);
    }
    for (uint64_t i = 0; i < shape.n; i++) {
        rs_store_key(shape.type, p.problem.host_keys_in, i, rs_make_key(&dist, shape.type, i));
        if (shape.payload) p.problem.host_payload_in[i] = (uint32_t)i;
        p.right_payload[i] = (uint32_t)i;
    }
    memcpy(p.right, p.problem.host_keys_in, shape.n * size);
    void *scratch = bytes(shape.n * 32);
    rs_oracle(&shape, p.right, p.right_payload, scratch);
    free(scratch);
    return p;
}

static void free_point(point *p)
{
    free(p->problem.host_keys_in);
    free(p->problem.host_payload_in);
    free(p->keys_out);
    free(p->payload_out);
    free(p->right);
    free(p->right_payload);
}

static rs_hash hash_of(const rs_shape *shape, const void *keys, const uint32_t *payload)
{
    rs_hash hash = {0, 0, 0};
    for (uint64_t i = 0; i < shape->n; i++)
        rs_hash_add(&hash, i, rs_load_key(shape->type, keys, i), payload ? payload[i] : 0);
    return hash;
}

/* The first output that is not the oracle's; n: none. Without a claim of stability the fields are
 * compared, and the multiset. */
static uint64_t first_wrong(const point *p, bool stable)
{
    const struct gb_problem *problem = &p->problem;
    const rs_shape *shape = &problem->shape;
    for (uint64_t i = 0; i < shape->n; i++) {
        const uint64_t found = rs_load_key(shape->type, problem->host_keys_out, i);
        const uint64_t right = rs_load_key(shape->type, p->right, i);
        if (stable ? found != right : rs_field(shape, found) != rs_field(shape, right)) return i;
        if (stable && shape->payload && problem->host_payload_out[i] != p->right_payload[i])
            return i;
    }
    const rs_hash in = hash_of(shape, problem->host_keys_in, problem->host_payload_in);
    const rs_hash out = hash_of(shape, problem->host_keys_out, problem->host_payload_out);
    return in.a == out.a && in.b == out.b ? shape->n : 0;
}

static void try_variant(const gb_variant *variant, point *p)
{
    const rs_shape *shape = &p->problem.shape;
    const size_t size = rs_key_bytes(shape->type);
    const rs_hash before = hash_of(shape, p->problem.host_keys_in, p->problem.host_payload_in);
    gb_job job = {.variant = variant, .problem = &p->problem};
    assert_int_equal(variant->prepare(&job), GB_OK);
    for (int again = 0; again < 2; again++) {
        memset(p->problem.host_keys_out, 0xA5, shape->n * size);
        if (shape->payload) memset(p->problem.host_payload_out, 0xA5, shape->n * 4);
        assert_int_equal(variant->run(&job, NULL), GB_OK);
        const uint64_t wrong = first_wrong(p, variant->flags & GB_STABLE);
        if (wrong != shape->n)
            fail_msg("%s, %s: element %llu is wrong", variant->name, p->name,
                     (unsigned long long)wrong);
        guard_is_whole(p->problem.host_keys_out, shape->n * size);
        if (shape->payload) guard_is_whole(p->problem.host_payload_out, shape->n * 4);
    }
    variant->cleanup(&job);
    assert_null(job.state);
    const rs_hash after = hash_of(shape, p->problem.host_keys_in, p->problem.host_payload_in);
    assert_memory_equal(&before, &after, sizeof before);
}

static const gb_variant *const all_variants[] = {&rs_cpu_lsd1, &rs_cpu_lsd1_operators, &rs_cpu_lsd8,
                                                 &rs_cpu_parallel, &rs_cpu_qsort};
enum { ALL_VARIANTS = sizeof all_variants / sizeof *all_variants };
static const char *const dists[] = {"uniform",  "normal",   "zipf",       "sorted",
                                    "reversed", "constant", "distinct:2", "distinct:1000"};
enum { DISTS = 8 };

/* Those that work in digits; the others have no borders at large sizes. */
static const gb_variant *const quick_variants[] = {&rs_cpu_lsd8, &rs_cpu_parallel};

static void try_each(const gb_variant *const *variants, unsigned count, rs_shape shape,
                     const char *dist, uint64_t seed, unsigned shift)
{
    point p = make_point(shape, dist, seed, shift);
    for (unsigned v = 0; v < count; v++)
        try_variant(variants[v], &p);
    free_point(&p);
}

static void small_inputs_are_sorted(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {0, 1, 2, 15, 16, 17, 33, 255, 1025, 4099};
    static const unsigned ranges[][2] = {{0, 0}, {0, 1}, {31, 32}, {8, 24}, {5, 18}, {0, 31}};
    unsigned turn = 0;
    for (unsigned s = 0; s < 10; s++)
        for (unsigned r = 0; r < 6; r++)
            for (int type = RS_U32; type < RS_TYPES; type++)
                for (int how = 0; how < 4; how++, turn++) {
                    rs_shape shape = {.n = sizes[s],
                                      .type = (rs_type)type,
                                      .payload = how & 1 ? 4 : 0,
                                      .descending = how & 2,
                                      .begin_bit = ranges[r][0],
                                      .end_bit = ranges[r][1]};
                    if (shape.end_bit == 0) shape.end_bit = 8 * (unsigned)rs_key_bytes(shape.type);
                    try_each(all_variants, ALL_VARIANTS, shape, dists[turn % DISTS], 1 + turn,
                             turn % 5);
                }
}

/* Sizes at which threads share the work, buckets outgrow their thread's scratch, and arrays the
 * caches. */
static void large_inputs_are_sorted(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {32771, 131101, 1100009};
    for (unsigned s = 0; s < 3; s++)
        for (unsigned d = s == 2 ? 1 : 0; d < DISTS; d += s == 2 ? 4 : 1) /* of the largest, two */
            for (int type = RS_U32; type <= RS_U64; type++)
                for (unsigned payload = 0; payload <= 4; payload += 4) {
                    rs_shape shape = {.n = sizes[s], .type = (rs_type)type, .payload = payload};
                    shape.descending = (d + s) % 2;
                    shape.end_bit = 8 * (unsigned)rs_key_bytes(shape.type);
                    try_each(quick_variants, 2, shape, dists[d], 7, d % 3);
                }
}

/* Keys that a radix sort from the top cannot part early: all that differs is in the lowest bits of
 * 64, and all but a few keys are one. */
static void keys_that_differ_low_are_sorted(void **state)
{
    (void)state;
    const uint64_t n = 300007;
    for (unsigned payload = 0; payload <= 4; payload += 4)
        for (unsigned few = 0; few < 2; few++) {
            rs_shape shape = {.n = n, .type = RS_U64, .payload = payload, .end_bit = 64};
            point p = make_point(shape, "uniform", 5, 1);
            uint64_t *in = p.problem.host_keys_in;
            for (uint64_t i = 0; i < n; i++)
                in[i] = few && i % 1000 ? 77 : 0x123456789ABC0000u | (in[i] & 0xFFFF);
            memcpy(p.right, in, n * sizeof *in);
            void *scratch = bytes(n * 32);
            for (uint64_t i = 0; i < n; i++)
                p.right_payload[i] = (uint32_t)i;
            rs_oracle(&shape, p.right, p.right_payload, scratch);
            free(scratch);
            for (unsigned v = 0; v < 2; v++)
                try_variant(quick_variants[v], &p);
            free_point(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_inputs_are_sorted),
        cmocka_unit_test(large_inputs_are_sorted),
        cmocka_unit_test(keys_that_differ_low_are_sorted),
    };
    return cmocka_run_group_tests_name("radix sort on the CPU", tests, NULL, NULL);
}
