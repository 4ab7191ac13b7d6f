/* Guesses, and how far those of a primitive are off. */
#include "bench/project/project.h"

#include "common/stats/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double gb_project_limit = 1.5;

const char *const gb_check_names[GB_CHECK_COUNT] = {[GB_CHECK_CARD] = "card left out",
                                                    [GB_CHECK_LIMIT] = "inner limit",
                                                    [GB_CHECK_EDGE] = "outermost limit",
                                                    [GB_CHECK_PRINTED] = "printed"};

void gb_validation_add(gb_arena *arena, gb_validation *validation, const gb_guess *guess)
{
    validation->guesses = gb_arena_grow(arena, validation->guesses, validation->guess_count,
                                        &validation->guess_capacity, sizeof *validation->guesses);
    gb_guess *added = &validation->guesses[validation->guess_count++];
    *added = *guess;
    added->error = log(added->time_s / added->truth_s);
}

static gb_check *check_of(gb_arena *arena, gb_validation *v, const gb_guess *guess)
{
    for (size_t i = 0; i < v->check_count; i++) {
        gb_check *check = &v->checks[i];
        if (check->kind == guess->kind && strcmp(check->primitive, guess->primitive) == 0 &&
            strcmp(check->held, guess->held) == 0)
            return check;
    }
    v->checks =
        gb_arena_grow(arena, v->checks, v->check_count, &v->check_capacity, sizeof *v->checks);
    gb_check *check = &v->checks[v->check_count++];
    *check = (gb_check){.primitive = guess->primitive, .held = guess->held, .kind = guess->kind};
    return check;
}

/* Sums up the guesses of a check; off: room for as many numbers as there are guesses. */
static void sum_up(const gb_validation *v, gb_check *check, double *off)
{
    double sum = 0, signed_sum = 0;
    for (size_t i = 0; i < v->guess_count; i++) {
        const gb_guess *guess = &v->guesses[i];
        if (guess->kind != check->kind || strcmp(guess->primitive, check->primitive) != 0 ||
            strcmp(guess->held, check->held) != 0)
            continue;
        if (!check->worst || fabs(guess->error) > fabs(check->worst->error)) check->worst = guess;
        sum += fabs(guess->error);
        signed_sum += guess->error;
        off[check->count++] = fabs(guess->error);
    }
    gb_sort_values(off, check->count);
    check->typical = exp(sum / (double)check->count);
    check->tendency = exp(signed_sum / (double)check->count);
    check->of90 = exp(gb_sorted_quantile(off, check->count, 0.9));
    check->of95 = exp(gb_sorted_quantile(off, check->count, 0.95));
}

static int by_primitive(const void *x, const void *y)
{
    const gb_check *a = x, *b = y;
    const int primitives = strcmp(a->primitive, b->primitive);
    if (primitives) return primitives;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return strcmp(a->held, b->held);
}

void gb_validation_sum_up(gb_arena *arena, gb_validation *validation)
{
    for (size_t i = 0; i < validation->guess_count; i++)
        check_of(arena, validation, &validation->guesses[i]);
    double *off = gb_arena_alloc(arena, (validation->guess_count + 1) * sizeof *off);
    for (size_t i = 0; i < validation->check_count; i++)
        sum_up(validation, &validation->checks[i], off);
    if (validation->check_count > 0)
        qsort(validation->checks, validation->check_count, sizeof *validation->checks,
              by_primitive);
}
