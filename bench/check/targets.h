/* What the operands of `gpubench check` mean: primitives, each with the worker that has it. */
#ifndef GB_CHECK_TARGETS_H
#define GB_CHECK_TARGETS_H

#include "bench/check/check.h"
#include "bench/util/arena.h"

/* Primitives of one worker; count 0: all that it has. */
typedef struct gb_check_group {
    gb_worker_choice choice;
    const char **names;
    size_t count, capacity;
    const char *worker; /* what --worker says to find it again; NULL: nothing */
} gb_check_group;

typedef struct gb_check_targets {
    gb_asked asked;
    gb_arena arena;
    gb_check_group *groups;
    size_t count, capacity;
} gb_check_targets;

/* An operand is a primitive; a config (NAME.json), whose primitive is meant and beside which
 * workers may lie; or a folder, where all that its workers have is. Without one: all that the
 * device's worker has. The workers run on. False and *error, GB_WRONG of mistakes in what was
 * asked. Free in any case.
 */
bool gb_check_targets_find(gb_check_targets *targets, const gb_check *c, char *const *operands,
                           size_t count, gb_error *error);
void gb_check_targets_free(gb_check_targets *targets);

#endif
