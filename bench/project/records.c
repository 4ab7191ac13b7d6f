/* Projections and guesses for programs. */
#include "bench/project/print.h"
#include "bench/project/words.h"

#include "common/text/csv.h"

#include <cjson/cJSON.h>
#include <math.h>

/* ---- what a record has ----------------------------------------------------------------------- */

/* A column: a text, or a number (text: NULL), which is blank where it is not above 0. */
typedef struct field {
    const char *name, *text;
    double number;
} field;

enum { MOST_FIELDS = 32 };

typedef struct record {
    field fields[MOST_FIELDS];
    size_t count;
} record;

static void add_text(record *r, const char *name, const char *text)
{
    r->fields[r->count++] = (field){name, text, 0};
}

static void add_number(record *r, const char *name, double number)
{
    r->fields[r->count++] = (field){name, NULL, number};
}

static const char *flags_of(gb_arena *arena, const gb_projection *p, const gb_projected *item,
                            const gb_verdict_of *verdict)
{
    const gb_target *target = &p->target;
    const struct {
        bool set;
        const char *name;
    } flags[] = {{target->sms_beyond, "multiprocessors-beyond"},
                 {target->bandwidth_beyond, "bandwidth-beyond"},
                 {target->clock_beyond, "clock-beyond"},
                 {target->boards, "several-boards"},
                 {target->other_architecture, "other-architecture"},
                 {verdict && verdict->unvalidated, "unvalidated"},
                 {*item->doubt, item->doubt}};
    const char *text = "";
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].set)
            text = gb_arena_printf(arena, "%s%s%s", text, *text ? ";" : "", flags[i].name);
    return text;
}

static record record_of_item(gb_arena *arena, const gb_projection *p, const gb_projected *item)
{
    record r = {.count = 0};
    const gb_series *series = item->series;
    const double items = series->items;
    add_text(&r, "experiment", series->set->experiment);
    add_text(&r, "primitive", series->set->primitive);
    add_text(&r, "variant", series->row->variant);
    add_text(&r, "point", series->point);
    add_text(&r, "cache", series->row->cache);
    add_text(&r, "device", p->target.middle.model);
    add_number(&r, "time_s", item->span.time_s);
    add_number(&r, "time_lo_s", item->span.lo_s);
    add_number(&r, "time_hi_s", item->span.hi_s);
    add_text(&r, "unit", series->row->unit);
    add_number(&r, "rate", items / item->span.time_s);
    add_number(&r, "rate_lo", items / item->span.hi_s);
    add_number(&r, "rate_hi", items / item->span.lo_s);
    add_text(&r, "nearest_device", p->nearest ? p->nearest->machine.model : "");
    add_number(&r, "nearest_time_s", item->nearest_s);
    for (unsigned t = 0; t < GB_TERM_COUNT; t++)
        add_number(&r, gb_arena_printf(arena, "%s_share", gb_term_names[t]), item->share[t]);
    add_number(&r, "power", item->power);
    add_number(&r, "laws", (double)item->laws);
    add_number(&r, "timings", (double)series->count);
    add_number(&r, "fit_error", item->error);
    add_text(&r, "flags", flags_of(arena, p, item, gb_verdict_find(p, series->set->primitive)));
    return r;
}

static record record_of_guess(const gb_guess *guess)
{
    record r = {.count = 0};
    add_text(&r, "kind", gb_check_names[guess->kind]);
    add_text(&r, "held", guess->held);
    add_text(&r, "experiment", guess->experiment);
    add_text(&r, "primitive", guess->primitive);
    add_text(&r, "variant", guess->variant);
    add_text(&r, "point", guess->point);
    add_number(&r, "multiprocessors", guess->sms);
    add_number(&r, "guessed_s", guess->time_s);
    add_number(&r, "guessed_lo_s", guess->lo_s);
    add_number(&r, "guessed_hi_s", guess->hi_s);
    add_number(&r, "true_s", guess->truth_s);
    add_number(&r, "factor", exp(guess->error));
    return r;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_csv(FILE *file, const record *r, bool head)
{
    for (size_t i = 0; head && i < r->count; i++)
        gb_csv_put(file, r->fields[i].name, i == 0);
    if (head) putc('\n', file);
    for (size_t i = 0; i < r->count; i++) {
        const field *f = &r->fields[i];
        if (f->text) {
            gb_csv_put(file, f->text, i == 0);
            continue;
        }
        if (i > 0) putc(',', file);
        if (f->number > 0) fprintf(file, "%.9g", f->number);
    }
    putc('\n', file);
}

static void add_json(cJSON *list, const record *r)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < r->count; i++) {
        const field *f = &r->fields[i];
        if (f->text)
            cJSON_AddStringToObject(object, f->name, f->text);
        else if (f->number > 0)
            cJSON_AddNumberToObject(object, f->name, f->number);
    }
    cJSON_AddItemToArray(list, object);
}

static void print_json(FILE *file, cJSON *root)
{
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    if (text) fprintf(file, "%s\n", text);
    cJSON_free(text);
}

static cJSON *root_of(void)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema", 1);
    cJSON_AddBoolToObject(root, "experimental", true);
    return root;
}

void gb_projection_put_csv(void *output, const void *item)
{
    const gb_project_output *out = output;
    const gb_projection *p = item;
    for (size_t i = 0; i < p->count; i++) {
        const record r = record_of_item(out->arena, p, &p->items[i]);
        put_csv(out->file, &r, i == 0);
    }
}

void gb_projection_put_json(void *output, const void *item)
{
    const gb_project_output *out = output;
    const gb_projection *p = item;
    cJSON *root = root_of(), *rows = cJSON_AddArrayToObject(root, "rows");
    for (size_t i = 0; i < p->count; i++) {
        const record r = record_of_item(out->arena, p, &p->items[i]);
        add_json(rows, &r);
    }
    cJSON *refused = cJSON_AddArrayToObject(root, "refused");
    for (size_t i = 0; i < p->verdict_count; i++) {
        if (!p->verdicts[i].refused && !p->verdicts[i].unchecked) continue;
        cJSON *object = cJSON_CreateObject();
        cJSON_AddStringToObject(object, "primitive", p->verdicts[i].primitive);
        cJSON_AddStringToObject(object, "why", gb_verdict_text(out->arena, &p->verdicts[i]));
        cJSON_AddItemToArray(refused, object);
    }
    print_json(out->file, root);
}

void gb_validation_put_csv(void *output, const void *item)
{
    const gb_project_output *out = output;
    const gb_validation *v = item;
    for (size_t i = 0; i < v->guess_count; i++) {
        const record r = record_of_guess(&v->guesses[i]);
        put_csv(out->file, &r, i == 0);
    }
}

void gb_validation_put_json(void *output, const void *item)
{
    const gb_project_output *out = output;
    const gb_validation *v = item;
    cJSON *root = root_of(), *guesses = cJSON_AddArrayToObject(root, "guesses");
    for (size_t i = 0; i < v->guess_count; i++) {
        const record r = record_of_guess(&v->guesses[i]);
        add_json(guesses, &r);
    }
    print_json(out->file, root);
}
