/* What binds a row: how its ratio between two devices stands to the ratios of what the devices
 * have. docs/statistics.md says how it is decided, and what that cannot tell. */
#ifndef GB_COMPARE_EXPLAIN_H
#define GB_COMPARE_EXPLAIN_H

#include "bench/compare/compare.h"

/* What a device has that time may hang on. */
typedef enum gb_resource {
    GB_OF_MEMORY, /* bytes/s of its memory */
    GB_OF_L2,     /* bytes/s of its L2: taken to go with its size times the SM clock */
    GB_OF_ISSUE,  /* issue slots: multiprocessors times SM clock */
    GB_OF_CLOCK,  /* latency: SM clock alone */
    GB_RESOURCE_COUNT
} gb_resource;
extern const char *const gb_resource_names[GB_RESOURCE_COUNT]; /* "memory", "L2", ... */

/* Where what a device has is from. */
typedef enum gb_origin {
    GB_UNKNOWN,
    GB_MEASURED,
    GB_BY_SHEET, /* results/published/gpus.csv */
    GB_SAME_DEVICE
} gb_origin;

/* What two devices have of something, and how much more B has. */
typedef struct gb_line {
    double a, b;
    double ratio; /* B / A; 0: unknown */
    gb_origin origin;
} gb_line;

typedef enum gb_binding {
    GB_BOUND_BY_MEMORY,
    GB_BOUND_BY_L2,
    GB_BOUND_BY_ISSUE,
    GB_BOUND_BY_LATENCY,
    GB_BOUND_BY_SMS,        /* issue or latency, in which the devices are equal */
    GB_BOUND_BY_LAUNCH,     /* at least half of the time is that of launching one kernel */
    GB_BOUND_BY_BLOCKS,     /* blocks begin as fast as they can */
    GB_BOUND_MOSTLY_MEMORY, /* between memory and the multiprocessors, by so much of the time: */
    GB_BOUND_BETWEEN,       /* between two, each of which accounts for a part */
    GB_BOUND_MOSTLY_SMS,
    GB_BOUND_FASTER, /* B is, than anything it has more of explains */
    GB_BOUND_SLOWER,
    GB_BOUND_CACHED,    /* the work fits into the L2 of one alone */
    GB_BOUND_UNDECIDED, /* several fit and could not have been told apart */
    GB_BOUND_HOST,      /* on the host, or with transfers from and to it */
    GB_BOUND_UNKNOWN,   /* of one of them too little is known */
    GB_BINDING_COUNT
} gb_binding;
extern const char *const gb_binding_names[GB_BINDING_COUNT]; /* "MEMORY", for programs */
extern const char *const gb_binding_words[GB_BINDING_COUNT]; /* "memory", for people */

/* What became of a pair of rows. */
typedef struct gb_explained {
    gb_line line[GB_RESOURCE_COUNT];
    double lo, hi; /* of the ratio, widened by the pair's effect; 0: it has no interval */
    gb_binding binding;
    unsigned fits; /* 1u << gb_resource of the lines within lo to hi */
    /* gb_is_between: of the nearest lines on either side `first` takes the part `part` of the
     * time, in the mean of both devices, `rest` what is left. */
    gb_resource first, rest;
    gb_ratio part;
    const char *why; /* undecided, unknown: why; else "" */
} gb_explained;

/* A comparison's pairs, in the same order, and what of their devices is the same for most. */
typedef struct gb_explanation {
    const gb_comparison *comparison;
    gb_explained *items;
    size_t counts[GB_BINDING_COUNT];
    gb_line line[GB_RESOURCE_COUNT];                               /* the median row's */
    double sms_a, sms_b, clock_a, clock_b, launch_a_s, launch_b_s; /* likewise; 0: unknown */
} gb_explanation;

/* Explains a comparison that was judged in the plain view. Everything lives in the sides' arena. */
void gb_explain(gb_sides *sides, const gb_comparison *comparison, gb_explanation *explanation);

/* Whether a row lies between two lines, so that each has a part of the time. */
bool gb_is_between(gb_binding binding);

/* Whether the work of a pair stays in the L2 of both: caches are warm, and it fits. */
bool gb_pair_is_resident(const gb_pair *pair);

/* The part of the time, in the mean of both devices, that memory takes if the rest goes with issue
 * slots, also of rows
 * that go with one of them alone. lo is -1 where that says nothing: the work stays in L2, is bound
 * by something else, or the two lines are nearer to one another than the noise. */
gb_ratio gb_memory_part(const gb_pair *pair, const gb_explained *explained);

#endif
