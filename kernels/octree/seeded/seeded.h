/* What chooses between builds has to know of this one. */
#ifndef GB_OCTREE_SEEDED_SEEDED_H
#define GB_OCTREE_SEEDED_SEEDED_H

enum { OC_SEEDED_MOST = 1 << 18 /* bodies */ };

#endif
