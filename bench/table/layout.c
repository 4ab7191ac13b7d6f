/* How a table is laid out: reading and validating plots/<name>.table.json. */
#include "bench/table/layout.h"

#include "bench/util/json_reader.h"
#include "bench/worker/catalogue.h"
#include "common/text/file.h"
#include "common/text/json.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Far more than a table can show; tables take time with the product of such numbers. */
enum { MOST_ITEMS = 1000 };

const char gb_layout_limit[] = "limit";

typedef struct parser {
    gb_arena *arena;
    const char *path, *text;
    gb_error *error;
} parser;

/* All failures read "FILE:LINE:COLUMN: $.json.path: sentence". */
static bool refuse_there(const parser *p, const char *there, const char *at, const char *sentence)
{
    size_t line, column;
    gb_text_locate(p->text, there, &line, &column);
    gb_fail(p->error, GB_WRONG, "%s:%zu:%zu: %s: %s", p->path, line, column, at, sentence);
    return false;
}

static bool refuse(const parser *p, const char *at, const char *sentence)
{
    return refuse_there(p, gb_json_at(p->text, at), at, sentence);
}

/* At the name of a member of the object at `at`, counted from 0. */
static bool refuse_name(const parser *p, const char *at, size_t member, const char *sentence)
{
    return refuse_there(p, gb_json_name_at(p->text, at, member), at, sentence);
}

static bool only_keys(const parser *p, const cJSON *object, const char *at, const char *const *keys)
{
    if (!cJSON_IsObject(object)) return refuse(p, at, "must be an object {...}");
    const cJSON *item;
    size_t member = 0;
    cJSON_ArrayForEach(item, object)
    {
        bool known = false;
        const char *allowed = "";
        for (const char *const *key = keys; *key; key++) {
            known |= strcmp(*key, item->string) == 0;
            allowed = gb_arena_printf(p->arena, "%s%s%s", allowed, *allowed ? ", " : "", *key);
        }
        if (!known)
            return refuse_name(p, at, member,
                               gb_arena_printf(p->arena, "unknown key \"%s\"; allowed: %s",
                                               item->string, allowed));
        if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item)
            return refuse_name(p, at, member,
                               gb_arena_printf(p->arena, "\"%s\" stands twice", item->string));
        member++;
    }
    return true;
}

static bool get_text(const parser *p, const cJSON *object, const char *at, const char *key,
                     bool needed, const char **text)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    const char *here = gb_arena_printf(p->arena, "%s.%s", at, key);
    if (!item) return !needed || refuse(p, here, "is missing");
    if (!cJSON_IsString(item) || !*item->valuestring)
        return refuse(p, here, "must be a string that is not empty");
    if (gb_text_unprintable(item->valuestring))
        return refuse(p, here, "holds a control character, or a byte that is no UTF-8");
    *text = gb_arena_strdup(p->arena, item->valuestring);
    return true;
}

static bool few_enough(const parser *p, const cJSON *list, const char *at)
{
    return cJSON_GetArraySize(list) <= MOST_ITEMS || refuse(p, at, "has more than 1000 entries");
}

/* A list of strings or numbers, as strings. */
static bool get_texts(const parser *p, const cJSON *object, const char *at, const char *key,
                      const char ***texts, size_t *count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
    *texts = NULL;
    *count = 0;
    if (!list) return true;
    const char *here = gb_arena_printf(p->arena, "%s.%s", at, key);
    if (!cJSON_IsArray(list)) return refuse(p, here, "must be a list [...]");
    if (!few_enough(p, list, here)) return false;
    *texts = gb_arena_alloc(p->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof **texts);
    cJSON_ArrayForEach(item, list)
    {
        here = gb_arena_printf(p->arena, "%s.%s[%zu]", at, key, *count);
        if (cJSON_IsString(item) && gb_text_unprintable(item->valuestring))
            return refuse(p, here, "holds a control character, or a byte that is no UTF-8");
        if (cJSON_IsString(item))
            (*texts)[(*count)++] = gb_arena_strdup(p->arena, item->valuestring);
        else if (cJSON_IsNumber(item))
            (*texts)[(*count)++] = gb_arena_printf(p->arena, "%.17g", item->valuedouble);
        else
            return refuse(p, here, "must be a string or a number");
    }
    return true;
}

/* The objects of a list, each checked for its keys; NULL and count 0 if the key is absent. */
static bool get_objects(const parser *p, const cJSON *root, const char *key,
                        const char *const *keys, const cJSON **first, size_t *count)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, key), *item;
    *first = NULL;
    *count = 0;
    if (!list) return true;
    if (!cJSON_IsArray(list))
        return refuse(p, gb_arena_printf(p->arena, "$.%s", key), "must be a list [...]");
    if (!few_enough(p, list, gb_arena_printf(p->arena, "$.%s", key))) return false;
    cJSON_ArrayForEach(item, list)
    {
        const char *at = gb_arena_printf(p->arena, "$.%s[%zu]", key, (*count)++);
        if (!only_keys(p, item, at, keys)) return false;
    }
    *first = list->child;
    return true;
}

/* {"axis": "value", ...}, in the order of the file. */
static bool get_choices(const parser *p, const cJSON *object, const char *at, const char *key,
                        gb_choices *choices)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;
    const char *here = gb_arena_printf(p->arena, "%s.%s", at, key), *value;
    if (!list) return true;
    if (!cJSON_IsObject(list)) return refuse(p, here, "must be an object {\"axis\":\"value\"}");
    if (!few_enough(p, list, here)) return false;
    cJSON_ArrayForEach(item, list)
    {
        if (!get_text(p, list, here, item->string, true, &value)) return false;
        gb_choices_add(p->arena, choices, gb_arena_strdup(p->arena, item->string), value);
    }
    return true;
}

static bool get_variants(const parser *p, const cJSON *root, gb_table_layout *layout)
{
    static const char *const keys[] = {"name", "label", "at", NULL};
    const cJSON *item;
    if (!get_objects(p, root, "variants", keys, &item, &layout->variant_count)) return false;
    layout->variants =
        gb_arena_alloc(p->arena, (layout->variant_count + 1) * sizeof *layout->variants);
    for (size_t i = 0; item; item = item->next, i++) {
        const char *at = gb_arena_printf(p->arena, "$.variants[%zu]", i);
        gb_layout_variant *variant = &layout->variants[i];
        if (!get_text(p, item, at, "name", true, &variant->name)) return false;
        variant->label = variant->name;
        if (!get_text(p, item, at, "label", false, &variant->label) ||
            !get_choices(p, item, at, "at", &variant->at))
            return false;
    }
    return true;
}

static bool get_ratios(const parser *p, const cJSON *root, gb_table_layout *layout)
{
    static const char *const keys[] = {"label", "of",      "over", "printed_for",
                                       "at",    "over_at", "per",  NULL};
    const cJSON *item;
    if (!get_objects(p, root, "ratios", keys, &item, &layout->ratio_count)) return false;
    layout->ratios = gb_arena_alloc(p->arena, (layout->ratio_count + 1) * sizeof *layout->ratios);
    for (size_t i = 0; item; item = item->next, i++) {
        const char *at = gb_arena_printf(p->arena, "$.ratios[%zu]", i);
        gb_layout_ratio *ratio = &layout->ratios[i];
        if (!get_text(p, item, at, "label", true, &ratio->label) ||
            !get_text(p, item, at, "of", true, &ratio->of) ||
            !get_text(p, item, at, "over", true, &ratio->over) ||
            !get_text(p, item, at, "printed_for", false, &ratio->printed_for) ||
            !get_text(p, item, at, "per", false, &ratio->per) ||
            !get_choices(p, item, at, "at", &ratio->at) ||
            !get_choices(p, item, at, "over_at", &ratio->over_at))
            return false;
        if (ratio->printed_for && ratio->over_at.count)
            return refuse(p, gb_arena_printf(p->arena, "%s.over_at", at),
                          "is for what was measured: printed_for says another device's");
    }
    return true;
}

static bool get_panels(const parser *p, const cJSON *root, gb_table_layout *layout)
{
    static const char *const keys[] = {"title", "values", NULL};
    const cJSON *item;
    if (!get_objects(p, root, "panels", keys, &item, &layout->panel_count)) return false;
    layout->panels = gb_arena_alloc(p->arena, (layout->panel_count + 1) * sizeof *layout->panels);
    for (size_t i = 0; item; item = item->next, i++) {
        const char *at = gb_arena_printf(p->arena, "$.panels[%zu]", i);
        gb_layout_panel *panel = &layout->panels[i];
        if (!get_text(p, item, at, "title", true, &panel->title) ||
            !get_texts(p, item, at, "values", &panel->values, &panel->value_count))
            return false;
    }
    return true;
}

/* {"unit": "flop/s", "axis": "radius", "factors": {"1": 13, ...}} */
static bool get_scale_by(const parser *p, const cJSON *root, gb_table_layout *layout)
{
    static const char *const keys[] = {"unit", "axis", "factors", NULL};
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "scale_by"), *item;
    if (!object) return true;
    gb_scale_by *scale = gb_arena_alloc(p->arena, sizeof *scale);
    if (!only_keys(p, object, "$.scale_by", keys) ||
        !get_text(p, object, "$.scale_by", "unit", true, &scale->unit) ||
        !get_text(p, object, "$.scale_by", "axis", true, &scale->axis))
        return false;
    const cJSON *factors = cJSON_GetObjectItemCaseSensitive(object, "factors");
    if (!cJSON_IsObject(factors) || !factors->child)
        return refuse(p, "$.scale_by.factors",
                      "must be an object with a number for each value of the axis");
    if (!few_enough(p, factors, "$.scale_by.factors")) return false;
    const size_t most = (size_t)cJSON_GetArraySize(factors);
    scale->values = gb_arena_alloc(p->arena, most * sizeof *scale->values);
    scale->factors = gb_arena_alloc(p->arena, most * sizeof *scale->factors);
    cJSON_ArrayForEach(item, factors)
    {
        if (!(cJSON_IsNumber(item) && item->valuedouble > 0 && isfinite(item->valuedouble)))
            return refuse(p, gb_arena_printf(p->arena, "$.scale_by.factors.%s", item->string),
                          "must be a number above 0");
        scale->values[scale->count] = gb_arena_strdup(p->arena, item->string);
        scale->factors[scale->count++] = item->valuedouble;
    }
    layout->scale_by = scale;
    return true;
}

/* *value stays as it is where the key is absent. */
static bool get_flag(const parser *p, const cJSON *root, const char *key, bool *value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, key);
    if (item && !cJSON_IsBool(item))
        return refuse(p, gb_arena_printf(p->arena, "$.%s", key), "must be true or false");
    if (item) *value = cJSON_IsTrue(item);
    return true;
}

static bool get_numbers(const parser *p, const cJSON *root, gb_table_layout *layout)
{
    const cJSON *scale = cJSON_GetObjectItemCaseSensitive(root, "scale");
    if (scale && !(cJSON_IsNumber(scale) && scale->valuedouble > 0 && isfinite(scale->valuedouble)))
        return refuse(p, "$.scale", "must be a number above 0");
    layout->scale = scale ? scale->valuedouble : 1;
    const cJSON *digits = cJSON_GetObjectItemCaseSensitive(root, "digits");
    if (digits && !(cJSON_IsNumber(digits) && digits->valuedouble == digits->valueint &&
                    digits->valueint >= 1 && digits->valueint <= 9))
        return refuse(p, "$.digits", "must be a whole number from 1 to 9");
    layout->digits = digits ? digits->valueint : 3;
    bool resident = true;
    layout->further_variants = true;
    if (!get_flag(p, root, "cache_resident", &resident) ||
        !get_flag(p, root, "reasons_in_cells", &layout->reasons_in_cells) ||
        !get_flag(p, root, "ranges", &layout->ranges) ||
        !get_flag(p, root, "further_variants", &layout->further_variants))
        return false;
    layout->no_cache_resident = !resident;
    return true;
}

static bool get_layout(const parser *p, const cJSON *root, gb_table_layout *layout)
{
    static const char *const keys[] = {"schema",
                                       "title",
                                       "paper",
                                       "quantity",
                                       "scale",
                                       "scale_by",
                                       "unit",
                                       "digits",
                                       "rows",
                                       "columns",
                                       "panels",
                                       "sizes",
                                       "best",
                                       "cache_resident",
                                       "where",
                                       "variants",
                                       "ratios",
                                       "ranges",
                                       "reasons_in_cells",
                                       "further_variants",
                                       NULL};
    if (!only_keys(p, root, "$", keys)) return false;
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(root, "schema");
    if (!cJSON_IsNumber(schema) || schema->valuedouble != 1)
        return refuse(p, "$.schema", "must be 1");

    const char *quantity = "rate", *columns = NULL;
    if (!get_text(p, root, "$", "title", true, &layout->title) ||
        !get_text(p, root, "$", "paper", false, &layout->paper) ||
        !get_text(p, root, "$", "unit", true, &layout->unit) ||
        !get_text(p, root, "$", "quantity", false, &quantity) ||
        !get_text(p, root, "$", "columns", true, &columns) ||
        !get_texts(p, root, "$", "rows", &layout->row_axes, &layout->row_axis_count) ||
        !get_texts(p, root, "$", "best", &layout->best_axes, &layout->best_axis_count) ||
        !get_texts(p, root, "$", "sizes", &layout->size_axes, &layout->size_axis_count))
        return false;
    if (strcmp(quantity, "rate") != 0 && strcmp(quantity, "time") != 0)
        return refuse(p, "$.quantity", "must be \"rate\" or \"time\"");
    layout->quantity = quantity[0] == 'r' ? GB_QUANTITY_RATE : GB_QUANTITY_TIME;
    if (layout->row_axis_count == 0 || layout->row_axis_count > GB_MAX_AXES)
        return refuse(p, "$.rows", "must name one to eight axes");
    layout->column_axis = strcmp(columns, "variant") == 0 ? NULL : columns;
    return get_numbers(p, root, layout) && get_panels(p, root, layout) &&
           get_scale_by(p, root, layout) && get_choices(p, root, "$", "where", &layout->where) &&
           get_variants(p, root, layout) && get_ratios(p, root, layout);
}

bool gb_table_layout_parse(gb_arena *arena, const char *path, const char *text, size_t length,
                           gb_table_layout *layout, gb_error *error)
{
    *layout = (gb_table_layout){.path = gb_arena_strdup(arena, path)};
    cJSON *root = gb_json_read(path, text, length, error);
    if (!root) return false;
    const parser p = {arena, path, text, error};
    bool ok = get_layout(&p, root, layout);
    cJSON_Delete(root);
    return ok;
}

bool gb_table_layout_load(gb_arena *arena, const char *path, gb_table_layout *layout,
                          gb_error *error)
{
    enum { MOST_BYTES = 1 << 20 };
    size_t length;
    char *text = gb_file_read(path, "a table layout", MOST_BYTES, &length, GB_WRONG, error);
    bool ok = text && gb_table_layout_parse(arena, path, text, length, layout, error);
    free(text);
    return ok;
}

/* The one in which the longest time has one to three digits before the point. */
static void choose_time_unit(double longest, gb_table_layout *layout)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    size_t at = 0;
    while (longest < 1 && at < 3) {
        longest *= 1e3;
        layout->scale /= 1e3;
        at++;
    }
    layout->unit = units[at];
}

/* Whether no more is counted than runs: then times say what their rates would say in odd numbers.
 */
static bool counts_runs(const gb_result_set *set)
{
    bool any = false;
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        if (strcmp(row->unit, "runs") != 0 || row->rate * row->time_s > 1.5) return false;
        any |= row->time_s > 0;
    }
    return any;
}

gb_table_layout gb_table_layout_plain(gb_arena *arena, const gb_result_set *set)
{
    const char *unit = set->row_count && *set->rows[0].unit ? set->rows[0].unit : "items";
    bool times_alone = false; /* a paper or another tool may say nothing but times */
    double longest = 0;
    for (size_t i = 0; i < set->row_count; i++) {
        times_alone |= set->rows[i].time_s > 0;
        longest = fmax(longest, set->rows[i].time_s);
    }
    times_alone &= !gb_result_set_is_rated(set);
    gb_table_layout layout = {
        .title = gb_arena_printf(arena, "%s: throughput of each point", set->experiment),
        .scale = 1e9,
        .unit = gb_arena_printf(arena, "10⁹ %s%s", unit, strstr(unit, "/s") ? "" : "/s"),
        .digits = 3,
        .row_axes = gb_arena_alloc(arena, (set->axis_count + 1) * sizeof *layout.row_axes),
        .size_axes = gb_arena_alloc(arena, (set->axis_count + 1) * sizeof *layout.size_axes),
        .further_variants = true};
    if (times_alone || (!set->published && counts_runs(set))) {
        layout.title = gb_arena_printf(arena, "%s: time of each point", set->experiment);
        layout.quantity = GB_QUANTITY_TIME;
        layout.scale = 1;
        layout.unit = "s";
        if (!set->published) choose_time_unit(longest, &layout);
    }
    /* Axes that never change would only fill the table: they go to the caption. */
    for (unsigned a = 0; a < set->axis_count; a++) {
        bool varies = false, large = false;
        for (size_t i = 0; i < set->row_count; i++) {
            uint64_t size;
            varies |= strcmp(set->rows[i].axis[a], set->rows[0].axis[a]) != 0;
            large |= gb_size_parse(set->rows[i].axis[a], &size, NULL) && size >= 1000000;
        }
        if (large) layout.size_axes[layout.size_axis_count++] = set->axes[a];
        if (varies) layout.row_axes[layout.row_axis_count++] = set->axes[a];
    }
    if (layout.row_axis_count == 0) layout.row_axes[layout.row_axis_count++] = set->axes[0];
    return layout;
}

const char *gb_layout_axis_text(gb_arena *arena, const gb_table_layout *layout, const char *axis,
                                const char *value)
{
    uint64_t size;
    for (size_t i = 0; i < layout->size_axis_count; i++) {
        if (strcmp(layout->size_axes[i], axis) != 0 || !gb_size_parse(value, &size, NULL)) continue;
        char text[32];
        return gb_arena_strdup(arena, gb_size_format(size, text, sizeof text));
    }
    return value;
}
