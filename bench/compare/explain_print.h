/* What binds rows, for people (text, Markdown, LaTeX) and for programs (CSV, JSON). */
#ifndef GB_COMPARE_EXPLAIN_PRINT_H
#define GB_COMPARE_EXPLAIN_PRINT_H

#include "bench/compare/explain.h"
#include "bench/compare/print.h"

/* The formats. They write to a gb_compare_output, an item a gb_explanation. For people: what both
 * devices have, what binds by experiment and variant, then rows: of GB_ALL_ROWS every one, else
 * those that are bound otherwise than most of their variant, so many at most. CSV: all pairs. JSON:
 * one value, {"explanations": [...]}. */
extern const gb_exporter gb_explain_exporters[];

/* The formats for programs (explain_records.c). */
void gb_explain_begin_csv(void *output);
void gb_explain_put_csv(void *output, const void *explanation);
void gb_explain_begin_json(void *output);
void gb_explain_put_json(void *output, const void *explanation);

/* Adds what both devices have, what binds each experiment and variant, and as remarks what the
 * words mean: the tables of those for people without the rows. */
void gb_explain_add(gb_arena *arena, const gb_explanation *explanation, gb_table *table);

/* What binds the rows of one experiment and variant. */
typedef struct gb_explained_variant {
    const char *experiment, *variant;
    const gb_result_set *set;
    bool of_host; /* its rows of the host, apart from the others */
    size_t rows, counts[GB_BINDING_COUNT];
    gb_binding most;  /* the most frequent */
    gb_ratio *ratios; /* of those that have one, ascending */
    size_t ratio_count, ratio_capacity;
    double *parts; /* gb_memory_part of those that have one, ascending */
    size_t part_count, part_capacity;
} gb_explained_variant;

/* The variants of an explanation, in the order of its rows. They live in the arena. */
gb_explained_variant *gb_explained_variants(gb_arena *arena, const gb_explanation *explanation,
                                            size_t *count);
/* "between memory and issue, 62 % memory, or L2": what became of a pair, in words. */
const char *gb_explained_text(gb_arena *arena, const gb_explained *explained);
/* "copies measured", "data sheets". */
const char *gb_origin_text(gb_origin origin, gb_resource resource);

#endif
