/* The dynamic array: push_back of the elements that pass a test, on an array that grows. What the
 * files of this folder share. */
#ifndef GB_DYNAMIC_ARRAY_H
#define GB_DYNAMIC_ARRAY_H

#include "common/gpubench.h"
#include "kernels/dynamic-array/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { DA_N, DA_KEEP, DA_GRID, DA_DIST, DA_HELD, DA_HEAP, DA_GRANULE, DA_AXES };

/* The first bucket of LFVector has so many elements, each further one twice as many. */
enum { DA_FIRST_BUCKET = 32, DA_BUCKETS = 32 };

/* A point of the experiment in C types. */
typedef struct da_shape {
    uint64_t n;       /* elements looked at */
    uint64_t kept;    /* of these are pushed */
    uint64_t held;    /* elements in the array before */
    uint64_t heap;    /* bytes that malloc in a kernel may hand out */
    uint64_t granule; /* bytes that a growable array takes at a time; 0: its default */
    unsigned blocks;  /* of 1024 threads; 0: what fills the device, as the variant likes it best */
    bool sorted;      /* those that are pushed come first */
} da_shape;

/* The point's shape. A grid that names no number of blocks gives `blocks` UINT_MAX. */
da_shape da_shape_of(const gb_params *params);

/* A stretch of the array as the checker sees it. */
typedef struct da_segment {
    const uint32_t *at; /* NULL: there is no memory, so what belongs here is lost */
    uint64_t begin;     /* the index of its first element */
    uint64_t count;     /* elements of the array */
    uint64_t room;      /* elements that there is memory for, at least count */
} da_segment;

/* How a variant left its array. */
typedef struct da_view {
    uint64_t size;         /* what it says it holds */
    uint64_t lost;         /* pushes that it says have failed */
    const uint32_t *holes; /* device: a bit a place whose push it says has failed; NULL: none */
    uint64_t allocations;  /* pieces of memory that it says it took */
    uint64_t buckets;      /* pieces of memory that it has */
    const void *arena;     /* where they must lie; NULL: the device's heap, anywhere */
    uint64_t arena_bytes;
    bool on_host;         /* the segments are in host memory */
    bool poisoned;        /* what has room but no element still holds the poison */
    da_segment *segments; /* in the order of the array; malloc, the caller's to free */
    size_t count;
} da_view;

/* What the state of every job begins with: how the checker gets at the array. */
typedef struct da_state {
    /* Fills *view after a run that has ended. */
    gb_status (*view)(gb_job *job, da_view *view);
    /* Fills with DA_POISON what the array may write to. May be NULL. */
    gb_status (*poison)(gb_job *job, gb_stream stream);
} da_state;

enum { DA_POISON = 0xA5 };

/* A point's data. */
struct gb_problem {
    da_shape shape;
    da_values values;
    uint64_t seed;
    const gb_device *device;
    uint32_t *in;      /* device: n elements and 16 bytes of slack, all 0 */
    uint32_t *host_in; /* the same on the host; NULL until asked for */
    void *checker;
};

/* Memory for so many segments of a view that has none yet. */
gb_status da_view_reserve(da_view *view, size_t most, gb_error *error);
/* Adds a piece of memory with room for so many elements from `begin` on, of which the array has
 * those below view->size, to segments and buckets. at: NULL where there is none; only what belongs
 * there counts then. */
void da_view_add(da_view *view, const uint32_t *at, uint64_t begin, uint64_t room);
/* The input in host memory. */
gb_status da_problem_host(gb_job *job);
/* The reason why a variant cannot run a point that holds elements before, or NULL. */
const char *da_starts_empty(const gb_params *params);

/* axes.c */
extern const gb_axis da_axes[DA_AXES];
const char *da_invalid(const gb_params *params);
gb_work da_work(const gb_params *params);

/* problem.cu */
gb_status da_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void da_close(struct gb_problem *problem);
gb_status da_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status da_check(gb_job *job, gb_stream stream);
void da_checker_close(struct gb_problem *problem);

extern const gb_variant da_cpu, da_cpu_lockfree;
extern const gb_variant da_lfvector_cas, da_lfvector_busy_wait, da_lfvector_busy_wait_hoisted;
extern const gb_variant da_lfvector_busy_wait_grid, da_lfvector_busy_wait_acquire;
extern const gb_variant da_static, da_static_warp, da_static_tile;
extern const gb_variant da_cub_select, da_cub_select_latest;
extern const gb_variant da_growable, da_growable_push, da_growable_ordered, da_growable_readable;
extern const gb_variant da_growable_mapped, da_growable_reserved, da_growable_resumed;
extern const gb_variant da_ggarray;

#ifdef __cplusplus
}
#endif
#endif
