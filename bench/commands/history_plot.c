/* The figure of a history: rates over commits, by the script that draws whatever it is given. */
#include "bench/commands/history_plot.h"

#include "bench/plot/formats.h"
#include "bench/plot/make.h"

#include <string.h>

static const char *names_of(gb_arena *arena, const gb_history *history)
{
    const char **names = gb_arena_alloc(arena, history->count * sizeof *names);
    for (size_t i = 0; i < history->count; i++)
        names[i] = gb_arena_printf(arena, "%s on %s", history->series[i].experiment,
                                   history->series[i].device);
    return gb_arena_listed(arena, names, history->count);
}

static bool draw(gb_arena *arena, gb_results *results, const gb_choices *chosen,
                 const gb_plot_target *target, gb_error *error)
{
    gb_choices of_rows = {0};
    for (size_t i = 0; i < chosen->count; i++) /* all rows are of the one that was chosen */
        if (strcmp(chosen->items[i].name, "experiment") != 0)
            gb_choices_add(arena, &of_rows, chosen->items[i].name, chosen->items[i].value);
    gb_plot_figures figures = {.arena = arena,
                               .results = results,
                               .chosen = &of_rows,
                               .only = "default",
                               .no_published = true};
    bool good = gb_plot_figures_find(&figures, error);
    if (good && figures.count == 0) {
        gb_fail(error, GB_WRONG, "there is nothing to draw");
        good = false;
    }
    good = good && gb_plot_make(arena, &figures.items[0], target, error);
    gb_plot_figures_free(&figures);
    return good;
}

bool gb_history_plot(const gb_history *history, const gb_choices *chosen, const char *path,
                     gb_error *error)
{
    gb_arena arena = {0};
    gb_plot_target target = {.output = path, .format = gb_plot_format_of("plot", path, error)};
    bool good = target.format && gb_plot_common(&arena, &target.common, error);
    if (good && history->count > 1) {
        gb_fail(error, GB_WRONG,
                "--plot draws one experiment, and there are %zu: %.400s; "
                "--experiment chooses, or name the folder of one device",
                history->count, names_of(&arena, history));
        good = false;
    }
    if (good) {
        gb_results results = {.sets =
                                  gb_history_rows(&arena, &history->series[0], history->by_commit),
                              .set_count = 1};
        good = draw(&arena, &results, chosen, &target, error);
    }
    gb_arena_free(&arena);
    return good;
}
