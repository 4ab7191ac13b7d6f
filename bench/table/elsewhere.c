/* What others printed, as a table of its own. */
#include "bench/table/elsewhere.h"

#include "bench/rows/elsewhere.h"
#include "bench/table/numbers.h"

#include <string.h>

/* A row and the set that it is of. */
typedef struct listed {
    const gb_result_set *set;
    const gb_result_row *row;
} listed;

typedef struct lister {
    gb_arena *arena;
    const gb_result_set *first; /* whose axes are shown */
    listed *items;
    size_t count, capacity;
    bool shown[GB_MAX_AXES]; /* axes that not all rows have the same value on */
} lister;

/* ---- which rows ------------------------------------------------------------------------------ */

static const char *value_of(const listed *item, const char *name)
{
    const int axis = gb_result_axis(item->set, name);
    if (axis >= 0) return item->row->axis[axis];
    if (strcmp(name, "variant") == 0) return item->row->variant;
    if (strcmp(name, "cache") == 0) return item->row->said_cache;
    return strcmp(name, "scope") == 0 ? item->set->scope : "";
}

/* What a row does not say is no reason to leave it out. */
static bool is_chosen(gb_arena *arena, const gb_choices *chosen, const listed *item)
{
    for (size_t i = 0; i < chosen->count; i++) {
        const char *value = value_of(item, chosen->items[i].name);
        if (*value && !gb_choice_allows(arena, &chosen->items[i], value)) return false;
    }
    return true;
}

static void list_rows(lister *l, const gb_results *results, const gb_choices *chosen)
{
    const gb_result_set *set;
    for (size_t at = 0; (set = gb_elsewhere_next(results, l->first, &at));)
        for (size_t r = 0; r < set->row_count; r++) {
            const listed item = {set, &set->rows[r]};
            if (!is_chosen(l->arena, chosen, &item)) continue;
            l->items = gb_arena_grow(l->arena, l->items, l->count, &l->capacity, sizeof *l->items);
            l->items[l->count++] = item;
        }
}

static void find_shown(lister *l)
{
    for (unsigned a = 0; a < l->first->axis_count; a++)
        for (size_t i = 1; i < l->count; i++)
            l->shown[a] |= strcmp(value_of(&l->items[i], l->first->axes[a]),
                                  value_of(&l->items[0], l->first->axes[a])) != 0;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *model_of(const gb_result_row *row)
{
    static const char vendor[] = "NVIDIA ";
    const size_t length = strlen(vendor);
    return strncmp(row->device, vendor, length) == 0 ? row->device + length : row->device;
}

static const char *rate_unit(gb_arena *arena, const gb_result_row *row)
{
    return strchr(row->unit, '/') ? row->unit : gb_arena_printf(arena, "%s/s", row->unit);
}

static void fill_panel(lister *l, gb_table *table)
{
    size_t axes = 0;
    for (unsigned a = 0; a < l->first->axis_count; a++)
        axes += l->shown[a];
    gb_table_panel *panel = gb_table_add_panel(l->arena, table, "", axes + 4, axes + 3);
    panel->head[0] = "device";
    panel->head[1] = "variant";
    panel->head[axes + 2] = "year";
    panel->head[axes + 3] = gb_arena_printf(l->arena, "10⁹ %s", rate_unit(l->arena, l->items->row));
    for (unsigned a = 0, column = 2; a < l->first->axis_count; a++)
        if (l->shown[a]) panel->head[column++] = l->first->axes[a];
    for (size_t i = 0; i < l->count; i++) {
        const listed *item = &l->items[i];
        const char **cells = gb_table_add_line(l->arena, panel, false);
        const char *note = gb_elsewhere_note(l->arena, item->set, item->row);
        cells[0] = model_of(item->row);
        cells[1] = item->row->variant;
        cells[axes + 2] = gb_arena_printf(l->arena, "%d", item->row->year);
        cells[axes + 3] = gb_arena_printf(
            l->arena, "%s%s", gb_significant(l->arena, item->row->rate / 1e9, item->row->digits),
            gb_table_add_note(l->arena, table, note));
        for (unsigned a = 0, column = 2; a < l->first->axis_count; a++)
            if (l->shown[a])
                cells[column++] = gb_axis_readable(l->arena, value_of(item, l->first->axes[a]));
    }
}

static const char *caption_of(const lister *l)
{
    const char *text = "Rates of the same work that others printed";
    const char *between = ": ";
    for (unsigned a = 0; a < l->first->axis_count; a++) {
        if (l->shown[a]) continue;
        text = gb_arena_printf(l->arena, "%s%s%s %s", text, between, l->first->axes[a],
                               gb_axis_readable(l->arena, l->items->row->axis[a]));
        between = ", ";
    }
    return gb_arena_printf(l->arena,
                           "%s. Best: the highest over that axis. They were measured by other "
                           "instruments, and none stands for a result.",
                           text);
}

static void add_records(const lister *l, gb_table *table)
{
    table->records = gb_arena_alloc(l->arena, (l->count + 1) * sizeof *table->records);
    for (size_t i = 0; i < l->count; i++) {
        const listed *item = &l->items[i];
        const gb_result_row *row = item->row;
        const gb_ratio rate = {.value = row->rate};
        table->records[table->record_count++] =
            (gb_table_record){.set = item->set,
                              .axis = row->axis,
                              .label = row->variant,
                              .variant = row->variant,
                              .over = "",
                              .device = row->device,
                              .quantity = "rate",
                              .unit = rate_unit(l->arena, row),
                              .row = row,
                              .elsewhere = true,
                              .value = rate,
                              .note = gb_elsewhere_note(l->arena, item->set, row)};
    }
}

bool gb_table_of_elsewhere(gb_arena *arena, const gb_results *results, const gb_result_set *set,
                           const gb_choices *chosen, gb_tables *tables, gb_error *error)
{
    size_t at = 0;
    *tables = (gb_tables){.elsewhere = true};
    if (gb_elsewhere_next(results, set, &at) != set) return true;
    lister l = {.arena = arena, .first = set};
    list_rows(&l, results, chosen);
    if (l.count == 0) {
        gb_fail(error, GB_UNSUPPORTED,
                "no row about %s that was printed elsewhere is of what was chosen", set->primitive);
        return false;
    }
    find_shown(&l);
    tables->items = gb_arena_alloc(arena, sizeof *tables->items);
    gb_table *table = &tables->items[tables->count++];
    *table = (gb_table){.title = gb_arena_printf(arena, "%s, as others printed it", set->primitive),
                        .label = gb_arena_printf(arena, "%s elsewhere", set->primitive),
                        .caption = caption_of(&l)};
    fill_panel(&l, table);
    add_records(&l, table);
    return true;
}
