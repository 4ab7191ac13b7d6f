/* History for programs. */
#include "bench/history/history.h"
#include "bench/rows/ratio.h"
#include "common/text/csv.h"
#include "common/text/json.h"

#include <cjson/cJSON.h>
#include <string.h>

/* Calls put for each row of a run, with its pair in the step that leads there; NULL: it has none.
 */
typedef void put_row(void *to, const gb_history_series *s, size_t run, const gb_result_set *set,
                     const gb_result_row *row, const gb_pair *pair);

static const gb_pair *pair_of(const gb_history_step *step, const gb_result_row *row)
{
    for (size_t i = 0; i < step->comparison.pair_count; i++)
        if (step->comparison.pairs[i].b == row) return &step->comparison.pairs[i];
    return NULL;
}

static void each_row(const gb_history_series *s, size_t run, put_row *put, void *to)
{
    const gb_side *side = s->runs[run].side;
    for (size_t k = 0; k < side->results->set_count; k++) {
        const gb_result_set *set = &side->results->sets[k];
        if (set->published || set->profile || set->simt != s->simt ||
            strcmp(set->experiment, s->experiment) != 0)
            continue;
        for (size_t r = 0; r < set->row_count; r++)
            if (strcmp(set->rows[r].device, side->device) == 0)
                put(to, s, run, set, &set->rows[r],
                    run ? pair_of(&s->steps[run], &set->rows[r]) : NULL);
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

void gb_history_begin_csv(void *output)
{
    const gb_history_output *out = output;
    fputs("experiment,primitive,device,run,commit,dirty,program_commit,started_utc,subject,variant,"
          "point,cache,scope,status,rate,time_s,ratio,ratio_ci95_lo,ratio_ci95_hi,p_holm,effect,"
          "verdict,path\n",
          out->file);
}

static void put_csv_row(void *to, const gb_history_series *s, size_t run, const gb_result_set *set,
                        const gb_result_row *row, const gb_pair *pair)
{
    gb_history_output *out = to;
    const gb_history_run *of = &s->runs[run];
    static const gb_ratio none = {0};
    FILE *file = out->file;
    gb_csv_put(file, s->experiment, true);
    gb_csv_put(file, s->primitive, false);
    gb_csv_put(file, s->device, false);
    gb_csv_put(file, of->name, false);
    gb_csv_put(file, of->facts->source.hash, false);
    gb_csv_put(file, of->facts->source.dirty ? "1" : "0", false);
    gb_csv_put(file, of->facts->program.hash, false);
    gb_csv_put(file, of->facts->started, false);
    gb_csv_put(file, of->subject, false);
    gb_csv_put(file, row->variant, false);
    gb_csv_put(file, gb_row_point(&out->history->sides.arena, set, row), false);
    gb_csv_put(file, row->cache, false);
    gb_csv_put(file, row->scope, false);
    gb_csv_put(file, gb_status_name(row->status), false);
    gb_csv_put_positive(file, row->rate);
    gb_csv_put_positive(file, row->time_s);
    gb_ratio_put_csv(file, pair ? &pair->ratio : &none);
    gb_csv_put_number(file, pair ? pair->p_holm : 0, pair && pair->tested);
    gb_csv_put_number(file, pair ? pair->effect : 0, pair != NULL);
    gb_csv_put(file, pair ? gb_verdict_names[pair->verdict] : "", false);
    gb_csv_put(file, of->path, false);
    putc('\n', file);
}

void gb_history_put_csv(void *output, const void *series)
{
    const gb_history_series *s = series;
    for (size_t i = 0; i < s->count; i++)
        each_row(s, i, put_csv_row, output);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

typedef struct rows_to {
    gb_arena *arena;
    cJSON *list;
} rows_to;

static void put_json_row(void *to, const gb_history_series *s, size_t run, const gb_result_set *set,
                         const gb_result_row *row, const gb_pair *pair)
{
    const rows_to *rows = to;
    cJSON *item = cJSON_CreateObject();
    (void)s;
    (void)run;
    cJSON_AddStringToObject(item, "variant", row->variant);
    cJSON_AddStringToObject(item, "point", gb_row_point(rows->arena, set, row));
    cJSON_AddStringToObject(item, "cache", row->cache);
    cJSON_AddStringToObject(item, "scope", row->scope);
    cJSON_AddStringToObject(item, "status", gb_status_name(row->status));
    gb_json_add_positive(item, "rate", row->rate);
    gb_json_add_positive(item, "time_s", row->time_s);
    if (pair) {
        gb_ratio_add_json(item, &pair->ratio);
        if (pair->tested) cJSON_AddNumberToObject(item, "p_holm", pair->p_holm);
        cJSON_AddStringToObject(item, "verdict", gb_verdict_names[pair->verdict]);
    }
    cJSON_AddItemToArray(rows->list, item);
}

static void add_commit(cJSON *object, const char *name, const gb_commit *commit)
{
    if (!*commit->hash) return;
    cJSON *item = cJSON_AddObjectToObject(object, name);
    cJSON_AddStringToObject(item, "commit", commit->hash);
    cJSON_AddBoolToObject(item, "dirty", commit->dirty);
}

static cJSON *run_of(gb_arena *arena, const gb_history_series *s, size_t at)
{
    const gb_history_run *run = &s->runs[at];
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "run", run->name);
    add_commit(object, "source", &run->facts->source);
    add_commit(object, "program", &run->facts->program);
    cJSON_AddStringToObject(object, "subject", run->subject);
    cJSON_AddStringToObject(object, "started_utc", run->facts->started);
    cJSON_AddStringToObject(object, "path", run->path);
    rows_to rows = {arena, cJSON_AddArrayToObject(object, "rows")};
    each_row(s, at, put_json_row, &rows);
    return object;
}

/* What became slower in which run, and how many of the rows still are. */
static void add_slower(gb_arena *arena, cJSON *list, const gb_history_series *s, size_t at)
{
    for (size_t k = 0; k < s->steps[at].group_count; k++) {
        const gb_history_group *group = &s->steps[at].groups[k];
        if (group->verdicts[GB_SLOWER] == 0) continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "run", s->runs[at].name);
        cJSON_AddStringToObject(item, "commit", s->runs[at].facts->source.hash);
        cJSON_AddStringToObject(item, "variant", group->variant);
        cJSON_AddStringToObject(item, "cache", group->cache);
        cJSON_AddStringToObject(item, "scope", group->scope);
        cJSON_AddNumberToObject(item, "rows", (double)group->verdicts[GB_SLOWER]);
        cJSON_AddNumberToObject(item, "still", (double)group->still);
        cJSON_AddStringToObject(item, "text", gb_history_change_text(arena, group, GB_SLOWER));
        cJSON_AddItemToArray(list, item);
    }
}

void gb_history_begin_json(void *output)
{
    gb_history_output *out = output;
    out->json = cJSON_CreateObject();
    cJSON_AddNumberToObject(out->json, "schema", 1);
    cJSON_AddNumberToObject(out->json, "alpha", out->judging->alpha);
    cJSON_AddNumberToObject(out->json, "min_effect", out->judging->min_effect);
    cJSON_AddBoolToObject(out->json, "by_commit", out->history->by_commit);
    cJSON_AddArrayToObject(out->json, "series");
}

void gb_history_put_json(void *output, const void *series)
{
    const gb_history_output *out = output;
    const gb_history_series *s = series;
    gb_arena *arena = &out->history->sides.arena;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "experiment", s->experiment);
    cJSON_AddStringToObject(object, "primitive", s->primitive);
    cJSON_AddStringToObject(object, "device", s->device);
    cJSON *slower = cJSON_AddArrayToObject(object, "slower");
    cJSON *runs = cJSON_AddArrayToObject(object, "runs");
    for (size_t i = 0; i < s->count; i++) {
        if (i) add_slower(arena, slower, s, i);
        cJSON_AddItemToArray(runs, run_of(arena, s, i));
    }
    cJSON_AddItemToArray(cJSON_GetObjectItemCaseSensitive(out->json, "series"), object);
}

void gb_history_end_json(void *output)
{
    gb_history_output *out = output;
    char *text = cJSON_Print(out->json);
    cJSON_Delete(out->json);
    out->json = NULL;
    if (text) fprintf(out->file, "%s\n", text);
    cJSON_free(text);
}
