/* Least squares of few terms: the normal equations of terms of length 1, by Cholesky. */
#include "common/stats/least.h"

#include <math.h>
#include <string.h>

/* Terms that are nearer than this to being sums of others (the square of a sine: half a degree)
 * differ by what one run differs from the next. */
static const double least_pivot = 1e-4;

typedef struct problem {
    size_t count, term[GB_LEAST_TERMS]; /* those chosen */
    double length[GB_LEAST_TERMS];
    double gram[GB_LEAST_TERMS][GB_LEAST_TERMS], right[GB_LEAST_TERMS];
} problem;

static double product(const gb_least_row *rows, size_t count, size_t a, size_t b)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += rows[i].term[a] * rows[i].term[b];
    return sum;
}

static double wanted_product(const gb_least_row *rows, size_t count, size_t a)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += rows[i].term[a] * rows[i].wanted;
    return sum;
}

static bool set_up(problem *p, const gb_least_row *rows, size_t count, unsigned chosen)
{
    for (size_t t = 0; t < GB_LEAST_TERMS; t++)
        if (chosen >> t & 1) p->term[p->count++] = t;
    for (size_t i = 0; i < p->count; i++) {
        p->length[i] = sqrt(product(rows, count, p->term[i], p->term[i]));
        if (!(p->length[i] > 0) || !isfinite(p->length[i])) return false;
        p->right[i] = wanted_product(rows, count, p->term[i]) / p->length[i];
        for (size_t k = 0; k <= i; k++)
            p->gram[i][k] =
                product(rows, count, p->term[i], p->term[k]) / p->length[i] / p->length[k];
    }
    return true;
}

/* gram becomes its lower Cholesky factor. The square of a pivot is that of the sine of the angle
 * between the term and those before it. */
static bool factorise(problem *p)
{
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; k <= i; k++) {
            double rest = p->gram[i][k];
            for (size_t j = 0; j < k; j++)
                rest -= p->gram[i][j] * p->gram[k][j];
            if (k < i)
                p->gram[i][k] = rest / p->gram[k][k];
            else if (!(rest > least_pivot))
                return false;
            else
                p->gram[i][i] = sqrt(rest);
        }
    return true;
}

static void substitute(problem *p)
{
    double *x = p->right;
    for (size_t i = 0; i < p->count; i++) {
        for (size_t k = 0; k < i; k++)
            x[i] -= p->gram[i][k] * x[k];
        x[i] /= p->gram[i][i];
    }
    for (size_t i = p->count; i-- > 0;) {
        for (size_t k = i + 1; k < p->count; k++)
            x[i] -= p->gram[k][i] * x[k];
        x[i] /= p->gram[i][i];
    }
}

bool gb_least_squares(const gb_least_row *rows, size_t count, unsigned chosen,
                      double coefficient[GB_LEAST_TERMS])
{
    problem p = {0};
    memset(coefficient, 0, GB_LEAST_TERMS * sizeof *coefficient);
    if (!set_up(&p, rows, count, chosen) || !factorise(&p)) return false;
    substitute(&p);
    for (size_t i = 0; i < p.count; i++) {
        const double found = p.right[i] / p.length[i];
        if (!(found > 0) || !isfinite(found)) return false;
        coefficient[p.term[i]] = found;
    }
    return true;
}
