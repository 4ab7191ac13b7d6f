/* Findings of an audit for people and for programs. */
#include "bench/compare/print.h"
#include "bench/audit/audit.h"
#include "bench/compare/compare.h"
#include "bench/rows/select.h"
#include "bench/table/build.h"
#include "bench/table/numbers.h"
#include "bench/util/wrap.h"
#include "common/text/csv.h"

#include <math.h>
#include <string.h>

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *rate_text(gb_arena *arena, const gb_result_row *row)
{
    return gb_significant(arena, row->rate / 1e9, 3);
}

/* "12.3 µs" */
static const char *time_text(gb_arena *arena, const gb_result_row *row)
{
    static const struct {
        double least, scale;
        const char *unit;
    } units[] = {{1, 1, "s"}, {1e-3, 1e3, "ms"}, {0, 1e6, "µs"}};
    size_t u = 0;
    while (row->time_s < units[u].least)
        u++;
    return gb_arena_printf(arena, "%s %s", gb_significant(arena, row->time_s * units[u].scale, 3),
                           units[u].unit);
}

/* How the sibling differs from the row: "order descending". */
static const char *sibling_text(gb_arena *arena, const gb_finding *finding, const gb_unlike *u)
{
    const char *axis = u->rule->axis;
    const int at = axis ? gb_result_axis(u->set, axis) : -1;
    switch (u->rule->kind) {
    case GB_AUDIT_CACHE:
        return gb_arena_printf(arena, "that with a %s cache%s%s", u->row->cache,
                               u->set == finding->set ? "" : " in ",
                               u->set == finding->set ? "" : u->set->experiment);
    case GB_AUDIT_EXPERIMENT:
        return gb_arena_printf(arena, "the same in %s", u->set->experiment);
    case GB_AUDIT_INSTANCE:
        return u->row->variant;
    default:
        return gb_arena_printf(arena, "%s %s", axis,
                               at < 0 ? "" : gb_axis_readable(arena, u->row->axis[at]));
    }
}

static const char *unlike_text(gb_arena *arena, const gb_finding *finding, const gb_unlike *u)
{
    const char *sibling = sibling_text(arena, finding, u);
    if (u->rule->kind == GB_AUDIT_MORE)
        return gb_arena_printf(arena, "takes %s, %s only %s", time_text(arena, finding->row),
                               sibling, time_text(arena, u->row));
    return gb_arena_printf(arena, "%s (%s) of %s, %s", gb_ratio_value_text(arena, &u->ratio),
                           gb_ratio_interval_text(arena, &u->ratio), sibling,
                           rate_text(arena, u->row));
}

/* What else tells the two rows apart: instances, flags, clocks. "" where nothing does. */
static const char *difference_text(gb_arena *arena, const gb_result_row *row,
                                   const gb_result_row *other)
{
    const char *text = "";
    if (strcmp(row->instance, other->instance) != 0)
        text = gb_arena_printf(arena, "; instance %s against %s",
                               *row->instance ? row->instance : "unsaid",
                               *other->instance ? other->instance : "unsaid");
    if (strcmp(row->flags_text, other->flags_text) != 0)
        text = gb_arena_printf(arena, "%s; flags %s against %s", text,
                               *row->flags_text ? row->flags_text : "none",
                               *other->flags_text ? other->flags_text : "none");
    const double a = row->sm_clock_mhz, b = other->sm_clock_mhz;
    if (a > 0 && b > 0 && fabs(a / b - 1) > 0.02)
        text = gb_arena_printf(arena, "%s; %.0f MHz against %.0f", text, a, b);
    return text;
}

static const char *row_text(gb_arena *arena, const gb_finding *finding)
{
    const gb_result_row *row = finding->row;
    return gb_arena_printf(arena, "%s, %s, %s%s", row->variant,
                           gb_pair_point(arena, finding->set, row, NULL), row->cache,
                           strcmp(row->scope, "device") == 0 ? "" : ", host to host");
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_finding(gb_arena *arena, const gb_finding *finding, FILE *file)
{
    gb_put_line(file, 2, "%s: %s 10⁹ %s/s", row_text(arena, finding),
                rate_text(arena, finding->row), *finding->row->unit ? finding->row->unit : "items");
    for (size_t i = 0; i < finding->count; i++) {
        const gb_unlike *u = &finding->unlike[i];
        gb_put_line(file, 4, "%s: %s%s%s%s", u->rule->name, unlike_text(arena, finding, u),
                    difference_text(arena, finding->row, u->row), u->known ? "; known: " : "",
                    u->known ? u->known->because : "");
    }
}

/* What to look at, of each rule that has found something. */
static void print_looks(const gb_audit *audit, FILE *file)
{
    for (size_t r = 0; r < audit->rules->count; r++) {
        const gb_audit_rule *rule = &audit->rules->items[r];
        size_t found = 0;
        for (size_t i = 0; i < audit->finding_count; i++)
            for (size_t k = 0; k < audit->findings[i].count; k++)
                found += audit->findings[i].unlike[k].rule == rule &&
                         !audit->findings[i].unlike[k].known;
        if (found) gb_put_line(file, 0, "%s (%zu): %s", rule->name, found, rule->look);
    }
}

static void print_closing(gb_arena *arena, const gb_audit *audit, FILE *file)
{
    if (audit->simt)
        gb_put_line(file, 0,
                    "%zu rows of the simt device are left out: their times are the "
                    "CPU's",
                    audit->simt);
    if (audit->unknown_l2)
        gb_put_line(file, 0,
                    "warm and cold are not held against one another where no meta file tells the "
                    "size of the L2");
    if (audit->without_noise)
        gb_put_line(file, 0,
                    "where the noise was never measured (`gpubench run CONFIG --aa`), or "
                    "of a scope or kind of row that it was not measured of, the floor is "
                    "taken for %g %%",
                    100 * audit->rules->noise);
    const char *stale =
        audit->stale
            ? gb_arena_printf(arena, ", %zu known causes that explain nothing", audit->stale)
            : "";
    gb_put_line(file, 0,
                "%zu rows audited: %zu slower than they should be, %zu more whose cause is known%s",
                audit->rows, audit->open, audit->explained, stale);
}

static void put_text(void *output, const void *item)
{
    const gb_audit_output *out = output;
    const gb_audit *audit = item;
    FILE *file = out->file;
    gb_arena *arena = &audit->sides->arena;
    const gb_result_set *last = NULL;
    for (size_t i = 0; i < audit->finding_count; i++) {
        const gb_finding *finding = &audit->findings[i];
        if (finding->open == 0 && !out->rows) continue;
        if (finding->set != last)
            fprintf(file, "%s%s on %s\n", last ? "\n" : "", finding->set->experiment,
                    finding->row->device);
        last = finding->set;
        print_finding(arena, finding, file);
    }
    if (last) fputc('\n', file);
    for (size_t i = 0; i < audit->knowns->count; i++) {
        const gb_audit_known *known = &audit->knowns->items[i];
        if (gb_audit_is_stale(audit, known))
            gb_put_line(file, 0,
                        "stale: %s, data row %zu: nothing is found any more of %s, "
                        "%s, %s, where %s: take it out",
                        known->path, known->line, known->experiment, known->variant, known->rule,
                        *known->where_text ? known->where_text : "ever");
    }
    print_looks(audit, file);
    if (last || audit->stale) fputc('\n', file);
    print_closing(arena, audit, file);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void put_row(gb_arena *arena, const gb_finding *finding, const gb_unlike *u, FILE *file)
{
    const gb_result_row *row = finding->row, *other = u->row;
    const char *const texts[] = {u->known ? "known" : "open",
                                 u->rule->name,
                                 row->device,
                                 finding->set->experiment,
                                 row->variant,
                                 gb_row_point(arena, finding->set, row),
                                 row->cache,
                                 row->scope,
                                 row->flags_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        gb_csv_put(file, texts[i], i == 0);
    gb_csv_put_number(file, row->rate, true);
    gb_csv_put_number(file, u->ratio.value, true);
    gb_csv_put_number(file, u->ratio.lo, true);
    gb_csv_put_number(file, u->ratio.hi, true);
    gb_csv_put_number(file, u->allowed, true);
    const char *const others[] = {u->set->experiment, other->variant,
                                  gb_row_point(arena, u->set, other), other->cache,
                                  other->flags_text};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        gb_csv_put(file, others[i], false);
    gb_csv_put_number(file, other->rate, true);
    gb_csv_put(file, u->known ? u->known->because : u->rule->look, false);
    putc('\n', file);
}

static void begin_csv(void *output)
{
    const gb_audit_output *out = output;
    fputs("verdict,rule,device,experiment,variant,point,cache,scope,flags,rate,ratio,ratio_ci95_lo,"
          "ratio_ci95_hi,allowed,other_experiment,other_variant,other_point,other_cache,"
          "other_flags,other_rate,text\n",
          out->file);
}

static void put_csv(void *output, const void *item)
{
    const gb_audit_output *out = output;
    const gb_audit *audit = item;
    FILE *file = out->file;
    for (size_t i = 0; i < audit->finding_count; i++)
        for (size_t k = 0; k < audit->findings[i].count; k++)
            put_row(&audit->sides->arena, &audit->findings[i], &audit->findings[i].unlike[k], file);
    for (size_t i = 0; i < audit->knowns->count; i++) {
        const gb_audit_known *known = &audit->knowns->items[i];
        if (!gb_audit_is_stale(audit, known)) continue;
        const char *const texts[] = {"stale",           known->rule,    "",
                                     known->experiment, known->variant, known->where_text};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            gb_csv_put(file, texts[t], t == 0);
        fputs(",,,,,,,,,,,,,,", file);
        gb_csv_put(file, known->because, false);
        putc('\n', file);
    }
}

const gb_exporter gb_audit_exporters[] = {
    {"text", NULL, put_text, NULL}, {"csv", begin_csv, put_csv, NULL}, {NULL, NULL, NULL, NULL}};
