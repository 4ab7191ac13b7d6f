/* Where `gpubench tune` keeps what it has measured on a device, for those who choose by it. */
#ifndef GB_PROTOCOL_TUNING_H
#define GB_PROTOCOL_TUNING_H

#include "common/text/error.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* CACHE/gpubench/tuning/1/DEVICE, and below it PRIMITIVE-tuning.csv, a result file. CACHE is
 * $XDG_CACHE_HOME or, where that is no absolute path, $HOME/.cache; device: its UUID, or its slug
 * where it has none; primitive: NULL for the folder. The 1 is raised when what stands in such a
 * file would mislead. False and *error (GB_WRONG) if there is no such folder to be named. */
bool gb_tuning_path(const char *device, const char *primitive, char *path, size_t capacity,
                    gb_error *error);

#ifdef __cplusplus
}
#endif
#endif
