/* Folders of kernels outside the tree, written from the SDK's templates. */
#ifndef GB_SDK_FOLDER_H
#define GB_SDK_FOLDER_H

#include "bench/sdk/axes.h"
#include "bench/sdk/find.h"

/* Why a primitive or a variant cannot be called so; NULL if it can: lower-case letters, digits and
 * single hyphens, a letter first, at most 40. A static sentence. */
const char *gb_new_name_mistake(const char *name);

/* Writes a folder that was not there: a primitive that builds and runs. A folder that cannot be
 * written whole is taken away again. */
bool gb_new_primitive(gb_arena *arena, const gb_sdk *sdk, const char *folder, const char *name,
                      const gb_new_axes *axes, gb_error *error);

/* Copies FROM.cu of a folder, or the first one there that has a GB_VARIANT where from is NULL, to
 * NAME.cu, and calls the variant in it by that name. *copied: the file that was copied. */
bool gb_new_variant(gb_arena *arena, const char *folder, const char *name, const char *from,
                    const char **copied, gb_error *error);

#endif
