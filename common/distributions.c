/* From a distribution's name to its parameters. */
#include "common/distributions.h"

#include <stdio.h>
#include <string.h>

const char *const gb_dist_names[] = {"uniform",  "binomial", "normal",    "zipf", "sorted",
                                     "reversed", "constant", "distinct:", NULL};
const char *const gb_dist_nasty[] = {"uniform",    "binomial",   "normal",   "zipf",
                                     "sorted",     "reversed",   "constant", "distinct:1",
                                     "distinct:2", "distinct:7", NULL};

/* Digits only, 1 to 2^32. */
static bool parse_distinct(const char *digits, uint64_t *value)
{
    const uint64_t most = (uint64_t)1 << 32;
    uint64_t sum = 0;
    if (!*digits) return false;
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9') return false;
        sum = sum * 10 + (uint64_t)(*digits - '0');
        if (sum > most) return false;
    }
    *value = sum;
    return sum >= 1;
}

static bool parse_kind(const char *text, gb_dist *dist, char *why)
{
    static const char *const plain[] = {
        [GB_DIST_UNIFORM] = "uniform",   [GB_DIST_BINOMIAL] = "binomial",
        [GB_DIST_NORMAL] = "normal",     [GB_DIST_ZIPF] = "zipf",
        [GB_DIST_SORTED] = "sorted",     [GB_DIST_REVERSED] = "reversed",
        [GB_DIST_CONSTANT] = "constant", [GB_DIST_DISTINCT] = NULL};
    for (int kind = GB_DIST_UNIFORM; kind < GB_DIST_DISTINCT; kind++) {
        if (strcmp(text, plain[kind]) != 0) continue;
        dist->kind = (gb_dist_kind)kind;
        return true;
    }
    if (strncmp(text, "distinct:", 9) != 0) {
        if (why) snprintf(why, 160, "dist '%.40s' is not a distribution", text);
        return false;
    }
    dist->kind = GB_DIST_DISTINCT;
    if (parse_distinct(text + 9, &dist->distinct)) return true;
    if (why)
        snprintf(why, 160,
                 "dist '%.40s': after 'distinct:' stands how many different keys there are, a "
                 "whole number from 1 to 4294967296",
                 text);
    return false;
}

bool gb_dist_of(const char *text, uint64_t seed, uint64_t n, gb_dist *dist, char *why)
{
    memset(dist, 0, sizeof *dist);
    if (!parse_kind(text, dist, why)) return false;
    dist->seed = seed;
    dist->n = n;
    dist->step = n ? UINT64_MAX / n : 0;
    dist->constant = gb_random(seed, GB_STREAM_SALT, 0).word[0];
    return true;
}
