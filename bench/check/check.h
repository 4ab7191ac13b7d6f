/* What the files of `gpubench check` share: the command, and going through the cases (run.c).
 */
#ifndef GB_CHECK_CHECK_H
#define GB_CHECK_CHECK_H

#include "bench/util/progress.h"
#include "bench/util/remaining.h"
#include "bench/worker/job.h"

enum { GB_CHECK_VARIANTS = 256, GB_CHECK_CASES = 64 };

typedef struct gb_schedule_space {
    uint64_t seed;
    bool hooks;      /* threads can be left at plain and volatile accesses, too */
    bool unfair;     /* the unfair policy is one of them */
    bool has_policy; /* only this policy */
    gb_policy policy;
} gb_schedule_space;

/* How far it is (course.h). */
typedef struct gb_course {
    gb_remaining remaining; /* its "variants" are the catalogue's primitives */
    size_t variants;        /* to be checked */
    uint64_t units;         /* of all of them */
    unsigned primitive;     /* under way, and of its variant so many units are left */
    uint64_t left;
    double at; /* when the last unit was done */
} gb_course;

typedef struct gb_check {
    const char *device;
    gb_under under;     /* the conditions to use the device under */
    const char *worker; /* that --worker names, or has to name for a replay; NULL: none */
    bool hooks;         /* --hooks */
    char *hooks_worker; /* the command of a hooks build that is used; NULL: none is */
    const char *variants[GB_CHECK_VARIANTS];
    unsigned variant_count;
    const char *cases[GB_CHECK_CASES]; /* none: the nasty ones */
    unsigned case_count;
    uint64_t seed;
    bool quick;
    int argc; /* what was asked, from "check" on */
    char *const *argv;
    uint64_t schedules;       /* how many; 0: the environment's schedule alone */
    gb_schedule one_schedule; /* --schedule */
    bool has_one_schedule;
    gb_schedule_space space;
    gb_session session;
    gb_progress progress;
    gb_course course;
    size_t failures, passed; /* variants passed */
    size_t ran;              /* cases that were run, whatever came of them */
    bool broken;             /* the worker cannot be replaced */
} gb_check;

/* Seconds that a request may take. */
extern const double gb_check_limit_s;

/* Why cases of a variant could not run. */
typedef struct gb_check_refusals {
    size_t count, others; /* others: refused for another reason than the first one */
    char reason[sizeof((gb_error *)0)->text];
} gb_check_refusals;
void gb_check_refuse(gb_check_refusals *refusals, const char *reason);
/* ", 2 unsupported: REASON" to stand behind a variant's summary; nothing where none was refused. */
void gb_check_print_refusals(const gb_check_refusals *refusals);

/* The scope in which a variant is checked: on resident data, unless it moves its own. */
gb_scope gb_check_scope(const gb_catalogue_variant *variant);

/* Prints a failure and the command that replays it. schedule: NULL without one. note: put behind
 * the reason, "" for none. */
void gb_check_print_failure(gb_check *c, const gb_catalogue_primitive *primitive,
                            const char *variant, const gb_params *params,
                            const gb_schedule *schedule, const char *note, const gb_error *error);
/* Replaces a worker that has died; false, and a note, if that fails. */
bool gb_check_revive(gb_check *c);
/* Whether a name is among those that were given, or none was. */
bool gb_check_is_chosen(const char *const *names, size_t count, const char *name);
/* Of a session that was found and not yet selected: schedules are those of the same worker's hooks
 * build (COMMAND-hooks, whose threads are left at every memory access and whose stores stay behind)
 * where it is there and no command was given by --worker. False and *error if it does not start, or
 * is not there for --hooks. */
bool gb_check_prefer_hooks(gb_check *c, gb_error *error);
/* Says what no variant that passed can have shown, and the command that looks for it. */
void gb_check_say_unseen(const gb_check *c);
/* Checks the chosen variants of the primitives that are named, or of all. Returns the exit status.
 * On stderr it says how much that is, and on a terminal how far it has come. */
int gb_check_primitives(gb_check *c, const char *const *names, size_t count);

#endif
