/* Claims and verdicts for people and for programs. */
#ifndef GB_CLAIMS_PRINT_H
#define GB_CLAIMS_PRINT_H

#include "bench/claims/claims.h"
#include "bench/table/render.h"
#include "bench/util/exporter.h"

/* The devices that have measured rows, in order of appearance, but for those used under conditions
 * (gb_result_row.under): claims and standings are about devices as they are. */
const char **gb_claims_devices(gb_arena *arena, const gb_results *results, size_t *count);

/* The claims of one paper, or of all (NULL), on a device as a table: verdicts, what the paper says
 * and what was measured. */
gb_table gb_claims_table(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                         const gb_noise *noise, const char *device, const char *paper);
/* How many claims of each class have which verdict, a sentence or two for people. */
const char *gb_claims_counted(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                              const gb_noise *noise, const char *device, const char *paper);
/* The points behind one as a table; what the verdict rests on is its caption. most: rows that are
 * shown at most, 0: all. */
gb_table gb_claim_points_table(gb_arena *arena, const gb_claim_result *r, size_t most);

/* Where claims are written to, and how. Start from {0} with all but the last set. */
typedef struct gb_claims_output {
    gb_arena *arena;
    const gb_claims *claims;
    const gb_results *results;
    const gb_noise *noise;
    bool rows; /* those for people: with the points behind each */
    FILE *file;
    size_t tables; /* written so far */
} gb_claims_output;

/* The formats. They write to a gb_claims_output, an item the name of a device that the claims are
 * held against. */
extern const gb_exporter gb_claims_exporters[];

#endif
