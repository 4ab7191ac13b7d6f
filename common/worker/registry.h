/* What the one file says that makes a worker of primitives outside the tree: which they are, and
 * how they were compiled. Everything else a worker is made of is in libgpubench_worker_simt.a or
 * libgpubench_worker_cuda.a.
 *
 *     #include "common/worker/registry.h"
 *     extern const gb_primitive gb_primitive_mine;
 *     GB_REGISTRY(&gb_primitive_mine)
 *
 * scripts/sdk/registry.sh writes that file. C alone, since C++ keeps constants to itself. */
#ifndef GB_WORKER_REGISTRY_H
#define GB_WORKER_REGISTRY_H

#include "common/gpubench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a worker's kernels were compiled. */
typedef struct gb_built {
    const char *compiler, *flags;
    const char *architectures; /* those with machine code, ascending: "80,90"; "": those that the
                                  library has */
    const int *interface;      /* &GB_INTERFACE_SYMBOL of the headers that its kernels have seen */
} gb_built;

/* The library's own, unless GB_REGISTRY has said something else. */
extern const gb_built gb_built_as;

#ifdef __cplusplus
}
#endif

#if !defined(GB_COMPILER)
#define GB_COMPILER __VERSION__
#endif
#if !defined(GB_FLAGS)
#define GB_FLAGS ""
#endif
#if !defined(GB_CUDA_ARCHS)
#define GB_CUDA_ARCHS ""
#endif

#define GB_REGISTRY(...)                                           \
    const gb_primitive *const gb_registry[] = {__VA_ARGS__, NULL}; \
    const gb_built gb_built_as = {GB_COMPILER, GB_FLAGS, GB_CUDA_ARCHS, &GB_INTERFACE_SYMBOL};

#endif
