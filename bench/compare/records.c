/* Comparisons for programs. */
#include "bench/compare/print.h"
#include "bench/rows/ratio.h"
#include "common/text/csv.h"
#include "common/text/json.h"

#include <cjson/cJSON.h>
#include <string.h>

const char *const gb_view_names[GB_VIEW_COUNT + 1] = {[GB_VIEW_PLAIN] = "none",
                                                      [GB_VIEW_SM_CLOCK] = "sm-clock",
                                                      [GB_VIEW_BANDWIDTH] = "bandwidth",
                                                      [GB_VIEW_WATT] = "watt"};

static const char *differs_text(gb_arena *arena, unsigned differs)
{
    const char *text = "";
    for (int d = 0; d < GB_DIFFERS_COUNT; d++)
        if (differs >> d & 1)
            text = gb_arena_printf(arena, "%s%s%s", text, *text ? ";" : "", gb_differs_names[d]);
    return text;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* The fields that pairs and rows without a partner share; b: NULL where there is none. */
static void put_begin(gb_arena *arena, const gb_comparison *c, const gb_result_set *set,
                      const gb_result_row *row, FILE *file)
{
    gb_csv_put(file, c->a->label, true);
    gb_csv_put(file, c->b->label, false);
    gb_csv_put(file, set->experiment, false);
    gb_csv_put(file, set->primitive, false);
    gb_csv_put(file, row->variant, false);
    gb_csv_put(file, gb_row_point(arena, set, row), false);
}

static void put_pair(gb_arena *arena, const gb_comparison *c, const gb_pair *pair, FILE *file)
{
    const gb_result_row *a = pair->a, *b = pair->b;
    put_begin(arena, c, pair->set, a, file);
    gb_csv_put(file, a->cache, false);
    gb_csv_put(file, b->cache, false);
    gb_csv_put(file, a->scope, false);
    gb_csv_put(file, b->scope, false);
    gb_csv_put(file, a->unit, false);
    gb_csv_put_positive(file, a->rate);
    gb_csv_put_positive(file, b->rate);
    gb_csv_put_positive(file, a->time_s);
    gb_csv_put_positive(file, b->time_s);
    gb_ratio_put_csv(file, &pair->ratio);
    gb_csv_put_number(file, pair->p, pair->tested);
    gb_csv_put_number(file, pair->p_holm, pair->tested);
    gb_csv_put_number(file, pair->effect, true);
    gb_csv_put(file, gb_verdict_names[pair->verdict], false);
    gb_csv_put(file, differs_text(arena, pair->differs), false);
    fputs(",\n", file);
}

void gb_compare_begin_csv(void *output)
{
    const gb_compare_output *out = output;
    fputs("a,b,experiment,primitive,variant,point,cache_a,cache_b,scope_a,scope_b,unit,rate_a,"
          "rate_b,time_a_s,time_b_s,ratio,ratio_ci95_lo,ratio_ci95_hi,p,p_holm,effect,verdict,"
          "differs,missing\n",
          out->file);
}

void gb_compare_put_csv(void *output, const void *comparison)
{
    const gb_compare_output *out = output;
    const gb_comparison *c = comparison;
    gb_arena *arena = &out->sides->arena;
    FILE *file = out->file;
    if (gb_compare_left_out(c)) return;
    for (size_t i = 0; i < c->pair_count; i++)
        put_pair(arena, c, &c->pairs[i], file);
    for (size_t i = 0; i < c->unpaired_count; i++) {
        const gb_unpaired *u = &c->unpaired[i];
        put_begin(arena, c, u->set, u->row, file);
        for (int side = 0; side < 2; side++)
            gb_csv_put(file, side == u->of_b ? u->row->cache : "", false);
        for (int side = 0; side < 2; side++)
            gb_csv_put(file, side == u->of_b ? u->row->scope : "", false);
        gb_csv_put(file, u->row->unit, false);
        fputs(",,,,,,,,,,,,", file);
        gb_csv_put(file,
                   *u->why   ? gb_arena_printf(arena, "%s: %s", u->of_b ? "b" : "a", u->why)
                   : u->of_b ? "a"
                             : "b",
                   false);
        putc('\n', file);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_side(cJSON *object, const char *name, const gb_side *side)
{
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddStringToObject(item, "device", side->model);
    if (*side->under) cJSON_AddStringToObject(item, "under", side->under);
    cJSON_AddStringToObject(item, "path", side->path);
    cJSON_AddBoolToObject(item, "published", side->published);
    if (side->elsewhere) cJSON_AddTrueToObject(item, "elsewhere");
}

static cJSON *row_of(gb_arena *arena, const gb_result_set *set, const gb_result_row *row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "experiment", set->experiment);
    cJSON_AddStringToObject(object, "variant", row->variant);
    cJSON_AddStringToObject(object, "point", gb_row_point(arena, set, row));
    return object;
}

static void add_pair(gb_arena *arena, cJSON *list, const gb_pair *pair)
{
    cJSON *item = row_of(arena, pair->set, pair->a);
    gb_json_add_positive(item, "rate_a", pair->a->rate);
    gb_json_add_positive(item, "rate_b", pair->b->rate);
    gb_json_add_positive(item, "time_a_s", pair->a->time_s);
    gb_json_add_positive(item, "time_b_s", pair->b->time_s);
    gb_ratio_add_json(item, &pair->ratio);
    if (pair->tested) {
        cJSON_AddNumberToObject(item, "p", pair->p);
        cJSON_AddNumberToObject(item, "p_holm", pair->p_holm);
    }
    cJSON_AddNumberToObject(item, "effect", pair->effect);
    cJSON_AddStringToObject(item, "verdict", gb_verdict_names[pair->verdict]);
    if (pair->differs) cJSON_AddStringToObject(item, "differs", differs_text(arena, pair->differs));
    cJSON_AddItemToArray(list, item);
}

static cJSON *comparison_of(gb_arena *arena, const gb_comparison *c)
{
    cJSON *object = cJSON_CreateObject();
    add_side(object, "a", c->a);
    add_side(object, "b", c->b);
    cJSON *counts = cJSON_AddObjectToObject(object, "verdicts");
    for (int v = 0; v < GB_VERDICT_COUNT; v++)
        cJSON_AddNumberToObject(counts, gb_verdict_names[v], (double)c->verdicts[v]);
    cJSON_AddNumberToObject(object, "broken", (double)c->broken);
    cJSON *list = cJSON_AddArrayToObject(object, "rows");
    for (size_t i = 0; i < c->pair_count; i++)
        add_pair(arena, list, &c->pairs[i]);
    list = cJSON_AddArrayToObject(object, "missing");
    for (size_t i = 0; i < c->unpaired_count; i++) {
        cJSON *item = row_of(arena, c->unpaired[i].set, c->unpaired[i].row);
        cJSON_AddStringToObject(item, "of", c->unpaired[i].of_b ? "b" : "a");
        if (*c->unpaired[i].why) cJSON_AddStringToObject(item, "why", c->unpaired[i].why);
        cJSON_AddItemToArray(list, item);
    }
    return object;
}

void gb_compare_begin_json(void *output)
{
    gb_compare_output *out = output;
    out->json = cJSON_CreateObject();
    cJSON_AddNumberToObject(out->json, "schema", 1);
    cJSON_AddNumberToObject(out->json, "alpha", out->judging->alpha);
    cJSON_AddNumberToObject(out->json, "min_effect", out->judging->min_effect);
    cJSON_AddStringToObject(out->json, "per", gb_view_names[out->judging->view]);
    cJSON_AddArrayToObject(out->json, "comparisons");
}

void gb_compare_put_json(void *output, const void *comparison)
{
    const gb_compare_output *out = output;
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out->json, "comparisons"),
                         comparison_of(&out->sides->arena, comparison));
}

void gb_compare_end_json(void *output)
{
    gb_compare_output *out = output;
    char *text = cJSON_Print(out->json);
    cJSON_Delete(out->json);
    out->json = NULL;
    if (text) fprintf(out->file, "%s\n", text);
    cJSON_free(text);
}
