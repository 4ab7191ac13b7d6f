/* All-pairs covering by a greedy search: each case begins with a pair that is still missing, and
 * every further axis takes the value that meets most missing pairs. */
#include "bench/util/pairs.h"

#include "common/random.h"

#include <stdbool.h>
#include <stdlib.h>

/* Which pairs are missing: one byte for every two values of every two axes. */
typedef struct cover {
    const unsigned *counts;
    unsigned axes;
    size_t *first; /* number of the first value of each axis among all values */
    size_t values; /* of all axes together */
    unsigned char *missing;
    size_t missing_count;
    uint64_t seed, draws;
} cover;

static unsigned char *pair(const cover *c, unsigned a, unsigned x, unsigned b, unsigned y)
{
    size_t i = c->first[a] + x, j = c->first[b] + y;
    return &c->missing[i < j ? i * c->values + j : j * c->values + i];
}

static bool start(cover *c)
{
    c->first = malloc((c->axes + 1) * sizeof *c->first);
    if (!c->first) return false;
    for (unsigned a = 0; a < c->axes; a++) {
        c->first[a] = c->values;
        c->values += c->counts[a];
    }
    c->missing = calloc(c->values * c->values + 1, 1);
    if (!c->missing) return false;
    for (unsigned a = 0; a < c->axes; a++) {
        for (unsigned b = a + 1; b < c->axes; b++) {
            for (unsigned x = 0; x < c->counts[a]; x++) {
                for (unsigned y = 0; y < c->counts[b]; y++)
                    *pair(c, a, x, b, y) = 1;
            }
            c->missing_count += (size_t)c->counts[a] * c->counts[b];
        }
    }
    return true;
}

/* A number below limit. */
static unsigned draw(cover *c, unsigned limit)
{
    return (unsigned)(((uint64_t)gb_random(c->seed, 0, c->draws++).word[0] * limit) >> 32);
}

/* How many missing pairs value x of axis a meets among the axes that have a value. */
static size_t gain(const cover *c, const unsigned *row, const bool *set, unsigned a, unsigned x)
{
    size_t pairs = 0;
    for (unsigned b = 0; b < c->axes; b++) {
        if (b != a && set[b]) pairs += *pair(c, a, x, b, row[b]);
    }
    return pairs;
}

/* Gives row the first missing pair at or after a random place; false if none is missing. */
static bool begin_case(cover *c, unsigned *row, bool *set)
{
    if (c->missing_count == 0) return false;
    size_t all = c->values * c->values;
    size_t at = (size_t)draw(c, (unsigned)c->values) * c->values;
    while (!c->missing[at])
        at = at + 1 < all ? at + 1 : 0;
    size_t ends[2] = {at / c->values, at % c->values};
    for (int i = 0; i < 2; i++) {
        unsigned axis = c->axes - 1;
        while (c->first[axis] > ends[i])
            axis--;
        row[axis] = (unsigned)(ends[i] - c->first[axis]);
        set[axis] = true;
    }
    return true;
}

static void complete_case(cover *c, unsigned *row, bool *set)
{
    for (unsigned a = 0; a < c->axes; a++) {
        if (set[a]) continue;
        unsigned from = draw(c, c->counts[a]), best = from;
        size_t most = 0;
        for (unsigned i = 0; i < c->counts[a]; i++) {
            unsigned x = (from + i) % c->counts[a];
            size_t pairs = gain(c, row, set, a, x);
            if (pairs > most) {
                most = pairs;
                best = x;
            }
        }
        row[a] = best;
        set[a] = true;
    }
    for (unsigned a = 0; a < c->axes; a++) {
        for (unsigned b = a + 1; b < c->axes; b++) {
            unsigned char *met = pair(c, a, row[a], b, row[b]);
            c->missing_count -= *met;
            *met = 0;
        }
    }
}

/* One axis alone has no pairs: every value is a case. */
static unsigned *all_values(unsigned values, size_t *count)
{
    unsigned *rows = malloc((values + 1) * sizeof *rows);
    for (unsigned i = 0; rows && i < values; i++)
        rows[i] = i;
    *count = values;
    return rows;
}

unsigned *gb_all_pairs(const unsigned *counts, unsigned axes, uint64_t seed, size_t *count)
{
    *count = 0;
    if (axes == 1) return all_values(counts[0], count);
    cover c = {.counts = counts, .axes = axes, .seed = seed};
    unsigned *rows = NULL;
    bool *set = calloc(axes + 1, sizeof *set);
    size_t capacity = 0;
    bool good = set && start(&c);
    while (good) {
        if (*count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            unsigned *grown = realloc(rows, capacity * axes * sizeof *rows);
            good = grown != NULL;
            if (!good) break;
            rows = grown;
        }
        for (unsigned a = 0; a < axes; a++)
            set[a] = false;
        unsigned *row = rows + *count * axes;
        if (!begin_case(&c, row, set)) break;
        complete_case(&c, row, set);
        ++*count;
    }
    free(set);
    free(c.first);
    free(c.missing);
    if (good) return rows;
    free(rows);
    return NULL;
}
