/* Guesses about cards of which papers print values: rows as they would be there, joined with the
 * printed ones as `gpubench compare` joins measured ones. */
#include "bench/compare/compare.h"
#include "bench/project/onto.h"

#include <stdlib.h>
#include <string.h>

typedef struct printer {
    gb_measured *m;
    gb_arena *arena;
    gb_results *published;
    const gb_choices *chosen;
    gb_validation *validation;
} printer;

static gb_result_set *set_like(gb_arena *arena, gb_results *guessed, const gb_result_set *like)
{
    for (size_t i = 0; i < guessed->set_count; i++)
        if (strcmp(guessed->sets[i].experiment, like->experiment) == 0 &&
            strcmp(guessed->sets[i].primitive, like->primitive) == 0)
            return &guessed->sets[i];
    guessed->sets = gb_arena_grow(arena, guessed->sets, guessed->set_count, &guessed->set_capacity,
                                  sizeof *guessed->sets);
    gb_result_set *set = &guessed->sets[guessed->set_count++];
    *set = (gb_result_set){.experiment = like->experiment,
                           .primitive = like->primitive,
                           .scope = "",
                           .axis_count = like->axis_count};
    memcpy(set->axes, like->axes, sizeof set->axes);
    return set;
}

/* The row of a series as the device would have it. Axes stand as its own set orders them. */
static void add_row(printer *p, gb_results *guessed, const gb_series *series, const char *device,
                    const gb_span *span)
{
    gb_result_set *set = set_like(p->arena, guessed, series->set);
    gb_result_row row = *series->row;
    for (unsigned a = 0; a < set->axis_count; a++) {
        const int at = gb_result_axis(series->set, set->axes[a]);
        if (at < 0) return;
        row.axis[a] = series->row->axis[at];
        if (strcmp(set->axes[a], "grid") == 0 && strncmp(row.axis[a], "sms:", 4) == 0)
            row.axis[a] = "full";
    }
    row.device = device;
    row.time_s = span->time_s;
    row.time_lo_s = span->lo_s;
    row.time_hi_s = span->hi_s;
    row.rate = series->items / span->time_s;
    row.rate_lo = series->items / span->hi_s;
    row.rate_hi = series->items / span->lo_s;
    gb_result_set_add(p->arena, set, &row);
}

/* The number behind a version's name, 3 of "CUB 3.0.1"; 0: it does not say. */
static long major_of(const char *instance)
{
    const char *number = strchr(instance, ' ');
    return number ? strtol(number + 1, NULL, 10) : 0;
}

/* Whether both say of which version they are, and these are no relatives: the code is another. */
static bool is_other_code(const gb_result_row *row, const gb_result_row *printed)
{
    const long ours = major_of(row->instance), theirs = major_of(printed->instance);
    return ours > 0 && theirs > 0 && ours != theirs;
}

/* The axes of a printed row that differ among those of its set. */
static const char *readable_of(gb_arena *arena, const gb_result_set *set, const gb_result_row *row)
{
    const char *text = "";
    for (unsigned a = 0; a < set->axis_count; a++) {
        bool differs = false;
        for (size_t r = 0; r < set->row_count; r++)
            differs |= strcmp(set->rows[r].axis[a], row->axis[a]) != 0;
        if (differs)
            text = gb_arena_printf(arena, "%s%s%s %s", text, *text ? ", " : "", set->axes[a],
                                   gb_axis_readable(arena, row->axis[a]));
    }
    return text;
}

/* Pairs of a guess and a printed value become guesses of the validation. */
static void add_pairs(printer *p, const gb_comparison *c, const gb_target *target)
{
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        const gb_result_row *row = pair->a, *printed = pair->b;
        const double truth =
            printed->rate > 0 ? row->time_s * row->rate / printed->rate : printed->time_s;
        const gb_result_set *set = pair->set_b ? pair->set_b : pair->set;
        if (!(truth > 0) || !(row->time_s > 0) || is_other_code(row, printed)) continue;
        gb_validation_add(p->arena, p->validation,
                          &(gb_guess){.kind = GB_CHECK_PRINTED,
                                      .primitive = pair->set->primitive,
                                      .experiment = pair->set->experiment,
                                      .variant = row->variant,
                                      .point = gb_row_point(p->arena, set, printed),
                                      .readable = readable_of(p->arena, set, printed),
                                      .held = target->sheet->device,
                                      .sms = target->middle.sms,
                                      .time_s = row->time_s,
                                      .lo_s = row->time_lo_s,
                                      .hi_s = row->time_hi_s,
                                      .truth_s = truth});
    }
}

/* Whether a card was measured: nothing has to be guessed of it. */
static bool is_here(const gb_measured *m, const gb_gpu *sheet)
{
    for (size_t i = 0; i < m->card_count; i++)
        if (m->cards[i].sheet == sheet) return true;
    return false;
}

static bool guess_device(printer *p, const char *device, gb_error *error)
{
    gb_target target;
    gb_error unknown;
    gb_results guessed = {0};
    if (!gb_target_find(p->m, device, &target, &unknown) || is_here(p->m, target.sheet))
        return true;
    for (size_t i = 0; i < p->m->series_count; i++) {
        gb_fit fit;
        gb_span span;
        const char *doubt;
        const gb_series *series = &p->m->series[i];
        if (gb_choices_pass(p->arena, p->chosen, series->set, series->row) &&
            !gb_series_onto(series, &target, &fit, &span, &doubt))
            add_row(p, &guessed, series, device, &span);
    }
    const gb_side ours = {.device = device, .model = device, .label = device, .results = &guessed};
    const gb_side theirs = {.device = device,
                            .model = device,
                            .label = device,
                            .results = p->published,
                            .published = true};
    gb_comparison comparison;
    gb_compare_join(p->m->sides, &ours, &theirs, NULL, &comparison);
    if (comparison.wrong) {
        gb_fail(error, GB_WRONG, "%s", comparison.wrong);
        return false;
    }
    add_pairs(p, &comparison, &target);
    return true;
}

/* Whether the device of a printed row is in an earlier one. */
static bool is_known(const char *const *devices, size_t count, const char *device)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(devices[i], device) == 0) return true;
    return false;
}

bool gb_project_guess_printed(gb_measured *measured, gb_results *published,
                              const gb_choices *chosen, gb_validation *validation, gb_error *error)
{
    printer p = {measured, &measured->sides->arena, published, chosen, validation};
    const char **devices = NULL;
    size_t count = 0, capacity = 0;
    for (size_t s = 0; s < published->set_count; s++)
        for (size_t r = 0; published->sets[s].published && r < published->sets[s].row_count; r++) {
            const char *device = published->sets[s].rows[r].device;
            if (is_known(devices, count, device)) continue;
            devices = gb_arena_grow(p.arena, devices, count, &capacity, sizeof *devices);
            devices[count++] = device;
        }
    for (size_t i = 0; i < count; i++)
        if (!guess_device(&p, devices[i], error)) return false;
    return true;
}
