/* The interface between the worker loop and the kernels: what a primitive and a variant are.
 *
 * A primitive (multipartition, radix sort, ...) names its axes and owns a point's data; a variant
 * is one way to compute it. Both are constant structs of names and functions; the worker finds the
 * primitives through gb_registry[], which the build generates from the folders under kernels/.
 *
 * Included by C11 and by CUDA C++17: no CUDA type appears here. */
#ifndef GB_GPUBENCH_H
#define GB_GPUBENCH_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* GB_MAX_VALUE: bytes of a value's text, with its NUL; enough for a word and any path. */
enum { GB_MAX_AXES = 8, GB_MAX_TEXT = 128, GB_MAX_VALUE = 4160 };

/* Where a back-end queues work, opaque to C: cudaStream_t in .cu files, gb_opencl in OpenCL's C. */
typedef struct gb_stream_opaque *gb_stream;

struct cJSON; /* of cJSON.h, which those include who look into one */

/* ---- axes and parameters ------------------------------------------------------------------- */

typedef enum gb_axis_type {
    GB_AXIS_SIZE, /* a whole number; configs may write 32M or 16Ki */
    GB_AXIS_NAME  /* one of names[] */
} gb_axis_type;

typedef struct gb_axis {
    const char *name; /* the CSV column */
    gb_axis_type type;
    const char *help;         /* one line, ends without a full stop */
    const char *fallback;     /* the default, as a config writes it */
    uint64_t min, max;        /* GB_AXIS_SIZE: both inclusive */
    const char *const *names; /* GB_AXIS_NAME: NULL-terminated. A name that ends in ':' takes an
                                 argument: "distinct:" allows "distinct:16". */
    const char *const *nasty; /* NULL-terminated values for `gpubench check`, as a config writes
                                 them: sizes at borders, skewed inputs; never NULL */
    const char *small;        /* the default where --quick counts, as it does on the CPU: so much
                                 that kernels have work for several blocks, and no more; NULL: as
                                 ever */
} gb_axis;

typedef struct gb_value {
    uint64_t size; /* GB_AXIS_SIZE */
    /* GB_AXIS_NAME: the whole name with its argument; else the digits. Lives as long as the program
     * (gb_text_kept); NULL in a value that was not set. */
    const char *text;
} gb_value;

/* A point: one value per axis, in the order of primitive->axes. */
typedef struct gb_params {
    gb_value value[GB_MAX_AXES];
} gb_params;

/* ---- the device, as far as variants may ask ------------------------------------------------- */

typedef struct gb_device {
    char name[128];
    char backend[16];          /* "cuda", "simt", "opencl" or "host" */
    int index;                 /* CUDA ordinal; 0 on simt; opencl: GPUs first, then others */
    int arch;                  /* compute capability x 100: 350, 900; simt: GB_ARCH; 0: has none */
    int sms;                   /* streaming multiprocessors; simt: OS threads; opencl: units */
    int threads_per_sm;        /* resident threads a multiprocessor holds; 0: unknown */
    uint64_t shared_per_block; /* bytes a block gets without opting in (48 KiB everywhere) */
    uint64_t shared_optin;     /* bytes a block may opt in to */
    uint64_t shared_per_sm;    /* bytes a multiprocessor has */
    uint64_t l2_bytes;
    uint64_t memory_bytes;
    /* What a copy reads and writes: measured, where the driver has said so, else what clock and
     * width of the memory make likely; 0: unknown. */
    double copy_bytes_per_s;
} gb_device;

/* ---- work, jobs, verdicts ------------------------------------------------------------------- */

typedef struct gb_work {
    uint64_t items;     /* what the rate counts */
    uint64_t bytes;     /* the least that must cross device memory */
    uint64_t flops;     /* floating-point operations; 0 where the rate is not about them */
    uint64_t footprint; /* device bytes that input and output occupy: cache-resident or not */
} gb_work;

typedef enum gb_scope {
    GB_SCOPE_DEVICE,      /* kernels on resident data */
    GB_SCOPE_HOST_TO_HOST /* input copied in, kernels, output copied out */
} gb_scope;

typedef struct gb_primitive gb_primitive;
typedef struct gb_variant gb_variant;

/* A point's data (input, output, what the checker knows), shared by all jobs of the point.
 * Each primitive defines its own struct gb_problem behind this name. */
typedef struct gb_problem gb_problem;

typedef struct gb_job {
    const gb_primitive *primitive;
    const gb_variant *variant;
    const gb_params *params;
    const gb_device *device;
    gb_problem *problem;
    gb_scope scope;
    bool waits; /* set by prepare: run waits for the device, as one of GB_WAITS always does */
    /* Device bytes that this job may use, its point's data included; 0: what the device has. */
    uint64_t memory_limit;
    uint64_t memory_used; /* device bytes counted so far: gb_job_charge, gb_job_malloc */
    void *state;          /* the variant's own; set by prepare, freed by cleanup */
    gb_error error;       /* the reason, whenever a function below returns anything but GB_OK */
    /* Which of the variant's instances this job is (gb_variant.instance); set before prepare. */
    unsigned instance;
    /* What runs, where the variant's name does not say it: the instance's name, or the method that
     * prepare has chosen and writes here. "": nothing to say. Stands in the row. */
    char instance_name[GB_MAX_TEXT];
    gb_stream stream; /* that its work is queued on, for a prepare that queues some */
} gb_job;

/* ---- variants ------------------------------------------------------------------------------- */

enum {
    GB_STABLE = 1u << 0,    /* claims a stable result; the checker holds it to that */
    GB_HOST = 1u << 1,      /* runs on the CPU; timed by the host's clock */
    GB_WAITS = 1u << 2,     /* run waits for the device, so it cannot be queued behind a gate */
    GB_CUDA_ONLY = 1u << 3, /* needs a library that only the CUDA build has */
    /* Moves its own data between host and device in run, so that upload and download are not
     * called: scope host-to-host alone. What it queues on streams of its own has ended, or is
     * waited for by the stream that run is given, when run returns. */
    GB_OWN_TRANSFERS = 1u << 4,
    /* Another worker runs it: listed so that one config can name it for all, and unsupported. */
    GB_ELSEWHERE = 1u << 5,
    /* Changes its worker for good (the heap that kernels allocate from): it is measured by itself
     * in a fresh worker, which nobody uses after it. */
    GB_FRESH_WORKER = 1u << 6,
    /* Published so, and known to fail: runs show how, `gpubench check` leaves it out unless it is
     * named. */
    GB_KNOWN_TO_FAIL = 1u << 7,
    /* On the device, but timed by the host's clock: what it measures begins before the device can
     * record an event, and before its caches can hold anything of its own. */
    GB_HOST_CLOCK = 1u << 8,
    /* A run is a process of its own, and its time that of the whole process. */
    GB_PROCESS = 1u << 9
};

/* Members that a list of values may end before. */
#ifdef __cplusplus
#define GB_OR_NULL = NULL
#else
#define GB_OR_NULL
#endif

struct gb_variant {
    const char *name;
    const char *summary; /* one line */
    const char *origin;  /* paper and section, or "gpubench" */
    unsigned flags;

    /* NULL if this point can run, else the reason (see gb_reason); printed as "-" in tables. */
    const char *(*unsupported)(const gb_params *params, const gb_device *device);
    /* Allocates scratch, untimed. May be NULL. */
    gb_status (*prepare)(gb_job *job);
    /* Restores what run eats, untimed, before every run. May be NULL. */
    gb_status (*reset)(gb_job *job, gb_stream stream);
    /* The timed region: reads the problem's input, writes its output, all work queued on stream.
     * Allocates nothing unless allocating is what the variant measures. */
    gb_status (*run)(gb_job *job, gb_stream stream);
    /* Frees what prepare made; also called after a prepare that failed. May be NULL. */
    void (*cleanup)(gb_job *job);
    /* How it departs from the text that origin names, in one line; NULL: in nothing, or there is no
     * such text. */
    const char *differs GB_OR_NULL;
    /* A library's function may exist in several instances that do the same work and of which its
     * user picks one (a 32- or a 64-bit count). The name of the i-th for this point, NULL beyond
     * the last. The worker measures all and goes on with the fastest. NULL: there is but one. */
    const char *(*instance)(const gb_params *params, unsigned i)GB_OR_NULL;
    /* Runs tell their own times (a program that prints them): takes the next one, in seconds, that
     * a run has told and no sample has taken yet; without seconds it stays. False: there is none. A
     * run may tell several, and has seen to it that they are no longer than it took. NULL: runs are
     * timed from outside. */
    bool (*told)(gb_job *job, double *seconds) GB_OR_NULL;
};

/* ---- primitives ----------------------------------------------------------------------------- */

/* A table that a primitive can write of a job's output, for pictures: `gpubench dump`. */
typedef struct gb_dump {
    const char *name;    /* "slice" */
    const char *help;    /* one line */
    const char *columns; /* the CSV's header: "x,y,depth"; numbers and plain words stand there */
    /* Writes the rows, as CSV, of a job that has run and was verified; the device is idle. */
    gb_status (*write)(gb_job *job, FILE *rows);
} gb_dump;

/* What a config says of a primitive that is made from it, and what is wrong with it. */
typedef struct gb_provision {
    const struct cJSON *description; /* the caller's; docs/protocol.md, `provide` */
    gb_device device;                /* that it is for, as far as it is chosen */
    char path[GB_MAX_TEXT];          /* where the mistake is: "variants[1].library" */
    gb_error error;
} gb_provision;

struct gb_primitive {
    const char *name;
    const char *title;
    const char *unit; /* what is counted, plural: "keys" */
    const gb_axis *axes;
    unsigned axis_count;
    const gb_variant *const *variants; /* NULL-terminated */

    /* NULL if the values go together, else the reason. May be NULL. */
    const char *(*invalid)(const gb_params *params);
    /* NULL if each value can be right by itself, else what is wrong with the first that cannot: an
     * argument that is none ("distinct:abc"), a file that cannot be read. Asked before anything
     * runs, when it is a mistake of whoever wrote the values and not something that a variant
     * lacks. May be NULL. */
    const char *(*mistake)(const gb_params *params);
    gb_work (*work)(const gb_params *params);

    /* Makes the input (on the device) from the seed. *out is NULL after a failure. */
    gb_status (*open)(const gb_params *params, uint64_t seed, const gb_device *device,
                      gb_problem **out, gb_error *error);
    void (*close)(gb_problem *problem);
    /* host-to-host scope: queue the copies of input and output between the host and the device.
     * NULL: that scope is unsupported. */
    gb_status (*upload)(gb_job *job, gb_stream stream);
    gb_status (*download)(gb_job *job, gb_stream stream);
    /* Overwrites the output with garbage, so that what run leaves unwritten is found. */
    gb_status (*poison)(gb_job *job, gb_stream stream);
    /* Judges the output in full: GB_OK, or GB_WRONG with job->error naming the first defect. */
    gb_status (*check)(gb_job *job, gb_stream stream);
    /* Whether the last run did its work anew, since what it had gone by did not hold (a sample that
     * misled): right, but slower than the variant is; the row is flagged. The device is idle. May
     * be NULL: none ever does. */
    gb_status (*redone)(gb_job *job, bool *redone);
    /* Counts all device memory of its jobs, points' data included, and stays within
     * job->memory_limit. Without it a job with a limit is unsupported. */
    bool honours_memory_limit;
    /* What can be written of an output; ends with a name that is NULL. NULL: nothing. */
    const gb_dump *dumps;
    /* In a process of its own (common/worker/fresh_process.h): one run of a variant on the point
     * whose data one of the primitive's jobs has laid into shared memory, with the output there as
     * well once the stream has been waited for. NULL: no variant starts one. */
    gb_status (*run_fresh)(const gb_variant *variant, void *shared, gb_stream stream,
                           gb_error *error);
    /* Makes the primitive itself from a description; what stands in the registry has a name, a
     * title and a unit and nothing more. What it makes lives as long as the worker. NULL, and the
     * provision's path and error, if the description has a mistake. NULL: nothing is to be made. */
    const gb_primitive *(*provide)(gb_provision *provision);
    /* The work of one that was made, in the place of `work`, which does not know of which. */
    gb_work (*work_of)(const gb_primitive *primitive, const gb_params *params);
    /* Seconds of every time of its variants with GB_PROCESS that a process which ends at once takes
     * as well; 0: unknown. */
    double process_s;
    /* Variants that choose by measurements go by this table from here on: the text of a result file
     * (CSV) of this device, size bytes; NULL: by what is compiled in alone. GB_WRONG and *error,
     * and nothing has changed, if it is none. `by` then says in words what they go by on this
     * device. NULL: no variant chooses so. */
    gb_status (*tune)(const char *table, size_t size, const gb_device *device, char by[GB_MAX_TEXT],
                      gb_error *error);
};

/* Counts bytes of device memory that this job uses: what gb_job_malloc gives is counted already;
 * arrays of a point are counted once by every job that uses them. GB_OUT_OF_MEMORY where
 * job->memory_limit would be passed: then nothing is counted and job->error names what (a noun,
 * "the sort's scratch"), what was needed, and what is left. */
gb_status gb_job_charge(gb_job *job, uint64_t bytes, const char *what);
/* Takes back what gb_job_charge counted. */
void gb_job_discharge(gb_job *job, uint64_t bytes);

/* All primitives, NULL-terminated; generated by the build. */
extern const gb_primitive *const gb_registry[];

/* Outside the tree: defines a variant that the build finds by these words at the beginning of a
 * line, and puts into gb_variants, NULL-terminated, in the order of the files' names. */
#ifdef __cplusplus
#define GB_VARIANT(name) extern "C" const gb_variant name
#else
#define GB_VARIANT(name) const gb_variant name
#endif
extern const gb_variant *const gb_variants[];

/* Raised whenever code that was compiled with this file before must be compiled anew. Kernels
 * outside the tree that have seen another one than the library do not link, and the linker names
 * this symbol. */
#define GB_INTERFACE 2
#define GB_INTERFACE_NAMED(number) \
    gpubench_headers_have_interface_##number##_and_its_library_has_not
#define GB_INTERFACE_OF(number) GB_INTERFACE_NAMED(number)
#define GB_INTERFACE_SYMBOL GB_INTERFACE_OF(GB_INTERFACE)
extern const int GB_INTERFACE_SYMBOL;

/* Formats a reason into a thread-local buffer that the next call overwrites. */
const char *gb_reason(const char *format, ...) GB_PRINTF(1, 2);

#ifdef __cplusplus
}
#endif
#endif
