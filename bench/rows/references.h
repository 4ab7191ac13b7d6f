/* The works that gpubench reproduces, compares with and builds on, as results/published/papers.json
 * names them. */
#ifndef GB_ROWS_REFERENCES_H
#define GB_ROWS_REFERENCES_H

#include "bench/rows/json_data.h"

typedef struct gb_reference {
    const char *key;    /* by which others name it; of BibTeX */
    const char *kind;   /* a type of BibTeX entries, such as article */
    const char *called; /* in a sentence: "Ashkiani et al. 2017" */
    const char *title, *venue;
    /* NULL: there is none, or it is not known. english: the title, where it is in another language.
     */
    const char *english, *language, *volume, *number, *pages, *doi, *url;
    const char *unknown;  /* what is not known of it, and why; NULL: nothing */
    const char **authors; /* "Ashkiani, Saman" */
    size_t author_count;
    unsigned year; /* 0: unknown */
} gb_reference;

typedef struct gb_references {
    gb_reference *items;
    size_t count;
} gb_references;

/* Reads the member "references" of an object. False and the reader's error. */
bool gb_references_read(gb_json_reader *reader, gb_arena *arena, const cJSON *root,
                        gb_references *references);
/* The reference of that key; NULL if there is none. */
const gb_reference *gb_reference_find(const gb_references *references, const char *key);
/* A work in a line: "S. Ashkiani, ...: GPU Multisplit: ... ACM ... 4(1), 1-44, 2017,
 * doi:10.1145/3108139". With what is not known of it. */
const char *gb_reference_line(gb_arena *arena, const gb_reference *reference);
/* The address of a work: of its DOI, else its own; NULL. */
const char *gb_reference_address(gb_arena *arena, const gb_reference *reference);
/* An entry of a BibTeX file, of several lines. A title in another script than the Latin is given in
 * English. */
const char *gb_reference_bibtex(gb_arena *arena, const gb_reference *reference);

#endif
