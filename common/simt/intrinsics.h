/* Single-thread intrinsics: bits, wide products, loads and stores with cache hints, clocks. */
#ifndef GB_SIMT_INTRINSICS_H
#define GB_SIMT_INTRINSICS_H

#include "common/simt/points.h"
#include "common/simt/weak.h"

#include <stdlib.h>
#include <time.h>

/* ---- bits ----------------------------------------------------------------------------------- */

SIMT_INLINE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
SIMT_INLINE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
SIMT_INLINE int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
SIMT_INLINE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
SIMT_INLINE int __ffs(int x)
{
    return __builtin_ffs(x);
}
SIMT_INLINE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

SIMT_INLINE unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
}
SIMT_INLINE unsigned long long __brevll(unsigned long long x)
{
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

/* Four bytes out of the eight of y:x, one selected by each nibble of s (bit 3: its sign). */
SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned s)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned selector = s >> 4 * i;
        unsigned byte = (unsigned)(bytes >> 8 * (selector & 7)) & 0xffu;
        if (selector & 8) byte = byte & 0x80u ? 0xffu : 0;
        result |= byte << 8 * i;
    }
    return result;
}

/* The upper word of hi:lo << shift, the lower one of hi:lo >> shift; shift modulo 32, or clamped
 * at 32 (lc, rc). */
SIMT_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) << (shift & 31) >> 32);
}
SIMT_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
SIMT_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
SIMT_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift)
{
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

/* ---- numbers -------------------------------------------------------------------------------- */

SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((unsigned long long)a * b >> 32);
}
SIMT_INLINE int __mulhi(int a, int b)
{
    return (int)((long long)a * b >> 32);
}
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
SIMT_INLINE long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}

#define SIMT_REINTERPRET(name, From, To)        \
    SIMT_INLINE To name(From value)             \
    {                                           \
        To result;                              \
        memcpy(&result, &value, sizeof result); \
        return result;                          \
    }
SIMT_REINTERPRET(__float_as_int, float, int)
SIMT_REINTERPRET(__float_as_uint, float, unsigned)
SIMT_REINTERPRET(__int_as_float, int, float)
SIMT_REINTERPRET(__uint_as_float, unsigned, float)
SIMT_REINTERPRET(__double_as_longlong, double, long long)
SIMT_REINTERPRET(__longlong_as_double, long long, double)
#undef SIMT_REINTERPRET

SIMT_INLINE float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
SIMT_INLINE double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}

/* CUDA's global min and max: a signed and an unsigned argument are compared as unsigned. */
#define SIMT_MIN_MAX(A, B, R)             \
    SIMT_INLINE R min(A a, B b)           \
    {                                     \
        return (R)a < (R)b ? (R)a : (R)b; \
    }                                     \
    SIMT_INLINE R max(A a, B b)           \
    {                                     \
        return (R)a < (R)b ? (R)b : (R)a; \
    }
#define SIMT_MIN_MAX_SIGNS(S, U) \
    SIMT_MIN_MAX(S, S, S)        \
    SIMT_MIN_MAX(U, U, U)        \
    SIMT_MIN_MAX(S, U, U)        \
    SIMT_MIN_MAX(U, S, U)
SIMT_MIN_MAX_SIGNS(int, unsigned)
SIMT_MIN_MAX_SIGNS(long, unsigned long)
SIMT_MIN_MAX_SIGNS(long long, unsigned long long)
#undef SIMT_MIN_MAX
#undef SIMT_MIN_MAX_SIGNS
SIMT_INLINE float min(float a, float b)
{
    return fminf(a, b);
}
SIMT_INLINE float max(float a, float b)
{
    return fmaxf(a, b);
}
SIMT_INLINE double min(double a, double b)
{
    return fmin(a, b);
}
SIMT_INLINE double max(double a, double b)
{
    return fmax(a, b);
}
SIMT_INLINE double min(float a, double b)
{
    return fmin((double)a, b);
}
SIMT_INLINE double max(float a, double b)
{
    return fmax((double)a, b);
}
SIMT_INLINE double min(double a, float b)
{
    return fmin(a, (double)b);
}
SIMT_INLINE double max(double a, float b)
{
    return fmax(a, (double)b);
}
SIMT_INLINE unsigned umin(unsigned a, unsigned b)
{
    return a < b ? a : b;
}
SIMT_INLINE unsigned umax(unsigned a, unsigned b)
{
    return a < b ? b : a;
}

/* ---- memory --------------------------------------------------------------------------------- */

template <class T> SIMT_INLINE T __ldg(const T *at)
{
    simt::at_load(at, sizeof *at);
    return *at;
}
template <class T> SIMT_INLINE T __ldca(const T *at)
{
    simt::at_load(at, sizeof *at);
    return *at;
}
template <class T> SIMT_INLINE T __ldcs(const T *at)
{
    simt::at_load(at, sizeof *at);
    return *at;
}
template <class T> SIMT_INLINE T __ldlu(const T *at)
{
    simt::at_load(at, sizeof *at);
    return *at;
}

/* The loads that see other blocks' writes: what loops poll with, so others may go first. */
template <class T> SIMT_INLINE T __ldcg(const T *at, SIMT_PLACE)
{
    simt::before_atomic(file, line);
    simt::weak_strong_load(at, sizeof *at);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return *at;
}
template <class T> SIMT_INLINE T __ldcv(const T *at, SIMT_PLACE)
{
    return __ldcg(at, file, line);
}

template <class T> SIMT_INLINE void __stcg(T *at, T value)
{
    simt::at_store(at, sizeof *at);
    *at = value;
}
template <class T> SIMT_INLINE void __stcs(T *at, T value)
{
    simt::at_store(at, sizeof *at);
    *at = value;
}
template <class T> SIMT_INLINE void __stwb(T *at, T value)
{
    simt::at_store(at, sizeof *at);
    *at = value;
}
template <class T> SIMT_INLINE void __stwt(T *at, T value)
{
    simt::at_store(at, sizeof *at);
    *at = value;
}

/* ---- time and trouble ----------------------------------------------------------------------- */

/* Nanoseconds stand in for cycles. */
SIMT_INLINE long long clock64()
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Not of CUDA: the thread waits for others, which go first. */
SIMT_INLINE void simt_pause(SIMT_PLACE)
{
    simt::at_pause(file, line);
}

#if GB_ARCH >= 700
/* Lets all other threads of the block go first, however short the time. */
SIMT_INLINE void __nanosleep(unsigned, SIMT_PLACE)
{
    simt::at_pause(file, line);
}
#endif

SIMT_INLINE void __trap(SIMT_PLACE)
{
    simt::at_trap(file, line);
}

#endif
