/* The settings of the simt device (environment.cpp): what simt.h says of the environment, as
 * values. */
#ifndef GB_SIMT_ENVIRONMENT_H
#define GB_SIMT_ENVIRONMENT_H

#include "common/simt/errors.h"

#include <stdint.h>

namespace simt
{
enum { max_workers = 256, max_devices = 64 };

/* In the order of gb_policy (common/protocol/schedule.h). */
enum policy { round_robin, random_order, unfair, by_priority };

/* The environment, see simt.h. Tests set it between launches. */
struct configuration {
    unsigned workers;
    simt::policy policy;
    uint64_t seed;
    unsigned preempt_atomic, preempt_volatile, preempt_plain;
    unsigned weak; /* the chance that a store stays behind, in 1/1024, in a hooks build */
    unsigned resident;
    unsigned timeout_s;
    bool poison;
    uint64_t memory;
    unsigned devices;    /* simulated ones */
    bool peers;          /* whether they reach each other's memory */
    uint64_t spin_limit; /* operations without progress that count as a live-lock where one block
                            runs at a time */
    bool explored;       /* the settings are one of many that a program goes through */
};
extern configuration config;

/* The error that the environment caused, or success. */
cudaError_t check_environment();
} // namespace simt

#endif
