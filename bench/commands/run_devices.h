/* The devices of a host, for `gpubench run --all-devices`. Inside the command only. */
#ifndef GB_COMMANDS_RUN_DEVICES_H
#define GB_COMMANDS_RUN_DEVICES_H

#include "bench/commands/run.h"

typedef struct gb_run_device {
    const char *spec; /* as --device takes it; NULL: as if that were not given */
    /* For people, no two alike: "NVIDIA H200", of several "NVIDIA H200 (1)" by their indexes. */
    const char *name;
    /* Of its folder, no two alike: its slug, of several with one slug the last eight digits of its
     * UUID behind it, or, anonymous or without one, its index. Whoever has a folder of the longer
     * name goes on there, also when it is the only one now. */
    const char *place;
} gb_run_device;

/* All usable GPUs, or all usable devices of the one worker that --worker names, in the order of
 * their indexes; without any GPU the one device that a run without --device takes, which says on
 * stderr which that is. NULL, with the reason on stderr, if no worker answers. In the command's
 * arena. */
gb_run_device *gb_run_devices(gb_run_command *c, size_t *count);

#endif
