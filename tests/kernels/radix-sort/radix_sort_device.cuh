/* What all unit tests of radix sort on a device share: the device, random numbers, points by name.
 */
#ifndef GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_DEVICE_CUH
#define GB_TESTS_KERNELS_RADIX_SORT_RADIX_SORT_DEVICE_CUH

#include "common/text/kept.h"
#include "kernels/radix-sort/keys.h"
#include "tests/harness/device.cuh"

/* Random numbers of a test: number i of stream `what`, below `limit`. */
static inline uint64_t draw(uint64_t what, uint64_t i, uint64_t limit)
{
    const gb_random4 four = gb_random(what, 0, i);
    return ((uint64_t)four.word[0] << 32 | four.word[1]) % limit;
}

static inline gb_params point(uint64_t n, const char *dist, const char *type, const char *payload,
                              const char *order, const char *bits)
{
    const char *const texts[] = {NULL, dist, type, payload, order, bits};
    gb_params params;
    memset(&params, 0, sizeof params);
    params.value[RS_N].size = n;
    for (int axis = RS_DIST; axis < RS_AXES; axis++)
        params.value[axis].text = gb_text_kept(texts[axis]);
    assert_null(rs_invalid(&params));
    return params;
}

#endif
