/* The arrays of a point, for primitives whose input and output are arrays: allocated, filled from
 * the seed, poisoned, carried to and from the host, and compared with what an oracle wrote, every
 * element. A primitive says in a table what it has and forwards five functions; docs/sdk.md has an
 * example.
 *
 * Device memory: each array, GB_ARRAY_GUARD bytes behind it, and the input of what is worked on in
 * place once more. Host memory: twice the output, once the input. */
#ifndef GB_CUDA_ARRAYS_H
#define GB_CUDA_ARRAYS_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GB_MOST_ARRAYS = 16, GB_ARRAY_GUARD = 256 };

typedef enum gb_element { GB_U8, GB_U32, GB_I32, GB_U64, GB_I64, GB_F32, GB_F64 } gb_element;

typedef enum gb_array_use {
    GB_ARRAY_IN,    /* is read; must not change */
    GB_ARRAY_OUT,   /* is written, whole */
    GB_ARRAY_IN_OUT /* is worked on in place: the variant's reset is gb_arrays_reset */
} gb_array_use;

typedef struct gb_array {
    const char *name; /* for messages */
    gb_element type;
    gb_array_use use;
    uint64_t (*count)(const gb_params *params); /* elements */
    /* Of input: how its values are distributed, an axis that says it or one of gb_dist_names; NULL:
     * uniform. Integers lie in [0, below), 0 for all that the type has; floating-point numbers in
     * [0, 1), with as many bits as the type holds exactly. */
    const char *dist;
    uint64_t below;
    /* Of input: writes it, count elements of host memory, instead. NULL: by dist. */
    void (*fill)(const gb_params *params, uint64_t seed, void *elements);
    /* Of output: right is |found - expected| <= absolute + relative * |expected|; equal where both
     * are 0, as they are for integers. Two NaN are equal. */
    double relative, absolute;
} gb_array;

typedef struct gb_arrays {
    const gb_array *arrays; /* ends with one whose name is NULL; GB_MOST_ARRAYS at most */
    const gb_axis *axes;    /* the primitive's */
    unsigned axis_count;
    /* Writes what output must be. array[i]: host memory of the i-th; what is worked on in place
     * holds the input. */
    void (*oracle)(const gb_params *params, void *const array[]);
} gb_arrays;

/* A primitive's functions. open: the table lives as long as the problem. */
gb_status gb_arrays_open(const gb_arrays *table, const gb_params *params, uint64_t seed,
                         gb_problem **out, gb_error *error);
void gb_arrays_close(gb_problem *problem);
/* NULL, or what is wrong with an axis that says a distribution ("distinct:abc"). */
const char *gb_arrays_mistake(const gb_arrays *table, const gb_params *params);
gb_status gb_arrays_upload(gb_job *job, gb_stream stream);
gb_status gb_arrays_download(gb_job *job, gb_stream stream);
gb_status gb_arrays_poison(gb_job *job, gb_stream stream);
/* GB_WRONG names the first element that differs, was not written, is input and has changed, or lies
 * behind the end. */
gb_status gb_arrays_check(gb_job *job, gb_stream stream);

/* A variant's. prepare counts the arrays as the job's device memory, so that limits hold; a variant
 * with a prepare of its own calls it first. */
gb_status gb_arrays_prepare(gb_job *job);
gb_status gb_arrays_reset(gb_job *job, gb_stream stream);

/* The i-th array: host memory for variants with GB_HOST, else device memory. type is checked: a
 * mistake ends the worker with a message. */
void *gb_array_at(const gb_job *job, unsigned i, gb_element type);
uint64_t gb_array_count(const gb_job *job, unsigned i);
/* All of a variant with GB_HOST, as an oracle takes them. */
void *const *gb_arrays_on_host(const gb_job *job);

#ifdef __cplusplus
}

/* const float *x = gb_array_of<float>(job, X); */
template <class T> struct gb_element_of;
#define GB_ELEMENT_OF(T, E)                      \
    template <> struct gb_element_of<T> {        \
        static constexpr gb_element value = (E); \
    };
GB_ELEMENT_OF(uint8_t, GB_U8)
GB_ELEMENT_OF(uint32_t, GB_U32)
GB_ELEMENT_OF(int32_t, GB_I32)
GB_ELEMENT_OF(uint64_t, GB_U64)
GB_ELEMENT_OF(int64_t, GB_I64)
GB_ELEMENT_OF(float, GB_F32)
GB_ELEMENT_OF(double, GB_F64)
#undef GB_ELEMENT_OF

template <class T> T *gb_array_of(const gb_job *job, unsigned i)
{
    return static_cast<T *>(gb_array_at(job, i, gb_element_of<T>::value));
}
#endif
#endif
