/* What can be said of a pair of rows. docs/statistics.md has the rules and what simulation says of
 * them. */
#include "bench/compare/compare.h"
#include "bench/rows/ratio.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gb_verdict_names[GB_VERDICT_COUNT] = {
    [GB_FASTER] = "FASTER", [GB_SLOWER] = "SLOWER", [GB_SAME] = "SAME", [GB_UNCLEAR] = "UNCLEAR"};
const char *const gb_verdict_words[GB_VERDICT_COUNT] = {[GB_FASTER] = "B faster",
                                                        [GB_SLOWER] = "A faster",
                                                        [GB_SAME] = "SAME",
                                                        [GB_UNCLEAR] = "UNCLEAR"};
const char *const gb_differs_names[GB_DIFFERS_COUNT] = {"cache", "scope", "toolkit", "driver",
                                                        "clocks"};

/* Clocks that differ by less are the same clocks, read at another moment. */
static const double smallest_clock_change = 0.02;

typedef struct judge {
    gb_sides *sides;
    const gb_judging *how;
    gb_comparison *c;
    gb_room room;
} judge;

/* ---- views ----------------------------------------------------------------------------------- */

/* What a side has of the thing that the view divides by; 0: unknown. *sheet: a data sheet says so.
 */
static double unit_of(judge *j, const gb_result_row *row, bool *sheet)
{
    const bool measured = !*row->quantity;
    /* of the device as it is */
    const gb_gpu *gpu = *row->under ? NULL : gb_gpu_find(&j->sides->gpus, gb_row_model(row));
    double sms = 0, copy = 0;
    if (measured) {
        const gb_run_facts *run = gb_side_run(j->sides, row);
        sms = run->sms;
        copy = run->copy_bytes_per_s;
    }
    double unit = 0;
    switch (j->how->view) {
    case GB_VIEW_SM_CLOCK:
        unit = sms * row->sm_clock_mhz * 1e6;
        if (unit == 0 && gpu) unit = gpu->sms * gpu->sm_clock_hz;
        *sheet = !(sms * row->sm_clock_mhz > 0);
        break;
    case GB_VIEW_BANDWIDTH:
        unit = copy > 0 ? copy : gpu ? gpu->bytes_per_s : 0;
        *sheet = !(copy > 0);
        break;
    case GB_VIEW_WATT:
        unit = row->power_w > 0 ? row->power_w : gpu ? gpu->power_w : 0;
        *sheet = !(row->power_w > 0);
        break;
    default:
        unit = 1;
    }
    return unit;
}

/* Whether GPUs worked together for a row, and for the other one of its pair as many. */
static bool several_gpus(const gb_pair *pair)
{
    const int axis = gb_result_axis(pair->set, "gpus");
    return axis >= 0 && strcmp(pair->a->axis[axis], "1") != 0;
}

/* What the ratio of plain rates is multiplied by in the view; 0: it has none. */
static double view_factor(judge *j, const gb_pair *pair)
{
    if (j->how->view == GB_VIEW_PLAIN) return 1;
    /* of power a row has what the first GPU takes */
    if (j->how->view == GB_VIEW_WATT && several_gpus(pair)) return 0;
    bool of_a = false, of_b = false;
    const double a = unit_of(j, pair->a, &of_a), b = unit_of(j, pair->b, &of_b);
    if (!(a > 0) || !(b > 0)) return 0;
    j->c->said_by |= (of_a ? 1u : 0u) | (of_b ? 2u : 0u);
    return a / b;
}

/* ---- a pair ---------------------------------------------------------------------------------- */

static void compare_conditions(judge *j, gb_pair *pair)
{
    const gb_result_row *a = pair->a, *b = pair->b;
    if (*a->quantity || *b->quantity) return;
    const gb_run_facts of_a = *gb_side_run(j->sides, a), of_b = *gb_side_run(j->sides, b);
    if (*of_a.toolkit && *of_b.toolkit && strcmp(of_a.toolkit, of_b.toolkit) != 0)
        pair->differs |= GB_DIFFERS_TOOLKIT;
    if (*of_a.driver && *of_b.driver && strcmp(of_a.driver, of_b.driver) != 0)
        pair->differs |= GB_DIFFERS_DRIVER;
    /* Of two kinds of device they differ as they must. */
    if (strcmp(gb_row_model(a), gb_row_model(b)) != 0) return;
    const double clocks[2][2] = {{a->sm_clock_mhz, b->sm_clock_mhz},
                                 {a->mem_clock_mhz, b->mem_clock_mhz}};
    for (int i = 0; i < 2; i++)
        if (clocks[i][0] > 0 && clocks[i][1] > 0 &&
            fabs(clocks[i][1] / clocks[i][0] - 1) > smallest_clock_change)
            pair->differs |= GB_DIFFERS_CLOCKS;
}

/* The smallest difference that counts: what was asked for, or what the devices' own noise is. */
static double effect_of(const judge *j, const gb_pair *pair)
{
    double effect = j->how->min_effect;
    const gb_result_row *rows[] = {pair->a, pair->b};
    for (int i = 0; i < 2; i++) {
        if (*rows[i]->quantity) continue; /* printed in a paper */
        const gb_noise_row row = gb_noise_row_of(pair->set, rows[i]);
        const gb_noise_class *noise = gb_noise_find(j->how->noise, &row);
        if (noise && noise->floor > effect) effect = noise->floor;
    }
    return effect;
}

static void measure_pair(judge *j, gb_pair *pair)
{
    const gb_result_row *a = pair->a, *b = pair->b;
    const double *of_a = NULL, *of_b = NULL;
    pair->p = pair->p_holm = 1;
    compare_conditions(j, pair);
    pair->effect = effect_of(j, pair);
    if (!*a->quantity && !*b->quantity && a->samples > 1 && b->samples > 1) {
        of_a = gb_side_samples(j->sides, pair->set, a);
        of_b = of_a ? gb_side_samples(j->sides, pair->set_b, b) : NULL;
    }
    pair->ratio = gb_ratio_of_rows(&j->room, a, of_a, b, of_b);
    const double factor = view_factor(j, pair);
    pair->ratio.value *= factor;
    pair->ratio.lo *= factor;
    pair->ratio.hi *= factor;
    if (!of_a || !of_b || factor == 0) return;
    /* b's samples in a's terms: the rate of b times factor */
    double *scratch = gb_room_of(&j->room, a->samples + 2 * b->samples);
    if (!scratch) return;
    double *scaled = scratch + a->samples + b->samples;
    for (size_t i = 0; i < b->samples; i++)
        scaled[i] = of_b[i] / factor;
    pair->tested = true;
    pair->p = gb_mann_whitney(of_a, a->samples, scaled, b->samples, scratch);
}

static gb_verdict verdict_of(const judge *j, const gb_pair *pair)
{
    const gb_ratio *r = &pair->ratio;
    const double above = 1 + pair->effect, below = 1 / above;
    if (!(r->lo > 0)) return GB_UNCLEAR;
    const bool sure = !pair->tested || pair->p_holm < j->how->alpha;
    if (sure && r->lo > 1 && r->value >= above) return GB_FASTER;
    if (sure && r->hi < 1 && r->value <= below) return GB_SLOWER;
    return r->lo >= below && r->hi <= above ? GB_SAME : GB_UNCLEAR;
}

/* Corrects the tests as one family. */
static void correct(judge *j)
{
    gb_comparison *c = j->c;
    gb_arena *arena = &j->sides->arena;
    double *p = gb_arena_alloc(arena, (c->pair_count + 1) * sizeof *p);
    size_t *order = gb_arena_alloc(arena, (c->pair_count + 1) * sizeof *order);
    for (size_t i = 0; i < c->pair_count; i++)
        if (c->pairs[i].tested) p[c->tests++] = c->pairs[i].p;
    gb_holm(p, c->tests, order);
    for (size_t i = 0, at = 0; i < c->pair_count; i++) {
        gb_pair *pair = &c->pairs[i];
        if (!pair->tested) continue;
        pair->p_holm = p[at++];
        c->hopeless +=
            gb_mann_whitney_least(pair->a->samples, pair->b->samples) * (double)c->tests >=
            j->how->alpha;
    }
}

void gb_compare_judge(gb_sides *sides, const gb_judging *judging, gb_comparison *comparison)
{
    judge j = {.sides = sides, .how = judging, .c = comparison};
    gb_comparison *c = comparison;
    for (size_t i = 0; i < c->pair_count; i++)
        measure_pair(&j, &c->pairs[i]);
    correct(&j);
    for (size_t i = 0; i < c->pair_count; i++) {
        gb_pair *pair = &c->pairs[i];
        pair->verdict = verdict_of(&j, pair);
        c->verdicts[pair->verdict]++;
        for (int d = 0; d < GB_DIFFERS_COUNT; d++)
            c->differing[d] += pair->differs >> d & 1;
    }
    gb_room_free(&j.room);
}
