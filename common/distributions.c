/* From a distribution's name to its parameters. */
#include "common/distributions.h"

#include <stdio.h>
#include <string.h>

const char gb_dist_help[] =
    "how the keys are distributed (distinct:K is K different keys, binomial:N:P the successes of N "
    "trials of probability P, spread over all keys; binomial is binomial:255:0.5)";
const char *const gb_dist_names[] = {"uniform", "binomial", "binomial:", "normal",    "zipf",
                                     "sorted",  "reversed", "constant",  "distinct:", NULL};
const char *const gb_dist_nasty[] = {"uniform",    "binomial",        "normal",     "zipf",
                                     "sorted",     "reversed",        "constant",   "distinct:1",
                                     "distinct:2", "binomial:33:0.3", "distinct:7", NULL};

/* A whole number from 1 to most up to the character end; *rest: what stands behind that. */
static bool parse_whole(const char *digits, char end, uint64_t most, uint64_t *value,
                        const char **rest)
{
    uint64_t sum = 0;
    if (*digits == end) return false;
    for (; *digits != end; digits++) {
        if (*digits < '0' || *digits > '9') return false;
        sum = sum * 10 + (uint64_t)(*digits - '0');
        if (sum > most) return false;
    }
    *value = sum;
    *rest = digits + (end != '\0');
    return sum >= 1;
}

/* "0." and digits: *chance in 2^-16, the nearest to it that is neither 0 nor 1. */
static bool parse_chance(const char *text, uint32_t *chance)
{
    enum { MOST_DIGITS = 9 }; /* so that no product overflows */
    const uint64_t one = (uint64_t)1 << GB_DIST_CHANCE_BITS;
    uint64_t digits = 0, scale = 1;
    if (strncmp(text, "0.", 2) != 0 || !text[2] || strlen(text + 2) > MOST_DIGITS) return false;
    for (text += 2; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        digits = digits * 10 + (uint64_t)(*text - '0');
        scale *= 10;
    }
    *chance = (uint32_t)((digits * one + scale / 2) / scale);
    return *chance >= 1 && *chance < one;
}

/* What stands behind "binomial:". */
static bool parse_binomial(const char *text, gb_dist *dist)
{
    uint64_t trials;
    if (!parse_whole(text, ':', GB_DIST_MOST_TRIALS, &trials, &text)) return false;
    dist->trials = (uint32_t)trials;
    return parse_chance(text, &dist->chance);
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
        dist->trials = 255;
        dist->chance = 1u << (GB_DIST_CHANCE_BITS - 1);
        return true;
    }
    if (strncmp(text, "binomial:", 9) == 0) {
        dist->kind = GB_DIST_BINOMIAL;
        if (parse_binomial(text + 9, dist)) return true;
        if (why)
            snprintf(why, 160,
                     "dist '%.40s': binomial:N:P is of N trials, 1 to %d, that succeed with "
                     "probability P, 0.00001 to 0.99999",
                     text, (int)GB_DIST_MOST_TRIALS);
        return false;
    }
    if (strncmp(text, "distinct:", 9) != 0) {
        if (why) snprintf(why, 160, "dist '%.40s' is not a distribution", text);
        return false;
    }
    const char *rest;
    dist->kind = GB_DIST_DISTINCT;
    if (parse_whole(text + 9, '\0', (uint64_t)1 << 32, &dist->distinct, &rest)) return true;
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
