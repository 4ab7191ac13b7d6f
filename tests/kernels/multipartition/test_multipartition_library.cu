/* The partition's public functions: each mistake in a request is named, and costs nothing else. */
#include "tests/harness/device.cuh"

#include "kernels/multipartition/multipartition.h"

#include <string.h>

static void expect(const mp_request *request, void *scratch, uint64_t bytes, mp_status status,
                   const char *words)
{
    assert_int_equal(mp_partition(request, scratch, bytes, NULL), status);
    if (!strstr(mp_partition_error(), words))
        fail_msg("'%s' is not in '%s'", words, mp_partition_error());
}

static void mistakes_in_requests_are_named(void **state)
{
    (void)state;
    char *memory;
    uint64_t bytes;
    assert_int_equal(cudaMalloc((void **)&memory, 1 << 22), cudaSuccess);
    mp_request good = {};
    good.keys_in = memory;
    good.keys_out = memory + 65536;
    good.offsets = (uint64_t *)(memory + 131072);
    good.n = 1000;
    good.key_bytes = 4;
    good.bins = 100;
    void *scratch = memory + 262144;
    assert_int_equal(mp_partition_scratch(&good, &bytes), MP_OK);
    assert_true(bytes <= (1 << 22) - 262144);
    assert_int_equal(mp_partition(&good, scratch, bytes, NULL), MP_OK);

#define BAD(change, status, words)                   \
    {                                                \
        mp_request bad = good;                       \
        bad.change;                                  \
        expect(&bad, scratch, bytes, status, words); \
    }
    BAD(key_bytes = 2, MP_INVALID, "key_bytes is 2; it may be 4 or 8")
    BAD(payload_bytes = 12, MP_INVALID, "payload_bytes is 12; it may be 0, 4, 8 or 16")
    BAD(payload_bytes = 4, MP_INVALID, "payload_in is NULL")
    BAD(bins = 0, MP_INVALID, "bins is 0; it may be 1 to 1048576")
    BAD(bins = 1048577, MP_INVALID, "bins is 1048577")
    BAD(function = (mp_function_kind)5, MP_INVALID, "function is 5")
    BAD(function = MP_MAX, MP_UNSUPPORTED, "MP_SPLITTERS with the limits ceil(b (max + 1) / bins)")
    BAD(function = MP_SPLITTERS, MP_INVALID, "limits is NULL")
    BAD(method = MP_METHODS, MP_INVALID, "method is 17; it may be 0 (MP_AUTO) to 16")
    BAD(keys = (mp_keys)4, MP_INVALID, "keys is 4; it may be 0 (MP_KEYS_ANY) to 3 (MP_KEYS_FEW)")
    BAD(keys_in = NULL, MP_INVALID, "keys_in is NULL")
    BAD(keys_out = memory + 65540, MP_INVALID, "keys_out is not aligned to 16 bytes")
    BAD(offsets = NULL, MP_INVALID, "offsets is NULL")
    BAD(keys_out = memory, MP_INVALID, "keys_out is keys_in")
    {
        mp_request bad = good;
        bad.method = MP_UNSTABLE;
        bad.bins = 5000;
        expect(&bad, scratch, bytes, MP_UNSUPPORTED, "5000 digits do not fit a pass");
    }
    expect(&good, scratch, bytes - 1, MP_NO_SCRATCH, "are needed");
    expect(&good, NULL, bytes, MP_NO_SCRATCH, "scratch has 0 bytes");
    expect(&good, (char *)scratch + 16, bytes, MP_NO_SCRATCH, "not aligned to 256 bytes");
    mp_request nothing = good;
    nothing.n = 0;
    nothing.keys_in = nothing.keys_out = NULL;
    assert_int_equal(mp_partition(&nothing, NULL, 0, NULL), MP_OK);
    assert_int_equal(cudaFree(memory), cudaSuccess);
}

/* A method that is asked for is taken, and what auto says is what it takes. */
static void the_choice_can_be_asked_for(void **state)
{
    (void)state;
    mp_request r = {};
    mp_method method;
    const char *gpu;
    uint64_t automatic, chosen;
    r.n = 1000000;
    r.key_bytes = 4;
    r.bins = 5000;
    r.stable = 1;
    assert_int_equal(mp_partition_choose(&r, &method, &gpu), MP_OK);
    assert_true(method == MP_STABLE_TWO_PASS || method == MP_STABLE_DRAWN_TWO_PASS);
    assert_true(gpu[0] != 0);
    assert_int_equal(mp_partition_scratch(&r, &automatic), MP_OK);
    r.method = method;
    assert_int_equal(mp_partition_scratch(&r, &chosen), MP_OK);
    assert_int_equal(automatic, chosen);
    r.bins = 0;
    assert_int_equal(mp_partition_choose(&r, &method, NULL), MP_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_in_requests_are_named),
        cmocka_unit_test(the_choice_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
