/* What people see of a run's points and rows while it goes: points named by the axes that vary, and
 * a point's rows, with their numbers, when it ends. */
#ifndef GB_MEASURE_DISPLAY_H
#define GB_MEASURE_DISPLAY_H

#include "bench/record/results.h"
#include "common/stats/two.h"

/* A row of the point under way. */
typedef struct gb_display_row {
    gb_row row;
    double planned_s, spent_s; /* expected by the plan; of its own requests */
} gb_display_row;

typedef struct gb_display {
    const gb_config *config;
    bool varies[GB_MAX_AXES]; /* the axis has several values in the config */
    int width;                /* bytes of the longest name of a row */
    unsigned baseline;        /* the variant that the others are set against */
    gb_display_row *rows;     /* room for those of one point */
    size_t count;
    gb_string_set reasons; /* that were printed */
} gb_display;

enum { GB_DISPLAY_POINT = 256 };

/* Rows are set against the config's baseline, else against its first variant. False without memory;
 * free it in any case. */
bool gb_display_begin(gb_display *display, const gb_config *config);
void gb_display_free(gb_display *display);

/* Prints what follows: the config's name, the device's, how many points, what the rows are set
 * against. cpu: times are the CPU's and say nothing about a GPU. */
void gb_display_title(const gb_display *display, const char *device, bool cpu, size_t points,
                      FILE *file);
/* "n=32M bins=256": the axes of the point that vary within the config; its name where none does.
 * Returns text. */
char *gb_display_point(const gb_display *display, const gb_params *point,
                       char text[GB_DISPLAY_POINT]);
/* Keeps a row of the point under way. */
void gb_display_add(gb_display *display, const gb_row *row, double planned_s, double spent_s);

/* Prints the point and the rows that were kept, in the config's order, a line each: variant, median
 * with half of its 95 % interval, rate (by the mean, as in result files), and how many times the
 * baseline's rate that is, with half of its 95 % interval; of what failed its reason, once a
 * variant. columns: of the terminal, to which lines are cut and reasons folded; 0: it is none. */
void gb_display_print(gb_display *display, const char *point, unsigned columns, FILE *file);
/* Forgets the rows. */
void gb_display_next(gb_display *display);

#endif
