/* What `gpubench info` says of the instrument itself: overheads, the timer against spins of known
 * length, and how far two jobs of one variant lie apart. Inside the command only. */
#ifndef GB_MEASURE_INSTRUMENT_H
#define GB_MEASURE_INSTRUMENT_H

#include "bench/worker/devices.h"

/* ---- what is measured ------------------------------------------------------------------------ */

/* A variant of the primitive `null` at a length. */
typedef enum gb_probe_kind {
    GB_PROBE_NOTHING,
    GB_PROBE_EMPTY,
    GB_PROBE_WAITS,
    GB_PROBE_HOST,
    GB_PROBE_SPIN_0,
    GB_PROBE_SPIN_50US,
    GB_PROBE_SPIN_1MS,
    GB_PROBE_HOST_SPIN_0,
    GB_PROBE_HOST_SPIN_1MS,
    GB_PROBES
} gb_probe_kind;

typedef struct gb_probe {
    double median_s;  /* 0: not measured */
    char reason[256]; /* why not */
} gb_probe;

/* The timer against a spin of known length. A measured time holds the launch, the kernel's way in
 * and out, and the length: a spin of 0 has all but the length. So the timer's error is that of the
 * difference, (raw - zero - asked) / asked; what the raw time and the launch of an empty kernel
 * alone would say stands beside it. */
typedef struct gb_timer_check {
    bool host_clock; /* by the host's clock, else by the timer that rows are measured with */
    double asked_s, raw_s;
    double less_empty_s; /* 0: the empty kernel was not measured */
    double less_zero_s;
    double error;
    char reason[256]; /* why there is none; "": there is */
} gb_timer_check;
enum { GB_TIMER_CHECKS = 3 };
/* What the device's timer is to keep, from 50 us on. */
#define GB_TIMER_TOLERANCE 0.005

/* The A/A spread: one variant as two jobs, sampled in turns as a run samples two variants, so many
 * times. A difference of two means is taken relative to their mean. */
typedef struct gb_spread {
    const char *variant;
    uint64_t bytes;
    unsigned samples, repetitions;
    double median, worst;
    char reason[256]; /* why there is none; "": there is */
} gb_spread;

typedef struct gb_instrument {
    char reason[256]; /* why nothing was measured; "": the rest holds */
    bool cpu_times;   /* the simt device: the instrument works, its times mean nothing for a GPU */
    unsigned samples; /* of each probe */
    gb_probe probes[GB_PROBES];
    gb_timer_check timer[GB_TIMER_CHECKS];
    gb_spread spread;
} gb_instrument;

/* Asks the session's worker. What it cannot do is said in the reasons; never fails. */
void gb_instrument_measure(gb_session *session, gb_instrument *instrument);

/* ---- the computations ------------------------------------------------------------------------ */

/* zero_s: the spin of 0. empty_s: 0 where it is not known. */
gb_timer_check gb_timer_check_of(double asked_s, double raw_s, double zero_s, double empty_s);
/* Fills repetitions, median and worst from the means of the one job and the other in so many (1 to
 * GB_MOST_REPETITIONS) repetitions. */
enum { GB_MOST_REPETITIONS = 20 };
void gb_spread_of(const double *means, const double *others, unsigned count, gb_spread *spread);

/* ---- showing --------------------------------------------------------------------------------- */

/* Text on stdout, and a warning on stderr where a GPU's timer is off by more than it should. */
void gb_instrument_print(const gb_instrument *instrument);
/* As a JSON object, which the caller owns. */
cJSON *gb_instrument_json(const gb_instrument *instrument);

#endif
