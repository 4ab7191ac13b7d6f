/* What a figure's gnuplot script asks for: reading the lines "# gpubench: KEY ..." at its head. */
#include "bench/plot/script.h"

#include "common/text/number.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const char marker[] = "# gpubench:";

typedef struct head {
    gb_arena *arena;
    gb_plot_script *script;
    size_t variant_capacity, best_capacity, published_capacity, line_capacity;
    size_t line;
    gb_error *error;
} head;

static bool refuse(const head *h, const char *what, const char *sentence)
{
    gb_fail(h->error, GB_WRONG, "%s: line %zu: '%s' %s", h->script->path, h->line, what, sentence);
    return false;
}

static bool add_wheres(head *h, char *text)
{
    for (char *save, *pair = strtok_r(text, " ", &save); pair; pair = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(pair, '=');
        if (!equals || equals == pair || equals[1] == '\0')
            return refuse(h, pair,
                          "is not AXIS=VALUE: where takes such pairs, separated by blanks");
        *equals = '\0';
        gb_choices_add(h->arena, &h->script->layout.where, gb_arena_strdup(h->arena, pair),
                       gb_arena_strdup(h->arena, equals + 1));
    }
    return true;
}

/* "32x1x1" of "block=32x1x1,fused=2" and so on, to choices. */
static bool add_held(head *h, char *text, gb_choices *at)
{
    for (char *save, *pair = strtok_r(text, ",", &save); pair; pair = strtok_r(NULL, ",", &save)) {
        char *equals = strchr(pair, '=');
        if (!equals || equals == pair || equals[1] == '\0')
            return refuse(h, pair, "is not AXIS=VALUE: a variant is NAME[AXIS=VALUE,...] LABEL");
        *equals = '\0';
        gb_choices_add(h->arena, at, pair, equals + 1);
    }
    return true;
}

/* "NAME[AXIS=VALUE,...] LABEL" */
static bool read_variant(head *h, const char *text, gb_layout_variant *variant)
{
    size_t length = strcspn(text, " ");
    char *name = gb_arena_strndup(h->arena, text, length);
    const char *label = text + length + strspn(text + length, " ");
    *variant = (gb_layout_variant){.name = name,
                                   .label = gb_arena_strdup(h->arena, *label ? label : name)};
    char *held = strchr(name, '['), *end = name + strlen(name) - 1;
    if (!held) return true;
    if (*end != ']') return refuse(h, name, "has no ] at its end");
    *held = *end = '\0';
    return add_held(h, held + 1, &variant->at);
}

static bool add_variant(head *h, const char *text)
{
    gb_table_layout *layout = &h->script->layout;
    layout->variants = gb_arena_grow(h->arena, layout->variants, layout->variant_count,
                                     &h->variant_capacity, sizeof *layout->variants);
    return read_variant(h, text, &layout->variants[layout->variant_count++]);
}

/* "NAME[AXIS=VALUE,...]" */
static bool read_over(head *h, const char *text)
{
    gb_layout_variant over;
    if (!read_variant(h, text, &over)) return false;
    h->script->over = over.name;
    h->script->over_at = over.at;
    return true;
}

static bool add_published(head *h, const char *text)
{
    gb_plot_script *script = h->script;
    if (!strchr(text, ' ')) return refuse(h, text, "has no label: published takes VARIANT LABEL");
    script->published = gb_arena_grow(h->arena, script->published, script->published_count,
                                      &h->published_capacity, sizeof *script->published);
    return read_variant(h, text, &script->published[script->published_count++]);
}

static void add_best(head *h, char *text)
{
    gb_table_layout *layout = &h->script->layout;
    for (char *save, *axis = strtok_r(text, " ", &save); axis; axis = strtok_r(NULL, " ", &save)) {
        layout->best_axes = gb_arena_grow(h->arena, layout->best_axes, layout->best_axis_count,
                                          &h->best_capacity, sizeof *layout->best_axes);
        layout->best_axes[layout->best_axis_count++] = gb_arena_strdup(h->arena, axis);
    }
}

/* "flop/s radius 1=13 2=25" */
static bool add_scale(head *h, char *text)
{
    char *save, *unit = strtok_r(text, " ", &save), *axis = strtok_r(NULL, " ", &save);
    gb_scale_by *scale = gb_arena_alloc(h->arena, sizeof *scale);
    size_t value_capacity = 0, factor_capacity = 0;
    *scale = (gb_scale_by){.unit = gb_arena_strdup(h->arena, unit),
                           .axis = axis ? gb_arena_strdup(h->arena, axis) : NULL};
    for (char *pair = NULL; axis && (pair = strtok_r(NULL, " ", &save));) {
        char *equals = strchr(pair, '=');
        double factor;
        if (!equals || equals == pair || !gb_number_parse(equals + 1, &factor) || factor <= 0)
            return refuse(h, pair, "is not VALUE=FACTOR with a number above 0");
        *equals = '\0';
        scale->values = gb_arena_grow(h->arena, scale->values, scale->count, &value_capacity,
                                      sizeof *scale->values);
        scale->factors = gb_arena_grow(h->arena, scale->factors, scale->count, &factor_capacity,
                                       sizeof *scale->factors);
        scale->values[scale->count] = gb_arena_strdup(h->arena, pair);
        scale->factors[scale->count++] = factor;
    }
    if (scale->count == 0)
        return refuse(h, "scale-by", "takes UNIT AXIS VALUE=FACTOR ..., one factor at least");
    h->script->layout.scale_by = scale;
    return true;
}

/* "cpu-* opencl-*: what computes on the host stands in a figure of its own" */
static bool add_leaves(head *h, char *text)
{
    gb_plot_leaves *leaves = &h->script->leaves;
    char *reason = strchr(text, ':');
    if (!reason || reason[1 + strspn(reason + 1, " ")] == '\0')
        return refuse(h, text, "has no reason: leaves takes NAME ...: REASON");
    *reason = '\0';
    for (char *save, *name = strtok_r(text, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
        leaves->patterns = gb_arena_grow(h->arena, leaves->patterns, leaves->count,
                                         &leaves->capacity, sizeof *leaves->patterns);
        leaves->patterns[leaves->count++] = gb_arena_strdup(h->arena, name);
    }
    return true;
}

/* ---- generations ------------------------------------------------------------------------------
 */

/* "bandwidth sm-cycle": what rates are divided by, one at least. */
static bool read_generations(head *h, char *text)
{
    h->script->generations = true;
    for (char *save, *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        if (strcmp(word, "bandwidth") == 0)
            h->script->query.per |= GB_PER_BANDWIDTH;
        else if (strcmp(word, "sm-cycle") == 0)
            h->script->query.per |= GB_PER_SM_CYCLE;
        else
            return refuse(h, word, "is neither bandwidth nor sm-cycle");
    }
    return true;
}

/* "n=268435456" */
static bool read_near(head *h, const char *text)
{
    gb_generation_query *query = &h->script->query;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !gb_number_parse(equals + 1, &query->near) || query->near <= 0)
        return refuse(h, text, "is not AXIS=NUMBER with a number above 0");
    query->near_axis = gb_arena_strndup(h->arena, text, (size_t)(equals - text));
    return true;
}

static gb_generation_line *add_line(head *h, const gb_layout_variant *variant)
{
    gb_generation_query *query = &h->script->query;
    query->lines = gb_arena_grow(h->arena, query->lines, query->line_count, &h->line_capacity,
                                 sizeof *query->lines);
    gb_generation_line *line = &query->lines[query->line_count++];
    *line = (gb_generation_line){.of = variant->name, .label = variant->label, .at = variant->at};
    return line;
}

/* "OF/OVER[AXIS=VALUE,...] LABEL" */
static bool add_ratio(head *h, const char *text)
{
    gb_layout_variant variant;
    if (!read_variant(h, text, &variant)) return false;
    char *slash = strchr(variant.name, '/');
    if (!slash || slash == variant.name || slash[1] == '\0')
        return refuse(h, text, "names no two variants: ratio takes OF/OVER[AXIS=VALUE,...] LABEL");
    gb_generation_line *line = add_line(h, &variant);
    line->of = gb_arena_strndup(h->arena, variant.name, (size_t)(slash - variant.name));
    line->over = slash + 1;
    return true;
}

/* The variants are the first lines, before the ratios. */
static bool finish_generations(head *h)
{
    gb_plot_script *script = h->script;
    gb_generation_query *query = &script->query;
    gb_generation_line *ratios = query->lines;
    const size_t ratio_count = query->line_count;
    if (!script->generations && (ratio_count || query->near_axis)) {
        gb_fail(h->error, GB_WRONG,
                "%s: near and ratio are for scripts with the line '%s generations'", script->path,
                marker);
        return false;
    }
    if (!script->generations) return true;
    *query = (gb_generation_query){.path = script->path,
                                   .near_axis = query->near_axis,
                                   .near = query->near,
                                   .per = query->per};
    h->line_capacity = 0;
    for (size_t i = 0; i < script->layout.variant_count; i++)
        add_line(h, &script->layout.variants[i]);
    for (size_t i = 0; i < ratio_count; i++) {
        const gb_layout_variant none = {0};
        *add_line(h, &none) = ratios[i];
    }
    if (query->line_count) return true;
    gb_fail(h->error, GB_WRONG, "%s: no line '%s variant NAME' says what is followed", script->path,
            marker);
    return false;
}

/* Nothing, or the fewest values of x. */
static bool read_several(head *h, const char *text)
{
    double least = 2;
    if (*text && (!gb_number_parse(text, &least) || least < 2 || least > 100))
        return refuse(h, text, "is no number of values from 2 to 100");
    h->script->several_x = (size_t)least;
    return true;
}

static bool take(head *h, const char *key, char *rest)
{
    gb_plot_script *script = h->script;
    const struct {
        const char *key, **to;
    } texts[] = {{"title", &script->title},
                 {"x", &script->x},
                 {"panels", &script->panels},
                 {"largest", &script->largest},
                 {"per", &script->per},
                 {"dump", &script->dump},
                 {"paper", &script->layout.paper},
                 {"assumed", &script->assumed},
                 {"many", &script->many},
                 {"only", &script->only},
                 {"primitive", &script->primitive}};
    const char **to = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i].key) == 0) to = texts[i].to;
    const struct {
        const char *key;
        bool *to;
    } switches[] = {{"no-cache-resident", &script->layout.no_cache_resident},
                    {"limit", &script->limit},
                    {"categories", &script->categories},
                    {"profile", &script->profile},
                    {"default", &script->generic},
                    {"devices-together", &script->devices_together}};
    bool *bare = NULL;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(key, switches[i].key) == 0) bare = switches[i].to;
    if (strcmp(key, "several-x") == 0) return read_several(h, rest);
    static const char *const lists[] = {"where", "variant", "best",        "scale-by",
                                        "gpus",  "needs",   "published",   "leaves",
                                        "near",  "ratio",   "generations", "over"};
    bool list = false;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        list |= strcmp(key, lists[i]) == 0;
    if (!to && !bare && !list)
        return refuse(
            h, key,
            "is no key; the keys are title, x, categories, panels, largest, where, best, "
            "over, per, scale-by, paper, published, assumed, many, primitive, only, gpus, "
            "profile, dump, "
            "no-cache-resident, several-x, needs, variant, leaves, devices-together, generations, "
            "near, ratio, default and limit");
    if (bare && *rest) return refuse(h, key, "takes no value");
    if (!bare && !*rest) return refuse(h, key, "takes a value");
    if (to) *to = gb_arena_strdup(h->arena, rest);
    if (bare) *bare = true;
    if (strcmp(key, "best") == 0) add_best(h, rest);
    if (strcmp(key, "variant") == 0) return add_variant(h, rest);
    if (strcmp(key, "published") == 0) return add_published(h, rest);
    if (strcmp(key, "leaves") == 0) return add_leaves(h, rest);
    if (strcmp(key, "over") == 0) return read_over(h, rest);
    if (strcmp(key, "needs") == 0) return read_variant(h, rest, &script->needs);
    if (strcmp(key, "scale-by") == 0) return add_scale(h, rest);
    if (strcmp(key, "generations") == 0) return read_generations(h, rest);
    if (strcmp(key, "near") == 0) return read_near(h, rest);
    if (strcmp(key, "ratio") == 0) return add_ratio(h, rest);
    if (strcmp(key, "gpus") == 0) return gb_gpus_load(h->arena, rest, &script->gpus, h->error);
    return strcmp(key, "where") != 0 || add_wheres(h, rest);
}

bool gb_plot_script_load(gb_arena *arena, const char *path, const char *what,
                         gb_plot_script *script, gb_error *error)
{
    *script = (gb_plot_script){.path = path, .what = what, .title = "", .remark = ""};
    script->layout.path = path;
    script->layout.further_variants = true;
    head h = {.arena = arena, .script = script, .error = error};
    FILE *file = fopen(path, "r");
    if (!file) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    bool ok = true;
    char *line = NULL;
    size_t size = 0;
    for (h.line = 1; ok && getline(&line, &size, file) >= 0; h.line++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, marker, strlen(marker)) != 0) continue;
        char *key = line + strlen(marker);
        key += strspn(key, " ");
        char *rest = key + strcspn(key, " ");
        if (*rest) *rest++ = '\0';
        rest += strspn(rest, " ");
        ok = take(&h, key, rest);
    }
    if (ok && !feof(file)) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        ok = false;
    }
    free(line);
    fclose(file);
    ok = ok && finish_generations(&h);
    if (ok && script->per && !script->over) {
        gb_fail(error, GB_WRONG, "%s: per is for scripts with the line '%s over VARIANT'", path,
                marker);
        ok = false;
    }
    if (ok && !script->x && !script->dump && !script->generic && !script->generations) {
        gb_fail(error, GB_WRONG, "%s: no line '%s x AXIS' says what runs along x", path, marker);
        ok = false;
    }
    return ok;
}

/* Whether a list that is separated by ';' has a word. */
static bool has_word(const char *list, const char *word)
{
    for (size_t length; *list; list += length + (list[length] == ';')) {
        length = strcspn(list, ";");
        if (strlen(word) == length && strncmp(list, word, length) == 0) return true;
    }
    return false;
}

bool gb_plot_script_lists(const gb_plot_script *script, const char *variant)
{
    for (size_t i = 0; i < script->layout.variant_count; i++)
        if (has_word(script->layout.variants[i].name, variant)) return true;
    return script->over && has_word(script->over, variant);
}

bool gb_plot_script_leaves(const gb_plot_script *script, const char *variant)
{
    for (size_t i = 0; i < script->leaves.count; i++)
        if (fnmatch(script->leaves.patterns[i], variant, 0) == 0) return true;
    return false;
}
