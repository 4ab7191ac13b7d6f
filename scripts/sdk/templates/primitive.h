/* @NAME@: the order of its axes and arrays, and its oracle. */
#pragma once
#include "common/cuda/arrays.h"
#include "common/distributions.h"

enum { @AXIS_NAMES@AXES };
enum { X, Y };

#ifdef __cplusplus
extern "C"
#endif
void oracle(const gb_params *params, void *const array[]);
