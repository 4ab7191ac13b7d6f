/* The drawings of `gpubench report`: two runs of `gpubench plot` at once. */
#ifndef GB_COMMANDS_REPORT_DRAW_H
#define GB_COMMANDS_REPORT_DRAW_H

#include "bench/foreign/map.h"
#include "bench/util/arena.h"

#include <stdbool.h>

typedef struct gb_report_drawings {
    const gb_foreign_map *map; /* of other tools' files; NULL: none */
    const char *folder;        /* temporary; NULL: there is none */
    const char *wide, *narrow; /* in it: as screens have them, with their data; as a column */
} gb_report_drawings;

/* Draws all figures of results as SVG. Start from {0} but for the map, remove in any case. False
 * and *error, also if somebody asked for an end. */
bool gb_report_draw(gb_arena *arena, char **paths, size_t count, gb_report_drawings *drawings,
                    gb_error *error);
void gb_report_remove_drawings(const gb_report_drawings *drawings);

#endif
