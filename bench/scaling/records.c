/* How variants scale, for programs: a record a point. */
#include "bench/scaling/scaling.h"
#include "common/text/csv.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

/* A column: a text, or a number (text: NULL), which is blank where it is not known (NAN). */
typedef struct field {
    const char *name, *text;
    double number;
} field;

enum { FIELDS = 34 };

static double known(double value)
{
    return value > 0 ? value : NAN;
}

/* What a point says; kind: measured, or projected. */
static void fields_of(const gb_scaling_series *s, const gb_scaling_point *p, field fields[FIELDS])
{
    const gb_scaling_model *m = &p->model;
    const bool expected = p->row && p->expected_s > 0, modelled = m->total_s > 0;
    const field all[FIELDS] = {
        {"experiment", s->set->experiment, 0},
        {"primitive", s->set->primitive, 0},
        {"variant", s->row->variant, 0},
        {"point", s->point, 0},
        {"scaling", s->weak ? "weak" : "strong", 0},
        {"cache", s->row->cache, 0},
        {"scope", s->row->scope, 0},
        {"device", s->row->device, 0},
        {"gpus", NULL, p->gpus},
        {"kind", p->row ? "measured" : "projected", 0},
        {"unit", s->row->unit, 0},
        {"rate", NULL, known(p->items / p->time_s)},
        {"time_s", NULL, known(p->time_s)},
        {"time_lo_s", NULL, known(p->lo_s)},
        {"time_hi_s", NULL, known(p->hi_s)},
        {"not_work_share", NULL, m->work_s > 0 ? p->share : NAN},
        {"work_s", NULL, known(m->work_s)},
        {"wait_s", NULL, modelled ? m->wait_s : NAN},
        {"link_s", NULL, modelled ? m->link_s : NAN},
        {"model_s", NULL, known(m->total_s)},
        {"expected_s", NULL, expected ? p->expected_s : NAN},
        {"expected_over_measured", NULL, expected ? p->expected_s / p->time_s : NAN},
        {"alone", s->alone ? s->alone->variant : "", 0},
        {"alone_time_s", NULL, s->alone ? s->alone->time_s : NAN},
        {"speedup", NULL, known(p->speedup.value)},
        {"speedup_lo", NULL, known(p->speedup.lo)},
        {"speedup_hi", NULL, known(p->speedup.hi)},
        {"efficiency", NULL, known(p->efficiency.value)},
        {"efficiency_lo", NULL, known(p->efficiency.lo)},
        {"efficiency_hi", NULL, known(p->efficiency.hi)},
        {"efficiency_limit", NULL, known(p->limit)},
        {"limit_kind", p->limit > 0 ? p->limit_kind : "", 0},
        {"flags", !p->row && p->unvalidated ? "unvalidated" : "", 0},
        {"lacks", s->lacks ? s->lacks : "", 0}};
    memcpy(fields, all, sizeof all);
}

static void put_line(FILE *file, const field fields[FIELDS])
{
    for (size_t i = 0; i < FIELDS; i++) {
        if (fields[i].text) {
            gb_csv_put(file, fields[i].text, i == 0);
            continue;
        }
        putc(',', file);
        if (!isnan(fields[i].number)) fprintf(file, "%.9g", fields[i].number);
    }
    putc('\n', file);
}

void gb_scaling_put_csv(void *output, const void *item)
{
    const gb_scaling_output *out = output;
    const gb_scaling *s = item;
    field fields[FIELDS];
    for (size_t i = 0; i < s->count; i++)
        for (size_t p = 0; p < s->series[i].count; p++) {
            fields_of(&s->series[i], &s->series[i].points[p], fields);
            for (size_t k = 0; i + p == 0 && k < FIELDS; k++)
                gb_csv_put(out->file, fields[k].name, k == 0);
            if (i + p == 0) putc('\n', out->file);
            put_line(out->file, fields);
        }
}

void gb_scaling_put_json(void *output, const void *item)
{
    const gb_scaling_output *out = output;
    const gb_scaling *s = item;
    field fields[FIELDS];
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", 1);
    cJSON_AddBoolToObject(root, "experimental", true);
    cJSON *rows = cJSON_AddArrayToObject(root, "rows");
    for (size_t i = 0; i < s->count; i++)
        for (size_t p = 0; p < s->series[i].count; p++) {
            cJSON *object = cJSON_CreateObject();
            fields_of(&s->series[i], &s->series[i].points[p], fields);
            for (size_t k = 0; k < FIELDS; k++) {
                if (fields[k].text && *fields[k].text)
                    cJSON_AddStringToObject(object, fields[k].name, fields[k].text);
                if (!fields[k].text && !isnan(fields[k].number))
                    cJSON_AddNumberToObject(object, fields[k].name, fields[k].number);
            }
            cJSON_AddItemToArray(rows, object);
        }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text) fprintf(out->file, "%s\n", text);
    cJSON_free(text);
}
