/* A toy primitive, out = 2 x + y: all that a new primitive needs, in one folder. */
#ifndef GB_TOY_H
#define GB_TOY_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const gb_variant toy_saxpy;

gb_status toy_open(const gb_params *params, uint64_t seed, const gb_device *device,
                   gb_problem **out, gb_error *error);
void toy_close(gb_problem *problem);
gb_status toy_poison(gb_job *job, gb_stream stream);
gb_status toy_check(gb_job *job, gb_stream stream);

#ifdef __cplusplus
}
#endif
#endif
