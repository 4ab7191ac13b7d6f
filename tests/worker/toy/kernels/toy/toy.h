/* A toy primitive, out = 2 x + y: all that a new primitive in the tree needs, in one folder. */
#ifndef GB_TOY_H
#define GB_TOY_H

#include "common/cuda/arrays.h"

enum { TOY_N, TOY_AXES };
enum { TOY_X, TOY_Y, TOY_OUT };

#ifdef __cplusplus
extern "C" {
#endif
extern const gb_variant toy_saxpy;
#ifdef __cplusplus
}
#endif

#endif
