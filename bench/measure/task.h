/* One row in the making: a variant at a point in a cache mode, from its first request to its last.
 * Each step asks the worker once and leaves the task further on, or done for. */
#ifndef GB_MEASURE_TASK_H
#define GB_MEASURE_TASK_H

#include "bench/record/results.h"

typedef enum gb_task_state {
    GB_TASK_WAITING,  /* to be opened (again, if its worker died) */
    GB_TASK_OPEN,     /* open, verified, warmed up */
    GB_TASK_DEFERRED, /* did not fit beside the others, or must not be: alone, later */
    GB_TASK_DONE      /* its row is filled */
} gb_task_state;

typedef struct gb_task {
    gb_task_state state;
    unsigned job;
    bool has_job;     /* the worker knows it */
    bool alone;       /* nothing else is open beside it */
    unsigned strikes; /* workers that failed between requests when it had been asked last */
    double *samples;
    unsigned count, capacity;
    unsigned target;     /* samples after which to stop or think again; 0: sampling.samples */
    double spent_s;      /* in requests, by the wall clock */
    double open_s;       /* of these, the last opening */
    double per_sample_s; /* of the last request for samples */
    double briefest_s; /* the least of them: what is above may be a host that was busy elsewhere */
    double verify_s;   /* the last verification */
    double judged_s;  /* the run that it judged, where that is long and as good as a sample; or 0 */
    bool last_judged; /* the last sample is such a run */
    double planned_s; /* for progress: what the plan expects, */
    double expected_s; /* and what is expected now */
    gb_sampling sampling;
    gb_job_told told;
    cJSON *sittings; /* of earlier runs that took some of the samples; NULL: all are this one's */
    unsigned kept;   /* so many are theirs */
    gb_row row;
} gb_task;

/* How measuring is done: the config's way, and who is asked. */
typedef struct gb_task_context {
    gb_link *link;
    const gb_measure *measure;
    uint64_t seed;
    uint64_t l2_bytes; /* 0: unknown */
} gb_task_context;

/* Each returns GB_OK, or another status with *error; a task in trouble is the caller's to settle
 * with gb_task_fail. */

/* Opens, verifies, warms up. Of a long run on the CPU what is verified is a sample, too: the first
 * one, unless there is to be a warm-up, and the last one, with gb_task_finish. */
gb_status gb_task_open(const gb_task_context *context, gb_task *task, gb_error *error);
/* True while samples are wanted. */
bool gb_task_wants(const gb_task_context *context, const gb_task *task);
/* One request for samples; when it was the last, the clocks are read as well. */
gb_status gb_task_sample(const gb_task_context *context, gb_task *task, gb_error *error);
/* Verifies again, unless what ran last was verified, closes, and fills the row: state is
 * GB_TASK_DONE. */
gb_status gb_task_finish(const gb_task_context *context, gb_task *task, gb_error *error);
/* Fills the row of a task that failed and closes its job if the worker lives. */
void gb_task_fail(const gb_task_context *context, gb_task *task, gb_status status,
                  const char *reason);
/* Closes the job, if the worker lives, and keeps the samples. */
void gb_task_close(const gb_task_context *context, gb_task *task);
/* How many samples "samples":"auto" wants, having count: count if these are enough, i.e. their
 * interval (as wide as it should be, gb_stats_rel_ci) is as narrow as max_rel_ci asks or there are
 * max_samples, else a quarter more, when to ask again. docs/statistics.md says what stopping so
 * does to the interval's coverage. */
unsigned gb_auto_target(const gb_measure *measure, const double *samples, unsigned count);
/* The flags that samples alone raise. */
unsigned gb_stats_flags(const gb_stats *stats, double max_rel_ci);

/* Who took the samples, [{"run_id","samples"}] in order, with what this run took; the caller
 * deletes it. */
cJSON *gb_task_sittings(const gb_task *task, const char *run_id);

/* Frees the samples. */
void gb_task_free(gb_task *task);

#endif
