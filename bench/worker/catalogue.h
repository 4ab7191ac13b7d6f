/* What a worker said of itself: devices, primitives, axes, variants (the answer to `describe`). */
#ifndef GB_WORKER_CATALOGUE_H
#define GB_WORKER_CATALOGUE_H

#include "common/gpubench.h"

#include <cjson/cJSON.h>

typedef struct gb_catalogue_axis {
    char *name, *help, *fallback;
    char *small; /* the default where --quick counts; as fallback where the worker does not say */
    gb_axis_type type;
    uint64_t min, max;
    char **names; /* NULL-terminated; NULL for sizes */
    char **nasty; /* NULL-terminated */
} gb_catalogue_axis;

typedef struct gb_catalogue_variant {
    char *name, *summary, *origin;
    char *differs; /* how it departs from origin's text; "" if in nothing */
    bool stable, host, cuda_only;
    bool own_transfers; /* runs in scope host-to-host alone */
    bool elsewhere;     /* listed, but another worker runs it */
    bool fresh_worker;  /* changes its worker for good: alone, in one of its own */
    bool known_to_fail; /* published so: `check` leaves it out unless it is named */
    bool process;       /* its time is that of a whole process */
} gb_catalogue_variant;

typedef struct gb_catalogue_dump {
    char *name, *help;
} gb_catalogue_dump;

typedef struct gb_catalogue_primitive {
    char *name, *title, *unit;
    gb_catalogue_axis *axes;
    unsigned axis_count;
    gb_catalogue_variant *variants;
    unsigned variant_count;
    gb_catalogue_dump *dumps; /* what `gpubench dump` can write */
    unsigned dump_count;
    bool from_config; /* made from what a config says: as it stands here it has nothing */
    bool tunes;       /* variants of it choose by measurements (tuning.h) */
    double process_s; /* that a process which ends at once takes; 0: unknown */
} gb_catalogue_primitive;

typedef struct gb_catalogue_device {
    int index, arch, sms;
    int code; /* the architecture whose machine code runs there; 0: none, or not told */
    int gpus; /* of a team, how many devices of this make it is; 0: one */
    int ptx;  /* the one whose PTX the GPU's driver compiles for it; likewise */
    char *name, *slug, *uuid, *reason;
    uint64_t memory_bytes, l2_bytes, shared_per_block_bytes, shared_optin_bytes;
    double sm_clock_max_mhz, mem_clock_max_mhz; /* 0: unknown */
    bool usable;
} gb_catalogue_device;

typedef struct gb_catalogue {
    int protocol;
    char *version; /* of the gpubench that it was built with; "" if it does not say */
    char *backend, *toolkit, *driver, *compiler, *flags; /* "" where unknown; backend never */
    char *host;   /* where the worker runs; "" if it does not say */
    char *reason; /* why there is no usable device; "" if there is one or none was given */
    char *code;   /* "sm_35": it has the PTX of that generation alone, and is taken only for --code;
                     ""   of all others */
    int *architectures;
    unsigned architecture_count;
    bool hooks; /* a simt worker that leaves threads at plain and volatile accesses, too */
    gb_catalogue_device *devices;
    unsigned device_count;
    gb_catalogue_primitive *primitives;
    unsigned primitive_count;
    bool made; /* the one primitive was made from the config that is read with it (provide.h) */
    unsigned holders; /* beside the first */
} gb_catalogue;

/* Builds a catalogue from a describe answer; NULL and *error (what is missing or of the wrong type)
 * when the answer is not one. The caller frees it with gb_catalogue_free (NULL is allowed). */
gb_catalogue *gb_catalogue_parse(const cJSON *answer, gb_error *error);
void gb_catalogue_free(gb_catalogue *catalogue);
/* Another holder of it, who frees it as well. Returns catalogue. */
gb_catalogue *gb_catalogue_keep(gb_catalogue *catalogue);

/* The same of one primitive alone, as the only one of a catalogue that has nothing else. */
gb_catalogue *gb_catalogue_of_made(const cJSON *primitive, gb_error *error);

const gb_catalogue_primitive *gb_catalogue_find(const gb_catalogue *catalogue, const char *name);
/* Index into primitive->axes or ->variants; -1 if there is none of that name. */
int gb_catalogue_axis_index(const gb_catalogue_primitive *primitive, const char *name);
int gb_catalogue_variant_index(const gb_catalogue_primitive *primitive, const char *name);

/* Adds to a JSON object what is known of a device's make: arch, sms, memory_bytes, ... as in
 * `describe`; what is unknown is left out. */
void gb_device_add_facts(cJSON *object, const gb_catalogue_device *device);

/* Parses one value of an axis as a config writes it. False and *error (the bare reason: what was
 * found, what is allowed, the nearest name) if it is none. */
bool gb_axis_parse_value(const gb_catalogue_axis *axis, const char *text, gb_value *value,
                         gb_error *error);

#endif
