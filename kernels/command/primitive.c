/* Programs as variants: what a config says of them, and running them. */
#include "common/text/text.h"
#include "common/worker/made.h"
#include "kernels/command/pattern.h"
#include "kernels/command/process.h"
#include "kernels/command/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct command_variant {
    gb_variant variant;           /* first */
    const cJSON *words, *prepare; /* lists of words; prepare: NULL: none */
    const char *folder;
    bool has_pattern, has_expect;
    regex_t pattern, expect;
    double unit; /* seconds of the number that the pattern finds */
    const char *expected;
    char summary[200];
} command_variant;

/* The point's seed, which is all the data that it has here. */
struct gb_problem {
    uint64_t seed;
};

/* What a job holds: its words with the point's values, and what its last run has left. */
typedef struct command_state {
    char **words, **prepare;
    char *output; /* "": not run yet, or forgotten */
    double *times;
    size_t time_count, times_taken;
} command_state;

static const command_variant *commanded(const gb_job *job)
{
    return (const command_variant *)job->variant;
}

/* ---- running --------------------------------------------------------------------------------- */

static void forget(command_state *state)
{
    free(state->output);
    free(state->times);
    state->output = NULL;
    state->times = NULL;
    state->time_count = state->times_taken = 0;
}

static gb_status prepare(gb_job *job)
{
    const command_variant *variant = commanded(job);
    const gb_primitive *primitive = job->primitive;
    command_state *state = job->state = calloc(1, sizeof *state);
    if (state)
        state->words = command_words(variant->words, primitive->axes, primitive->axis_count,
                                     job->params, job->problem->seed);
    if (state && variant->prepare)
        state->prepare = command_words(variant->prepare, primitive->axes, primitive->axis_count,
                                       job->params, job->problem->seed);
    if (state && state->words && (state->prepare || !variant->prepare)) return GB_OK;
    return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a command");
}

static gb_status reset(gb_job *job, gb_stream stream)
{
    const command_state *state = job->state;
    command_end end;
    gb_error why = {GB_OK, ""};
    (void)stream;
    if (!state->prepare) return GB_OK;
    gb_status status = command_run(commanded(job)->folder, state->prepare, &end, &job->error);
    if (status != GB_OK) return status;
    status = command_judge(&end, &why);
    free(end.output);
    return status == GB_OK ? GB_OK : gb_fail(&job->error, status, "\"prepare\": %.450s", why.text);
}

/* The times of a run: those that it tells, or the one that it took. */
static gb_status take_times(gb_job *job, command_state *state, const command_end *end)
{
    const command_variant *variant = commanded(job);
    if (variant->has_pattern)
        return command_times(&variant->pattern, end->output, variant->unit, end->seconds,
                             &state->times, &state->time_count, &job->error);
    state->times = malloc(sizeof *state->times);
    if (!state->times) return gb_fail(&job->error, GB_OUT_OF_MEMORY, "no host memory for a time");
    state->times[0] = end->seconds;
    state->time_count = 1;
    return GB_OK;
}

static gb_status run(gb_job *job, gb_stream stream)
{
    command_state *state = job->state;
    command_end end;
    (void)stream;
    forget(state);
    gb_status status = command_run(commanded(job)->folder, state->words, &end, &job->error);
    if (status != GB_OK) return status;
    state->output = end.output;
    status = command_judge(&end, &job->error);
    return status == GB_OK ? take_times(job, state, &end) : status;
}

static bool told(gb_job *job, double *seconds)
{
    command_state *state = job->state;
    if (state->times_taken == state->time_count) return false;
    if (seconds) *seconds = state->times[state->times_taken++];
    return true;
}

static void cleanup(gb_job *job)
{
    command_state *state = job->state;
    if (!state) return;
    forget(state);
    free(state->words);
    free(state->prepare);
    free(state);
    job->state = NULL;
}

/* What an earlier run has printed is not judged again. */
static gb_status poison(gb_job *job, gb_stream stream)
{
    (void)stream;
    forget(job->state);
    return GB_OK;
}

static gb_status check(gb_job *job, gb_stream stream)
{
    const command_variant *variant = commanded(job);
    const command_state *state = job->state;
    (void)stream;
    if (!state->output) return gb_fail(&job->error, GB_WRONG, "it has not run");
    if (!variant->has_expect || regexec(&variant->expect, state->output, 0, NULL, 0) == 0)
        return GB_OK;
    return gb_fail(&job->error, GB_WRONG, "what is expected, \"%.200s\", is not in its output",
                   variant->expected);
}

static gb_status open_point(const gb_params *params, uint64_t seed, const gb_device *device,
                            gb_problem **out, gb_error *error)
{
    (void)params;
    (void)device;
    *out = malloc(sizeof **out);
    if (!*out) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a point");
    (*out)->seed = seed;
    return GB_OK;
}

static void close_point(gb_problem *problem)
{
    free(problem);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_words(gb_provision *provision, const gb_made *made, int entry, const char *key,
                       bool required, const cJSON **words)
{
    char path[GB_MAX_TEXT];
    gb_error why;
    *words = gb_made_item(made, entry, key, path);
    if (!*words && !required) return true;
    if (!*words)
        return gb_made_refuse(provision, entry < 0 ? "" : "variants", "\"%s\" is missing", key);
    return command_words_check(*words, made->axes, made->terms.count, &why) ||
           gb_made_refuse(provision, path, "%s", why.text);
}

static bool read_unit(gb_provision *provision, const cJSON *time, const char *path, double *unit)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(time, "unit"));
    for (size_t i = 0; name && i < sizeof units / sizeof *units; i++) {
        if (strcmp(units[i].name, name) != 0) continue;
        *unit = units[i].seconds;
        return true;
    }
    return gb_made_refuse(provision, path,
                          "\"unit\" is %s%.40s%s; \"s\", \"ms\", \"us\" or \"ns\" "
                          "is allowed",
                          name ? "\"" : "missing", name ? name : "", name ? "\"" : "");
}

static bool read_time(gb_provision *provision, const gb_made *made, int entry,
                      command_variant *variant)
{
    static const char *const keys[] = {"pattern", "unit", NULL};
    char path[GB_MAX_TEXT];
    gb_error why;
    const cJSON *time = gb_made_item(made, entry, "time", path);
    if (!time) return true;
    const char *pattern = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(time, "pattern"));
    if (!cJSON_IsObject(time) || !pattern)
        return gb_made_refuse(
            provision, path,
            "an object is allowed, such as {\"pattern\": \"time: ([0-9.]+) "
            "ms\", \"unit\": \"ms\"}; without \"time\" the whole process is timed");
    if (!gb_made_check_keys(provision, time, path, keys, NULL) ||
        !read_unit(provision, time, path, &variant->unit))
        return false;
    if (!command_pattern(&variant->pattern, pattern, 1, &why))
        return gb_made_refuse(provision, path, "%s", why.text);
    variant->has_pattern = true;
    return true;
}

static bool read_expect(gb_provision *provision, const gb_made *made, int entry,
                        command_variant *variant)
{
    char path[GB_MAX_TEXT];
    gb_error why;
    if (!gb_made_text(provision, made, entry, "expect", false, &variant->expected)) return false;
    if (!variant->expected) return true;
    gb_made_item(made, entry, "expect", path);
    if (!command_pattern(&variant->expect, variant->expected, -1, &why))
        return gb_made_refuse(provision, path, "%s", why.text);
    variant->has_expect = true;
    return true;
}

/* The words with blanks between them, as many as fit. */
static void summarize(const cJSON *words, char *summary, size_t capacity)
{
    size_t used = 0;
    const cJSON *item = NULL;
    cJSON_ArrayForEach(item, words)
    {
        if (used < capacity)
            used += (size_t)snprintf(summary + used, capacity - used, "%s%s", used ? " " : "",
                                     item->valuestring);
    }
    gb_text_tame(summary);
}

static bool read_variant(gb_provision *provision, const gb_made *made, int entry, gb_variant *base)
{
    command_variant *variant = (command_variant *)base;
    variant->folder = made->folder;
    if (!read_words(provision, made, entry, "command", true, &variant->words) ||
        !read_words(provision, made, entry, "prepare", false, &variant->prepare) ||
        !read_time(provision, made, entry, variant) ||
        !read_expect(provision, made, entry, variant))
        return false;
    summarize(variant->words, variant->summary, sizeof variant->summary);
    const char *program = cJSON_GetStringValue(variant->words->child);
    const char *slash = strrchr(program, '/');
    if (!base->name) base->name = slash ? slash + 1 : program;
    base->summary = variant->summary;
    base->flags |= GB_HOST | (variant->has_pattern ? 0 : GB_PROCESS);
    base->prepare = prepare;
    base->reset = reset;
    base->run = run;
    base->cleanup = cleanup;
    base->told = told;
    return true;
}

static const gb_primitive *provide(gb_provision *provision);

const gb_primitive gb_primitive_command = {
    .name = "command",
    .title = "Programs, as a config names them",
    .unit = "runs",
    .provide = provide,
};

static const gb_primitive *provide(gb_provision *provision)
{
    static const char *const keys[] = {"command", "prepare", "time", "expect", NULL};
    const gb_made_kind kind = {.keys = keys,
                               .variant_keys = keys,
                               .most = UINT64_MAX,
                               .words = true,
                               .on_host = true,
                               .variant_bytes = sizeof(command_variant),
                               .read_variant = read_variant};
    gb_made *made = gb_made_read(provision, &kind, &gb_primitive_command);
    if (!made) return NULL;
    made->primitive.open = open_point;
    made->primitive.close = close_point;
    made->primitive.poison = poison;
    made->primitive.check = check;
    made->primitive.process_s = command_start_s();
    return &made->primitive;
}
