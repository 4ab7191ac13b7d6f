/* The cube around bodies, for problems whose bodies lie in several pieces. box.cu. */
#ifndef GB_OCTREE_BOX_H
#define GB_OCTREE_BOX_H

#include "kernels/octree/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of bodies: the least and the greatest of each coordinate, as numbers that order as the floats do,
 * and the first body of its piece that has one which is not a finite number; ~0: none has. */
typedef struct oc_extent {
    unsigned least[3], greatest[3];
    unsigned unfit;
} oc_extent;

/* That of no bodies. */
oc_extent oc_extent_of_none(void);
/* Joins what bodies[0, n) reach, float4 on the current device, into *extent; n may be 0. Waits. */
gb_status oc_extent_join(const void *bodies, uint64_t n, const gb_device *device, oc_extent *extent,
                         gb_error *error);
/* The cube whose lowest corner is that of the bodies and whose side is their greatest extent; there
 * must be some, all fit. Bodies too far apart are refused; path: the file that they are from, or
 * NULL. */
gb_status oc_cube_around(const oc_extent *extent, const char *path, oc_box *box, gb_error *error);

/* The scale of a box of that side, 0 to 1e37. */
float oc_scale_of(double side);

#ifdef __cplusplus
}
#endif
#endif
