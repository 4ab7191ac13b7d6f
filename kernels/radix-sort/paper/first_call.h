/* A sort as a program's first call: a process of its own sorts once. A variant NAME-first-call is
 * made of these; its process runs the variant NAME of the same worker. */
#ifndef GB_RADIX_SORT_FIRST_CALL_H
#define GB_RADIX_SORT_FIRST_CALL_H

#include "kernels/radix-sort/variants.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *rs_first_call_unsupported(const gb_params *params, const gb_device *device);
gb_status rs_first_call_prepare(gb_job *job);
gb_status rs_first_call_reset(gb_job *job, gb_stream stream);
gb_status rs_first_call_run(gb_job *job, gb_stream stream);
void rs_first_call_cleanup(gb_job *job);

#define RS_FIRST_CALL_FLAGS (GB_STABLE | GB_OWN_TRANSFERS | GB_HOST_CLOCK)
#define RS_FIRST_CALL_ORIGIN "radix sort paper, analysis of its table"
#define RS_FIRST_CALL_DIFFERS                                                                      \
    "the text blames the initialisation of the context and gives no procedure: here a process is " \
    "timed from its start to its end, the worker's own program where the text has Python, with "   \
    "the driver's cache of compiled programs as it is"

#ifdef __cplusplus
}
#endif
#endif
