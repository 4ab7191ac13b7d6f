/* How wrong guesses are: what is known is left out, guessed from the rest, and held against it. */
#include "bench/project/project.h"

#include <string.h>

/* What stands for the card where several are left out at once. */
static const char all_cards[] = "all cards";

/* ---- guesses --------------------------------------------------------------------------------- */

typedef struct guesser {
    gb_arena *arena;
    gb_validation *validation;
    const gb_series *series;
    gb_timing *rest; /* room for all timings of the series */
    size_t rest_count;
} guesser;

static void guess_one(guesser *g, gb_check_kind kind, const gb_fit *fit, const gb_timing *timing)
{
    const gb_machine *machine = &timing->machine;
    const gb_span span = gb_fit_time(fit, machine, machine, machine);
    const gb_series *series = g->series;
    gb_validation_add(g->arena, g->validation,
                      &(gb_guess){.kind = kind,
                                  .primitive = series->set->primitive,
                                  .experiment = series->set->experiment,
                                  .variant = series->row->variant,
                                  .point = series->point,
                                  .readable = series->readable,
                                  .held = kind == GB_CHECK_CARD ? machine->model : all_cards,
                                  .sms = machine->sms,
                                  .time_s = span.time_s,
                                  .lo_s = span.lo_s,
                                  .hi_s = span.hi_s,
                                  .truth_s = timing->time_s});
}

/* How many different numbers of multiprocessors there are. */
static size_t count_sms(const gb_timing *timings, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < i && timings[k].machine.sms != timings[i].machine.sms)
            k++;
        found += k == i;
    }
    return found;
}

static bool seen_before(const gb_series *series, size_t i, bool by_card)
{
    for (size_t k = 0; k < i; k++) {
        const gb_machine *a = &series->timings[k].machine, *b = &series->timings[i].machine;
        if (by_card ? strcmp(a->model, b->model) == 0 : a->sms == b->sms) return true;
    }
    return false;
}

/* A card's times with all of its multiprocessors, from the other cards'. */
static void leave_card_out(guesser *g, const char *model)
{
    const gb_series *series = g->series;
    gb_fit fit;
    g->rest_count = 0;
    for (size_t i = 0; i < series->count; i++)
        if (strcmp(series->timings[i].machine.model, model) != 0)
            g->rest[g->rest_count++] = series->timings[i];
    if (count_sms(g->rest, g->rest_count) < 3 ||
        !gb_fit_find(g->rest, g->rest_count, series->least_bytes, series->resident, &fit))
        return;
    for (size_t i = 0; i < series->count; i++)
        if (!series->timings[i].limited && strcmp(series->timings[i].machine.model, model) == 0)
            guess_one(g, GB_CHECK_CARD, &fit, &series->timings[i]);
}

/* The times of all cards with so many multiprocessors, from those with others. */
static void leave_limit_out(guesser *g, double sms)
{
    const gb_series *series = g->series;
    gb_fit fit;
    bool less = false, more = false;
    g->rest_count = 0;
    for (size_t i = 0; i < series->count; i++) {
        if (series->timings[i].machine.sms == sms) continue;
        less |= series->timings[i].machine.sms < sms;
        more |= series->timings[i].machine.sms > sms;
        g->rest[g->rest_count++] = series->timings[i];
    }
    if (gb_timings_lack(g->rest, g->rest_count) ||
        !gb_fit_find(g->rest, g->rest_count, series->least_bytes, series->resident, &fit))
        return;
    for (size_t i = 0; i < series->count; i++)
        if (series->timings[i].machine.sms == sms)
            guess_one(g, less && more ? GB_CHECK_LIMIT : GB_CHECK_EDGE, &fit, &series->timings[i]);
}

static void guess_series(guesser *g)
{
    const gb_series *series = g->series;
    for (size_t i = 0; i < series->count; i++)
        if (!seen_before(series, i, true)) leave_card_out(g, series->timings[i].machine.model);
    for (size_t i = 0; i < series->count; i++)
        if (!seen_before(series, i, false)) leave_limit_out(g, series->timings[i].machine.sms);
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool gb_project_validate(gb_measured *measured, gb_results *published, const gb_choices *chosen,
                         gb_validation *validation, gb_error *error)
{
    gb_arena *arena = &measured->sides->arena;
    guesser g = {.arena = arena, .validation = validation};
    size_t most = 1;
    for (size_t i = 0; i < measured->series_count; i++)
        if (measured->series[i].count > most) most = measured->series[i].count;
    g.rest = gb_arena_alloc(arena, most * sizeof *g.rest);
    for (size_t i = 0; i < measured->series_count; i++) {
        g.series = &measured->series[i];
        if (!g.series->lacks && !g.series->mixed &&
            gb_choices_pass(arena, chosen, g.series->set, g.series->row))
            guess_series(&g);
    }
    if (!gb_project_guess_printed(measured, published, chosen, validation, error)) return false;
    gb_validation_sum_up(arena, validation);
    return true;
}
