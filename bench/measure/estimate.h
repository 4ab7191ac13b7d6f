/* What a plan will move and how long it may take, before anything runs. */
#ifndef GB_MEASURE_ESTIMATE_H
#define GB_MEASURE_ESTIMATE_H

#include "bench/config/config.h"
#include "bench/worker/job.h"

typedef struct gb_estimate {
    gb_work *work;  /* one a point of the config */
    char **reasons; /* why the primitive calls the point invalid; NULL where it does not */
    size_t count;
    size_t mistaken; /* the first point whose values cannot be right; SIZE_MAX: there is none */
} gb_estimate;

/* Asks the worker for the work of all points. False and *error if it does not answer. */
bool gb_estimate_make(gb_estimate *estimate, gb_session *session, const gb_config *config,
                      gb_error *error);
void gb_estimate_free(gb_estimate *estimate);

bool gb_estimate_is_simt(const gb_session *session);
/* Whether enough is known of the device for seconds; else only the ratios between rows mean
 * something. */
bool gb_estimate_is_known(const gb_session *session);
/* Rough seconds of one row: every sample moves its bytes at a part of the device's copy bandwidth;
 * on the simt device at what its threads seem to reach. */
double gb_estimate_row_s(const gb_estimate *estimate, const gb_config *config, size_t point,
                         const gb_session *session);
/* What the seconds are from, for people. */
const char *gb_estimate_source(const gb_session *session);

#endif
