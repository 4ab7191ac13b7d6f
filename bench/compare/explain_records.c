/* What binds rows, for programs. */
#include "bench/compare/explain_print.h"
#include "bench/rows/ratio.h"
#include "common/text/csv.h"
#include "common/text/json.h"

#include <cjson/cJSON.h>
#include <string.h>

static const char *const line_names[GB_RESOURCE_COUNT] = {[GB_OF_MEMORY] = "memory",
                                                          [GB_OF_L2] = "l2",
                                                          [GB_OF_ISSUE] = "issue",
                                                          [GB_OF_CLOCK] = "latency"};
static const char *const origin_names[] = {[GB_UNKNOWN] = "",
                                           [GB_MEASURED] = "measured",
                                           [GB_BY_SHEET] = "sheet",
                                           [GB_SAME_DEVICE] = "same"};

/* "memory;l2": what the ratio fits. */
static const char *fits_text(gb_arena *arena, const gb_explained *e)
{
    const char *text = "";
    for (int r = 0; r < GB_RESOURCE_COUNT; r++)
        if (e->fits >> r & 1)
            text = gb_arena_printf(arena, "%s%s%s", text, *text ? ";" : "", line_names[r]);
    return text;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

void gb_explain_begin_csv(void *output)
{
    const gb_compare_output *out = output;
    fputs("a,b,experiment,primitive,variant,point,cache_a,cache_b,scope_a,scope_b,time_a_s,"
          "time_b_s,ratio,ratio_ci95_lo,ratio_ci95_hi,effect",
          out->file);
    for (int r = 0; r < GB_RESOURCE_COUNT; r++)
        fprintf(out->file, ",%s,%s_by", line_names[r], line_names[r]);
    fputs(",binding,fits,part_of,rest_of,part,part_lo,part_hi,memory_part,why\n", out->file);
}

static void put_pair(gb_arena *arena, const gb_comparison *c, const gb_pair *pair,
                     const gb_explained *e, FILE *file)
{
    const char *const texts[] = {c->a->label,           c->b->label,
                                 pair->set->experiment, pair->set->primitive,
                                 pair->a->variant,      gb_row_point(arena, pair->set, pair->a),
                                 pair->a->cache,        pair->b->cache,
                                 pair->a->scope,        pair->b->scope};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        gb_csv_put(file, texts[i], i == 0);
    gb_csv_put_positive(file, pair->a->time_s);
    gb_csv_put_positive(file, pair->b->time_s);
    gb_ratio_put_csv(file, &pair->ratio);
    gb_csv_put_number(file, pair->effect, true);
    for (int r = 0; r < GB_RESOURCE_COUNT; r++) {
        gb_csv_put_positive(file, e->line[r].ratio);
        gb_csv_put(file, origin_names[e->line[r].origin], false);
    }
    const bool between = gb_is_between(e->binding);
    const gb_ratio memory = gb_memory_part(pair, e);
    gb_csv_put(file, gb_binding_names[e->binding], false);
    gb_csv_put(file, fits_text(arena, e), false);
    gb_csv_put(file, between ? line_names[e->first] : "", false);
    gb_csv_put(file, between ? line_names[e->rest] : "", false);
    gb_csv_put_number(file, e->part.value, between);
    gb_csv_put_number(file, e->part.lo, between);
    gb_csv_put_number(file, e->part.hi, between);
    gb_csv_put_number(file, memory.value, memory.lo >= 0);
    gb_csv_put(file, e->why, false);
    putc('\n', file);
}

void gb_explain_put_csv(void *output, const void *explanation)
{
    const gb_compare_output *out = output;
    const gb_explanation *x = explanation;
    if (gb_compare_left_out(x->comparison)) return;
    for (size_t i = 0; i < x->comparison->pair_count; i++)
        put_pair(&out->sides->arena, x->comparison, &x->comparison->pairs[i], &x->items[i],
                 out->file);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_lines(cJSON *object, const gb_line line[GB_RESOURCE_COUNT], bool amounts)
{
    cJSON *lines = cJSON_AddObjectToObject(object, "lines");
    for (int r = 0; r < GB_RESOURCE_COUNT; r++) {
        if (!(line[r].ratio > 0)) continue;
        cJSON *item = cJSON_AddObjectToObject(lines, line_names[r]);
        if (amounts) {
            cJSON_AddNumberToObject(item, "a", line[r].a);
            cJSON_AddNumberToObject(item, "b", line[r].b);
        }
        cJSON_AddNumberToObject(item, "ratio", line[r].ratio);
        cJSON_AddStringToObject(item, "by", origin_names[line[r].origin]);
    }
}

static void add_part(cJSON *object, const gb_explained *e)
{
    if (!gb_is_between(e->binding)) return;
    cJSON *part = cJSON_AddObjectToObject(object, "between");
    cJSON_AddStringToObject(part, "part_of", line_names[e->first]);
    cJSON_AddStringToObject(part, "rest_of", line_names[e->rest]);
    cJSON_AddNumberToObject(part, "part", e->part.value);
    cJSON_AddNumberToObject(part, "part_lo", e->part.lo);
    cJSON_AddNumberToObject(part, "part_hi", e->part.hi);
}

static cJSON *row_of(gb_arena *arena, const gb_pair *pair, const gb_explained *e)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "experiment", pair->set->experiment);
    cJSON_AddStringToObject(row, "variant", pair->a->variant);
    cJSON_AddStringToObject(row, "point", gb_row_point(arena, pair->set, pair->a));
    cJSON_AddStringToObject(row, "cache", pair->a->cache);
    cJSON_AddStringToObject(row, "scope", pair->a->scope);
    gb_json_add_positive(row, "time_a_s", pair->a->time_s);
    gb_json_add_positive(row, "time_b_s", pair->b->time_s);
    gb_ratio_add_json(row, &pair->ratio);
    cJSON_AddNumberToObject(row, "effect", pair->effect);
    add_lines(row, e->line, false);
    cJSON_AddStringToObject(row, "binding", gb_binding_names[e->binding]);
    if (e->fits) cJSON_AddStringToObject(row, "fits", fits_text(arena, e));
    add_part(row, e);
    if (*e->why) cJSON_AddStringToObject(row, "why", e->why);
    return row;
}

void gb_explain_begin_json(void *output)
{
    gb_compare_output *out = output;
    out->json = cJSON_CreateObject();
    cJSON_AddNumberToObject(out->json, "schema", 1);
    cJSON_AddNumberToObject(out->json, "min_effect", out->judging->min_effect);
    cJSON_AddArrayToObject(out->json, "explanations");
}

void gb_explain_put_json(void *output, const void *explanation)
{
    const gb_compare_output *out = output;
    const gb_explanation *x = explanation;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "a", x->comparison->a->label);
    cJSON_AddStringToObject(object, "b", x->comparison->b->label);
    add_lines(object, x->line, true);
    cJSON *counts = cJSON_AddObjectToObject(object, "bindings");
    for (int k = 0; k < GB_BINDING_COUNT; k++)
        cJSON_AddNumberToObject(counts, gb_binding_names[k], (double)x->counts[k]);
    cJSON *list = cJSON_AddArrayToObject(object, "rows");
    for (size_t i = 0; i < x->comparison->pair_count; i++)
        cJSON_AddItemToArray(list,
                             row_of(&out->sides->arena, &x->comparison->pairs[i], &x->items[i]));
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out->json, "explanations"), object);
}
