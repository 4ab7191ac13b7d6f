/* Jobs on a worker as typed calls: what the protocol of docs/protocol.md says about one point and
 * variant. Every call returns a status, and *error holds the reason of any but GB_OK; whether the
 * worker survived is for gb_worker_alive to say. */
#ifndef GB_WORKER_JOB_H
#define GB_WORKER_JOB_H

#include "bench/worker/devices.h"
#include "common/protocol/schedule.h"

/* Who is asked, and what the asking has cost so far. */
typedef struct gb_link {
    gb_session *session;
    const gb_catalogue_primitive *primitive;
    unsigned next_job;
    unsigned last_job;        /* what was answered last was about this one; 0: about none */
    double rest_s;            /* host seconds that the worker was given nothing to do (rest) */
    double busy_s;            /* host seconds the worker spent on kernels, inputs and checks */
    double wall_s;            /* of the last request, by the driver's clock */
    double memory_free_bytes; /* of the device after the last close; 0: unknown */
    const gb_params *point;   /* the last one opened, and its work: all variants have the same */
    gb_work work;
} gb_link;

/* Clocks, temperature and power; 0: unknown. */
typedef struct gb_reading {
    double sm_clock_mhz, mem_clock_mhz, temperature_c, power_w;
    char throttle[128]; /* the reasons, separated by ", "; empty: none known */
} gb_reading;

/* What to open. */
typedef struct gb_job_request {
    const char *variant;
    const gb_params *params;
    uint64_t seed;
    bool cold;
    gb_scope scope;
    uint64_t device_memory; /* device bytes that it may use; 0: what the device has */
} gb_job_request;

/* What a worker tells of a job beside its answers proper; start from {0}. */
typedef struct gb_job_told {
    char instance[GB_MAX_TEXT]; /* what runs, where the variant's name does not say it; else "" */
    cJSON *instances;           /* what each of several took (name and median_s or reason) */
    cJSON *kernels;             /* that a run launches, as docs/protocol.md has them */
    uint64_t blocks;            /* of all of them; 0: unknown */
    bool redone;                /* a run did its work anew */
    bool ungated;               /* the host's launching of it is in a time, and should not be */
} gb_job_told;
void gb_job_told_free(gb_job_told *told);

/* The request `open` of a job with this number, as docs/protocol.md has it; the caller deletes it.
 */
cJSON *gb_job_open_request(const gb_catalogue_primitive *primitive, const gb_job_request *request,
                           unsigned job);

/* *job is the number of the new job; *work is filled as far as the worker knows it; instance and
 * instances of *told, unless NULL, are filled. */
gb_status gb_job_open(gb_link *link, const gb_job_request *request, double limit_s, unsigned *job,
                      gb_work *work, gb_job_told *told, gb_error *error);
/* GB_WRONG if the output is. The rest of *told, unless NULL, is filled; redone stays true where it
 * was. *sample_s, unless NULL, is the time of the run that was judged where that is as good as a
 * sample's (of a function on the CPU that takes long), else 0. */
gb_status gb_job_verify(gb_link *link, unsigned job, double limit_s, double *sample_s,
                        gb_job_told *told, gb_error *error);
/* Writes count times in seconds. Times that cannot be (negative, not finite, too few or too many,
 * all zero, longer than the request took) are a crash of a worker that nobody can trust any more:
 * it is killed. ungated of *told, unless NULL, stays true where it was. */
gb_status gb_job_sample(gb_link *link, unsigned job, unsigned count, double limit_s, double *times,
                        gb_job_told *told, gb_error *error);
/* The schedule of every later verify; see docs/protocol.md. */
gb_status gb_job_schedule(gb_link *link, const gb_schedule *schedule, double limit_s,
                          gb_error *error);
/* After a close that fails the worker is killed: nobody knows what it still holds. */
gb_status gb_job_close(gb_link *link, unsigned job, double limit_s, gb_error *error);
/* The table `what` of a job that was verified, as the worker wrote it: the names of its columns and
 * its rows, both CSV, which the caller frees. */
gb_status gb_job_dump(gb_link *link, unsigned job, const char *what, double limit_s, char **columns,
                      char **rows, gb_error *error);
gb_status gb_job_telemetry(gb_link *link, double limit_s, gb_reading *reading, gb_error *error);

/* The work of many points at once, without opening any. work[i] is that of points[i]; where the
 * primitive calls a point invalid, reasons[i] is why (the caller frees the strings), else NULL.
 * *mistaken is the first point whose values cannot be right at all (an argument that is none, a
 * file that cannot be read), for which reasons[*mistaken] is why; SIZE_MAX if there is none. */
gb_status gb_job_work(gb_link *link, const gb_params *points, size_t count, double limit_s,
                      gb_work *work, char **reasons, size_t *mistaken, gb_error *error);

#endif
