/* What equal runs on a device differ by, as a table. */
#include "bench/table/noise.h"

#include "bench/table/build.h"
#include "bench/table/numbers.h"

#include <string.h>

enum { COLUMNS = 7, STUBS = 3 };

bool gb_is_noise_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "noise.csv") == 0;
}

/* "10 to 100 µs": mean times of the class. */
static const char *times_text(gb_arena *arena, const gb_noise_class *c)
{
    static const char *const decades[] = {"1 to 10 µs", "10 to 100 µs", "0.1 to 1 ms",
                                          "1 to 10 ms", "10 to 100 ms", "0.1 to 1 s",
                                          "1 to 10 s"};
    if (*c->variant) return gb_arena_printf(arena, "%s, any time", c->variant);
    if (c->decade >= -6 && c->decade <= 0) return decades[c->decade + 6];
    return gb_arena_printf(arena, "10^%d to 10^%d s", c->decade, c->decade + 1);
}

static const char *share_text(gb_arena *arena, double share)
{
    return gb_arena_printf(arena, "%s %%", gb_significant(arena, 100 * share, 2));
}

bool gb_noise_beside(const gb_noise_class *a, const gb_noise_class *b)
{
    return strcmp(a->device, b->device) == 0 && strcmp(a->file, b->file) == 0;
}

/* The device, and where several files are of one of its name, the file. */
static const char *title_of(gb_arena *arena, const gb_noise *noise, const gb_noise_class *of)
{
    bool several = false;
    for (size_t i = 0; i < noise->count; i++)
        several |= strcmp(noise->items[i].device, of->device) == 0 &&
                   !gb_noise_beside(&noise->items[i], of);
    return gb_arena_printf(arena, "How far apart equal runs may be found on %s%s%s%s", of->device,
                           several ? " (" : "", several ? of->file : "", several ? ")" : "");
}

gb_table gb_noise_table(gb_arena *arena, const gb_noise *noise, const gb_noise_class *of)
{
    gb_table table = {
        .title = title_of(arena, noise, of),
        .label = gb_arena_printf(arena, "noise %s %s", of->device, of->file),
        .caption =
            "Rows by their mean time, and variants that are much noisier than the others, by "
            "themselves. Half, 99 % and all of the rows differ by less between equal runs, by "
            "the far end of the 95 % interval of the ratio."};
    gb_table_panel *panel = gb_table_add_panel(arena, &table, "", COLUMNS, STUBS);
    const char *const head[COLUMNS] = {"mean time", "scope", "runs on", "rows",
                                       "half",      "99 %",  "all"};
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < noise->count; i++) {
        const gb_noise_class *c = &noise->items[i];
        if (!gb_noise_beside(c, of)) continue;
        const char *const cells[COLUMNS] = {times_text(arena, c),
                                            c->scope,
                                            c->kind,
                                            gb_arena_printf(arena, "%zu", c->rows),
                                            share_text(arena, c->median),
                                            share_text(arena, c->floor),
                                            share_text(arena, c->largest)};
        memcpy(gb_table_add_line(arena, panel, false), cells, sizeof cells);
    }
    return table;
}
