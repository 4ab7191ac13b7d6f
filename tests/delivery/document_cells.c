/* Cells of a table: the row that a cell is from, and whether it says what the row does. */
#include "tests/delivery/document_table.h"

#include "bench/rows/ratio.h"
#include "bench/rows/select.h"
#include "bench/table/build.h"
#include "common/protocol/flags.h"
#include "common/text/size.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a label means ---------------------------------------------------------------------- */

/* Takes the series if the head is its label, alone or with a device behind it. */
static bool take_label(gb_arena *arena, shown_series *s, const char *head, const char *label)
{
    const size_t length = strlen(label);
    if (s->label && strlen(s->label) >= length) return false;
    if (!begins(head, label) || (head[length] && !begins(head + length, ", "))) return false;
    *s = (shown_series){.label = label};
    if (head[length]) s->source = gb_arena_strdup(arena, head + length + 2);
    return true;
}

shown_series series_of_label(table_check *c, const char *head)
{
    gb_arena *arena = &c->d->arena;
    const gb_table_layout *layout = &c->layout;
    shown_series s = {0};
    for (size_t i = 0; i < layout->variant_count; i++)
        if (take_label(arena, &s, head, layout->variants[i].label)) {
            s.of = layout->variants[i].name;
            s.held = &layout->variants[i].at;
        }
    for (size_t i = 0; i < layout->ratio_count; i++)
        if (take_label(arena, &s, head, layout->ratios[i].label)) {
            s.of = layout->ratios[i].of;
            s.over = layout->ratios[i].over;
            s.printed_for = layout->ratios[i].printed_for;
            s.held = &layout->ratios[i].at;
            s.over_held = &layout->ratios[i].over_at;
            s.per = layout->ratios[i].per;
        }
    for (size_t i = 0; i < c->set->row_count && layout->further_variants; i++)
        if (take_label(arena, &s, head, c->set->rows[i].variant)) s.of = c->set->rows[i].variant;
    return s;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const char *held_at(const gb_choices *held, const char *axis)
{
    for (size_t i = 0; held && i < held->count; i++)
        if (strcmp(held->items[i].name, axis) == 0) return held->items[i].value;
    return NULL;
}

/* Whether a value is meant by a text of the document. */
static bool is_value(gb_arena *arena, const char *text, const char *value)
{
    return gb_size_same(text, value) || strcmp(text, gb_axis_shown(arena, value)) == 0;
}

bool is_source(const char *source, const char *device)
{
    static const char vendor[] = "NVIDIA ";
    if (begins(device, vendor)) device += strlen(vendor);
    return strcmp(source, device) == 0;
}

static bool is_left_out(const table_check *c, const gb_result_row *row)
{
    return c->layout.no_cache_resident && !c->set->simt && row->flags & GB_FLAG_CACHE_RESIDENT;
}

bool is_in_slice(const table_check *c, const gb_result_row *row)
{
    gb_arena *arena = &c->d->arena;
    if ((c->cache && strcmp(c->cache, row->cache) != 0) ||
        (c->scope && strcmp(c->scope, row->scope) != 0) || is_left_out(c, row))
        return false;
    for (unsigned a = 0; a < c->set->axis_count; a++) {
        if (!c->drawn[a]) {
            if (c->held[a] && !is_value(arena, c->held[a], row->axis[a])) return false;
            continue;
        }
        for (size_t i = 0; i < c->chosen.count; i++)
            if (strcmp(c->chosen.items[i].name, c->set->axes[a]) == 0 &&
                !gb_choice_allows(arena, &c->chosen.items[i], row->axis[a]))
                return false;
    }
    return true;
}

/* Whether a measured row stands where the cell does, or as what its ratio is over. */
static bool stands_there(const table_check *c, const shown_series *s, const gb_result_row *row,
                         bool over)
{
    gb_arena *arena = &c->d->arena;
    if ((c->cache && strcmp(c->cache, row->cache) != 0) ||
        (c->scope && strcmp(c->scope, row->scope) != 0) || is_left_out(c, row) ||
        (s->source && !is_source(s->source, row->device)))
        return false;
    for (unsigned a = 0; a < c->set->axis_count; a++) {
        const char *text = over ? held_at(s->over_held, c->set->axes[a]) : NULL;
        if (!text) text = held_at(s->held, c->set->axes[a]);
        if (!text) text = c->drawn[a] ? c->at[a] : c->held[a];
        if (text && !is_value(arena, text, row->axis[a])) return false;
    }
    return true;
}

/* Whether a list of names, separated by ";", has this one. */
static bool lists(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; *at;) {
        const size_t part = strcspn(at, ";");
        if (part == length && strncmp(at, name, length) == 0) return true;
        at += part + (at[part] == ';');
    }
    return false;
}

/* The fastest of the rows that the cell can be; the first, where none was right. */
static const gb_result_row *row_of(const table_check *c, const shown_series *s, const char *names,
                                   bool over)
{
    const gb_result_row *best = NULL;
    for (size_t i = 0; i < c->set->row_count; i++) {
        const gb_result_row *row = &c->set->rows[i];
        if (!lists(names, row->variant) || !stands_there(c, s, row, over)) continue;
        if (!best || (row->status == GB_OK && (best->status != GB_OK || row->rate > best->rate)))
            best = row;
    }
    return best;
}

const char *best_of_row(table_check *c, const gb_result_row *row)
{
    const char *text = "";
    for (size_t i = 0; i < c->layout.best_axis_count; i++) {
        const int axis = gb_result_axis(c->set, c->layout.best_axes[i]);
        if (axis >= 0)
            text = gb_arena_printf(&c->d->arena, "%s%s%s", text, *text ? "/" : "", row->axis[axis]);
    }
    return text;
}

static void keep(table_check *c, const shown_series *s, const gb_result_row *row, gb_ratio ratio)
{
    c->seen =
        gb_arena_grow(&c->d->arena, c->seen, c->seen_count, &c->seen_capacity, sizeof *c->seen);
    c->seen[c->seen_count++] = (seen_cell){s->label, s->source, row, ratio};
}

/* ---- what a cell says ------------------------------------------------------------------------ */

/* Behind a value: nothing, the half width of its interval in per cent, or that there is none. */
static bool rest_is(const char *rest, double half, unsigned long samples)
{
    printed width;
    if (*rest == '\0') return true;
    if (strcmp(rest, " (n = 1)") == 0) return samples == 1;
    if (strcmp(rest, " unstable") == 0) return half >= 1;
    if (!begins(rest, " ±") || !parse_printed(rest + strlen(" ±"), &width)) return false;
    return strcmp(width.rest, "%") == 0 && rounds_to(100 * half, &width);
}

/* " (1.2 to 2.9)" */
static bool takes_ends(const char **text, const gb_ratio *ratio)
{
    printed number;
    if (!begins(*text, " (") || !parse_printed(*text + 2, &number) ||
        !rounds_to(ratio->lo, &number) || !begins(number.rest, " to ") ||
        !parse_printed(number.rest + 4, &number) || !rounds_to(ratio->hi, &number) ||
        *number.rest != ')')
        return false;
    *text = number.rest + 1;
    return true;
}

/* " ±0.002": as many decimals as the ratio has, rounded up, and no more digits than two. */
static bool takes_half(const char **text, const gb_ratio *ratio, int decimals)
{
    printed number;
    const double unit = pow(10, -decimals),
                 half = fmax(ratio->hi - ratio->value, ratio->value - ratio->lo);
    if (!begins(*text, " ±") || !parse_printed(*text + strlen(" ±"), &number) ||
        number.decimals != decimals || number.value < half * (1 - 1e-6) ||
        number.value >= half + unit * (1 + 1e-6) || (decimals && number.value > 36 * unit))
        return false;
    *text = number.rest;
    return true;
}

bool takes_ratio(const char **text, const gb_ratio *ratio)
{
    static const char unstable[] = " unstable";
    printed number;
    if (!parse_printed(*text, &number) || !rounds_to(ratio->value, &number)) return false;
    *text = number.rest;
    if (ratio->lo > 0) return takes_half(text, ratio, number.decimals) || takes_ends(text, ratio);
    if (!ratio->unstable) return true;
    if (!begins(*text, unstable)) return false;
    *text += strlen(unstable);
    return true;
}

/* "wrong", "wrong: REASON" */
static bool says_status(table_check *c, const char *text, const gb_result_row *row)
{
    static const char *const words[GB_STATUS_COUNT] = {
        [GB_UNSUPPORTED] = "-",   [GB_WRONG] = "wrong",     [GB_OUT_OF_MEMORY] = "memory",
        [GB_TIMEOUT] = "timeout", [GB_CRASHED] = "crashed",
    };
    const char *word = words[row->status];
    return word &&
           (strcmp(text, word) == 0 ||
            (c->layout.reasons_in_cells &&
             strcmp(text, gb_arena_printf(&c->d->arena, "%s: %s", word, row->reason)) == 0));
}

static double factor_of(const table_check *c, const gb_result_row *row)
{
    const gb_scale_by *scale = c->layout.scale_by;
    if (!scale || strcmp(row->unit, scale->unit) == 0) return 1;
    const char *value = row->axis[gb_result_axis(c->set, scale->axis)];
    for (size_t i = 0; i < scale->count; i++)
        if (strcmp(scale->values[i], value) == 0) return scale->factors[i];
    return 0;
}

static bool is_variant_cell(table_check *c, const shown_series *s, const printed *number)
{
    const gb_result_row *row = row_of(c, s, s->of, false);
    if (!row || row->status != GB_OK) return false;
    const bool is_rate = c->layout.quantity == GB_QUANTITY_RATE;
    const double value = is_rate ? row->rate * factor_of(c, row) : row->time_s;
    /* a rate is as unsure as the time is */
    const double half = (row->time_hi_s - row->time_lo_s) / 2 / row->time_s;
    keep(c, s, row, (gb_ratio){0});
    return rounds_to(value / c->layout.scale, number) && rest_is(number->rest, half, row->samples);
}

/* Whether a row of the paper stands where the cell does; values that it does not say are any. */
static bool is_printed_there(const table_check *c, const shown_series *s, const gb_result_row *row)
{
    for (unsigned a = 0; a < c->set->axis_count; a++) {
        const int axis = gb_result_axis(c->paper, c->set->axes[a]);
        const char *text = held_at(s->held, c->set->axes[a]);
        if (!text) text = c->drawn[a] ? c->at[a] : c->held[a];
        if (!text || axis < 0) continue;
        const char *value = row->axis[axis];
        if (*value && strcmp(value, gb_any) != 0 && strcmp(value, gb_best) != 0 &&
            !is_value(&c->d->arena, text, value))
            return false;
    }
    return true;
}

static const gb_result_row *printed_over(const table_check *c, const shown_series *s)
{
    for (size_t i = 0; c->paper && i < c->paper->row_count; i++) {
        const gb_result_row *row = &c->paper->rows[i];
        if (strcmp(row->device, s->printed_for) == 0 && lists(s->over, row->variant) &&
            strcmp(row->quantity, "rate") == 0 && is_printed_there(c, s, row))
            return row;
    }
    return NULL;
}

/* The ratio of the rates of two rows; over NULL: of one row to what limits it. */
static gb_ratio ratio_of(const table_check *c, const gb_result_row *of, const gb_result_row *over)
{
    gb_mean above, below;
    gb_ratio ratio = {.value = over
                                   ? of->rate * factor_of(c, of) / (over->rate * factor_of(c, over))
                                   : of->rate / of->limit_rate};
    if (!gb_cost_of_row(of, &below)) return ratio;
    if (over && !gb_cost_of_row(over, &above)) return ratio;
    if (!over) above = (gb_mean){.value = 1 / of->limit_rate};
    const gb_ratio found = gb_ratio_of_means(&above, &below);
    const double scale = ratio.value / found.value; /* of factors, which are sure */
    return (gb_ratio){ratio.value, found.lo * scale, found.hi * scale, found.unstable};
}

static bool is_ratio_cell(table_check *c, const shown_series *s, const char *said)
{
    const gb_result_row *of = row_of(c, s, s->of, false);
    const bool limit = strcmp(s->over, gb_layout_limit) == 0;
    const gb_result_row *over = limit            ? of
                                : s->printed_for ? printed_over(c, s)
                                                 : row_of(c, s, s->over, true);
    if (!of || !over || of->status != GB_OK || over->status != GB_OK) return false;
    gb_ratio ratio = ratio_of(c, of, limit ? NULL : over);
    const double parts = s->per ? strtod(of->axis[gb_result_axis(c->set, s->per)], NULL) : 1;
    ratio = (gb_ratio){ratio.value / parts, ratio.lo / parts, ratio.hi / parts, ratio.unstable};
    keep(c, s, NULL, ratio);
    return takes_ratio(&said, &ratio) &&
           (*said == '\0' ||
            (strcmp(said, " (n = 1)") == 0 && (of->samples == 1 || over->samples == 1)));
}

/* Of a paper: rows whose point is not said stand anywhere. */
static bool is_published_row(const table_check *c, const shown_series *s, const gb_result_row *row)
{
    const shown_series anywhere = {0};
    return lists(s->of, row->variant) &&
           (!s->over || lists(s->over, row->baseline) || !*row->baseline) &&
           is_printed_there(c, &anywhere, row);
}

static bool is_published_cell(table_check *c, const shown_series *s, const printed *number)
{
    for (size_t i = 0; c->paper && i < c->paper->row_count; i++) {
        const gb_result_row *row = &c->paper->rows[i];
        const bool rate = c->layout.quantity == GB_QUANTITY_RATE;
        const char *quantity = s->over ? "speedup" : rate ? "rate" : "time";
        if (strcmp(row->quantity, quantity) != 0 || row->status != GB_OK ||
            !is_published_row(c, s, row))
            continue;
        const double value = s->over ? row->speedup
                             : rate  ? row->rate * factor_of(c, row)
                                     : row->time_s;
        if (rounds_to(value / (s->over ? 1 : c->layout.scale), number) && !*number->rest)
            return true;
    }
    return false;
}

void check_cell(table_check *c, const shown_series *s, const char *text)
{
    static const char paper[] = " (paper)";
    const char *source = s->source ? s->source : "";
    const size_t length = strlen(source);
    const bool published =
        c->set->published ||
        (length > strlen(paper) && strcmp(source + length - strlen(paper), paper) == 0);
    const char *said = unmarked(&c->d->arena, text);
    printed number;
    bool good;
    if (!*said) return;
    if (!parse_printed(said, &number)) {
        const gb_result_row *row = published || s->over ? NULL : row_of(c, s, s->of, false);
        if (!published && !s->over && (!row || !says_status(c, said, row)))
            lose(c->d, c->b, c->line, "'%s': %s has no such status there", said, s->of);
        return;
    }
    if (published)
        good = is_published_cell(c, s, &number);
    else
        good = s->over ? is_ratio_cell(c, s, said) : is_variant_cell(c, s, &number);
    if (good)
        c->d->found++;
    else
        lose(c->d, c->b, c->line, "'%s' is not what %s has for %s there", said, c->b->words[1],
             s->label);
}
