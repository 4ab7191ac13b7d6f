/* Claims and verdicts for people and for programs. */
#ifndef GB_CLAIMS_PRINT_H
#define GB_CLAIMS_PRINT_H

#include "bench/claims.h"
#include "bench/table_render.h"

typedef enum gb_claims_format {
    GB_CLAIMS_TEXT,
    GB_CLAIMS_MARKDOWN,
    GB_CLAIMS_LATEX,
    GB_CLAIMS_CSV
} gb_claims_format;

/* Their names, NULL-terminated. */
extern const char *const gb_claims_formats[];

/* The devices that have measured rows, in order of appearance. */
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

/* Prints them. rows: with the rows behind each; header: of CSV. */
void gb_claims_print(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                     const gb_noise *noise, const char *device, gb_claims_format format, bool rows,
                     bool header, FILE *file);

#endif
