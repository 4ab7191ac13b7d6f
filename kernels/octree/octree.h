/* The octree: n bodies in a sparse tree whose leaves hold at most so many bodies. What the files of
 * this folder share.
 *
 * The layout that the checker reads: a cell is 8 slots of 32 bits (one 32-byte sector), slot
 * 8 * c + d is octant d of cell c; cell 0 is the root, which is always there. What a slot holds:
 * cells.h. Coincident bodies share a leaf: policy "list", so every input has a tree. */
#ifndef GB_OCTREE_H
#define GB_OCTREE_H

#include "common/gpubench.h"
#include "kernels/octree/cells.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Indexes into the axes. */
enum { OC_N, OC_DIST, OC_LEAF, OC_GRID, OC_POOL, OC_AXES };

/* The axis `leaf`, on one GPU and on several. */
#define OC_LEAF_AXIS                                                                 \
    {                                                                                \
        .name = "leaf", .type = GB_AXIS_SIZE, .help = "bodies that a leaf may hold", \
        .fallback = "1", .min = 1, .max = 32,                                        \
        .nasty = (const char *const[]){"1", "8", "16", "32", "3", NULL},             \
    }

/* The axis `pool` of every primitive that builds trees; of what: "bodies". */
#define OC_POOL_AXIS(of_what)                                                               \
    {                                                                                       \
        .name = "pool", .type = GB_AXIS_SIZE,                                               \
        .help = "cells that there is memory for, of a hundred " of_what, .fallback = "100", \
        .min = 0, .max = 3000, .nasty = (const char *const[]){"200", NULL},                 \
    }

/* What stands in `dist` as it is. */
#define OC_DISTS                                                                                \
    "plummer", "cube", "cube-morton", "uniform", "clusters", "soneira-peebles", "disc", "line", \
        "duplicates"

typedef enum oc_dist_kind {
    OC_DIST_PLUMMER,
    OC_DIST_CUBE,
    OC_DIST_CUBE_MORTON,
    OC_DIST_UNIFORM,
    OC_DIST_CLUSTERS,
    OC_DIST_SONEIRA_PEEBLES,
    OC_DIST_DISC,
    OC_DIST_LINE,
    OC_DIST_DUPLICATES,
    OC_DIST_FILE,
    OC_DIST_NONE /* no such distribution */
} oc_dist_kind;

/* A point of the experiment in C types. */
typedef struct oc_shape {
    uint64_t n;
    oc_dist_kind dist;
    const char *path; /* OC_DIST_FILE: inside the params' text; else NULL */
    uint64_t copies;  /* OC_DIST_DUPLICATES: bodies a position */
    unsigned leaf;    /* bodies a leaf, at most */
    unsigned sms;     /* multiprocessors to use; 0: all; UINT_MAX: no such grid */
    uint64_t pool;    /* cells that a build may take, the root included */
} oc_shape;

oc_shape oc_shape_of(const gb_params *params);
/* A point of this primitive, on the full grid, from values of another one's axes. */
gb_params oc_params_of(gb_value n, gb_value dist, gb_value leaf, gb_value pool);
/* Which of the names it is; it is one of them. */
unsigned oc_index_of(const char *const *names, const char *text);

/* How a variant left its tree. Arrays are device memory unless on_host. */
typedef struct oc_view {
    bool on_host;
    const uint32_t *slot; /* 8 a cell */
    uint64_t cells;       /* those from here on were not handed out */
    unsigned trouble;     /* enum oc_trouble */
    /* n words, or NULL where leaves are ranges of an order: the next body that coincides with
     * this one, OC_EMPTY after the last. */
    const uint32_t *next;
    /* n words, or NULL: the bodies in curve order. A leaf is then the place of its first body in
     * it, and goes on to the next place whose bit in `first` is set. */
    const uint32_t *order;
    const uint32_t *first; /* (n + 31) / 32 words */
    uint64_t bytes;        /* of memory that the build used, bodies not included; cells fit in */
} oc_view;

/* What happened at slots of cells of each depth, counted by a build that counts. */
typedef struct oc_contention {
    uint64_t tries[OC_DEPTH + 1];  /* compare-and-swap that were tried */
    uint64_t failed[OC_DEPTH + 1]; /* of these found another value */
    uint64_t waits[OC_DEPTH + 1];  /* looks that found a lock */
    uint64_t wasted;               /* cells taken and not used */
} oc_contention;

/* What the state of every job begins with. */
typedef struct oc_state {
    /* Fills *view after a run that has ended. */
    gb_status (*view)(gb_job *job, oc_view *view);
    /* Fills what the build may write with garbage. May be NULL. */
    gb_status (*poison)(gb_job *job, gb_stream stream);
    /* Builds once more and counts; waits. NULL: this build does not count. */
    gb_status (*contention)(gb_job *job, oc_contention *counts);
    /* Judges what a variant leaves that builds no tree. NULL: it builds one. */
    gb_status (*check)(gb_job *job);
} oc_state;

enum { OC_POISON = 0xA5 };

/* A point's data. */
struct gb_problem {
    oc_shape shape;
    uint64_t seed;
    const gb_device *device;
    oc_box box;
    void *bodies;         /* device: n float4 */
    oc_body *host_bodies; /* the same on the host; NULL until asked for */
    void *checker;
};

/* The bodies in host memory. */
gb_status oc_problem_host(gb_job *job);
/* The reason why a variant that holds one body a leaf cannot run a point, or NULL. */
const char *oc_one_body(const gb_params *params, const gb_device *device);
/* The same of one whose threads are not counted by the axis grid. */
const char *oc_full_grid(const gb_params *params, const gb_device *device);

/* axes.c */
extern const gb_axis oc_axes[OC_AXES];
const char *oc_invalid(const gb_params *params);
const char *oc_mistake(const gb_params *params);
gb_work oc_work(const gb_params *params);

/* problem.cu */
gb_status oc_open(const gb_params *params, uint64_t seed, const gb_device *device,
                  struct gb_problem **out, gb_error *error);
void oc_close(struct gb_problem *problem);
gb_status oc_poison(gb_job *job, gb_stream stream);
/* check.cu */
gb_status oc_check(gb_job *job, gb_stream stream);
/* Once the bodies are there: notes what is needed to tell later that they were not changed. */
gb_status oc_checker_open(struct gb_problem *problem, gb_error *error);
void oc_checker_close(struct gb_problem *problem);

/* The primitive, with these variants and whatever more of it. */
#define OC_PRIMITIVE(variant_list, ...)                                                       \
    {                                                                                         \
        .name = "octree", .title = "Octree: the tree over bodies, built in parallel",         \
        .unit = "bodies", .axes = oc_axes, .axis_count = OC_AXES, .variants = (variant_list), \
        .invalid = oc_invalid, .mistake = oc_mistake, .work = oc_work, .open = oc_open,       \
        .close = oc_close, .poison = oc_poison, .check = oc_check, __VA_ARGS__                \
    }

extern const gb_variant oc_cpu;
extern const gb_variant oc_cpu_parallel;
extern const gb_variant oc_burtscher_pingali_as_published;
extern const gb_variant oc_octreebuild_lf_as_published;
extern const gb_variant oc_burtscher_pingali;
extern const gb_variant oc_octreebuild_lf;
extern const gb_variant oc_octreebuild_lf_shared;
extern const gb_variant oc_pool_clear;
extern const gb_variant oc_burtscher_pingali_tuned;
extern const gb_variant oc_octreebuild_lf_tuned;
extern const gb_variant oc_morton;
extern const gb_variant oc_morton_regions;
extern const gb_variant oc_seeded;
extern const gb_variant oc_auto;
/* From so many bodies on variant auto looks at a sample of them. Tests lower it. */
extern uint64_t oc_sampled_from;

#ifdef __cplusplus
}
#endif
#endif
