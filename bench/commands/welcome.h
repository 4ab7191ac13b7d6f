/* What `gpubench` alone says: what to do next on this machine. Inside the commands only. */
#ifndef GB_COMMANDS_WELCOME_H
#define GB_COMMANDS_WELCOME_H

#include "bench/util/arena.h"
#include "bench/worker/offers.h"

/* Prints it to stdout, a dozen lines that fit the terminal. Quick whatever the workers do: one that
 * does not answer within seconds is said to. */
void gb_welcome(void);

/* ---- its parts ------------------------------------------------------------------------------- */

/* An experiment that comes along, and how long it takes on the device: as long as a run that is
 * recorded took, else as the plan guesses. */
typedef struct gb_welcome_config {
    const char *name;
    double seconds;     /* negative: nobody knows */
    const char *device; /* whose recorded time it is, where that is another; NULL: of this one */
} gb_welcome_config;

/* The configs that are called as a primitive of the worker is, the quickest first. worker: it runs,
 * and may be asked about points. *others: how many more there are. */
gb_welcome_config *gb_welcome_configs(gb_arena *arena, const gb_offer *offer, gb_worker *worker,
                                      size_t *count, size_t *others);

/* Results that lie in the current folder's results/. */
typedef struct gb_welcome_results {
    const char *folder; /* "results/nvidia-h200" */
    size_t experiments;
    bool simt;
    const char *broken_off; /* the first experiment whose run did not end; NULL: none */
} gb_welcome_results;

gb_welcome_results *gb_welcome_find_results(gb_arena *arena, size_t *count);

#endif
