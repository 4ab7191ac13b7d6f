/* Which method MP_AUTO takes: the one that is expected to be the fastest, of those that can. */
#include "kernels/multipartition/partition/partition.h"

#include <math.h>

mp_method mp_choose_from(const mp_tuned *table, unsigned count, const mp_request *request,
                         const gb_device *device, const mp_tuned **nearest)
{
    double expected[MP_METHODS];
    const mp_tuned *found = mp_expect(table, count, request, device, expected);
    if (nearest) *nearest = found;

    mp_request tried = *request;
    /* where none can, what can do the most says why it cannot */
    mp_method best = request->stable ? MP_STABLE_TWO_PASS : MP_UNSTABLE_TWO_PASS;
    double best_seconds = INFINITY;
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++) {
        /* what was not measured comes after all that was, in the order of the methods */
        const double seconds = expected[m] > 0 ? expected[m] : 1e9 + m;
        tried.method = (mp_method)m;
        if (seconds >= best_seconds || (request->stable && !mp_is_stable(tried.method)) ||
            mp_refusal(&tried, device))
            continue;
        best = tried.method;
        best_seconds = seconds;
    }
    return best;
}
