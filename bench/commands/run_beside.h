/* Whether a config may be measured on all devices at once, for `gpubench run
 * --all-devices=side-by-side`. Inside the command only. */
#ifndef GB_COMMANDS_RUN_BESIDE_H
#define GB_COMMANDS_RUN_BESIDE_H

#include "bench/commands/run_devices.h"

/* What was found about a config. */
typedef struct gb_run_beside {
    bool at_once; /* no device disturbs another */
    cJSON **told; /* for the meta files, one a device */
} gb_run_beside;

/* Samples a few of the config's rows alone and at once (bench/measure/beside.h), holds the
 * differences against the noise, that of DIR/aa/noise.csv included, and says on stderr what came of
 * it. Where that cannot be found out the answer is no. False, with the reason on stderr, and the
 * exit status: the config cannot run at all, or somebody asked for the end. */
bool gb_run_try_beside(gb_run_command *c, char *path, const gb_run_device *devices, size_t count,
                       gb_run_beside *found, int *status);
void gb_run_beside_free(gb_run_beside *found, size_t count);

#endif
