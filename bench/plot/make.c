/* A figure from its rows to its file. */
#include "bench/plot/make.h"

#include "bench/plot/data.h"
#include "bench/plot/draw.h"
#include "bench/plot/dump.h"
#include "bench/plot/generations.h"
#include "bench/util/share.h"
#include "bench/util/temporary.h"

#include <dirent.h>
#include <unistd.h>

void gb_plot_remove_files(gb_arena *arena, const char *folder, bool (*wanted)(const char *name))
{
    DIR *files = opendir(folder);
    for (struct dirent *entry; files && (entry = readdir(files));)
        if (entry->d_name[0] != '.' && (!wanted || wanted(entry->d_name)))
            unlink(gb_arena_printf(arena, "%s/%s", folder, entry->d_name));
    if (files) closedir(files);
}

void gb_plot_remove_folder(gb_arena *arena, const char *folder)
{
    gb_plot_remove_files(arena, folder, NULL);
    rmdir(folder);
}

bool gb_plot_write(gb_arena *arena, const char *folder, const gb_plot_figure *figure,
                   const gb_plot_target *target, gb_error *error)
{
    if (figure->dump)
        return gb_plot_dump_write(arena, folder, figure->script, figure->dump, target, error);
    if (figure->generation)
        return gb_plot_generations_write(arena, folder, figure->script, figure->generation, target,
                                         error);
    return gb_plot_data_write(arena, folder, figure->script, figure->set, figure->slice,
                              figure->paper, target, error);
}

bool gb_plot_make(gb_arena *arena, const gb_plot_figure *figure, const gb_plot_target *target,
                  gb_error *error)
{
    const char *folder = gb_temporary_folder(arena, "plot", error);
    if (!folder) return false;
    const bool drawn = gb_plot_write(arena, folder, figure, target, error) &&
                       gb_plot_draw(arena, folder, figure->script->path, target, error);
    gb_plot_remove_folder(arena, folder);
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
