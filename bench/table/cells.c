/* The inside of building a table: which series there are, and what each says at a point. */
#include "bench/table/cells.h"

#include "bench/rows/elsewhere.h"
#include "bench/rows/published.h"
#include "bench/rows/ratio.h"
#include "bench/table/build.h"
#include "bench/table/numbers.h"
#include "common/protocol/flags.h"
#include "common/text/number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A measured interval wider than this (half width over mean) is printed with the value. */
static const double shown_half_width = 0.005;
/* Values of rows with one of these flags have a star. */
static const unsigned starred_flags =
    GB_FLAG_THROTTLED | GB_FLAG_DRIFT | GB_FLAG_AUTOCORRELATED | GB_FLAG_REDONE | GB_FLAG_UNGATED;

/* ---- cells ----------------------------------------------------------------------------------- */

static const gb_result_row *find_measured(const gb_table_builder *b, const gb_result_row *point,
                                          const char *variant, const char *device)
{
    gb_result_row key = *point;
    key.variant = variant;
    key.device = device;
    key.quantity = "";
    return gb_result_find(b->set, &key);
}

/* Whether the first of two rows of a point is the better one: one that was right, then the faster.
 */
static bool is_better(const gb_result_row *row, const gb_result_row *other)
{
    if (!other || row->status != GB_OK || other->status != GB_OK)
        return !other || (row->status == GB_OK && other->status != GB_OK);
    if (row->rate > 0 && other->rate > 0) return row->rate > other->rate;
    return row->time_s < other->time_s;
}

/* Puts a point at values of axes; NULL: at none. */
static void hold(const gb_table_builder *b, gb_result_row *point, const gb_choices *at)
{
    for (size_t i = 0; at && i < at->count; i++)
        point->axis[gb_result_axis(b->set, at->items[i].name)] = at->items[i].value;
}

const gb_result_row *gb_table_row(const gb_table_builder *b, const gb_table_series *s,
                                  const gb_result_row *point, const char *variant,
                                  const char *quantity)
{
    gb_result_row at = *point;
    const gb_result_row *best = NULL;
    hold(b, &at, s->at);
    for (const char *from = variant; *from;) {
        /* what only the results name is no list, whatever they call it */
        const size_t length = s->further ? strlen(from) : strcspn(from, ";");
        const char *name = gb_arena_strndup(b->arena, from, length);
        const gb_result_row *row = s->published
                                       ? gb_published_find(s->elsewhere ? s->elsewhere : b->paper,
                                                           b->set, &at, name, s->device, quantity)
                                       : find_measured(b, &at, name, s->device);
        if (row && is_better(row, best)) best = row;
        from += length + (from[length] == ';');
    }
    return best;
}

const gb_result_row *gb_table_row_over(const gb_table_builder *b, const gb_table_series *s,
                                       const gb_result_row *point, const char *variant,
                                       const gb_choices *at, const char *quantity)
{
    gb_table_series held = *s;
    gb_result_row over = *point;
    hold(b, &over, s->at);
    hold(b, &over, at);
    held.at = NULL;
    return gb_table_row(b, &held, &over, variant, quantity);
}

gb_ratio gb_table_ratio_per(const gb_result_set *set, const char *axis, const gb_result_row *point,
                            const gb_ratio *ratio)
{
    double parts;
    if (!gb_number_parse(point->axis[gb_result_axis(set, axis)], &parts) || !(parts > 0))
        return (gb_ratio){0};
    return (gb_ratio){ratio->value / parts, ratio->lo / parts, ratio->hi / parts, ratio->unstable};
}

/* What stands where a row has no value: "-" with its reason, or what went wrong. */
static const char *status_cell(gb_table_builder *b, const char *label, const gb_result_row *row)
{
    const char *word = gb_status_cell(row->status);
    if (!*row->reason) return word;
    if (b->layout->reasons_in_cells && row->status != GB_UNSUPPORTED)
        return gb_arena_printf(b->arena, "%s: %s", word, row->reason);
    return gb_arena_printf(b->arena, "%s%s", word, gb_table_reason_mark(b, label, row->reason));
}

/* A text with the half width of its interval, over the value, where that is worth a look. */
static const char *with_interval(gb_table_builder *b, const char *text, double half)
{
    if (!(half > shown_half_width)) return text;
    b->unstable |= isinf(half);
    if (isinf(half)) return gb_arena_printf(b->arena, "%s %s", text, gb_unstable);
    return gb_arena_printf(b->arena, "%s ±%s%%", text,
                           gb_significant(b->arena, 100 * half, half < 0.01 ? 1 : 2));
}

static const char *value_cell(gb_table_builder *b, const gb_table_series *s,
                              const gb_result_row *row)
{
    if (!row) return "";
    if (row->status != GB_OK) return status_cell(b, s->label, row);
    bool is_rate = b->layout->quantity == GB_QUANTITY_RATE;
    double value = is_rate ? row->rate : row->time_s;
    if (value <= 0) return "";
    gb_table_keep_said(b, s, row);

    int digits = row->digits ? row->digits : b->layout->digits;
    const char *text = gb_significant(b->arena, value / b->layout->scale, digits);
    if (!row->digits && row->samples == 1)
        text = gb_arena_printf(b->arena, "%s (n = 1)", text);
    else if (!row->digits)
        text = with_interval(b, text, gb_row_spread(row));
    b->sticky |= row->flags & GB_FLAG_AUTOCORRELATED;
    b->redone |= row->flags & GB_FLAG_REDONE;
    b->ungated |= row->flags & GB_FLAG_UNGATED;
    if (row->flags & starred_flags) {
        b->table->starred = true;
        text = gb_arena_printf(b->arena, "%s*", text);
    }
    return text;
}

static void keep_range(gb_table_builder *b, const gb_table_series *s, gb_ratio ratio)
{
    gb_table_series *kept = &b->series[s - b->series];
    if (kept->least.value == 0 || ratio.value < kept->least.value) kept->least = ratio;
    if (ratio.value > kept->most.value) kept->most = ratio;
}

/* A measured ratio, which is remembered. n = 1: a row of it is one sample. */
static const char *measured_ratio(gb_table_builder *b, const gb_table_series *s, gb_ratio ratio,
                                  bool single)
{
    keep_range(b, s, ratio);
    b->unstable |= ratio.unstable;
    const char *text = gb_ratio_text(b->arena, &ratio);
    return single ? gb_arena_printf(b->arena, "%s (n = 1)", text) : text;
}

void gb_table_add_range_remarks(gb_table_builder *b)
{
    for (size_t i = 0; i < b->series_count; i++) {
        const gb_table_series *s = &b->series[i];
        if (s->most.value > 0)
            gb_table_add_remark(b->arena, b->table,
                                gb_arena_printf(b->arena, "%s, %s: %s to %s.", s->label, s->source,
                                                gb_ratio_text(b->arena, &s->least),
                                                gb_ratio_text(b->arena, &s->most)));
    }
}

/* A ratio that a series is of. */
typedef struct found_ratio {
    const gb_result_row *of, *over; /* NULL: there is none; over: NULL of a limit */
    gb_ratio ratio;                 /* 0: one of them has no rate */
    const gb_result_row *printed;   /* the row in which a paper prints it; of and over are NULL */
} found_ratio;

/* What a measured row is held against: a row of the same device, or one that a paper prints. */
static const gb_result_row *row_over(gb_table_builder *b, const gb_table_series *s,
                                     const gb_result_row *point)
{
    if (!s->printed_for) return gb_table_row_over(b, s, point, s->over, s->over_at, "");
    const gb_table_series printed = {.at = s->at, .published = true, .device = s->printed_for};
    return b->paper ? gb_table_row(b, &printed, point, s->over, "rate") : NULL;
}

/* The share of what limits a variant that it reaches; the limit is taken for sure. */
static found_ratio find_share(gb_table_builder *b, const gb_table_series *s,
                              const gb_result_row *point)
{
    const gb_result_row *row = s->published ? NULL : gb_table_row(b, s, point, s->variant, "");
    found_ratio found = {.of = row && row->limit_rate > 0 ? row : NULL};
    if (found.of && row->status == GB_OK)
        found.ratio = gb_ratio_to_printed(row, row->limit_rate, 0);
    return found;
}

/* False if there is none. */
static bool find_ratio(gb_table_builder *b, const gb_table_series *s, const gb_result_row *point,
                       found_ratio *found)
{
    *found = (found_ratio){0};
    if (strcmp(s->over, gb_layout_limit) == 0) {
        *found = find_share(b, s, point);
        return found->of;
    }
    if (s->published) {
        found->printed = gb_table_row(b, s, point, s->variant, "speedup");
        return found->printed &&
               (!*found->printed->baseline || strcmp(found->printed->baseline, s->over) == 0);
    }
    const gb_result_row *of = found->of = gb_table_row(b, s, point, s->variant, ""),
                        *over = found->over = row_over(b, s, point);
    if (!of || !over) return false;
    /* Of the rates, whatever the table's quantity is: the best over an axis may be so at points
     * with different numbers of items. */
    if (of->status != GB_OK || over->status != GB_OK || over->rate <= 0) return true;
    found->ratio.value = of->rate / over->rate;
    gb_mean above, below;
    if (gb_cost_of_row(over, &above) && gb_cost_of_row(of, &below))
        found->ratio = gb_ratio_of_means(&above, &below);
    if (s->per) found->ratio = gb_table_ratio_per(b->set, s->per, of, &found->ratio);
    return true;
}

static const char *ratio_cell(gb_table_builder *b, const gb_table_series *s,
                              const gb_result_row *point)
{
    found_ratio found;
    if (!find_ratio(b, s, point, &found)) return "";
    const gb_result_row *row = found.printed, *over = found.over;
    if (row && row->status != GB_OK) return "-";
    if (row) gb_table_keep_said(b, s, row);
    if (row) return gb_significant(b->arena, row->speedup, row->digits ? row->digits : 3);
    if (over && s->printed_for) gb_table_keep_said(b, s, over);
    if (!(found.ratio.value > 0)) return "-";
    return measured_ratio(b, s, found.ratio,
                          found.of->samples == 1 || (over && over->samples == 1));
}

const char *gb_table_cell(gb_table_builder *b, const gb_table_series *s, const gb_result_row *point)
{
    if (s->over) return ratio_cell(b, s, point);
    const char *quantity = b->layout->quantity == GB_QUANTITY_RATE ? "rate" : "time";
    const gb_result_row *row = gb_table_row(b, s, point, s->variant, quantity);
    if (row) gb_table_keep_best(b, s, row);
    return value_cell(b, s, row);
}

/* ---- for programs ---------------------------------------------------------------------------- */

/* "keys" is what is counted, "flop/s" a rate already. */
static const char *rate_unit(gb_arena *arena, const char *unit)
{
    return strchr(unit, '/') ? unit : gb_arena_printf(arena, "%s/s", unit);
}

/* What is assumed, where it is printed, or why there is no number. */
static const char *note_of(gb_table_builder *b, const gb_table_series *s, const gb_result_row *row)
{
    if (row->status != GB_OK) return row->reason;
    if (s->elsewhere) return gb_elsewhere_note(b->arena, s->elsewhere, row);
    return row->assumption ? row->assumption : "";
}

static bool ratio_record(gb_table_builder *b, const gb_table_series *s, const gb_result_row *point,
                         gb_table_record *record)
{
    found_ratio found;
    if (!find_ratio(b, s, point, &found)) return false;
    record->quantity = "ratio";
    record->unit = "1";
    record->row = found.printed ? found.printed : found.of;
    record->value = found.ratio;
    if (found.printed) record->value.value = found.printed->speedup;
    if (found.over && found.over->status != GB_OK && found.of->status == GB_OK)
        record->row = found.over; /* it is why there is none */
    record->over = found.over ? found.over->variant : s->over;
    for (size_t i = 0; s->over_at && i < s->over_at->count; i++)
        record->over = gb_arena_printf(b->arena, "%s%s%s=%s", record->over, i ? "," : "[",
                                       s->over_at->items[i].name, s->over_at->items[i].value);
    if (s->over_at && s->over_at->count)
        record->over = gb_arena_printf(b->arena, "%s]", record->over);
    if (s->per) record->unit = gb_arena_printf(b->arena, "1/%s", s->per);
    record->variant = found.printed ? found.printed->variant : found.of->variant;
    return true;
}

static bool value_record(gb_table_builder *b, const gb_table_series *s, const gb_result_row *point,
                         gb_table_record *record)
{
    const bool is_rate = b->layout->quantity == GB_QUANTITY_RATE;
    record->quantity = is_rate ? "rate" : "time";
    const gb_result_row *row = gb_table_row(b, s, point, s->variant, record->quantity);
    if (!row) return false;
    record->row = row;
    record->variant = row->variant;
    record->unit = is_rate ? rate_unit(b->arena, row->unit) : "s";
    record->value = (gb_ratio){.value = is_rate ? row->rate : row->time_s,
                               .lo = is_rate ? row->rate_lo : row->time_lo_s,
                               .hi = is_rate ? row->rate_hi : row->time_hi_s,
                               .unstable = isinf(gb_row_spread(row))};
    /* a paper that says nothing of it has the value itself there */
    if (!(record->value.lo > 0) || (*row->quantity && record->value.lo == record->value.hi))
        record->value.lo = record->value.hi = 0;
    return row->status != GB_OK || record->value.value > 0;
}

bool gb_table_value(gb_table_builder *b, const gb_table_series *s, const gb_result_row *point,
                    gb_table_record *record)
{
    const char **axis = gb_arena_alloc(b->arena, GB_MAX_AXES * sizeof *axis);
    *record = (gb_table_record){.set = b->set,
                                .axis = axis,
                                .label = s->label,
                                .device = s->device,
                                .over = "",
                                .elsewhere = s->elsewhere != NULL};
    if (!(s->over ? ratio_record : value_record)(b, s, point, record)) return false;
    memcpy(axis, point->axis, GB_MAX_AXES * sizeof *axis);
    for (size_t i = 0; s->at && i < s->at->count; i++)
        axis[gb_result_axis(b->set, s->at->items[i].name)] = s->at->items[i].value;
    record->note = record->value.unstable ? gb_unstable : note_of(b, s, record->row);
    if (record->row->status != GB_OK) record->value = (gb_ratio){0};
    if (record->value.unstable) record->value.lo = record->value.hi = 0;
    return true;
}

/* ---- series ---------------------------------------------------------------------------------- */

static void add_series(gb_table_builder *b, gb_table_series s)
{
    if (!*s.variant) return; /* it was not chosen */
    /* The vendor's name is in the caption; here it would only widen the table. */
    const char *model = strncmp(s.device, "NVIDIA ", 7) == 0 ? s.device + 7 : s.device;
    s.source = s.published ? gb_arena_printf(b->arena, "%s (%s)", model,
                                             s.elsewhere ? "elsewhere" : "paper")
                           : model;
    b->series =
        gb_arena_grow(b->arena, b->series, b->series_count, &b->series_capacity, sizeof *b->series);
    b->series[b->series_count++] = s;
}

/* One series for each device of a printed set; NULL: none. */
static void add_printed(gb_table_builder *b, gb_table_series s, const gb_result_set *printed)
{
    s.published = true;
    for (size_t i = 0; printed && i < printed->row_count; i++) {
        s.device = printed->rows[i].device;
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = strcmp(printed->rows[k].device, s.device) == 0;
        if (!seen) add_series(b, s);
    }
}

/* One series for each device of the paper, then one for each measured one, then those of what
 * others print, who print no ratios. */
static void add_sources(gb_table_builder *b, gb_table_series s)
{
    add_printed(b, s, b->paper);
    for (size_t d = 0; !b->set->published && d < b->slice->device_count; d++) {
        s.device = b->slice->devices[d];
        add_series(b, s);
    }
    for (size_t i = 0; i < b->elsewhere_count && !s.over; i++) {
        s.elsewhere = b->elsewhere[i];
        add_printed(b, s, s.elsewhere);
    }
}

/* Of variants, separated by ";", those that were chosen; "": none. */
static const char *wanted(const gb_table_builder *b, const char *variants)
{
    return gb_choice_of_variants(b->arena, b->slice->variants, variants);
}

/* Of one that is shown as the fastest of several the row is another one. */
static bool is_listed(const gb_table_builder *b, const char *variant)
{
    for (size_t v = 0; v < b->layout->variant_count; v++)
        if (strcmp(wanted(b, b->layout->variants[v].name), variant) == 0) return true;
    return false;
}

/* Adds a variant that the layout does not name, unless it is there; the series from `first` on are
 * of such variants. */
static void add_further(gb_table_builder *b, size_t first, const char *variant)
{
    bool seen = is_listed(b, variant);
    for (size_t k = first; k < b->series_count && !seen; k++)
        seen = strcmp(b->series[k].variant, variant) == 0;
    if (!seen)
        add_sources(b, (gb_table_series){.label = variant, .variant = variant, .further = true});
}

void gb_table_make_series(gb_table_builder *b)
{
    const gb_table_layout *layout = b->layout;
    for (size_t v = 0; v < layout->variant_count; v++)
        add_sources(b, (gb_table_series){.label = layout->variants[v].label,
                                         .variant = wanted(b, layout->variants[v].name),
                                         .at = &layout->variants[v].at});
    for (size_t r = 0; r < layout->ratio_count; r++)
        add_sources(b, (gb_table_series){.label = layout->ratios[r].label,
                                         .variant = wanted(b, layout->ratios[r].of),
                                         .over = layout->ratios[r].over,
                                         .printed_for = layout->ratios[r].printed_for,
                                         .over_at = &layout->ratios[r].over_at,
                                         .per = layout->ratios[r].per,
                                         .at = &layout->ratios[r].at});
    if (!layout->further_variants) return;
    const size_t first = b->series_count;
    for (size_t i = 0; i < b->slice->row_count; i++)
        add_further(b, first, b->slice->rows[i]->variant);
    for (size_t i = 0; i < b->elsewhere_count; i++)
        for (size_t k = 0; k < b->elsewhere[i]->row_count; k++)
            add_further(b, first, wanted(b, b->elsewhere[i]->rows[k].variant));
}

bool gb_table_says_something(const gb_table_series *s, const char *const *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool lacks_number = cells[i][0] == '\0' || cells[i][0] == '-';
        if (*cells[i] && !((s->over || s->further) && lacks_number)) return true;
    }
    return false;
}
