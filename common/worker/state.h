/* What a worker has in hand: a device, the points that are open, and the jobs that hold them. All
 * requests work on it. */
#ifndef GB_WORKER_STATE_H
#define GB_WORKER_STATE_H

#include "common/worker/backend.h"
#include "common/worker/nvml.h"

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
    unsigned members;   /* processes of the team that have this job as well, this one included */
    double run_s;       /* how long the last run that was no sample took */
    uint64_t footprint; /* bytes that input and output occupy */
    struct gb_open_job *next;
} gb_open_job;

/* A primitive that was made for this worker (provide.c). */
typedef struct gb_provided {
    const gb_primitive *primitive;
    struct gb_provided *next;
} gb_provided;

typedef struct gb_service {
    gb_backend *backend; /* NULL until `select` */
    gb_backend_device device;
    gb_point *points;
    gb_open_job *jobs;
    gb_provided *provided;   /* the last one first */
    const gb_open_job *warm; /* whose data the caches hold; NULL: nobody's in particular */
    unsigned team;           /* processes of the team that this one is of; 0: it is of none */
    unsigned resident;       /* of the schedule that was asked for; 0: none was */
    gb_nvml *nvml;
    bool nvml_tried;
    bool quit;  /* asked to end */
    bool fatal; /* the device cannot be trusted: send the answer and exit at once */
} gb_service;

/* What a point's work is, also of a primitive that was made. */
static inline gb_work gb_work_at(const gb_primitive *primitive, const gb_params *params)
{
    return primitive->work_of ? primitive->work_of(primitive, params) : primitive->work(params);
}

#endif
