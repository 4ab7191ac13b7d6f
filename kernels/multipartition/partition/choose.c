/* Which method MP_AUTO takes: the fastest where it was measured, at the nearest point. */
#include "kernels/multipartition/partition/partition.h"

#include <math.h>

/* Octaves between two numbers. */
static double octaves(double a, double b)
{
    return fabs(log2((a + 1) / (b + 1)));
}

/* How far a measured point is from a request: first of all the device, then what is known of the
 * keys, then the element's size, then n and bins. */
static double distance(const mp_tuned *at, const mp_request *r, const gb_device *device)
{
    enum { GENERATION = 1000000, SIZE_OF_DEVICE = 10000, KEYS = 1000, ELEMENT = 100 };
    double far = at->arch == device->arch ? 0 : GENERATION * (1 + octaves(at->arch, device->arch));
    far += SIZE_OF_DEVICE * octaves(at->sms, device->sms);
    if (at->keys != r->keys) far += KEYS * (at->keys == MP_KEYS_ANY ? 1 : 2);
    far += ELEMENT *
           (octaves(at->key_bytes, r->key_bytes) + octaves(at->payload_bytes, r->payload_bytes));
    return far + octaves((double)at->n, (double)r->n) + octaves(at->bins, r->bins);
}

mp_method mp_choose_from(const mp_tuned *table, unsigned count, const mp_request *request,
                         const gb_device *device, const mp_tuned **nearest)
{
    const mp_tuned *found = NULL;
    double least = INFINITY;
    for (unsigned i = 0; i < count; i++) {
        const double far = distance(&table[i], request, device);
        if (far >= least) continue;
        least = far;
        found = &table[i];
    }
    if (nearest) *nearest = found;

    mp_request tried = *request;
    /* where none can, what can do the most says why it cannot */
    mp_method best = request->stable ? MP_STABLE_TWO_PASS : MP_UNSTABLE_TWO_PASS;
    double best_seconds = INFINITY;
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++) {
        /* what was not measured comes after all that was, in the order of the methods */
        const double measured = found ? found->seconds[m] : 0,
                     seconds = measured > 0 ? measured : 1e9 + m;
        tried.method = (mp_method)m;
        if (seconds >= best_seconds || (request->stable && !mp_is_stable(tried.method)) ||
            mp_refusal(&tried, device))
            continue;
        best = tried.method;
        best_seconds = seconds;
    }
    return best;
}
