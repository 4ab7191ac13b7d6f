/* Another card by its data sheet, and what the laws say of it. */
#include "bench/project/onto.h"

#include "bench/util/nearest.h"
#include "common/stats/stats.h"
#include "common/text/text.h"

#include <math.h>
#include <string.h>

/* A clock or a bandwidth this near to one measured is taken for it. */
static const double slack = 0.05;

/* ---- the target ------------------------------------------------------------------------------ */

/* What part of its data sheet's bandwidth a copy reaches on the cards measured. */
static bool find_shares(const gb_measured *m, gb_target *target)
{
    target->share_lo = INFINITY;
    for (size_t i = 0; i < m->card_count; i++) {
        const gb_card *card = &m->cards[i];
        if (!card->sheet || !(card->sheet->bytes_per_s > 0)) continue;
        const double share = card->machine.bytes_per_s / card->sheet->bytes_per_s;
        target->share_lo = fmin(target->share_lo, share);
        target->share_hi = fmax(target->share_hi, share);
    }
    return target->share_hi > 0;
}

/* The slowest and the fastest clock or bandwidth of boards that are alike in all else that is said:
 * names such as NVIDIA P100 cover several. */
typedef struct board_range {
    double lo, hi;
} board_range;

static bool is_board_of(const gb_gpu *board, const gb_gpu *sheet)
{
    return board->sms == sheet->sms && strcmp(board->architecture, sheet->architecture) == 0 &&
           (!(sheet->sm_clock_hz > 0) || board->sm_clock_hz == sheet->sm_clock_hz) &&
           (!(sheet->bytes_per_s > 0) || board->bytes_per_s == sheet->bytes_per_s);
}

static void widen(board_range *range, double value)
{
    if (!(value > 0)) return;
    range->lo = range->hi > 0 ? fmin(range->lo, value) : value;
    range->hi = fmax(range->hi, value);
}

static void find_boards(const gb_gpus *gpus, const gb_gpu *sheet, board_range *clock,
                        board_range *bandwidth)
{
    *clock = *bandwidth = (board_range){0, 0};
    for (size_t i = 0; i < gpus->count; i++)
        if (is_board_of(&gpus->items[i], sheet)) {
            widen(clock, gpus->items[i].sm_clock_hz);
            widen(bandwidth, gpus->items[i].bytes_per_s);
        }
}

static bool is_within(double value, double lo, double hi)
{
    return value >= lo * (1 - slack) && value <= hi * (1 + slack);
}

/* Which of what the target has is beyond all that was measured. */
static void find_beyond(const gb_measured *m, gb_target *target)
{
    gb_machine least = {.bytes_per_s = INFINITY, .sms = INFINITY, .clock_hz = INFINITY}, most = {0};
    for (size_t i = 0; i < m->series_count; i++)
        for (size_t k = 0; k < m->series[i].count; k++) {
            const gb_machine *machine = &m->series[i].timings[k].machine;
            least.bytes_per_s = fmin(least.bytes_per_s, machine->bytes_per_s);
            most.bytes_per_s = fmax(most.bytes_per_s, machine->bytes_per_s);
            least.sms = fmin(least.sms, machine->sms);
            most.sms = fmax(most.sms, machine->sms);
            least.clock_hz = fmin(least.clock_hz, machine->clock_hz);
            most.clock_hz = fmax(most.clock_hz, machine->clock_hz);
        }
    const gb_machine *middle = &target->middle;
    target->sms_beyond = !is_within(middle->sms, least.sms, most.sms);
    target->bandwidth_beyond = !is_within(middle->bytes_per_s, least.bytes_per_s, most.bytes_per_s);
    target->clock_beyond = !is_within(target->slow.clock_hz, least.clock_hz, most.clock_hz) ||
                           !is_within(target->fast.clock_hz, least.clock_hz, most.clock_hz);
    target->other_architecture = true;
    for (size_t i = 0; i < m->card_count; i++)
        if (*middle->architecture &&
            strcmp(m->cards[i].machine.architecture, middle->architecture) == 0)
            target->other_architecture = false;
}

static bool refuse_name(gb_measured *m, const char *name, gb_error *error)
{
    const gb_gpus *gpus = &m->sides->gpus;
    const char **names = gb_arena_alloc(&m->sides->arena, (gpus->count + 1) * sizeof *names);
    for (size_t i = 0; i < gpus->count; i++)
        names[i] = gpus->items[i].device;
    char hint[128];
    gb_fail(error, GB_WRONG,
            "--onto %.60s: no such GPU in gpus.csv%s; its column device has the names and alias "
            "others, and a line more there makes it known",
            name, gb_did_you_mean(hint, sizeof hint, name, names));
    return false;
}

/* What neither the data sheet nor those of its boards say; NULL: nothing that is needed. */
static const char *unsaid(const gb_gpu *sheet, const board_range *clock,
                          const board_range *bandwidth)
{
    if (!(sheet->sms > 0)) return "multiprocessors (sms)";
    if (!(bandwidth->hi > 0)) return "bandwidth (memory_bytes_per_s)";
    return clock->hi > 0 ? NULL : "clock (sm_clock_max_hz)";
}

bool gb_target_find(gb_measured *measured, const char *name, gb_target *target, gb_error *error)
{
    const gb_gpus *gpus = &measured->sides->gpus;
    board_range clock, bandwidth;
    *target = (gb_target){.sheet = gb_gpu_find(gpus, name)};
    const gb_gpu *sheet = target->sheet;
    if (!sheet) return refuse_name(measured, name, error);
    find_boards(gpus, sheet, &clock, &bandwidth);
    const char *lacks = unsaid(sheet, &clock, &bandwidth);
    if (lacks) {
        gb_fail(error, GB_WRONG, "%s: gpus.csv does not say its %s: name a board of which it does",
                sheet->device, lacks);
        return false;
    }
    if (!find_shares(measured, target)) {
        gb_fail(error, GB_WRONG,
                "gpus.csv has none of the cards measured: what part of a data sheet's bandwidth a "
                "copy reaches is not known");
        return false;
    }
    target->boards = clock.hi > clock.lo || bandwidth.hi > bandwidth.lo;
    target->middle = (gb_machine){.model = sheet->device,
                                  .architecture = sheet->architecture,
                                  .sms = sheet->sms,
                                  .l2_bytes = sheet->l2_bytes};
    target->slow = target->fast = target->middle;
    target->slow.bytes_per_s = target->share_lo * bandwidth.lo;
    target->fast.bytes_per_s = target->share_hi * bandwidth.hi;
    target->middle.bytes_per_s = sqrt(target->slow.bytes_per_s * target->fast.bytes_per_s);
    target->slow.clock_hz = clock.lo;
    target->fast.clock_hz = clock.hi;
    target->middle.clock_hz = sqrt(clock.lo * clock.hi);
    find_beyond(measured, target);
    return true;
}

/* ---- a series -------------------------------------------------------------------------------- */

/* Whether the L2 of the target holds what those of the cards hold, and does not hold what they do
 * not; NULL: it can be. *doubt: a flag, or "". */
static const char *l2_refuses(const gb_series *series, const gb_target *target, const char **doubt)
{
    double least = INFINITY, most = 0;
    const double there = target->middle.l2_bytes;
    *doubt = "";
    for (size_t i = 0; i < series->count; i++) {
        least = fmin(least, series->timings[i].machine.l2_bytes);
        most = fmax(most, series->timings[i].machine.l2_bytes);
    }
    if (series->mixed) return "fit the L2 of some of the cards alone";
    if (series->resident && !(there > 0))
        return "fit the L2 of the cards measured; how large the one there is, gpus.csv does not "
               "say";
    if (series->resident && there < least)
        return "fit the L2 of the cards measured, which is larger than the one there";
    if (!series->resident && !(there > 0)) *doubt = "l2-unknown";
    if (!series->resident && there > most) *doubt = "l2-may-hold-it";
    return NULL;
}

const char *gb_series_onto(const gb_series *series, const gb_target *target, gb_fit *fit,
                           gb_span *span, const char **doubt)
{
    if (series->lacks) return series->lacks;
    const char *why = l2_refuses(series, target, doubt);
    if (why) return why;
    if (!gb_fit_find(series->timings, series->count, series->least_bytes, series->resident, fit))
        return "have no law that fits";
    *span = gb_fit_time(fit, &target->slow, &target->middle, &target->fast);
    return NULL;
}

/* ---- a primitive ----------------------------------------------------------------------------- */

/* Whether a check tells of guesses about the target: how one of its architecture comes out, and of
 * another one those that were printed; the outermost limits where it lies beyond them. */
static bool tells(const gb_check *check, const gb_target *target)
{
    switch (check->kind) {
    case GB_CHECK_EDGE:
        return target->sms_beyond;
    case GB_CHECK_PRINTED:
        return target->other_architecture;
    default:
        return true;
    }
}

static bool is_of_architecture(const gb_projection *p, const gb_check *check)
{
    const gb_gpu *sheet = gb_gpu_find(&p->measured->sides->gpus, check->held);
    return sheet && strcmp(sheet->architecture, p->target.middle.architecture) == 0;
}

/* The guesses about printed values that are furthest off, of whatever primitive: of cards of the
 * target's architecture if there are any. NULL: nothing is printed. */
static const gb_check *printed_of_others(const gb_projection *p)
{
    const gb_check *near = NULL, *any = NULL;
    for (size_t i = 0; i < p->validation->check_count; i++) {
        const gb_check *check = &p->validation->checks[i];
        if (check->kind != GB_CHECK_PRINTED) continue;
        if (!any || check->of90 > any->of90) any = check;
        if (is_of_architecture(p, check) && (!near || check->of90 > near->of90)) near = check;
    }
    return near ? near : any;
}

/* The rows of a card are off together, so that as many errors as cards are known: the quantile of
 * the rows is stretched as Student's t with so many degrees of freedom is over the normal one. */
static double stretched(double spread, size_t cards)
{
    return cards ? spread * gb_student_t975(cards) / gb_student_quantile(0.05, INFINITY) : spread;
}

static void judge(gb_projection *p, gb_verdict_of *verdict)
{
    size_t cards = 0, printed = 0;
    double off = gb_project_noise;
    for (size_t i = 0; i < p->validation->check_count; i++) {
        const gb_check *check = &p->validation->checks[i];
        if (strcmp(check->primitive, verdict->primitive) != 0 || !tells(check, &p->target))
            continue;
        cards += check->kind == GB_CHECK_CARD || check->kind == GB_CHECK_PRINTED;
        printed += check->kind == GB_CHECK_PRINTED;
        off = fmax(off, log(check->of95));
        if (check->of90 > gb_project_limit &&
            (!verdict->refused || check->of90 > verdict->refused->of90))
            verdict->refused = check;
    }
    verdict->unvalidated = p->target.other_architecture && printed == 0;
    const gb_check *others = verdict->unvalidated ? printed_of_others(p) : NULL;
    if (others) off = fmax(off, log(others->of95));
    if (others && others->of90 > gb_project_limit && !verdict->refused) verdict->refused = others;
    verdict->unchecked = cards == 0 || (verdict->unvalidated && !others);
    verdict->spread = stretched(off, cards);
}

const gb_verdict_of *gb_verdict_find(const gb_projection *projection, const char *primitive)
{
    for (size_t i = 0; i < projection->verdict_count; i++)
        if (strcmp(projection->verdicts[i].primitive, primitive) == 0)
            return &projection->verdicts[i];
    return NULL;
}

static const gb_verdict_of *verdict_of(gb_projection *p, const char *primitive)
{
    const gb_verdict_of *found = gb_verdict_find(p, primitive);
    if (found) return found;
    p->verdicts = gb_arena_grow(&p->measured->sides->arena, p->verdicts, p->verdict_count,
                                &p->verdict_capacity, sizeof *p->verdicts);
    gb_verdict_of *verdict = &p->verdicts[p->verdict_count++];
    *verdict = (gb_verdict_of){.primitive = primitive};
    judge(p, verdict);
    return verdict;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void count_reason(gb_projection *p, const char *reason)
{
    gb_arena *arena = &p->measured->sides->arena;
    for (size_t i = 0; i < p->reason_count; i++)
        if (strcmp(p->reasons[i].text, reason) == 0) {
            p->reasons[i].rows++;
            return;
        }
    p->reasons =
        gb_arena_grow(arena, p->reasons, p->reason_count, &p->reason_capacity, sizeof *p->reasons);
    p->reasons[p->reason_count++] = (gb_left_out){reason, 1};
}

static double time_on(const gb_series *series, const gb_card *card)
{
    for (size_t i = 0; card && i < series->count; i++)
        if (!series->timings[i].limited &&
            strcmp(series->timings[i].machine.model, card->machine.model) == 0)
            return series->timings[i].time_s;
    return 0;
}

static void add(gb_projection *p, const gb_series *series, const gb_fit *fit, const gb_span *span,
                double spread, const char *doubt)
{
    p->items = gb_arena_grow(&p->measured->sides->arena, p->items, p->count, &p->capacity,
                             sizeof *p->items);
    gb_projected *item = &p->items[p->count++];
    *item =
        (gb_projected){.series = series,
                       .span = {span->time_s, span->lo_s / exp(spread), span->hi_s * exp(spread)},
                       .power = fit->laws[0].power,
                       .laws = fit->count,
                       .error = exp(fit->laws[0].error),
                       .nearest_s = time_on(series, p->nearest),
                       .doubt = doubt};
    double terms[GB_TERM_COUNT], sum = 0;
    const double time = gb_law_time(&fit->laws[0], &p->target.middle, terms);
    for (unsigned t = 0; t < GB_TERM_COUNT && time > 0; t++) {
        item->share[t] = pow(terms[t] / time, item->power);
        sum += item->share[t];
    }
    for (unsigned t = 0; t < GB_TERM_COUNT; t++)
        item->share[t] /= sum;
}

/* The card whose bandwidth, multiprocessors and clock are nearest, by their ratios. */
static const gb_card *nearest_card(const gb_measured *m, const gb_machine *machine)
{
    const gb_card *nearest = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < m->card_count; i++) {
        const gb_machine *other = &m->cards[i].machine;
        const double distance = hypot(
            hypot(log(other->bytes_per_s / machine->bytes_per_s), log(other->sms / machine->sms)),
            log(other->clock_hz / machine->clock_hz));
        if (distance >= least) continue;
        least = distance;
        nearest = &m->cards[i];
    }
    return nearest;
}

void gb_project(gb_projection *p)
{
    gb_measured *m = p->measured;
    p->nearest = nearest_card(m, &p->target.middle);
    for (size_t i = 0; i < m->series_count; i++) {
        const gb_series *series = &m->series[i];
        gb_fit fit;
        gb_span span;
        const char *doubt = "";
        if (!gb_choices_pass(&m->sides->arena, p->chosen, series->set, series->row)) continue;
        const char *why = gb_series_onto(series, &p->target, &fit, &span, &doubt);
        const gb_verdict_of *verdict = why ? NULL : verdict_of(p, series->set->primitive);
        if (verdict && verdict->refused) why = "are of a primitive that is refused";
        if (verdict && verdict->unchecked) why = "are of a primitive that nothing was held against";
        if (why)
            count_reason(p, why);
        else
            add(p, series, &fit, &span, verdict->spread, doubt);
    }
}
