/* Requests with a mistake each: the library names it. Built and run by multipartition_library.sh.
 */
#include "multipartition.h"

#include "common/simt/simt.h"

#include <stdio.h>
#include <string.h>

static int failures;

static void expect(const mp_request *request, void *scratch, uint64_t bytes, mp_status status,
                   const char *words)
{
    const mp_status got = mp_partition(request, scratch, bytes, NULL);
    if (got == status && strstr(mp_partition_error(), words)) return;
    printf("expected %d and '%s', got %d and '%s'\n", (int)status, words, (int)got,
           mp_partition_error());
    failures++;
}

int main(void)
{
    char *memory;
    uint64_t bytes;
    if (cudaMalloc((void **)&memory, 1 << 22) != cudaSuccess) return 1;
    mp_request good = {0};
    good.keys_in = memory;
    good.keys_out = memory + 65536;
    good.offsets = (uint64_t *)(memory + 131072);
    good.n = 1000;
    good.key_bytes = 4;
    good.bins = 100;
    void *scratch = memory + 262144;
    if (mp_partition_scratch(&good, &bytes) != MP_OK || bytes > (1 << 22) - 262144) return 1;
    if (mp_partition(&good, scratch, bytes, NULL) != MP_OK) return 1;

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
    BAD(function = (mp_function_kind)4, MP_INVALID, "function is 4")
    BAD(function = MP_SPLITTERS, MP_INVALID, "limits is NULL")
    BAD(method = MP_METHODS, MP_INVALID, "method is 7")
    BAD(keys = (mp_keys)3, MP_INVALID, "keys is 3")
    BAD(keys_in = NULL, MP_INVALID, "keys_in is NULL")
    BAD(keys_out = memory + 65540, MP_INVALID, "keys_out is not aligned to 16 bytes")
    BAD(offsets = NULL, MP_INVALID, "offsets is NULL")
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
    if (mp_partition(&nothing, NULL, 0, NULL) != MP_OK) {
        printf("nothing to do: %s\n", mp_partition_error());
        failures++;
    }
    (void)cudaFree(memory);
    if (failures == 0) printf("all are named\n");
    return failures != 0;
}
