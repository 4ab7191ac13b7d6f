/* The circumstances under which samples are taken: those of one row must have them in common. */
#ifndef GB_RECORD_CIRCUMSTANCES_H
#define GB_RECORD_CIRCUMSTANCES_H

#include "bench/record/results.h"

/* Texts by the names that messages give them: device, worker, driver, way of measuring. The caller
 * deletes it. */
cJSON *gb_circumstances_of(const gb_output *output, const gb_session *session);
/* Whether something is not as it was; what then says the first such: "driver was '560', is '570'".
 */
bool gb_circumstances_differ(const cJSON *then, const cJSON *now, char *what, size_t capacity);

#endif
