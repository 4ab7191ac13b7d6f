/* A figure from its rows to its file. */
#include "bench/plot/make.h"

#include "bench/plot/data.h"
#include "bench/plot/draw.h"
#include "bench/plot/dump.h"
#include "bench/util/share.h"
#include "bench/util/temporary.h"

#include <dirent.h>
#include <unistd.h>

/* A folder of plain files. */
static void remove_folder(gb_arena *arena, const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') unlink(gb_arena_printf(arena, "%s/%s", path, entry->d_name));
    if (folder) closedir(folder);
    rmdir(path);
}

bool gb_plot_make(gb_arena *arena, const gb_plot_figure *figure, const gb_plot_target *target,
                  gb_error *error)
{
    const char *folder = gb_temporary_folder(arena, "plot", error);
    if (!folder) return false;
    const bool written =
        figure->dump
            ? gb_plot_dump_write(arena, folder, figure->script, figure->dump, target, error)
            : gb_plot_data_write(arena, folder, figure->script, figure->set, figure->slice,
                                 figure->paper, target, error);
    const bool drawn = written && gb_plot_draw(arena, folder, figure->script->path, target, error);
    remove_folder(arena, folder);
    return drawn;
}

bool gb_plot_common(gb_arena *arena, const char **path, gb_error *error)
{
    *path = gb_share_find(arena, "plots/common.gp");
    if (!*path)
        gb_fail(error, GB_WRONG,
                "there is no plots/common.gp in any of: %s; GPUBENCH_SHARE names the folder that "
                "holds plots/",
                gb_share_places(arena));
    return *path != NULL;
}
