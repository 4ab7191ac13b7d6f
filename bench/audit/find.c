/* Holding rules against rows. */
#include "bench/audit/audit.h"
#include "bench/rows/ratio.h"
#include "common/protocol/conditions.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row and the set that it is of. */
typedef struct member {
    const gb_result_set *set;
    const gb_result_row *row;
} member;

typedef struct finder {
    gb_audit *audit;
    gb_arena *arena;
    gb_room room;
    const gb_audit_rule *rule;
    member *group; /* rows that the rule holds against one another */
    size_t count, capacity;
} finder;

/* ---- rows ------------------------------------------------------------------------------------ */

/* Whether rows of a set are audited at all. */
static bool is_audited(const gb_result_set *set)
{
    return !set->published && !set->profile && !set->simt;
}

static bool is_wanted(const finder *f, const gb_result_set *set, const gb_result_row *row)
{
    return row->status == GB_OK && row->time_s > 0 && row->rate > 0 &&
           (!f->audit->device || strstr(row->device, f->audit->device)) &&
           gb_terms_hold(f->arena, &f->rule->where, set, row);
}

static void add_member(finder *f, const gb_result_set *set, const gb_result_row *row)
{
    if (!row || !is_wanted(f, set, row)) return;
    f->group = gb_arena_grow(f->arena, f->group, f->count, &f->capacity, sizeof *f->group);
    f->group[f->count++] = (member){set, row};
}

/* Adds what another set has at a row's point, with that cache mode; its axes may be in another
 * order. */
static void add_twin(finder *f, const gb_result_set *to, const gb_result_set *from,
                     const gb_result_row *row, const char *cache)
{
    gb_result_row key = *row;
    key.cache = cache;
    if (!is_audited(to) || strcmp(to->primitive, from->primitive) != 0 ||
        to->axis_count != from->axis_count)
        return;
    for (unsigned a = 0; a < to->axis_count; a++) {
        const int axis = gb_result_axis(from, to->axes[a]);
        if (axis < 0) return;
        key.axis[a] = row->axis[axis];
    }
    add_member(f, to, gb_result_find(to, &key));
}

/* The rate of a over that of b with its interval, from their samples where the files have them. */
static gb_ratio ratio_of(finder *f, const member *a, const member *b)
{
    gb_sides *sides = f->audit->sides;
    const double *of_a = NULL, *of_b = NULL;
    if (a->row->samples > 1 && b->row->samples > 1) {
        of_a = gb_side_samples(sides, a->set, a->row);
        of_b = of_a ? gb_side_samples(sides, b->set, b->row) : NULL;
    }
    return gb_ratio_of_rows(&f->room, b->row, of_b, a->row, of_a);
}

/* How far equal runs of a row may be found apart. */
static double floor_of(finder *f, const member *m)
{
    const gb_noise_row row = gb_noise_row_of(m->set, m->row);
    const gb_noise_class *noise = gb_noise_find(f->audit->noise, &row);
    f->audit->without_noise += !noise;
    return noise ? noise->floor : f->audit->rules->noise;
}

/* ---- findings -------------------------------------------------------------------------------- */

/* Whether an entry lies beside a row: the same device elsewhere is another one. */
static bool is_beside(const gb_audit_known *known, const gb_result_row *row)
{
    return strcmp(known->folder, row->place->folder) == 0;
}

/* Whether an entry explains what a rule says of a row. */
static bool explains(const finder *f, const gb_audit_known *known, const member *slow)
{
    return strcmp(known->rule, f->rule->name) == 0 && is_beside(known, slow->row) &&
           strcmp(known->experiment, slow->set->experiment) == 0 &&
           (strcmp(known->variant, "*") == 0 ||
            gb_text_lists(known->variant, slow->row->variant)) &&
           gb_terms_hold(f->arena, &known->where, slow->set, slow->row);
}

static gb_finding *finding_of(gb_audit *audit, const member *slow)
{
    for (size_t i = audit->finding_count; i-- > 0;)
        if (audit->findings[i].row == slow->row) return &audit->findings[i];
    audit->findings = gb_arena_grow(&audit->sides->arena, audit->findings, audit->finding_count,
                                    &audit->finding_capacity, sizeof *audit->findings);
    gb_finding *finding = &audit->findings[audit->finding_count++];
    *finding = (gb_finding){.set = slow->set, .row = slow->row};
    return finding;
}

/* Notes it, once for each sibling: that of two rules that find it the first counts. */
static void note(finder *f, const member *slow, const member *other, const gb_ratio *ratio,
                 double allowed)
{
    gb_finding *finding = finding_of(f->audit, slow);
    for (size_t i = 0; i < finding->count; i++)
        if (finding->unlike[i].row == other->row) return;
    const gb_audit_known *known = NULL;
    for (size_t i = 0; i < f->audit->knowns->count; i++) {
        gb_audit_known *entry = &f->audit->knowns->items[i];
        if (!explains(f, entry, slow)) continue;
        entry->met = true;
        if (!known) known = entry;
    }
    finding->unlike = gb_arena_grow(f->arena, finding->unlike, finding->count, &finding->capacity,
                                    sizeof *finding->unlike);
    finding->unlike[finding->count++] =
        (gb_unlike){f->rule, other->set, other->row, *ratio, allowed, known};
    finding->open += !known;
}

/* Whether slow is sure to be slower than other, by more than what is let pass. value, times: what
 * is compared are rates times `scale`. */
static bool is_slower(finder *f, const member *slow, const member *other, double scale,
                      double allowance, gb_ratio *ratio, double *allowed)
{
    const double value = slow->row->rate / other->row->rate * scale;
    *allowed = fmax(f->rule->margin, fmax(floor_of(f, slow), floor_of(f, other))) + allowance;
    if (!(value * (1 + *allowed) < 1)) return false;
    *ratio = ratio_of(f, slow, other); /* of times, as of equal work */
    const double work = value / ratio->value;
    ratio->value *= work;
    ratio->lo *= work;
    ratio->hi *= work;
    return ratio->lo > 0 && ratio->hi < 1;
}

static void hold_against(finder *f, const member *slow, const member *other, double scale,
                         double allowance)
{
    gb_ratio ratio;
    double allowed;
    if (is_slower(f, slow, other, scale, allowance, &ratio, &allowed))
        note(f, slow, other, &ratio, allowed);
}

/* ---- rows that are alike --------------------------------------------------------------------- */

/* Whether two rows of a group differ in what the rule is about. */
static bool differ(const finder *f, const member *a, const member *b)
{
    if (f->rule->kind == GB_AUDIT_CACHE) return strcmp(a->row->cache, b->row->cache) != 0;
    if (f->rule->kind == GB_AUDIT_EXPERIMENT) return a->set != b->set;
    return a->row != b->row;
}

/* Cold caches cost, and warm ones may owe, what the L2 holds: that part of what the work moves at
 * least. Negative: the work is too small to tell, or nothing is known of the L2. */
static double cache_allowance(finder *f, const member *m)
{
    const gb_run_facts *run = gb_side_run(f->audit->sides, m->row);
    const gb_result_row *row = m->row;
    if (!(run->l2_bytes > 0) || !(run->copy_bytes_per_s > 0)) {
        f->audit->unknown_l2++;
        return -1;
    }
    if (!(row->limit_rate > 0)) return -1; /* the host's */
    const double bytes = run->copy_bytes_per_s / row->limit_rate * row->rate * row->time_s;
    const double fillings = bytes / run->l2_bytes;
    return fillings >= f->rule->beyond_l2 ? 1 / fillings : -1;
}

/* Each row of the group against the fastest of those that should be as fast. */
static void hold_alike(finder *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const member *best = NULL;
        for (size_t k = 0; k < f->count; k++)
            if (differ(f, &f->group[i], &f->group[k]) &&
                (!best || f->group[k].row->rate > best->row->rate))
                best = &f->group[k];
        if (!best || !(best->row->rate > f->group[i].row->rate)) continue;
        const double allowance =
            f->rule->kind == GB_AUDIT_CACHE ? cache_allowance(f, &f->group[i]) : 0;
        if (allowance >= 0) hold_against(f, &f->group[i], best, 1, allowance);
    }
}

/* ---- along an axis --------------------------------------------------------------------------- */

static int by_axis(const void *x, const void *y, void *context)
{
    const member *a = x, *b = y;
    const unsigned axis = *(const unsigned *)context;
    return gb_axis_compare(a->row->axis[axis], b->row->axis[axis]);
}

static void hold_along(finder *f, unsigned axis)
{
    member *g = f->group;
    qsort_r(g, f->count, sizeof *g, by_axis, &axis);
    for (size_t i = 0; f->rule->kind == GB_AUDIT_MORE && i + 1 < f->count; i++) {
        /* times are compared: rates of as much work */
        const double work =
            g[i + 1].row->rate * g[i + 1].row->time_s / (g[i].row->rate * g[i].row->time_s);
        hold_against(f, &g[i], &g[i + 1], work, 0);
    }
    for (size_t i = 1; f->rule->kind == GB_AUDIT_DIP && i + 1 < f->count; i++) {
        const bool before = g[i - 1].row->rate < g[i + 1].row->rate;
        hold_against(f, &g[i], before ? &g[i - 1] : &g[i + 1], 1, 0); /* the slower neighbour */
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Whether a value of the rule's axis is one that it is about. */
static bool has_value(const gb_audit_rule *rule, const char *value)
{
    double number;
    if (rule->kind != GB_AUDIT_AXIS) return gb_number_parse(value, &number);
    for (size_t i = 0; i < rule->value_count; i++)
        if (strcmp(rule->values[i], value) == 0) return true;
    return rule->value_count == 0;
}

/* The values of an axis that a set has, each once. */
static const char **values_of(finder *f, const gb_result_set *set, unsigned axis, size_t *count)
{
    const char **values = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t r = 0; r < set->row_count; r++) {
        const char *value = set->rows[r].axis[axis];
        size_t k = *count;
        while (k > 0 && strcmp(values[k - 1], value) != 0)
            k--;
        if (k > 0 || !has_value(f->rule, value)) continue;
        values = gb_arena_grow(f->arena, values, *count, &capacity, sizeof *values);
        values[(*count)++] = value;
    }
    return values;
}

/* All rows that differ from this one in the rule's matter alone, if it is the first of them. */
static bool gather(finder *f, const gb_result_set *set, const gb_result_row *row, int axis,
                   const char **values, size_t value_count)
{
    const gb_results *results = NULL;
    gb_result_row key = *row;
    f->count = 0;
    for (size_t v = 0; axis >= 0 && v < value_count; v++) {
        key.axis[axis] = values[v];
        add_member(f, set, gb_result_find(set, &key));
    }
    if (f->rule->kind == GB_AUDIT_INSTANCE && *row->instance) {
        key.variant = row->instance;
        add_member(f, set, row);
        add_member(f, set, gb_result_find(set, &key));
        return f->count == 2; /* the row is the first of its kind by its name */
    }
    const bool caches_differ = f->rule->kind == GB_AUDIT_CACHE;
    if (!caches_differ && f->rule->kind != GB_AUDIT_EXPERIMENT)
        return f->count > 1 && f->group[0].row == row;
    for (size_t o = 0; o < f->audit->sides->operand_count; o++) {
        results = &f->audit->sides->operands[o];
        for (size_t s = 0; s < results->set_count; s++)
            for (size_t k = 0; k < (caches_differ ? 2 : 1); k++)
                add_twin(f, &results->sets[s], set, row,
                         caches_differ ? gb_cache_name(k == 1) : row->cache);
    }
    return f->count > 1 && f->group[0].row == row;
}

static void hold_against_set(finder *f, const gb_result_set *set)
{
    const gb_audit_rule *rule = f->rule;
    size_t value_count = 0;
    const int axis = rule->axis ? gb_result_axis(set, rule->axis) : -1;
    if (rule->axis && axis < 0) return;
    if (rule->primitive && strcmp(rule->primitive, set->primitive) != 0) return;
    const char **values = axis >= 0 ? values_of(f, set, (unsigned)axis, &value_count) : NULL;
    for (size_t r = 0; r < set->row_count; r++) {
        const gb_result_row *row = &set->rows[r];
        if (!is_wanted(f, set, row) || !gather(f, set, row, axis, values, value_count)) continue;
        if (rule->kind == GB_AUDIT_MORE || rule->kind == GB_AUDIT_DIP)
            hold_along(f, (unsigned)axis);
        else
            hold_alike(f);
    }
}

/* ---- the audit ------------------------------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
    const gb_finding *a = x, *b = y;
    if (a->set != b->set) return a->set < b->set ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static void count_rows(gb_audit *audit, const gb_result_set *set)
{
    for (size_t r = 0; r < set->row_count; r++) {
        const gb_result_row *row = &set->rows[r];
        if (set->published || set->profile || row->status != GB_OK ||
            (audit->device && !strstr(row->device, audit->device)))
            continue;
        audit->rows += !set->simt;
        audit->simt += set->simt;
    }
}

bool gb_audit_is_stale(const gb_audit *audit, const gb_audit_known *known)
{
    bool measured = false;
    for (size_t o = 0; o < audit->sides->operand_count; o++)
        for (size_t s = 0; s < audit->sides->operands[o].set_count; s++) {
            const gb_result_set *set = &audit->sides->operands[o].sets[s];
            if (!is_audited(set) || strcmp(set->experiment, known->experiment) != 0) continue;
            for (size_t r = 0; r < set->row_count && !measured; r++)
                measured = is_beside(known, &set->rows[r]);
        }
    return measured && !known->met && !audit->device;
}

void gb_audit_find(gb_audit *audit)
{
    finder f = {.audit = audit, .arena = &audit->sides->arena};
    for (size_t i = 0; i < audit->rules->count; i++) {
        f.rule = &audit->rules->items[i];
        for (size_t o = 0; o < audit->sides->operand_count; o++) {
            const gb_results *results = &audit->sides->operands[o];
            for (size_t s = 0; s < results->set_count; s++)
                if (is_audited(&results->sets[s])) hold_against_set(&f, &results->sets[s]);
        }
    }
    gb_room_free(&f.room);
    for (size_t o = 0; o < audit->sides->operand_count; o++)
        for (size_t s = 0; s < audit->sides->operands[o].set_count; s++)
            count_rows(audit, &audit->sides->operands[o].sets[s]);
    for (size_t i = 0; i < audit->knowns->count; i++)
        audit->stale += gb_audit_is_stale(audit, &audit->knowns->items[i]);
    if (!audit->findings) return;
    qsort(audit->findings, audit->finding_count, sizeof *audit->findings, by_place);
    for (size_t i = 0; i < audit->finding_count; i++) {
        audit->open += audit->findings[i].open > 0;
        audit->explained += audit->findings[i].open == 0;
    }
}
