/* Which worker serves which device, and why: the one rule that choosing a device and showing the
 * devices go by. Several workers may know one device, as one of CUDA 13 and one of CUDA 11.8 do;
 * the device's UUID joins them. */
#ifndef GB_WORKER_OFFERS_H
#define GB_WORKER_OFFERS_H

#include "bench/worker/asking.h"

/* A device and the worker that serves it best. */
typedef struct gb_offer {
    size_t worker; /* which of the list */
    const gb_catalogue *catalogue;
    const gb_catalogue_device *device; /* as that worker describes it; may be unusable */
    /* What --device calls it: the index in the worker of the newest toolkit that knows it; -1 if
     * that is the index of another device, so that only its UUID tells them apart. */
    int index;
    char why[400];
} gb_offer;

/* Every device of the workers once, as often as they have the same UUID: those of newer toolkits
 * first, each in the order of its worker. A worker that can use the device is better than one that
 * cannot; machine code is better than PTX, which the GPU's driver compiles; then a newer toolkit;
 * then what comes first. Workers without a catalogue have no devices. The caller frees the list;
 * NULL if it is empty or memory ran out. */
gb_offer *gb_offers(const gb_described *workers, size_t count, size_t *offers);

/* Whether a text that --device takes is this device's UUID or index. An index is CUDA's, unless
 * named: --worker has said whose it is. */
bool gb_offer_is_called(const gb_offer *offer, const char *text, bool named);

#endif
