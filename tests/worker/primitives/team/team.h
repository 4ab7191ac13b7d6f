/* A primitive of several GPUs that a test of processes (a team) needs: each rank has n words, and
 * every rank r ends with the words of rank r - 1, round about, with a sum of all words added. Its
 * variants pass them in each way that there is, or have one rank fail. */
#ifndef GB_TEST_TEAM_H
#define GB_TEST_TEAM_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEAM_GPUS, TEAM_N };

gb_status team_open(const gb_params *params, uint64_t seed, const gb_device *device,
                    gb_problem **out, gb_error *error);
void team_close(gb_problem *problem);
gb_status team_poison(gb_job *job, gb_stream stream);
gb_status team_check(gb_job *job, gb_stream stream);

extern const gb_variant team_copies, team_nccl, team_windows, team_single;
/* Of the last rank: an answer that is wrong, memory that it has not, an end of its process, a
 * kernel that never ends; and a variant that has instances to choose from. */
extern const gb_variant team_wrong, team_no_memory, team_dies, team_sleeps, team_chooses;

#ifdef __cplusplus
}
#endif
#endif
