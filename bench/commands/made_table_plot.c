/* A figure of a table that a command made. */
#include "bench/commands/made_table_plot.h"

#include "bench/plot/formats.h"
#include "bench/plot/make.h"
#include "bench/util/share.h"

static bool draw(gb_arena *arena, const char *name, const gb_dump_file *table,
                 const gb_plot_target *target, gb_error *error)
{
    gb_plot_script script;
    const char *shown = gb_arena_printf(arena, "plots/%s.gp", name);
    const char *path = gb_share_find(arena, shown);
    if (!path) {
        gb_fail(error, GB_WRONG, "there is no %s in any of: %s", shown, gb_share_places(arena));
        return false;
    }
    const gb_plot_figure figure = {.script = &script, .shown = shown, .name = name, .dump = table};
    return gb_plot_script_load(arena, path, name, &script, error) &&
           gb_plot_make(arena, &figure, target, error);
}

bool gb_made_table_plot(gb_arena *arena, const char *name, gb_csv *csv, const char *path,
                        gb_error *error)
{
    gb_plot_target target = {.output = path, .format = gb_plot_format_of("plot", path, error)};
    gb_dump_file table;
    const bool good = target.format && gb_plot_common(arena, &target.common, error) &&
                      gb_dump_read(arena, path, csv, &table, error) &&
                      draw(arena, name, &table, &target, error);
    gb_csv_free(csv);
    return good;
}
