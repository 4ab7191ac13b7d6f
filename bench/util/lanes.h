/* What several processes say at the same time: in a log every line behind the name of who says it,
 * on a terminal the latest line of progress of each, rewritten in its place, and the others above
 * them. */
#ifndef GB_UTIL_LANES_H
#define GB_UTIL_LANES_H

#include "bench/util/block.h"

enum { GB_LANE_LINE = 640 };

typedef struct gb_lane {
    const char *name;          /* of who speaks */
    int from;                  /* what it says is read here; -1: it has ended */
    char line[GB_LANE_LINE];   /* that is not whole yet */
    size_t used;               /* of it; what does not fit is cut */
    char latest[GB_LANE_LINE]; /* line of progress; "": none yet */
} gb_lane;

typedef struct gb_lanes {
    FILE *to;
    gb_lane *list;
    size_t count;
    gb_block block; /* on a terminal */
} gb_lanes;

/* Shows what the lanes say on `to` until all have closed their ends, and closes these. look is
 * called before each time that it waits, which a signal ends, and at least once in half a second.
 */
void gb_lanes_show(gb_lanes *lanes, void (*look)(void *context), void *context);

/* Whether a line is one of progress, as bench/util/progress.h writes them to a log: "[3/12] ...".
 */
bool gb_lane_is_progress(const char *line);

#endif
