/* Functions of a shared library as variants: what a config says of them, and calling them. The
 * functions' types are an interface for others: README.md says it, and nothing here is changed
 * without a new key in the config. */
#include "common/text/text.h"
#include "common/worker/made.h"
#include "kernels/call/library.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a function returns for a point that it does not take, as automake's tests do. */
enum { SKIPPED = 77 };

typedef int call_setup(void **state, int count, const char *const names[], const int64_t values[],
                       void *stream);
typedef int call_step(void *state, void *stream);
typedef void call_cleanup(void *state);
typedef const char *call_message(void *state);

typedef enum call_role { SETUP, RUN, CHECK, RESET, POISON, CLEANUP, MESSAGE, ROLES } call_role;
enum { REQUIRED = CHECK + 1 };
static const char *const roles[ROLES] = {"setup",  "run",     "check",  "reset",
                                         "poison", "cleanup", "message"};

/* What dlsym gives is a function, as POSIX has it and ISO C does not. */
typedef union call_pointer {
    void *object;
    void (*function)(void);
} call_pointer;

typedef struct call_variant {
    gb_variant variant;           /* first */
    call_pointer function[ROLES]; /* NULL: the config names none */
    const char *name[ROLES];
    char summary[200];
} call_variant;

/* What a job's variant holds. */
typedef struct call_state {
    void *theirs;
    bool set_up;
} call_state;

/* A point has no data of its own: each variant makes its own in setup. */
struct gb_problem {
    int unused;
};

static const call_variant *called(const gb_job *job)
{
    return (const call_variant *)job->variant;
}

#define FUNCTION(type, job, role) ((type *)called(job)->function[role].function)

/* ---- calling --------------------------------------------------------------------------------- */

/* Functions of the host get no stream, also where there is one. */
static void *stream_for(const gb_job *job, gb_stream stream)
{
    const bool device = strcmp(job->device->backend, "cuda") == 0;
    return device && !(job->variant->flags & GB_HOST) ? (void *)stream : NULL;
}

/* What a returned value means; the library's own words, or else the value. */
static gb_status judge(gb_job *job, call_role role, int returned, gb_status otherwise)
{
    const call_state *state = job->state;
    if (returned == 0) return GB_OK;
    const char *words = NULL;
    if (called(job)->function[MESSAGE].object)
        words = FUNCTION(call_message, job, MESSAGE)(state->theirs);
    const gb_status status = returned == SKIPPED && role != CHECK ? GB_UNSUPPORTED : otherwise;
    if (!words || !*words)
        return gb_fail(&job->error, status, "%.100s returned %d", called(job)->name[role],
                       returned);
    gb_fail(&job->error, status, "%.400s", words);
    gb_text_tame(job->error.text);
    return status;
}

static gb_status step(gb_job *job, call_role role, gb_stream stream, gb_status otherwise)
{
    const call_state *state = job->state;
    if (!called(job)->function[role].object) return GB_OK;
    return judge(job, role, FUNCTION(call_step, job, role)(state->theirs, stream_for(job, stream)),
                 otherwise);
}

static gb_status prepare(gb_job *job)
{
    const gb_primitive *primitive = job->primitive;
    const char *names[GB_MAX_AXES];
    int64_t values[GB_MAX_AXES];
    for (unsigned i = 0; i < primitive->axis_count; i++) {
        names[i] = primitive->axes[i].name;
        values[i] = (int64_t)job->params->value[i].size;
    }
    call_state *state = job->state = calloc(1, sizeof *state);
    if (!state) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a job");
    /* Nothing is queued for this job yet, and the worker waits for its stream afterwards. */
    const int returned = FUNCTION(call_setup, job, SETUP)(
        &state->theirs, (int)primitive->axis_count, names, values, stream_for(job, job->stream));
    state->set_up = returned == 0;
    return judge(job, SETUP, returned, GB_CRASHED);
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    return step(job, RESET, stream, GB_CRASHED);
}

static gb_status run(gb_job *job, gb_stream stream)
{
    return step(job, RUN, stream, GB_CRASHED);
}

static void cleanup(gb_job *job)
{
    call_state *state = job->state;
    if (state && state->set_up && called(job)->function[CLEANUP].object)
        FUNCTION(call_cleanup, job, CLEANUP)(state->theirs);
    free(state);
    job->state = NULL;
}

static gb_status poison(gb_job *job, gb_stream stream)
{
    return step(job, POISON, stream, GB_CRASHED);
}

static gb_status check(gb_job *job, gb_stream stream)
{
    return step(job, CHECK, stream, GB_WRONG);
}

static gb_status open_point(const gb_params *params, uint64_t seed, const gb_device *device,
                            gb_problem **out, gb_error *error)
{
    static gb_problem nothing;
    (void)params;
    (void)seed;
    (void)device;
    (void)error;
    *out = &nothing;
    return GB_OK;
}

static void close_point(gb_problem *problem)
{
    (void)problem;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool find_functions(gb_provision *provision, const gb_made *made, int entry,
                           call_variant *variant, void *library, const char *path)
{
    gb_error why;
    for (unsigned role = 0; role < ROLES; role++) {
        char where[GB_MAX_TEXT];
        if (!gb_made_text(provision, made, entry, roles[role], role < REQUIRED,
                          &variant->name[role]))
            return false;
        if (!variant->name[role]) continue;
        variant->function[role].object = call_function(library, path, variant->name[role], &why);
        gb_made_item(made, entry, roles[role], where);
        if (!variant->function[role].object)
            return gb_made_refuse(provision, where, "%s", why.text);
    }
    return true;
}

static bool read_waits(gb_provision *provision, const gb_made *made, int entry, gb_variant *variant)
{
    char path[GB_MAX_TEXT];
    const cJSON *waits = gb_made_item(made, entry, "waits", path);
    if (waits && !cJSON_IsBool(waits))
        return gb_made_refuse(provision, path,
                              "true or false is allowed: whether run waits for "
                              "the device");
    if (cJSON_IsTrue(waits)) variant->flags |= GB_WAITS;
    return true;
}

static bool read_variant(gb_provision *provision, const gb_made *made, int entry, gb_variant *base)
{
    call_variant *variant = (call_variant *)base;
    const char *given;
    char path[4096], where[GB_MAX_TEXT];
    gb_error why;
    if (!gb_made_text(provision, made, entry, "library", true, &given)) return false;
    gb_made_item(made, entry, "library", where);
    if (!gb_made_path(made, given, path, sizeof path))
        return gb_made_refuse(provision, where, "the path is too long");
    void *library = call_library(path, &why);
    if (!library) return gb_made_refuse(provision, where, "%s", why.text);
    if (!find_functions(provision, made, entry, variant, library, path) ||
        !read_waits(provision, made, entry, base))
        return false;
    snprintf(variant->summary, sizeof variant->summary, "%.80s of %.100s", variant->name[RUN],
             given);
    gb_text_tame(variant->summary);
    if (!base->name) base->name = variant->name[RUN];
    base->summary = variant->summary;
    base->prepare = prepare;
    base->reset = reset;
    base->run = run;
    base->cleanup = cleanup;
    return true;
}

static const gb_primitive *provide(gb_provision *provision);

const gb_primitive gb_primitive_call = {
    .name = "call",
    .title = "Functions of a shared library, as a config names them",
    .unit = "items",
    .provide = provide,
};

static const gb_primitive *provide(gb_provision *provision)
{
    static const char *const keys[] = {"library", "setup",   "run",     "check", "reset",
                                       "poison",  "cleanup", "message", "waits", NULL};
    static const char *const variant_keys[] = {"library", "setup",  "run",     "check",
                                               "reset",   "poison", "cleanup", "message",
                                               "waits",   "on",     NULL};
    const gb_made_kind kind = {.keys = keys,
                               .variant_keys = variant_keys,
                               .most = INT64_MAX,
                               .variant_bytes = sizeof(call_variant),
                               .read_variant = read_variant};
    gb_made *made = gb_made_read(provision, &kind, &gb_primitive_call);
    if (!made) return NULL;
    made->primitive.open = open_point;
    made->primitive.close = close_point;
    made->primitive.poison = poison;
    made->primitive.check = check;
    return &made->primitive;
}
