/* Looks up every number of the generated blocks of a document in the CSV files that it is from, by
 * what the block itself says of it: the row's and the column's head, the caption. It has nothing of
 * scripts/generated.sh, nor of the code that fills tables. */
#ifndef GB_TESTS_DELIVERY_DOCUMENT_NUMBERS_H
#define GB_TESTS_DELIVERY_DOCUMENT_NUMBERS_H

#include "bench/table/layout.h"
#include "bench/util/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct document {
    gb_arena arena;
    const char *path;
    const char *gpubench; /* the program */
    const char *results;  /* the folder that documents show */
    size_t found, lost;   /* numbers */
} document;

/* <!-- gpubench WORD... --> and the lines up to <!-- end -->, the first of them line `first` of the
 * document. Without Markdown's escapes, but for those in front of a bar. */
typedef struct block {
    const char **words;
    size_t word_count;
    const char **lines;
    size_t line_count, first;
} block;

/* Says that line i of a block has something that no file has. */
void lose(document *d, const block *b, size_t i, const char *format, ...) GB_PRINTF(4, 5);

/* The cells of a line of a table; NULL if it is none. */
const char **cells_of(gb_arena *arena, const char *line, size_t *count);
/* Without the marks of footnotes and the asterisk at its end. */
const char *unmarked(gb_arena *arena, const char *text);
bool begins(const char *text, const char *with);
/* Whether a text has a digit. */
bool has_number(const char *text);
/* Whether these are all numbers of a text, as they are printed; NULL ends them. */
bool has_numbers(const char *text, const char *const *numbers);

/* A number as it is printed, and what stands behind it. */
typedef struct printed {
    double value;
    int decimals;
    const char *rest;
} printed;

bool parse_printed(const char *text, printed *number);
/* Whether a value is printed so. */
bool rounds_to(double value, const printed *number);

/* The lines that a command prints; NULL if it fails. */
gb_csv *csv_of_command(document *d, const char *command);

/* The folders of all devices, as $DEVICES means them; with blanks between. */
const char *all_devices(document *d);

/* Each checks a block of one command. */
void check_table(document *d, const block *b);
void check_noise(document *d, const block *b);
void check_claims(document *d, const block *b);
void check_standings(document *d, const block *b);
void check_compare(document *d, const block *b);
void check_papers(document *d, const block *b);
void check_project(document *d, const block *b);
void check_scaling(document *d, const block *b);

#endif
