/* The variants of the stencils. */
#ifndef GB_STENCIL_VARIANTS_H
#define GB_STENCIL_VARIANTS_H

#include "kernels/stencil/stencil.h"

#ifdef __cplusplus
extern "C" {
#endif

/* one a line, so that a new one is one line */
extern const gb_variant st_cpu;
extern const gb_variant st_cpu_parallel;
extern const gb_variant st_cpu_copy;
extern const gb_variant st_copy;
extern const gb_variant st_base_as_printed;
extern const gb_variant st_csl_as_printed;
extern const gb_variant st_comp_as_printed;
extern const gb_variant st_base;
extern const gb_variant st_csl;
extern const gb_variant st_comp;
extern const gb_variant st_z_loop;
extern const gb_variant st_z_loop_registers;
extern const gb_variant st_z_loop_registers_csl;
extern const gb_variant st_planes;
extern const gb_variant st_async_copy;
extern const gb_variant st_tma;
extern const gb_variant st_temporal;

#ifdef __cplusplus
}
#endif
#endif
