/* The papers whose numbers and claims come with gpubench: those that results/published/ has rows
 * of. */
#ifndef GB_ROWS_PAPERS_H
#define GB_ROWS_PAPERS_H

#include "bench/rows/references.h"

typedef struct gb_paper {
    const char *name;              /* in the column `paper` */
    const char *primitive;         /* that it is about; of two papers it may be the same */
    const char *title;             /* a heading, for people; the name where papers.json has none */
    const gb_reference *reference; /* what it is; NULL: papers.json does not say */
    const char *compared;          /* what it compares with, in words; NULL: the same */
    const gb_reference **against;  /* of others that it compares with or is made after */
    size_t against_count;
} gb_paper;

typedef struct gb_papers {
    gb_paper *items;
    size_t count, capacity;
    gb_references references; /* of the papers and of others */
} gb_papers;

/* The papers of all files of results/published/: first those that papers.json there gives a title,
 * in its order, then the others in the order of the files. Start from {0}; lives in the arena.
 * False and *error: a file cannot be read, a paper is about two primitives, a title is of no paper
 * or the second of one. */
bool gb_papers_load(gb_arena *arena, gb_papers *papers, gb_error *error);

/* The paper of that name; NULL if there is none. */
gb_paper *gb_paper_find(const gb_papers *papers, const char *name);

/* What a paper compares with, with others' works by name: "GPU multisplit (Ashkiani et al. 2017)".
 */
const char *gb_paper_compared(gb_arena *arena, const gb_paper *paper);

#endif
