/* Which worker serves what is wanted: of those that have the primitive the one that serves the
 * device best (offers.h). */
#ifndef GB_WORKER_SEARCH_H
#define GB_WORKER_SEARCH_H

#include "bench/worker/device_set.h"

/* What is wanted; each may be NULL. */
typedef struct gb_wish {
    /* "auto", as is NULL: the first usable GPU, else simt, which is said on stderr, else a worker
     * in Python; never OpenCL. Or a back-end ("simt", "opencl", "python", "host"), a CUDA index, a
     * UUID. Or several devices that work together: a list of these two, "0,1", or "all" that can be
     * used (device_set.h). */
    const char *device;
    const char *worker;    /* --worker: a command, or a folder that has workers */
    const char *config;    /* the path of a config, beside which workers may lie */
    const char *primitive; /* that the worker must have */
    /* It is made from the config: "auto" is then the first usable GPU, else the host, which is said
     * on stderr as well. */
    bool made;
    gb_under under; /* the conditions to use the device under */
} gb_wish;

typedef struct gb_worker_choice {
    size_t worker; /* of those that were asked; its catalogue has the device */
    const gb_catalogue_device *device;
    gb_device_set set; /* of which it is the first; empty where it is used alone */
    gb_under under;    /* of the wish, and how many there are */
    bool lacking;      /* there is none, for want of the primitive */
    char note[2048];   /* for people, lines to be shown on stderr once; "": nothing */
} gb_worker_choice;

/* Asks workers until one serves the wish, kind after kind, so that "simt" need not wait for CUDA;
 * of a kind those beside the config come before those beside the driver, and these before those of
 * GPUBENCH_WORKERS. What of that people should know stands in choice->note: that it fell on simt,
 * or that workers of two places have the primitive.
 * False and *error: GB_UNSUPPORTED where no device will do or a worker does not answer (exit status
 * 3), GB_WRONG where no worker has the primitive, or an option or GPUBENCH_WORKERS is mistaken
 * (exit status 2); it says what was found and how to go on. */
bool gb_worker_choose(gb_asked *asked, const gb_wish *wish, gb_worker_choice *choice,
                      gb_error *error);

#endif
