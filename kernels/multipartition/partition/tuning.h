/* What MP_AUTO goes by in this process: the tables that are compiled in, and before those what was
 * measured on the device, once somebody has handed it over. */
#ifndef GB_MULTIPARTITION_TUNING_H
#define GB_MULTIPARTITION_TUNING_H

#include "kernels/multipartition/partition/partition.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Goes by the rows of a result file (text: size bytes, only read) that was measured on this device.
 * GB_WRONG and *error (path is for messages), and nothing has changed, if it is no CSV, a row is
 * none that a run could have written, or is of another device, or no row is of any use; else
 * *points, unless NULL, is how many there are. Who chooses meanwhile goes by the table of before,
 * which stays in memory. */
gb_status mp_tuning_take(const char *text, size_t size, const char *path, const gb_device *device,
                         unsigned *points, gb_error *error);
/* Goes by what is compiled in alone. */
void mp_tuning_drop(void);

/* mp_choose_from the tables that it goes by. */
mp_method mp_choose(const mp_request *request, const gb_device *device, const mp_tuned **nearest);
/* How many points these have. */
unsigned mp_tuning_points(void);

/* The variant that has a method of its own right; "" of MP_AUTO. */
const char *mp_method_name(mp_method method);

#ifdef __cplusplus
}
#endif
#endif
