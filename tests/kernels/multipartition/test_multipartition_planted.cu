/* Planted bugs: a right multipartition is spoilt in every way that a kernel could get it wrong, and
 * the checker has to say so, while the right one passes. Runs on the device, whatever it is. */
/* test: thorough turns 40 */
#include "tests/kernels/multipartition/multipartition_answer.cuh"

/* ---- one defect a test; each puts back what it spoilt ---------------------------------------- */

static void swap_bins(answer *a, uint64_t seed)
{
    const uint64_t n = a->problem->shape.n;
    uint32_t bin;
    uint64_t i = roomy_bin(a, seed, 1, &bin), j = i > n / 2 ? 0 : n - 1;
    swap_keys(a, i, j);
    fails(a, &free_variant, "belongs to bin");
    swap_keys(a, i, j);
}

static void lose_key(answer *a, uint64_t seed)
{
    uint32_t bin;
    uint64_t i = roomy_bin(a, seed, 2, &bin);
    const uint64_t kept = key_at(a, i);
    const bool exact = a->problem->shape.n <= MP_EXACT_LIMIT;
    if (kept == key_at(a, i + 1)) fail_msg("uniform keys repeat: choose another seed");
    put_key(a, i, key_at(a, i + 1)); /* the neighbour twice, its own never */
    fails(a, &free_variant, exact ? "of it than the input" : "no permutation");
    fails(a, &stable_variant, exact ? "a stable output has" : "no permutation");
    put_key(a, i, kept);
}

static void change_key(answer *a, uint64_t seed)
{
    const gb_problem *p = a->problem;
    const unsigned width = p->shape.key_bytes;
    for (uint64_t i = seed; i < p->shape.n; i++) {
        const uint64_t other = key_at(a, i) ^ 1;
        if (mp_bin_at(&p->shape, &p->host_bin, a->keys, i) !=
            mp_bin_wide(p->shape.function, &p->host_bin, width, other))
            continue;
        put_key(a, i, other); /* in the right bin, but not of the input */
        fails(a, &free_variant, p->shape.n <= MP_EXACT_LIMIT ? "bin" : "no permutation");
        put_key(a, i, other ^ 1);
        return;
    }
    /* modulo: a key's neighbour is never in its bin; one a multiple further on is */
    const uint64_t bins = p->shape.bins, kept = key_at(a, 0);
    put_key(a, 0, kept >> (8 * width - 1) ? kept - bins : kept + bins);
    fails(a, &free_variant, p->shape.n <= MP_EXACT_LIMIT ? "bin" : "no permutation");
    put_key(a, 0, kept);
}

static void shift_offset(answer *a, uint64_t seed)
{
    const uint32_t bins = a->problem->shape.bins;
    const uint32_t places[] = {0, 1, (uint32_t)(2 + seed), bins - 1, bins};
    for (int k = 0; k < 5; k++)
        for (int direction = -1; direction <= 1; direction += 2) {
            char words[32];
            snprintf(words, sizeof words, "offsets[%u] = ", places[k]);
            a->offsets[places[k]] += (uint64_t)(int64_t)direction;
            fails(a, &free_variant, words);
            a->offsets[places[k]] -= (uint64_t)(int64_t)direction;
        }
}

static void break_order(answer *a, uint64_t seed)
{
    uint32_t bin;
    uint64_t i = roomy_bin(a, seed, 2, &bin);
    uint64_t j = a->offsets[bin + 1] - 1;
    swap_keys(a, i, j);
    if (a->payload) swap_payloads(a, i, j);
    passes(a, &free_variant); /* right for whoever does not claim stability */
    if (a->payload)
        fails(a, &stable_variant, "stable");
    else if (a->problem->shape.n <= MP_EXACT_LIMIT)
        fails(a, &stable_variant, "a stable output has");
    swap_keys(a, i, j);
    if (a->payload) swap_payloads(a, i, j);
}

static void flip_payload_bits(answer *a, uint64_t seed)
{
    const bool exact = a->problem->shape.n <= MP_EXACT_LIMIT;
    const uint64_t i = seed * 97 % a->problem->shape.n;
    for (unsigned w = 0; w < words(a); w++)
        for (int bit = 0; bit < 32; bit += 31) {
            a->payload[i * words(a) + w] ^= 1u << bit;
            fails(a, &free_variant, exact ? "payload" : "no permutation");
            a->payload[i * words(a) + w] ^= 1u << bit;
        }
}

/* Every key and every word of a payload is there, but two travel with each other's keys. */
static void exchange_payloads(answer *a, uint64_t seed)
{
    uint32_t bin;
    uint64_t i = roomy_bin(a, seed, 2, &bin);
    const bool exact = a->problem->shape.n <= MP_EXACT_LIMIT;
    for (unsigned w = 0; w < words(a); w++) {
        swap_payload_words(a, i, i + 1, w);
        fails(a, &free_variant, exact ? "payload" : "no permutation");
        swap_payload_words(a, i, i + 1, w);
    }
    swap_payloads(a, i, i + 1);
    fails(a, &free_variant, exact ? "payload" : "no permutation");
    swap_payloads(a, i, i + 1);
}

/* The halves of two keys of one bin are exchanged. */
static void exchange_low_halves(answer *a, uint64_t seed)
{
    uint32_t bin;
    const uint64_t i = roomy_bin(a, seed, 2, &bin), high = 0xFFFFFFFF00000000u;
    const uint64_t left = key_at(a, i), right = key_at(a, i + 1);
    put_key(a, i, (left & high) | (right & ~high));
    put_key(a, i + 1, (right & high) | (left & ~high));
    fails(a, &free_variant, "");
    put_key(a, i, left);
    put_key(a, i + 1, right);
}

static void write_nothing(answer *a, uint64_t seed)
{
    (void)seed;
    gb_job job = job_of(a, &free_variant, GB_SCOPE_DEVICE);
    hand_in(a);
    assert_int_equal(mp_poison(&job, NULL), GB_OK);
    judge(a, &free_variant, GB_WRONG, "offsets[0] = ");
    /* all but the last key written */
    gb_problem *p = a->problem;
    copy(p->offsets, a->offsets, (p->shape.bins + 1) * sizeof(uint64_t), cudaMemcpyHostToDevice);
    copy(p->keys_out, a->keys, (p->shape.n - 1) * p->shape.key_bytes, cudaMemcpyHostToDevice);
    judge(a, &free_variant, GB_WRONG, "");
}

/* Two neighbouring words of an array of the input are exchanged. */
static void spoil_words(answer *a, uint32_t *array)
{
    uint32_t pair[2], swapped[2];
    copy(pair, array, sizeof pair, cudaMemcpyDeviceToHost);
    swapped[0] = pair[1];
    swapped[1] = pair[0];
    copy(array, swapped, sizeof pair, cudaMemcpyHostToDevice);
    fails(a, &free_variant, "changed its input");
    passes(a, &free_variant); /* the input was made again */
    copy(swapped, array, sizeof pair, cudaMemcpyDeviceToHost);
    assert_memory_equal(swapped, pair, sizeof pair);
}

static void spoil_input(answer *a, uint64_t seed)
{
    spoil_words(a, a->problem->keys_in + seed * 31);
    spoil_words(a, a->problem->payload_in + seed * 31);
}

/* ---- where the output is, and empty ones ----------------------------------------------------- */

static void hand_in_on_host(answer *a)
{
    gb_problem *p = a->problem;
    memcpy(p->host_keys_out, a->keys, mp_keys_size(&p->shape));
    if (a->payload) memcpy(p->host_payload_out, a->payload, mp_payload_size(&p->shape));
    memcpy(p->host_offsets, a->offsets, (p->shape.bins + 1) * sizeof(uint64_t));
}

static void judge_on_host(gb_job job, gb_status expected, const char *words)
{
    gb_status status = mp_check(&job, NULL);
    assert_int_equal(status, expected);
    if (expected != GB_OK) assert_non_null(strstr(job.error.text, words));
}

static void spoil_host_output(answer *a, uint64_t seed)
{
    gb_problem *p = a->problem;
    gb_job jobs[] = {job_of(a, &host_variant, GB_SCOPE_DEVICE),
                     job_of(a, &free_variant, GB_SCOPE_HOST_TO_HOST)};
    for (int k = 0; k < 2; k++) {
        /* the device's buffers are right all along: the host's are judged */
        hand_in(a);
        assert_int_equal(mp_poison(&jobs[k], NULL), GB_OK);
        judge_on_host(jobs[k], GB_WRONG, "offsets[0]");
        hand_in_on_host(a);
        judge_on_host(jobs[k], GB_OK, "");
        p->host_keys_out[seed] ^= 0x80000001u; /* of a wide key, either half */
        judge_on_host(jobs[k], GB_WRONG, "");
        hand_in_on_host(a);
        if (a->payload) {
            p->host_payload_out[seed * words(a) + words(a) - 1] ^= 4;
            judge_on_host(jobs[k], GB_WRONG, "payload");
            hand_in_on_host(a);
        }
        p->host_offsets[p->shape.bins]++;
        judge_on_host(jobs[k], GB_WRONG, "offsets[");
    }
    hand_in_on_host(a);
    p->host_keys_in[seed] ^= 1;
    judge_on_host(jobs[0], GB_WRONG, "changed its input");
    judge_on_host(jobs[0], GB_OK, "");
}

static const char *const types[] = {"u32", "u64"};
static const char *const payloads[] = {"none", "u32", "u64", "u128"};

static void carry_the_output(const char *type, const char *payload)
{
    answer a = open_answer(5001, 64, "uniform", "range", type, payload, 1);
    gb_problem *p = a.problem;
    gb_job job = job_of(&a, &free_variant, GB_SCOPE_HOST_TO_HOST);
    assert_int_equal(mp_poison(&job, NULL), GB_OK);
    assert_int_equal(mp_upload(&job, NULL), GB_OK);
    hand_in(&a); /* what a kernel would have written */
    assert_int_equal(mp_download(&job, NULL), GB_OK);
    judge_on_host(job, GB_OK, "");
    assert_memory_equal(p->host_keys_out, a.keys, mp_keys_size(&p->shape));
    if (a.payload) assert_memory_equal(p->host_payload_out, a.payload, mp_payload_size(&p->shape));
    close_answer(&a);
}

static void transfers_carry_the_output(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 4; k++)
            carry_the_output(types[t], payloads[k]);
}

static void judge_nothing(const char *type, const char *payload)
{
    answer a = open_answer(0, 33, "sorted", "splitters", type, payload, 1);
    passes(&a, &stable_variant);
    gb_job job = job_of(&a, &stable_variant, GB_SCOPE_HOST_TO_HOST);
    assert_int_equal(mp_poison(&job, NULL), GB_OK);
    judge(&a, &stable_variant, GB_WRONG, "offsets[0] = ");
    assert_int_equal(mp_upload(&job, NULL), GB_OK);
    a.offsets[33] = 1;
    fails(&a, &stable_variant, "the last bin ends at n = 0");
    close_answer(&a);
}

static void empty_inputs(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 4; k++)
            judge_nothing(types[t], payloads[k]);
}

/* Nothing about skew is special to the checker. */
static void skew_passes(void **state)
{
    (void)state;
    static const char *const dists[] = {"constant", "zipf", "sorted", "reversed", "distinct:2"};
    static const uint32_t bins[] = {1, 2, 361, 12288, 20000};
    for (int d = 0; d < 5; d++)
        for (int b = 0; b < 5; b++) {
            answer a = open_answer(20011, bins[b], dists[d], d % 2 ? "hash" : "range",
                                   types[(d + b) % 2], payloads[b % 4], 4);
            passes(&a, &stable_variant);
            a.offsets[0]++;
            fails(&a, &stable_variant, "offsets[0] = ");
            close_answer(&a);
        }
}

/* ---- function max ---------------------------------------------------------------------------- */

/* It divides by the largest key of the input, which for binomial keys is far below 2^32. */
static void max_is_the_largest_key(void **state)
{
    (void)state;
    static const char *const dists[] = {"uniform", "binomial", "binomial:33:0.3", "constant",
                                        "sorted"};
    static const uint32_t bins_of[] = {1, 2, 361, 12289};
    for (int t = 0; t < 2; t++)
        for (int d = 0; d < 5; d++)
            for (int b = 0; b < 4; b++) {
                const uint32_t bins = bins_of[b];
                answer a = open_answer(5000, bins, dists[d], "max", types[t], "none", 1 + d);
                const gb_problem *p = a.problem;
                uint64_t max = 0;
                for (uint64_t i = 0; i < 5000; i++)
                    if (key_at(&a, i) > max) max = key_at(&a, i);
                const mp_bin_data right = mp_bin_data_by_max(&p->shape, max);
                assert_memory_equal(&p->bin, &right, sizeof right);
                assert_memory_equal(&p->host_bin, &right, sizeof right);
                /* so that the largest keys have the last bin */
                assert_true(mp_bin_at(&p->shape, &right, a.keys, 4999) ==
                            (max >= bins ? bins - 1 : 0));
                passes(&a, &stable_variant);
                /* each bin is checked by a division */
                gb_error error;
                assert_int_equal(mp_check_max(p, &error), GB_OK);
                a.problem->host_bin = mp_bin_data_by_max(&p->shape, max - max / 10);
                if (bins >= 361 && strcmp(dists[d], "constant") != 0)
                    assert_int_equal(mp_check_max(p, &error), GB_CRASHED);
                close_answer(&a);
            }
}

/* A key above the largest, which has no bin, is found and takes nobody out of an array. */
static void a_key_above_the_largest(void **state)
{
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int s = 0; s < 2; s++) {
            answer a = open_answer(sizes[s], 361, "binomial", "max", types[t], "none", 5);
            const uint64_t n = sizes[s], last = key_at(&a, n - 1), first = key_at(&a, 0);
            put_key(&a, n - 1, UINT64_MAX);
            fails(&a, &free_variant, s == 0 ? "of it than the input" : "no permutation");
            put_key(&a, n - 1, last);
            put_key(&a, 0, UINT64_MAX);
            fails(&a, &free_variant, "belongs to bin 360");
            put_key(&a, 0, first);
            passes(&a, &stable_variant);
            close_answer(&a);
        }
}

/* ---- the tests ------------------------------------------------------------------------------- */

#define EACH(name, dist, type, payload, body) \
    static void name(void **state)            \
    {                                         \
        (void)state;                          \
        for_each(dist, type, payload, body);  \
    }

EACH(keys_in_each_others_bins, "uniform", "u32", "none", swap_bins)
EACH(a_lost_and_a_repeated_key, "uniform", "u32", "none", lose_key)
EACH(a_changed_key, "uniform", "u32", "none", change_key)
EACH(offsets_off_by_one, "uniform", "u32", "none", shift_offset)
EACH(unstable_keys, "uniform", "u32", "none", break_order)
EACH(unstable_payloads, "distinct:1000", "u32", "u32", break_order)
EACH(a_flipped_bit_of_a_payload, "normal", "u32", "u32", flip_payload_bits)
EACH(payloads_with_each_others_keys, "uniform", "u32", "u32", exchange_payloads)
EACH(output_left_unwritten, "binomial", "u32", "u32", write_nothing)
EACH(a_changed_input, "uniform", "u32", "u32", spoil_input)
EACH(output_in_host_memory, "uniform", "u32", "u32", spoil_host_output)

EACH(wide_keys_in_each_others_bins, "uniform", "u64", "none", swap_bins)
EACH(a_lost_and_a_repeated_wide_key, "uniform", "u64", "none", lose_key)
EACH(a_changed_wide_key, "uniform", "u64", "u32", change_key)
EACH(low_halves_with_each_others_keys, "uniform", "u64", "none", exchange_low_halves)
EACH(unstable_wide_keys, "uniform", "u64", "none", break_order)
EACH(unstable_wide_payloads, "distinct:1000", "u32", "u128", break_order)
EACH(unstable_wide_elements, "distinct:1000", "u64", "u64", break_order)
EACH(a_flipped_bit_of_8_bytes, "normal", "u32", "u64", flip_payload_bits)
EACH(a_flipped_bit_of_16_bytes, "normal", "u64", "u128", flip_payload_bits)
EACH(words_with_each_others_keys, "uniform", "u32", "u128", exchange_payloads)
EACH(a_changed_wide_input, "uniform", "u64", "u128", spoil_input)
EACH(wide_output_in_host_memory, "uniform", "u64", "u64", spoil_host_output)
EACH(long_output_in_host_memory, "binomial", "u64", "u128", spoil_host_output)

int main(void)
{
    device.index = 0;
    device.sms = 2;
    device.arch = 900;
    device.memory_bytes = (uint64_t)1 << 30;
    stable_variant.name = "stable";
    stable_variant.flags = GB_STABLE;
    free_variant.name = "free";
    host_variant.name = "host";
    host_variant.flags = GB_HOST;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(max_is_the_largest_key),
        cmocka_unit_test(a_key_above_the_largest),
        cmocka_unit_test(keys_in_each_others_bins),
        cmocka_unit_test(a_lost_and_a_repeated_key),
        cmocka_unit_test(a_changed_key),
        cmocka_unit_test(offsets_off_by_one),
        cmocka_unit_test(unstable_keys),
        cmocka_unit_test(unstable_payloads),
        cmocka_unit_test(a_flipped_bit_of_a_payload),
        cmocka_unit_test(payloads_with_each_others_keys),
        cmocka_unit_test(output_left_unwritten),
        cmocka_unit_test(a_changed_input),
        cmocka_unit_test(output_in_host_memory),
        cmocka_unit_test(wide_keys_in_each_others_bins),
        cmocka_unit_test(a_lost_and_a_repeated_wide_key),
        cmocka_unit_test(a_changed_wide_key),
        cmocka_unit_test(low_halves_with_each_others_keys),
        cmocka_unit_test(unstable_wide_keys),
        cmocka_unit_test(unstable_wide_payloads),
        cmocka_unit_test(unstable_wide_elements),
        cmocka_unit_test(a_flipped_bit_of_8_bytes),
        cmocka_unit_test(a_flipped_bit_of_16_bytes),
        cmocka_unit_test(words_with_each_others_keys),
        cmocka_unit_test(a_changed_wide_input),
        cmocka_unit_test(wide_output_in_host_memory),
        cmocka_unit_test(long_output_in_host_memory),
        cmocka_unit_test(transfers_carry_the_output),
        cmocka_unit_test(empty_inputs),
        cmocka_unit_test(skew_passes),
    };
    return cmocka_run_group_tests_name("multipartition, planted bugs", tests, NULL, NULL);
}
