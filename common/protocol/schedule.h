/* A schedule of the simt device, as a person writes it, as the protocol carries it and as its
 * fields: which ready thread goes on, and where one may be left for another. The same schedule of
 * the same kernel on the same input is the same run. */
#ifndef GB_PROTOCOL_SCHEDULE_H
#define GB_PROTOCOL_SCHEDULE_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which of the threads that can go on does; common/simt/simt.h explains each. */
typedef enum gb_policy {
    GB_POLICY_ROUND_ROBIN,
    GB_POLICY_RANDOM,
    GB_POLICY_UNFAIR,
    GB_POLICY_PRIORITY,
    GB_POLICY_COUNT
} gb_policy;

enum { GB_PREEMPT_ALWAYS = 1024, GB_MOST_RESIDENT = 64, GB_SCHEDULE_TEXT = 160 };

typedef struct gb_schedule {
    gb_policy policy;
    uint64_t seed; /* of all random choices */
    /* Chances of a switch at an atomic operation, and in a hooks build at a volatile and at any
     * other access, in 1/1024. */
    unsigned preempt_atomic, preempt_volatile, preempt_plain;
    unsigned resident; /* blocks that take turns, from 1 */
    unsigned weak;     /* the chance that other blocks see a store late, in a hooks build */
} gb_schedule;

/* "round-robin", "random", "unfair", "priority". */
const char *gb_policy_name(gb_policy policy);
/* False if it names none. */
bool gb_policy_parse(const char *name, gb_policy *policy);

/* Writes "policy=random,seed=7,atomic=64,volatile=0,plain=0,weak=0,resident=2". Returns text. */
const char *gb_schedule_format(const gb_schedule *schedule, char text[GB_SCHEDULE_TEXT]);
/* Reads it, in any order; policy is required, the numbers that are left out are 0, resident 1.
 * False and *error, which says what is allowed. */
bool gb_schedule_parse(const char *text, gb_schedule *schedule, gb_error *error);

/* Whether only a hooks build can follow it. */
bool gb_schedule_needs_hooks(const gb_schedule *schedule);

#ifdef __cplusplus
}
#endif
#endif
