/* CUDA's words and vector types for a host compiler. */
#ifndef GB_SIMT_TYPES_H
#define GB_SIMT_TYPES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <type_traits>

/* The generation whose code path is taken: compute capability x 100. */
#if !defined(GB_ARCH)
#define GB_ARCH 900
#endif

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline __attribute__((always_inline))
/* __noinline__ stays undefined: the standard headers spell their own attribute so. */

/* A block stays on one OS thread. Constant initialisation spares the thread-local wrapper function,
 * which g++ leaves undefined for a block-scope extern inside a template; clang++ would take no
 * structs for it that g++ takes. */
#if defined(__clang__)
#define __shared__ thread_local
#else
#define __shared__ __constinit thread_local
#endif

/* A function that writes the scheduler's own variables: no business of ThreadSanitizer's. clang++
 * instruments what has been inlined, and atomics in any case unless told more strongly. */
#if !defined(__clang__)
#define SIMT_UNSEEN inline __attribute__((no_sanitize("thread")))
#elif __has_feature(thread_sanitizer)
#define SIMT_UNSEEN inline __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#define SIMT_UNSEEN inline
#endif

/* A function of this header; never instrumented, so that a hooks build sees the kernels alone. */
#if defined(GB_SIMT_HOOKS)
#define SIMT_INLINE SIMT_UNSEEN
#else
#define SIMT_INLINE inline
#endif

/* Vector types with CUDA's alignment, and their make_ functions, which are part of the kernel that
 * stores what they return: hooks see it. */
#define SIMT_VECTORS(base, name, align2, align4)                           \
    struct __align__(align2) name##2                                       \
    {                                                                      \
        base x, y;                                                         \
    };                                                                     \
    struct name##3                                                         \
    {                                                                      \
        base x, y, z;                                                      \
    };                                                                     \
    struct __align__(align4) name##4                                       \
    {                                                                      \
        base x, y, z, w;                                                   \
    };                                                                     \
    __forceinline__ name##2 make_##name##2(base x, base y)                 \
    {                                                                      \
        return {x, y};                                                     \
    }                                                                      \
    __forceinline__ name##3 make_##name##3(base x, base y, base z)         \
    {                                                                      \
        return {x, y, z};                                                  \
    }                                                                      \
    __forceinline__ name##4 make_##name##4(base x, base y, base z, base w) \
    {                                                                      \
        return {x, y, z, w};                                               \
    }

SIMT_VECTORS(signed char, char, 2, 4)
SIMT_VECTORS(unsigned char, uchar, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(unsigned short, ushort, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(unsigned, uint, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(unsigned long, ulong, 16, 16)
SIMT_VECTORS(long long, longlong, 16, 16)
SIMT_VECTORS(unsigned long long, ulonglong, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)
#undef SIMT_VECTORS

/* Extents of a grid or a block; what is left out is 1. */
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    operator uint3() const { return {x, y, z}; }
};

#endif
