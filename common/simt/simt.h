/* The simt device: CUDA kernels, unchanged, compiled by g++ or clang++ and executed on the CPU.
 *
 * Every CUDA thread is a fiber (or shares one, as long as nothing blocks); a block stays on one OS
 * thread, so that __shared__ is thread-local storage; the blocks of a grid are spread over OS
 * threads in order of their number. It is an instrument for correctness: it runs the code path of
 * any generation (GB_ARCH), finds races, dead-locks, live-locks and wrong addresses, and replays
 * them from a seed. Its times mean nothing for a GPU.
 *
 * A kernel compiled by hand:
 *   g++ -std=c++17 -O2 -pthread -fno-extern-tls-init -fno-strict-aliasing -I. -DGB_ARCH=900 \
 *       -x c++ kernel.cu `find common/simt -name '*.cpp'`
 * and error.c, limits.c and text.c of common/text, compiled as C. clang++ needs no
 * -fno-extern-tls-init; -DGB_SIMT_UCONTEXT takes the portable fibers; -fsanitize=bounds, for the
 * kernel alone, finds indices that no array has (bounds.cpp).
 *
 * The environment, read once at the start:
 *   SIMT_WORKERS   OS threads, each pinned to a core       default: all cores, at most 16
 *   SIMT_POLICY    which ready thread of a block goes on   default: round-robin
 *                  (round-robin; random; unfair: a spinning lane keeps its warp to itself,
 *                  as before Volta; priority: the highest of random priorities, with a few
 *                  changes, at points of all three kinds below whose chance is not 0 and
 *                  at atomics in any case)
 *   SIMT_SEED      of all random choices                   default: 0
 *   SIMT_PREEMPT   chance of a switch at an atomic operation, in 1/1024      default: 0
 *   SIMT_PREEMPT_VOLATILE, SIMT_PREEMPT_PLAIN
 *                  the same at volatile and at other accesses, in a hooks build
 *                  (see hooks.cpp)                         defaults: SIMT_PREEMPT, 0
 *   SIMT_WEAK      chance that other blocks see a store late, and that a load finds what was there
 *                  before, in 1/1024, in a hooks build with SIMT_RESIDENT (see weak.h)
 *                                                          default: 0
 *   SIMT_RESIDENT  so many blocks are interleaved, one at a time, and a run depends on the seed
 *                  alone                                   default: 0, blocks run in parallel
 *                  The settings of `gpubench check --schedule` are these under shorter names.
 *   SIMT_TIMEOUT   seconds without progress after which a launch fails       default: 30; 0: never
 *                  (those for which the process or its machine is stopped do not count)
 *   SIMT_POISON    1: shared memory holds 0xCB at the start of each block, new device memory
 *                  holds it too; 0: neither                default: 1
 *   SIMT_MEMORY    bytes of device memory                  default: half of the host's
 *   SIMT_DEVICES   simulated devices, which share that memory and the cores  default: 8
 *   SIMT_PEERS     0: none of them reaches another's memory                  default: 1
 *
 * What differs from a GPU: every call has completed when it returns, but between begin_queues and
 * end_queues (host.h), so a kernel that waits for the host hangs until the time limit; memory is
 * sequentially consistent, so a missing fence is not found, but for SIMT_WEAK; __activemask() names
 * the caller alone (the least that CUDA promises); a block waits for another only as long as both
 * are among the SIMT_WORKERS resident ones; thread-local variables of the program hold garbage
 * while a kernel runs. A loop that polls without any intrinsic is left only every 10 ms or so: poll
 * with an atomic, which a GPU needs as well (its compiler may drop a loop that only waits with
 * plain reads or __ldcg). A thread may be left at any instruction for that, so a kernel should call
 * no function of the host that takes a lock, but for printf when debugging.
 *
 * A launch that fails has its report in cudaGetErrorString: what happened, in which block, and the
 * place (file and line) of every group of threads. */
#ifndef GB_SIMT_SIMT_H
#define GB_SIMT_SIMT_H

#if defined(__CUDACC__)
#error "nvcc needs no stand-in: include common/cuda/device.cuh"
#endif

#include "common/simt/atomics.h"
#include "common/simt/collectives.h"
#include "common/simt/environment.h"
#include "common/simt/host.h"
#include "common/simt/intrinsics.h"
#include "common/simt/machine.h"
#include "common/simt/types.h"

#endif
