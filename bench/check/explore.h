/* Exploring the schedules of a variant on the simt device: which schedules there are, and going
 * through them until one fails. */
#ifndef GB_CHECK_EXPLORE_H
#define GB_CHECK_EXPLORE_H

#include "bench/check/check.h"

/* Schedule number i, from 1, of a space: depends on both alone. Policies and numbers of resident
 * blocks take turns, so that a few schedules have them all; chances are drawn at every scale alike.
 */
gb_schedule gb_schedule_draw(const gb_schedule_space *space, uint64_t i);

/* Verifies the cases of a variant under c->schedules schedules of c->space each, or under
 * c->one_schedule, until one fails; prints the failure, the command that replays it, and a line for
 * the variant. */
void gb_explore_variant(gb_check *c, const gb_catalogue_primitive *primitive,
                        const gb_catalogue_variant *variant, const gb_params *cases, size_t count);

#endif
