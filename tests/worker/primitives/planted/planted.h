/* The primitive `planted` as its C half sees it. */
#ifndef GB_PLANTED_H
#define GB_PLANTED_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All mistakes and their twins, NULL-terminated. */
extern const gb_variant *const gb_planted_variants[];

gb_status planted_open(const gb_params *params, uint64_t seed, const gb_device *device,
                       gb_problem **out, gb_error *error);
void planted_close(gb_problem *problem);
gb_status planted_poison(gb_job *job, gb_stream stream);
gb_status planted_check(gb_job *job, gb_stream stream);

#ifdef __cplusplus
}
#endif
#endif
