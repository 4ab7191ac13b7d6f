/* The figure that grows while `gpubench run --live` goes on. Inside the command only. */
#ifndef GB_COMMANDS_RUN_LIVE_H
#define GB_COMMANDS_RUN_LIVE_H

#include "common/text/error.h"

typedef struct gb_run_live {
    const char *csv; /* the result file */
    gb_error said;   /* why there was no figure, as it was last said */
} gb_run_live;

/* Whether the progress has a terminal on which there is room; says on stderr why not. */
bool gb_run_live_possible(void);
/* Draws the file's first figure (gb_live.draw). */
char *gb_run_live_draw(void *context, gb_error *note);

#endif
