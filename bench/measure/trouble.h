/* A run as it goes: its rows, and what is done when something fails. Inside the runner only. */
#ifndef GB_MEASURE_TROUBLE_H
#define GB_MEASURE_TROUBLE_H

#include "bench/measure/display.h"
#include "bench/measure/estimate.h"
#include "bench/measure/task.h"
#include "bench/record/totals.h"
#include "bench/record/unfinished.h"
#include "bench/util/progress.h"
#include "bench/util/remaining.h"

typedef struct gb_runner {
    gb_session *session;
    gb_output *output;
    const gb_config *config;
    const gb_estimate *estimate;
    gb_run_totals *totals;
    gb_progress progress;
    gb_display display;
    gb_remaining remaining;
    double point_s, point_done_s; /* what the point under way is expected to take, and of that what
                                     its finished rows were */
    gb_link link;
    gb_task_context context;
    gb_task *tasks;           /* room for the rows of one point in a scope, ... */
    size_t task_count;        /* ... of which so many are there */
    gb_task *others;          /* room for the rows of one point that the other worker has, ... */
    size_t other_count;       /* ... of which so many wait for it */
    unsigned idle;            /* workers that failed between requests, since the last answer */
    bool broken, no_worker;   /* no_worker: broken because there is none */
    gb_unfinished unfinished; /* rows that no run has finished, of which this one has not begun */
    gb_error *error;
    gb_session *own; /* the run's own worker; session is that one or own->other */
    gb_error lost;   /* why the other worker is not to be had any more; "": it is */
    gb_error said;   /* why no variant could run a point, as it was last said */
    const struct gb_live *live;
    const struct gb_run_manner *manner;
    double live_next; /* not drawn again before */
} gb_runner;

/* True once a signal or a run that cannot go on has asked for the end. */
bool gb_runner_stopped(const gb_runner *run);
/* True if another task than this one (NULL: any) has a job open. */
bool gb_runner_any_job_beside(const gb_task *tasks, size_t count, const gb_task *task);
/* Writes the row of a task that is done. */
void gb_runner_write_row(gb_runner *run, gb_task *task);
/* What a worker has cost since its start; NULL: there is none any more. */
void gb_runner_add_costs(gb_run_totals *totals, const gb_worker *worker);

/* Deals with a task that a request failed for: its row is written, or it is put off, or tried
 * again; the worker is replaced where it cannot be trusted any more. */
void gb_runner_settle(gb_runner *run, gb_task *tasks, size_t count, gb_task *task, gb_status status,
                      const gb_error *error);
/* Puts a fresh worker in the place of one; what was open is to be opened again. Where there is none
 * to be had, the run is broken, or, if it was the other worker, the tasks' rows say so. */
void gb_runner_replace_worker(gb_runner *run, gb_task *tasks, size_t count);
/* Starts the other worker, and stops it; what runs between the two asks that one. False, with the
 * tasks' rows written, if it is not to be had. */
bool gb_runner_begin_other(gb_runner *run, gb_task *tasks, size_t count);
void gb_runner_end_other(gb_runner *run);
/* Writes the rows of tasks that the other worker should have done before it was lost. */
void gb_runner_write_lost(gb_runner *run, gb_task *tasks, size_t count);
/* With no job open all memory of the device should be free again: else somebody keeps it, and the
 * next would be told that there is none. Replaces the worker then. */
void gb_runner_see_to_memory(gb_runner *run, gb_task *tasks, size_t count);

#endif
