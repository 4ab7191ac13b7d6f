/* The plan's cost model, fitted to what rows took. */
#include "bench/util/remaining.h"

#include <math.h>
#include <stdlib.h>

/* What the plan weighs: it is believed until rows of this part of the largest are done. */
static const double prior_part = 1.0 / 32, prior_row = 0.25;

bool gb_remaining_begin(gb_remaining *r, size_t variants, bool known)
{
    *r = (gb_remaining){.count = variants, .known = known};
    r->variants = calloc(variants + 1, sizeof *r->variants);
    return r->variants != NULL;
}

void gb_remaining_free(gb_remaining *r)
{
    free(r->variants);
    *r = (gb_remaining){0};
}

void gb_remaining_plan(gb_remaining *r, size_t variant, double rows, double planned_s)
{
    gb_remaining_variant *v = &r->variants[variant];
    v->left += rows;
    v->left_s += rows * planned_s;
    v->all_s += rows * planned_s;
    if (planned_s > v->largest_s) v->largest_s = planned_s;
}

void gb_remaining_done(gb_remaining *r, size_t variant, double rows, double planned_s,
                       double took_s)
{
    gb_remaining_variant *v = &r->variants[variant];
    v->left -= rows;
    v->left_s -= rows * planned_s;
    v->done += rows;
    v->planned_s += rows * planned_s;
    v->took_s += took_s;
    v->squares += rows * planned_s * planned_s;
    v->products += planned_s * took_s;
}

/* What a planned second is worth over all variants; negative: nobody knows. */
static double overall(const gb_remaining *r)
{
    double all = 0, planned = 0, took = 0;
    for (size_t i = 0; i < r->count; i++) {
        all += r->variants[i].all_s;
        planned += r->variants[i].planned_s;
        took += r->variants[i].took_s;
    }
    const double prior = r->known ? prior_part * all : 0;
    return prior + planned > 0 ? (prior + took) / (prior + planned) : -1;
}

/* took = fixed + slope * planned; neither is negative. */
typedef struct fit {
    double fixed, slope;
} fit;

/* Least squares of a variant's rows and of what is believed before: the slope `prior`, as if rows
 * of prior_part of the largest had shown it, and nothing fixed, as if a quarter of a row had. */
static fit fit_rows(const gb_remaining_variant *v, double prior)
{
    const double largest = prior_part * v->largest_s, weight = largest * largest;
    const double rows = v->done + prior_row, squares = v->squares + weight;
    const double products = v->products + weight * prior;
    const double determinant = rows * squares - v->planned_s * v->planned_s;
    const double slope = (rows * products - v->planned_s * v->took_s) / determinant;
    const double fixed = (squares * v->took_s - v->planned_s * products) / determinant;
    if (slope < 0) return (fit){v->took_s / rows, 0};
    if (fixed < 0) return (fit){0, products / squares};
    return (fit){fixed, slope};
}

static fit fit_of(const gb_remaining *r, size_t variant, double all)
{
    const gb_remaining_variant *v = &r->variants[variant];
    if (v->done < 1 || v->planned_s <= 0) return (fit){0, all};
    return fit_rows(v, r->known ? 1 : all);
}

double gb_remaining_row_s(const gb_remaining *r, size_t variant, double planned_s)
{
    const double all = overall(r);
    const fit f = fit_of(r, variant, all);
    return all < 0 ? -1 : f.fixed + f.slope * planned_s;
}

double gb_remaining_s(const gb_remaining *r)
{
    const double all = overall(r);
    double seconds = 0;
    if (all < 0) return -1;
    for (size_t i = 0; i < r->count; i++) {
        const fit f = fit_of(r, i, all);
        if (r->variants[i].left > 0)
            seconds += f.fixed * r->variants[i].left + f.slope * r->variants[i].left_s;
    }
    return seconds;
}

double gb_remaining_within(double expected_s, double elapsed_s, double part)
{
    if (part > 1) part = 1;
    return (1 - part) * ((1 - part) * expected_s + elapsed_s);
}
