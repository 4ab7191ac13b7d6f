/* Sweeps over the slabs of this process's ranks, by the marching kernels of kernels/stencil: what
 * all variants of several GPUs queue. */
#ifndef GB_STENCIL_MULTI_SWEEPS_H
#define GB_STENCIL_MULTI_SWEEPS_H

#include "kernels/stencil-multi/problem.h"
#include "kernels/stencil-multi/slab.h"

/* How sweeps go through a slab. One way and the other in turn, so that each begins with planes that
 * the last one has left in the cache; or always the same way, ranks of even number against
 * those of odd number, so that neighbours begin at the border between them or end there, both: what
 * one has stored there a sweep ago is what the other comes to read. */
typedef enum stm_way { STM_IN_TURN, STM_OPPOSED } stm_way;

/* Of a local rank. */
typedef struct stm_sweeps {
    stm_way way;
    fused_plan plan[2]; /* [1]: of the last sweep, if that takes fewer steps */
    unsigned *progress; /* device: `words` for each sweep */
    size_t words;
} stm_sweeps;

/* NULL if the ranks can be had, needs being what gb_comm_refusal is asked for, and the kernels that
 * the run needs exist and fit. reason: an earlier one, which is returned if it is not NULL. */
const char *stm_sweeps_refusal(const gb_params *params, const gb_device *device, unsigned needs,
                               const char *reason);
/* Plans and scratch for each local rank, [comm->locals], freed by stm_sweeps_close also after a
 * failure; comm: of the problem. */
gb_status stm_sweeps_open(stm_problem *problem, stm_way way, stm_sweeps **out, gb_error *error);
void stm_sweeps_close(stm_problem *problem, stm_sweeps *sweeps);
/* Before each run. */
gb_status stm_sweeps_reset(stm_problem *problem, const stm_sweeps *sweeps, gb_stream stream,
                           gb_error *error);
/* Queues sweep number `sweep` over the slab of the i-th local rank, whose device is the current
 * one. ended: if the sweep lends its outermost planes to the neighbours, all ranks' words, of which
 * each has STM_ENDED_WORDS, 0 before a run; else NULL. */
gb_status stm_sweep(const stm_problem *problem, const stm_sweeps *sweeps, unsigned i,
                    unsigned sweep, const gb_window *ended, cudaStream_t stream, gb_error *error);
/* Words of a rank in which neighbours count their sweeps (fused_border.ended), each in a line of
 * its own: at its lower border, at its upper one. */
enum { STM_ENDED_BELOW = 0, STM_ENDED_ABOVE = 32, STM_ENDED_WORDS = 64 };
/* Planes at either end of a slab that its neighbours need after the sweep: none after the last. */
int stm_needed_after(const stm_problem *problem, unsigned sweep);

#endif
