/* What the worker's loop (C) asks of a back-end: devices, a stream, timed regions, cache eviction,
 * measured ceilings. common/cuda/backend.cu and its neighbours implement it twice: for a GPU, and
 * for the CPU through common/simt/; common/opencl/ implements it for OpenCL. */
#ifndef GB_WORKER_BACKEND_H
#define GB_WORKER_BACKEND_H

#include "common/gpubench.h"
#include "common/protocol/schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what was built, and what is here -------------------------------------------------------- */

/* Facts of the executable and of the driver below it; every string is set. */
typedef struct gb_backend_facts {
    const char *backend; /* "cuda", "simt" or "opencl" */
    char toolkit[32];    /* "13.0"; "none" on simt; opencl: the platform's version */
    char driver[32];     /* the CUDA version that the driver supports; opencl: the driver's own;
                            "none" without a driver */
    const char *compiler;
    const char *flags;
    int architectures[32]; /* compute capability x 100, ascending: 750, 900 */
    size_t architecture_count;
    int old_code; /* 350: it has the PTX of this generation alone, and no machine code, so that a
                     newer GPU's driver compiles what that generation had; 0: it is no such one */
    bool hooks;   /* simt: threads are left at plain and volatile accesses, too */
} gb_backend_facts;

void gb_backend_describe(gb_backend_facts *facts);

/* One device, usable or not. */
typedef struct gb_backend_device {
    gb_device info;
    char uuid[48];       /* "GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"; "simt" on simt;
                            "opencl-" and the same or a hash */
    char pci_bus_id[32]; /* "0000:1b:00.0", for NVML; "" on simt */
    bool usable;         /* this executable has code for it */
    int code;            /* the architecture whose machine code runs there (800 on one of 860); 0:
                            the GPU's driver compiles PTX, or the back-end has no such thing */
    int ptx;             /* the generation whose PTX that is (800 on one of 900): its code has what
                            that generation had, whatever the device could; 0: there is none */
    char reason[256];    /* why not */
} gb_backend_device;

/* The number of devices. 0 with *error filled when there is no driver or no device; never fails
 * otherwise. */
int gb_backend_device_count(gb_error *error);
/* Describes one device. Makes a context on it only where the list of architectures leaves open
 * whether its code can run there. */
gb_status gb_backend_device_info(int index, gb_backend_device *device, gb_error *error);

/* The devices that work together from now on (common/cuda/set.h), of which the first is the one
 * that is opened; count 1: that one alone, and on simt all simulated ones. To be called while no
 * device is open. GB_UNSUPPORTED and *error where one is not there or cannot be used, where they
 * are not of one make, and where the back-end has one device at a time; the first is then alone. */
gb_status gb_backend_use_set(const int *devices, unsigned count, gb_error *error);

/* ---- teams: one process a device --------------------------------------------------------------
 */

enum { GB_TEAM_ID = 264 }; /* bytes of an id, with its NUL: letters, digits and dashes */

/* What this process is one of. */
typedef struct gb_team {
    unsigned rank, size;    /* 2 to GB_MOST_DEVICES */
    const char *const *ids; /* [size - 1]: ids[k - 2] is that of the first k ranks, by which they
                               find each other; from rank 0's gb_backend_team_id */
} gb_team;

/* Makes an id, of which rank 0's process needs one for each number of ranks that may work together.
 * It lives as long as the process. GB_UNSUPPORTED where the back-end has no teams, or nothing that
 * joins processes (NCCL). */
gb_status gb_backend_team_id(char id[GB_TEAM_ID], gb_error *error);
/* Waits for all ranks of the team, each with its device open: from then on what several devices do
 * together is theirs (common/comm). NULL: this process is on its own again. A process is of one
 * team, which it may join again. */
gb_status gb_backend_join_team(const gb_team *team, gb_error *error);
/* The first so many ranks are at work from now on: a timed region begins when all of them have come
 * to it. 1: it is no affair of the others. */
void gb_backend_team_at_work(unsigned members);

/* ---- a device in use ------------------------------------------------------------------------- */

typedef struct gb_backend gb_backend;

/* Makes a context, a stream and events on the device. *out is NULL after a failure; else the caller
 * closes it. */
gb_status gb_backend_open(const gb_backend_device *device, gb_backend **out, gb_error *error);
/* The same with nothing but a context and a stream, for a process that runs once and measures
 * nothing (fresh_process.h): no timer is tried, no code probed, and the device not described. */
gb_status gb_backend_open_bare(int index, gb_backend **out, gb_error *error);
void gb_backend_close(gb_backend *backend);

/* The one stream on which all work of the worker is queued. */
gb_stream gb_backend_stream(const gb_backend *backend);

/* Waits for the stream; errors of anything queued earlier surface here. */
gb_status gb_backend_sync(gb_backend *backend, gb_error *error);
/* Bytes of device memory that are free, and that there are; both 0 if the device does not say. */
void gb_backend_memory(const gb_backend *backend, uint64_t *free_bytes, uint64_t *total_bytes);
/* Writes to stderr what is known of the last failure beyond its sentence: on simt the place of
 * every thread. Call it before the next line. */
void gb_backend_log_failure(void);
/* Forgets an error that has been answered (a failed allocation); sticky ones stay. */
void gb_backend_clear_error(void);

/* ---- schedules ------------------------------------------------------------------------------- */

/* The schedule of what lies between the two calls below, until the next call of this one; NULL:
 * that of the environment. So many blocks are resident from now on, in all launches, and the
 * device's sms say so. GB_UNSUPPORTED and *error on a GPU, and where the schedule asks for what
 * only a hooks build can do. */
gb_status gb_backend_schedule(gb_backend *backend, const gb_schedule *schedule, gb_error *error);
/* The schedule begins at its seed, or ends. Without one they do nothing. */
void gb_backend_begin_schedule(gb_backend *backend);
void gb_backend_end_schedule(gb_backend *backend);

/* ---- timing ---------------------------------------------------------------------------------- */

typedef enum gb_clock {
    /* Device events, with the whole region queued behind a gate that the host opens afterwards: the
     * host's launch latency stays out. The region must not wait for the device. simt: as
     * GB_CLOCK_HOST. */
    GB_CLOCK_GATED,
    GB_CLOCK_EVENTS, /* device events; simt has none of its own: as GB_CLOCK_HOST */
    GB_CLOCK_HOST    /* CLOCK_MONOTONIC around the region and the wait for the stream */
} gb_clock;

/* A region: queues its work on stream. Whatever it returns but GB_OK ends the measurement. */
typedef gb_status (*gb_region)(void *context, gb_stream stream);

/* Times one run of the region after all earlier work of the stream, and waits for its end. The
 * region's own failure is returned as it is and leaves *error alone. With GB_CLOCK_GATED, *expired
 * says that the gate gave up before the host opened it: *seconds is then not to be used. */
gb_status gb_backend_time(gb_backend *backend, gb_clock clock, gb_region region, void *context,
                          double *seconds, bool *expired, gb_error *error);

/* Runs the region once where a profiler of the device's kernels looks: between what starts and
 * stops it. The region's own failure is returned as it is and leaves *error alone. GB_UNSUPPORTED
 * where the back-end has no such thing. */
gb_status gb_backend_profile(gb_backend *backend, gb_region region, void *context, gb_error *error);

/* ---- launches -------------------------------------------------------------------------------- */

/* A kernel as it was launched, and what the executable's machine code for this device needs. */
typedef struct gb_kernel {
    char name[256];        /* as C++ has it, cut to fit */
    uint64_t launches;     /* since the recording began, */
    uint64_t blocks;       /* of so many blocks in all */
    unsigned threads;      /* of a block */
    int registers;         /* of a thread */
    uint64_t local_bytes;  /* of a thread: spilled registers, arrays on its stack */
    uint64_t shared_bytes; /* of a block, static and dynamic */
    int blocks_per_sm;     /* that a multiprocessor holds at a time */
} gb_kernel;

/* Notes every launch of this process from here on, having forgotten those before; or stops. */
void gb_backend_record_launches(gb_backend *backend, bool on);
/* What was noted, a kernel once for each size of its blocks, in the order of their first launches:
 * writes up to `most` of them and returns how many there are. 0 where the back-end does not see
 * launches. */
size_t gb_backend_launched(gb_backend *backend, gb_kernel *kernels, size_t most);

/* ---- cache ----------------------------------------------------------------------------------- */

/* Allocates what gb_backend_evict needs (twice the L2), once; out of memory is an error. */
gb_status gb_backend_prepare_evict(gb_backend *backend, gb_error *error);
/* Queues work that leaves nothing of earlier data in the L2, and no dirty line. */
gb_status gb_backend_evict(gb_backend *backend, gb_error *error);

/* ---- ceilings -------------------------------------------------------------------------------- */

/* Measured limits of the device; 0: not measured. */
typedef struct gb_ceilings {
    double copy_bytes_per_s; /* read + written */
    double read_bytes_per_s;
    double write_bytes_per_s;
    double launch_s;     /* event to event around an empty kernel */
    double blocks_per_s; /* blocks of an empty kernel, 32 threads each, that begin and end */
    double timer_s;      /* the smallest step seen in measured times */
} gb_ceilings;

gb_status gb_backend_measure_ceilings(gb_backend *backend, gb_ceilings *ceilings, gb_error *error);

/* ---- links ----------------------------------------------------------------------------------- */

enum { GB_NCCL_SIZES = 3 };

/* What passes from one device of the set to another; 0: not measured. */
typedef struct gb_device_link {
    unsigned from, to;       /* places in the set */
    bool peer;               /* kernels of either load and store what the other has */
    double copy_bytes_per_s; /* one large copy after another */
    double both_bytes_per_s; /* of the two directions together, at once */
    double copy_s;           /* a copy of 8 bytes, of many one after another */
    double store_s; /* from a kernel's store to the other device's kernel that waits for it */
    uint64_t nccl_bytes[GB_NCCL_SIZES];
    double nccl_bytes_per_s[GB_NCCL_SIZES]; /* ncclSend and ncclRecv of so many bytes */
    double nccl_s;                          /* of 8 bytes, there and back, halved */
} gb_device_link;

typedef struct gb_device_links {
    unsigned size;        /* devices of the set */
    char nccl[32];        /* its version; "" where it carried nothing: */
    char no_nccl[256];    /* why */
    gb_device_link *list; /* [size * (size - 1)], by from, then to; malloc, the caller's */
} gb_device_links;

/* Waits until it is measured: below a second on two GPUs, besides what NCCL takes to begin.
 * GB_UNSUPPORTED where the back-end has one device at a time. links->list is NULL after a failure.
 */
gb_status gb_backend_measure_links(gb_backend *backend, gb_device_links *links, gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
