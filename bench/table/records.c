/* What tables show, as CSV and JSON. */
#include "bench/table/records.h"

#include "common/text/csv.h"
#include "common/text/json.h"

#include <cjson/cJSON.h>
#include <string.h>

void gb_records_know(gb_records_output *output, const gb_result_set *set)
{
    for (unsigned a = 0; a < set->axis_count; a++) {
        size_t at = 0;
        while (at < output->axis_count && strcmp(output->axes[at], set->axes[a]) != 0)
            at++;
        if (at < output->axis_count) continue;
        output->axes = gb_arena_grow(output->arena, output->axes, output->axis_count,
                                     &output->axis_capacity, sizeof *output->axes);
        output->axes[output->axis_count++] = set->axes[a];
    }
}

/* The texts of a record before its axes and behind them, in the order of the columns. */
enum { BEFORE = 8, BEHIND = 5 };
static const char *const before[BEFORE] = {"experiment", "device", "source",   "label",
                                           "variant",    "over",   "quantity", "unit"};
static const char *const behind[BEHIND] = {"cache", "scope", "status", "flags", "note"};

static void texts_before(const gb_table_record *r, const char *texts[BEFORE])
{
    const char *source = r->elsewhere                ? "elsewhere"
                         : *r->row->quantity != '\0' ? "published"
                                                     : "measured";
    const char *const values[BEFORE] = {r->set->experiment, r->device, source,      r->label,
                                        r->variant,         r->over,   r->quantity, r->unit};
    memcpy(texts, values, sizeof values);
}

static void texts_behind(const gb_table_record *r, const char *texts[BEHIND])
{
    const char *const values[BEHIND] = {
        r->row->cache, r->row->scope, gb_status_name(r->row->status), r->row->flags_text, r->note};
    memcpy(texts, values, sizeof values);
}

/* The value of an axis of another experiment, too: "" if the record's has none of that name. */
static const char *axis_of(const gb_table_record *r, const char *name)
{
    const int axis = gb_result_axis(r->set, name);
    return axis < 0 ? "" : r->axis[axis];
}

/* ---- CSV ------------------------------------------------------------------------------------- */

void gb_records_begin_csv(gb_records_output *output)
{
    FILE *file = output->file;
    for (size_t i = 0; i < BEFORE; i++)
        gb_csv_put(file, before[i], i == 0);
    for (size_t a = 0; a < output->axis_count; a++)
        gb_csv_put(file, output->axes[a], false);
    fputs(",best,value,ci95_lo,ci95_hi,samples", file);
    for (size_t i = 0; i < BEHIND; i++)
        gb_csv_put(file, behind[i], false);
    putc('\n', file);
}

void gb_records_put_csv(gb_records_output *output, const gb_table *table)
{
    FILE *file = output->file;
    for (size_t k = 0; k < table->record_count; k++) {
        const gb_table_record *r = &table->records[k];
        const char *first[BEFORE], *last[BEHIND];
        texts_before(r, first);
        texts_behind(r, last);
        for (size_t i = 0; i < BEFORE; i++)
            gb_csv_put(file, first[i], i == 0);
        for (size_t a = 0; a < output->axis_count; a++)
            gb_csv_put(file, axis_of(r, output->axes[a]), false);
        gb_csv_put(file, r->row->best ? r->row->best : "", false);
        gb_csv_put_positive(file, r->value.value);
        gb_csv_put_positive(file, r->value.lo);
        gb_csv_put_positive(file, r->value.hi);
        gb_csv_put_positive(file, (double)r->row->samples);
        for (size_t i = 0; i < BEHIND; i++)
            gb_csv_put(file, last[i], false);
        putc('\n', file);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text && *text) cJSON_AddStringToObject(object, name, text);
}

void gb_records_begin_json(gb_records_output *output)
{
    output->json = cJSON_CreateObject();
    cJSON_AddNumberToObject(output->json, "schema", 1);
    cJSON_AddArrayToObject(output->json, "records");
}

void gb_records_put_json(gb_records_output *output, const gb_table *table)
{
    cJSON *list = cJSON_GetObjectItemCaseSensitive(output->json, "records");
    for (size_t k = 0; k < table->record_count; k++) {
        const gb_table_record *r = &table->records[k];
        const char *first[BEFORE], *last[BEHIND];
        cJSON *item = cJSON_CreateObject();
        texts_before(r, first);
        texts_behind(r, last);
        for (size_t i = 0; i < BEFORE; i++)
            add_text(item, before[i], first[i]);
        cJSON *axes = cJSON_AddObjectToObject(item, "axes");
        for (unsigned a = 0; a < r->set->axis_count; a++)
            add_text(axes, r->set->axes[a], r->axis[a]);
        add_text(item, "best", r->row->best);
        gb_json_add_positive(item, "value", r->value.value);
        gb_json_add_positive(item, "ci95_lo", r->value.lo);
        gb_json_add_positive(item, "ci95_hi", r->value.hi);
        gb_json_add_positive(item, "samples", (double)r->row->samples);
        for (size_t i = 0; i < BEHIND; i++)
            add_text(item, behind[i], last[i]);
        cJSON_AddItemToArray(list, item);
    }
}

void gb_records_end_json(gb_records_output *output)
{
    char *text = cJSON_Print(output->json);
    cJSON_Delete(output->json);
    output->json = NULL;
    if (text) fprintf(output->file, "%s\n", text);
    cJSON_free(text);
}
