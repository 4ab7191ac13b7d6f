/* The points of a generation as a table. */
#include "bench/generations/generations.h"

#include "bench/table/numbers.h"

#include <string.h>

enum {
    VERSION,
    DEVICE,
    ARCHITECTURE,
    YEAR,
    VALUE,
    BANDWIDTH,
    CYCLE,
    AT,
    SOURCE,
    COLUMNS,
    STUBS = 3
};

/* Of what is printed the digits that are printed. */
static const char *value_text(gb_arena *arena, const gb_generation_point *point, bool ratio)
{
    const int digits = point->printed && point->row->digits > 0 ? point->row->digits : 3;
    const gb_ratio value = {.value = point->value, .lo = point->lo, .hi = point->hi};
    if (ratio && !point->printed) return gb_ratio_text(arena, &value);
    return gb_significant(arena, ratio ? point->value : point->value / 1e9, digits);
}

/* "Adinets and Merrill 2022: abstract", "NVIDIA/cccl issue 9768 (2026): description" */
static const char *printed_text(gb_arena *arena, const gb_generation_point *point)
{
    const char *of = point->set->experiment;
    const char *year = gb_arena_printf(arena, "%d", point->row->year);
    if (!point->row->year) return gb_arena_printf(arena, "paper %s: %s", of, point->row->locator);
    return strstr(of, year) ? gb_arena_printf(arena, "%s: %s", of, point->row->locator)
                            : gb_arena_printf(arena, "%s (%s): %s", of, year, point->row->locator);
}

/* Where a value is from; which variant was measured, where the version is the fastest of several.
 */
static const char *source_text(gb_arena *arena, const gb_generation_line *line,
                               const gb_generation_point *point)
{
    if (point->printed) return printed_text(arena, point);
    return strchr(line->of, ';') ? gb_arena_printf(arena, "measured: %s, %s",
                                                   point->set->experiment, point->row->variant)
                                 : gb_arena_printf(arena, "measured: %s", point->set->experiment);
}

static const char *number_or_blank(gb_arena *arena, double value)
{
    return value > 0 ? gb_significant(arena, value, 3) : "";
}

/* Which columns a line's panel has: a speed-up is over nothing else. */
static size_t columns_of(const gb_generation *found, const gb_generation_line *line,
                         unsigned columns[COLUMNS])
{
    const unsigned per = line->over ? 0 : found->query->per;
    size_t count = 0;
    for (unsigned c = 0; c < COLUMNS; c++)
        if ((c != BANDWIDTH || per & GB_PER_BANDWIDTH) && (c != CYCLE || per & GB_PER_SM_CYCLE))
            columns[count++] = c;
    return count;
}

static void put_cells(const char **to, const char *const cells[COLUMNS], const unsigned *columns,
                      size_t count)
{
    for (size_t c = 0; c < count; c++)
        to[c] = cells[columns[c]];
}

static void add_point(gb_arena *arena, gb_table_panel *panel, const gb_generation *found,
                      const gb_generation_point *point)
{
    const gb_generation_device *device = &found->devices[point->device];
    const gb_generation_line *line = &found->query->lines[point->line];
    const char *const cells[COLUMNS] = {
        [VERSION] = line->label,
        [DEVICE] = device->label,
        [ARCHITECTURE] = *device->architecture ? device->architecture : "not known",
        [YEAR] = device->gpu && device->gpu->year > 0
                     ? gb_arena_printf(arena, "%.0f", device->gpu->year)
                     : "",
        [VALUE] = value_text(arena, point, line->over != NULL),
        /* 10⁹ items/s for each TB/s */
        [BANDWIDTH] = number_or_blank(arena, 1e3 * point->per_bandwidth),
        [CYCLE] = number_or_blank(arena, point->per_sm_cycle),
        [AT] = point->differences,
        [SOURCE] = source_text(arena, line, point)};
    unsigned columns[COLUMNS];
    const size_t count = columns_of(found, line, columns);
    put_cells(gb_table_add_line(arena, panel, false), cells, columns, count);
}

static gb_table_panel *add_panel(gb_arena *arena, gb_table *table, const gb_generation *found,
                                 const gb_generation_line *line)
{
    const char *const head[COLUMNS] = {
        [VERSION] = "version",
        [DEVICE] = "device",
        [ARCHITECTURE] = "architecture",
        [YEAR] = "year",
        [VALUE] = line->over ? "speed-up" : gb_arena_printf(arena, "10⁹ %s/s", found->unit),
        [BANDWIDTH] = "per TB/s",
        [CYCLE] = gb_arena_printf(arena, "%s per SM and cycle", found->unit),
        [AT] = "differs in",
        [SOURCE] = "source"};
    unsigned columns[COLUMNS];
    const size_t count = columns_of(found, line, columns);
    gb_table_panel *panel =
        gb_table_add_panel(arena, table, line->over ? "Speed-ups" : "Rates", count, STUBS);
    put_cells(panel->head, head, columns, count);
    return panel;
}

static void add_sentence(gb_arena *arena, const char **text, const char *sentence)
{
    if (*sentence) *text = gb_arena_printf(arena, "%s%s%s", *text, **text ? " " : "", sentence);
}

gb_table gb_generation_table(gb_arena *arena, const gb_generation *found, const char *title)
{
    gb_table table = {.title = title, .caption = ""};
    add_sentence(arena, &table.caption, gb_arena_printf(arena, "At %s.", found->held));
    add_sentence(arena, &table.caption, found->unnormalised);
    add_sentence(arena, &table.caption, found->left_out);
    gb_table_panel *panel = NULL;
    for (size_t p = 0; p < found->point_count; p++) {
        const gb_generation_point *point = &found->points[p];
        const gb_generation_line *line = &found->query->lines[point->line];
        const gb_generation_line *before =
            p ? &found->query->lines[found->points[p - 1].line] : NULL;
        if (!before || !before->over != !line->over) panel = add_panel(arena, &table, found, line);
        add_point(arena, panel, found, point);
    }
    return table;
}
