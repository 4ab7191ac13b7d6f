/* The SDK that belongs to this gpubench: what kernels outside the tree are built with. */
#ifndef GB_SDK_FIND_H
#define GB_SDK_FIND_H

#include "bench/util/arena.h"

typedef struct gb_sdk {
    const char *folder;    /* has primitive.mk, registry.sh and templates/ */
    const char *libraries; /* in a checkout the build folder; NULL: where primitive.mk looks */
} gb_sdk;

/* Finds it beside the executable, as in a checkout or as installed, or in $GPUBENCH_SHARE: never in
 * the current folder, for what lies there is run. GB_UNSUPPORTED and *error if there is none. */
gb_status gb_sdk_find(gb_arena *arena, gb_sdk *sdk, gb_error *error);

#endif
