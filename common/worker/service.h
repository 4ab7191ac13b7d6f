/* The worker as a service: a line of JSON in, an answer out. service.c dispatches; describe.c,
 * jobs.c and measure.c hold the larger requests. */
#ifndef GB_WORKER_SERVICE_H
#define GB_WORKER_SERVICE_H

#include "common/worker/backend.h"
#include "common/worker/nvml.h"

#include <cjson/cJSON.h>

/* A point's data and the jobs that hold it. */
typedef struct gb_point {
    const gb_primitive *primitive;
    gb_params params;
    uint64_t seed;
    gb_problem *problem;
    unsigned users;
    struct gb_point *next;
} gb_point;

/* An open job. */
typedef struct gb_open_job {
    uint64_t id;
    gb_job job;
    gb_point *point;
    bool cold;
    bool has_run;       /* its kernels' code is loaded */
    bool ungated;       /* the gate gave up too often on it */
    double run_s;       /* how long the last run that was no sample took */
    uint64_t footprint; /* bytes that input and output occupy */
    struct gb_open_job *next;
} gb_open_job;

typedef struct gb_service {
    gb_backend *backend; /* NULL until `select` */
    gb_backend_device device;
    gb_point *points;
    gb_open_job *jobs;
    const gb_open_job *warm; /* whose data the caches hold; NULL: nobody's in particular */
    unsigned resident;       /* of the schedule that was asked for; 0: none was */
    gb_nvml *nvml;
    bool nvml_tried;
    bool quit;  /* asked to end */
    bool fatal; /* the device cannot be trusted: send the answer and exit at once */
} gb_service;

/* Answers one request line (length bytes and a NUL). NULL only without host memory; the caller
 * deletes the answer. */
cJSON *gb_service_answer(gb_service *service, const char *line, size_t length);
/* Closes jobs, device and NVML. Not to be called after a fatal answer: a lost device may hang. */
void gb_service_close(gb_service *service);

/* ---- for the requests' implementations ------------------------------------------------------ */

/* Turns the answer into a refusal. status: a status name, or "protocol". */
void gb_refuse(cJSON *answer, const char *status, const char *format, ...) GB_PRINTF(3, 4);
/* The same for a failure of the kernels' side; GB_CRASHED is fatal. */
void gb_refuse_failure(gb_service *service, cJSON *answer, gb_status status, const gb_error *error);

/* Adds memory_free_bytes of the selected device, where it says so. */
void gb_add_free_memory(const gb_service *service, cJSON *answer);

/* A whole number from 0 to 2^53 (the exact range of JSON numbers in doubles), or its digits as a
 * string, which may go to 2^64 - 1. False otherwise. */
bool gb_request_whole(const cJSON *item, uint64_t *number);
/* The named member if it is a string, else NULL. */
const char *gb_request_text(const cJSON *object, const char *name);

/* The primitive that the request names; NULL after a refusal. */
const gb_primitive *gb_find_primitive(const cJSON *request, cJSON *answer);
/* The open job that the request names; NULL after a refusal. */
gb_open_job *gb_find_job(gb_service *service, const cJSON *request, cJSON *answer);
/* Closes a job, and its point if it was the last. */
void gb_close_job(gb_service *service, gb_open_job *job);

/* NVML, opened at the first call; NULL where there is none (said once on stderr) or no need. */
gb_nvml *gb_service_nvml(gb_service *service, const gb_backend_device *device);

/* measure.c: times `count` runs as `sample` does. */
gb_status gb_take_samples(gb_service *service, gb_open_job *open, double *times_s, size_t count,
                          gb_error *error);
/* instances.c: prepares the job, of several instances of its variant the fastest; adds to the list
 * `tried` what each of them took, where there are several. */
gb_status gb_prepare_instance(gb_service *service, gb_open_job *open, cJSON *tried,
                              gb_error *error);

void gb_handle_describe(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_open(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_close(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_verify(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_sample(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_dump(gb_service *service, const cJSON *request, cJSON *answer);
void gb_handle_profile(gb_service *service, const cJSON *request, cJSON *answer);

#endif
