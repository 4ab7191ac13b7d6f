/* Whether devices of one host disturb each other: a few cheap rows of a config, sentinels, are
 * sampled alone on each device, then on all at once, then alone again. What the two times alone
 * differ by is noise (A/A); who compares judges. */
#ifndef GB_MEASURE_BESIDE_H
#define GB_MEASURE_BESIDE_H

#include "bench/measure/estimate.h"
#include "common/stats/stats.h"

enum { GB_SENTINELS = 3, GB_SENTINEL_SAMPLES = 20 };

/* A row that is sampled. */
typedef struct gb_sentinel {
    size_t point; /* of the config */
    unsigned variant;
    bool cold;
    double alone[GB_SENTINEL_SAMPLES], together[GB_SENTINEL_SAMPLES], again[GB_SENTINEL_SAMPLES];
} gb_sentinel;

/* A device, whose worker is awake, and its sentinels. */
typedef struct gb_beside {
    gb_session *session;
    const gb_config *config; /* the same on all devices */
    const gb_estimate *estimate;
    gb_sentinel list[GB_SENTINELS];
    size_t count;
    gb_error error; /* why there are none, or one could not be sampled */
} gb_beside;

/* Why rows of the config disturb each other on whatever devices: they run on the CPU or carry data
 * over the bus, of which a host has one. NULL: none do. */
const char *gb_beside_shares(const gb_config *config);

/* Chooses sentinels and samples them: the cheapest point of all with a warm cache, which any other
 * load of the host delays first, and the cheapest whose data are more than the L2 holds, bound by
 * bandwidth, with a warm and a cold one; of the baseline or the first variant that serves. False,
 * and the error of one device at least, where that fails on any. */
bool gb_beside_measure(gb_beside *devices, size_t count);

/* What is told of a sentinel, for people and the meta file. */
typedef struct gb_beside_verdict {
    double alone_s, again_s, together_s; /* mean times */
    double difference;                   /* together over both alone, less 1 */
    double noise; /* relative: what the two alone differ by, or, if that is more, half the 95 %
                     interval of their mean over that of together */
} gb_beside_verdict;

gb_beside_verdict gb_beside_judge(const gb_sentinel *sentinel);

#endif
