/* A device that is a set: several GPUs of one make and one worker, as --device lists them. */
#ifndef GB_WORKER_DEVICE_SET_H
#define GB_WORKER_DEVICE_SET_H

#include "bench/worker/offers.h"
#include "common/protocol/protocol.h"
#include "common/protocol/under.h"

/* In the order of their ranks. One that was named twice stands there twice. */
typedef struct gb_device_set {
    unsigned size; /* 0: one device alone, and no list */
    const gb_catalogue_device *device[GB_MOST_DEVICES];
} gb_device_set;

/* Whether a text that --device takes is a list: "0,1", "GPU-6ba7...,GPU-1c2d...", "all". */
bool gb_device_list_is(const char *spec);
/* Whether it can be one, whatever devices there are. False and *error (GB_WRONG). */
bool gb_device_list_check(const char *spec, gb_error *error);

/* The devices of a list among those of some workers, and their worker, one of the list. named:
 * indexes are the worker's own, which --worker has named, else CUDA's; "all" are those of it, else
 * CUDA's, that can be used, and no set where this is one alone. False where they are not all there,
 * or do not go together; *error then says why if any of them was found, else it stays. */
bool gb_device_list_find(const char *spec, bool named, const gb_described *workers,
                         const gb_offer *offers, size_t count, gb_device_set *set, size_t *worker,
                         gb_error *error);

/* The conditions that its devices are used under besides: gpus, ranks. */
void gb_device_set_conditions(const gb_device_set *set, gb_under *under);

#endif
