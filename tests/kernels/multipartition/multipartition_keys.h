/* Numbers of bins and keys that bin functions are tested with on the CPU. */
#ifndef GB_TESTS_KERNELS_MULTIPARTITION_MULTIPARTITION_KEYS_H
#define GB_TESTS_KERNELS_MULTIPARTITION_MULTIPARTITION_KEYS_H

#include "common/distributions.h"
#include "kernels/multipartition/bins.h"
#include "kernels/multipartition/experiment.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const uint32_t some_bins[] = {1,    2,    3,     7,     31,      32,     33,
                                     64,   100,  255,   256,   257,     361,    1000,
                                     4096, 5000, 12288, 65536, 1048575, 1048576};
enum { SOME_BINS = sizeof some_bins / sizeof *some_bins };

static const uint32_t edge_keys[] = {0, 1, 2, 3, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
enum { EDGE_KEYS = sizeof edge_keys / sizeof *edge_keys };

/* Key j of a test: the edges, then random ones. */
static uint32_t test_key(uint32_t j)
{
    return j < EDGE_KEYS ? edge_keys[j] : gb_random(5, 0, j).word[0];
}

/* The same of 64 bits: edges in either half, then random ones. */
static uint64_t test_key64(uint32_t j)
{
    if (j < EDGE_KEYS * EDGE_KEYS)
        return (uint64_t)edge_keys[j / EDGE_KEYS] << 32 | edge_keys[j % EDGE_KEYS];
    return (uint64_t)test_key(j) << 32 | gb_random(6, 0, j).word[0];
}

#endif
