/* The papers whose numbers and claims come with gpubench: those that results/published/ has rows
 * of. */
#ifndef GB_ROWS_PAPERS_H
#define GB_ROWS_PAPERS_H

#include "bench/util/arena.h"

#include <stdbool.h>

typedef struct gb_paper {
    const char *name;      /* in the column `paper` */
    const char *primitive; /* that it is about; of two papers it may be the same */
    const char *title;     /* for people; the name where plots/report.json has none */
} gb_paper;

typedef struct gb_papers {
    gb_paper *items;
    size_t count, capacity;
} gb_papers;

/* The papers of all files of results/published/: first those that plots/report.json gives a title,
 * in its order, then the others in the order of the files. Start from {0}; lives in the arena.
 * False and *error: a file cannot be read, a paper is about two primitives, a title is of no paper
 * or the second of one. */
bool gb_papers_load(gb_arena *arena, gb_papers *papers, gb_error *error);

/* The paper of that name; NULL if there is none. */
gb_paper *gb_paper_find(const gb_papers *papers, const char *name);

#endif
