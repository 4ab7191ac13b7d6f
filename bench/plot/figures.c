/* Finding the figures of results, and naming them. */
#include "bench/plot/figures.h"

#include "bench/plot/default.h"
#include "bench/plot/names.h"
#include "bench/rows/published.h"
#include "bench/rows/run_facts.h"
#include "bench/table/axes.h"
#include "bench/util/share.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef gb_plot_figures finder; /* at work */

bool gb_plot_leave_out(finder *f, const char *script, const gb_error *error)
{
    if (error->status != GB_UNSUPPORTED) return false;
    const char *line = gb_arena_printf(f->arena, "left out %s: %s", script, error->text);
    if (!f->left_out || strcmp(f->left_out, line) != 0) /* once for all slices of an experiment */
        fprintf(stderr, "gpubench plot: %s\n", line);
    f->left_out = line;
    return true;
}

/* The values of an axis that a set was measured with. */
static const char **values_of(finder *f, const gb_result_set *set, int axis, size_t *count)
{
    const gb_result_row **rows = gb_arena_alloc(f->arena, (set->row_count + 1) * sizeof *rows);
    for (size_t i = 0; i < set->row_count; i++)
        rows[i] = &set->rows[i];
    return gb_axis_values(f->arena, rows, set->row_count, (unsigned)axis, count);
}

/* Whether a set was measured with these values of two axes at once. */
static bool has_both(const gb_result_set *set, int a, const char *value, int b, const char *other)
{
    for (size_t i = 0; i < set->row_count; i++)
        if (strcmp(set->rows[i].axis[a], value) == 0 && strcmp(set->rows[i].axis[b], other) == 0)
            return true;
    return false;
}

/* Holds an axis at its largest value unless it was chosen: at the largest that all panels have, if
 * there is one. */
static void prefer_largest(finder *f, gb_plot_script *script, const gb_result_set *set)
{
    const int axis = script->largest ? gb_result_axis(set, script->largest) : -1;
    const int panels = script->panels ? gb_result_axis(set, script->panels) : -1;
    const char *largest = NULL, *shared = NULL;
    size_t count = 0, panel_count = 0;
    const char **values = axis >= 0 ? values_of(f, set, axis, &count) : NULL;
    const char **panel = panels >= 0 ? values_of(f, set, panels, &panel_count) : NULL;
    for (size_t i = 0; i < count; i++) {
        bool all = true;
        for (size_t p = 0; p < panel_count && all; p++)
            all = has_both(set, axis, values[i], panels, panel[p]);
        if (!largest || gb_axis_compare(values[i], largest) > 0) largest = values[i];
        if (all && (!shared || gb_axis_compare(values[i], shared) > 0)) shared = values[i];
    }
    if (shared) largest = shared;
    if (largest) gb_choices_add(f->arena, &script->layout.where, script->largest, largest);
}

/* ---- which figures there are ---------------------------------------------------------------- */

static gb_plot_figure *add_figure(finder *f, const gb_plot_script *script, const char *shown)
{
    f->items = gb_arena_grow(f->arena, f->items, f->count, &f->capacity, sizeof *f->items);
    gb_plot_figure *added = &f->items[f->count++];
    *added = (gb_plot_figure){.script = script,
                              .shown = shown,
                              .source = f->planned,
                              .fallback = script->generic && !f->only};
    return added;
}

/* An experiment's figures carry its name, so that two of one primitive do not collide. */
static void add_slice(finder *f, const gb_plot_script *script, const char *shown,
                      const gb_result_set *set, const gb_slice *slice, const gb_result_set *paper)
{
    const char *stem = set->published ? set->primitive : set->experiment;
    gb_plot_figure *added = add_figure(f, script, shown);
    added->name = gb_arena_printf(f->arena, "%s%s%s%s", stem, script->what,
                                  *slice->suffix ? "-" : "", slice->suffix);
    added->set = set;
    added->slice = slice;
    added->paper = paper;
}

/* Whether a word stands in a list that is separated by blanks. */
static bool lists(const char *list, const char *word)
{
    for (size_t length = strlen(word); *list;) {
        const size_t this = strcspn(list, " ");
        if (this == length && strncmp(list, word, length) == 0) return true;
        list += this + strspn(list + this, " ");
    }
    return false;
}

/* The published numbers to draw beside a set. */
static bool find_paper(finder *f, const gb_plot_script *script, const gb_result_set *set,
                       const gb_result_set **paper)
{
    *paper = NULL;
    if (f->no_published) return true;
    f->papers =
        gb_arena_grow(f->arena, f->papers, f->paper_count, &f->paper_capacity, sizeof *f->papers);
    gb_results *read = gb_arena_alloc(f->arena, sizeof *read);
    *read = (gb_results){0};
    f->papers[f->paper_count++] = read;
    return gb_published_pair(f->results, set, f->published_file, script->layout.paper, read, paper,
                             f->error);
}

static bool plan_rows(finder *f, gb_plot_script *script, const char *shown,
                      const gb_result_set *set)
{
    if (script->dump || script->profile != set->profile) return true; /* it draws another kind */
    f->tried = true;
    if (script->only && !f->only && !lists(script->only, set->experiment)) {
        gb_fail(f->error, GB_UNSUPPORTED,
                "it is made for experiment %s, not for '%s'; --figure names it to draw it all the "
                "same",
                script->only, set->experiment);
        return false;
    }
    if (script->generic) set = gb_plot_default_fill(f->arena, set, f->chosen, script);
    prefer_largest(f, script, set);
    const gb_result_set *paper;
    if (!find_paper(f, script, set, &paper)) return false;
    bool drawn[GB_MAX_AXES] = {false};
    const char *const axes[] = {script->x, script->panels};
    for (size_t i = 0; i < 2; i++) {
        int axis = axes[i] ? gb_result_axis(set, axes[i]) : -1;
        if (axis >= 0) drawn[axis] = true;
    }
    gb_slices slices;
    if (!gb_table_derive(f->arena, &script->layout, drawn, &set, &paper, f->error) ||
        !gb_results_slice(f->arena, set, drawn, &script->layout.where, f->chosen, &slices,
                          f->error))
        return false;
    if (script->generic && slices.hidden)
        script->remark = gb_arena_printf(f->arena, "%s%sNot drawn: %s.", script->remark,
                                         *script->remark ? " " : "", slices.hidden);
    for (size_t i = 0; i < slices.count; i++)
        add_slice(f, script, shown, set, &slices.items[i], paper);
    return true;
}

/* ---- over generations ----------------------------------------------------------------------- */

/* What is printed: the file that was named, or all there is; and what the results have of it. */
static bool find_printed(finder *f)
{
    if (f->no_published || f->has_printed) return true;
    f->has_printed = true;
    return f->published_file ? gb_published_load(&f->printed, f->published_file, f->error)
                             : gb_generation_read_printed(&f->printed, f->error);
}

/* Whether a script was looked at before, as it now is. */
static bool is_followed(finder *f, const char *script)
{
    for (size_t i = 0; i < f->followed_count; i++)
        if (strcmp(f->followed[i], script) == 0) return true;
    f->followed = gb_arena_grow(f->arena, f->followed, f->followed_count, &f->followed_capacity,
                                sizeof *f->followed);
    f->followed[f->followed_count++] = script;
    return false;
}

/* A primitive has one such figure, of whatever experiments measured it. */
static bool plan_generations(finder *f, const gb_plot_script *script, const char *shown,
                             const gb_result_set *set)
{
    if (f->no_generations || set->simt || set->profile || is_followed(f, script->path)) return true;
    f->tried = true;
    gb_generation_sources sources = {0};
    gb_generation *found = gb_arena_alloc(f->arena, sizeof *found);
    if (!find_printed(f)) return false;
    gb_generation_add_sets(f->arena, &sources, f->results, set->primitive);
    gb_generation_add_sets(f->arena, &sources, &f->printed, set->primitive);
    if (!gb_generation_find(f->arena, &script->query, &script->layout, &script->gpus, &sources,
                            f->chosen, found, f->error))
        return false;
    if (found->device_count < 2) {
        gb_fail(f->error, GB_UNSUPPORTED, "there are points of one device alone, %s",
                found->devices[0].label);
        return false;
    }
    gb_plot_figure *added = add_figure(f, script, shown);
    added->name = shown;
    added->generation = found;
    added->source = SIZE_MAX; /* no figure of what single experiments have */
    return true;
}

static bool plan_dump(finder *f, const gb_plot_script *script, const char *shown,
                      const gb_dump_file *dump)
{
    if (!script->dump || strcmp(script->dump, dump->dump) != 0) return true;
    f->tried = true;
    gb_plot_figure *added = add_figure(f, script, shown);
    added->name = dump->name;
    added->dump = dump;
    return true;
}

static void know_script(finder *f, const char *name)
{
    for (size_t i = 0; i < f->script_count; i++)
        if (strcmp(f->scripts[i], name) == 0) return;
    f->scripts = gb_arena_grow(f->arena, f->scripts, f->script_count, &f->script_capacity,
                               sizeof *f->scripts);
    f->scripts[f->script_count++] = name;
}

char **gb_plot_scripts_of(gb_arena *arena, const char *primitive, const gb_result_set *set)
{
    char **known = gb_share_list(arena, "plots", primitive, ".gp");
    const char *folder = set && !set->published && set->row_count
                             ? gb_plots_beside_config(arena, set->rows[0].path)
                             : NULL;
    char **more = gb_folder_list(arena, folder, primitive, ".gp");
    size_t count = 0, capacity = 0;
    char **all = gb_arena_grow(arena, NULL, 0, &capacity, sizeof *all);
    for (int from = 0; from < 2; from++) {
        for (char **path = from ? more : known; *path; path++) {
            const char *name = strrchr(*path, '/');
            bool twice = false;
            for (size_t i = 0; i < count; i++)
                twice |= strcmp(strrchr(all[i], '/'), name) == 0;
            if (twice) continue;
            all = gb_arena_grow(arena, all, count + 1, &capacity, sizeof *all);
            all[count++] = *path;
        }
    }
    all[count] = NULL;
    return all;
}

/* All figures of a set or of a dump of this primitive: plots/<primitive>.gp and
 * plots/<primitive>-*.gp, or the one asked for. */
static bool plan_all_of(finder *f, const char *primitive, const gb_result_set *set,
                        const gb_dump_file *dump)
{
    for (char **paths = gb_plot_scripts_of(f->arena, primitive, set); *paths; paths++) {
        const char *name = strrchr(*paths, '/') + 1, *what = name + strlen(primitive);
        if (*what != '-' && *what != '.') continue; /* another primitive's */
        char *stem = gb_arena_strndup(f->arena, name, strlen(name) - strlen(".gp"));
        if (f->only && strcmp(f->only, stem) != 0) {
            know_script(f, stem);
            continue;
        }
        gb_plot_script *script = gb_arena_alloc(f->arena, sizeof *script);
        if (!gb_plot_script_load(f->arena, *paths, stem + strlen(primitive), script, f->error))
            return false;
        if (script->primitive && strcmp(script->primitive, primitive) != 0) continue;
        know_script(f, stem);
        if (script->generic) continue; /* of a primitive that is called so */
        if (!set && script->generations) continue;
        /* A point here and there of other GPUs: a figure over generations has them all. */
        if (set && set->elsewhere && !script->generations) continue;
        const bool good = !set                  ? plan_dump(f, script, stem, dump)
                          : script->generations ? plan_generations(f, script, stem, set)
                                                : plan_rows(f, script, stem, set);
        if (!good && !gb_plot_leave_out(f, stem, f->error)) return false;
    }
    return true;
}

/* The figure that any rows have, plots/default.gp: where it is asked for, and to fall back on. */
static bool plan_default(finder *f, const gb_result_set *set)
{
    static const char name[] = "default";
    const char *path = gb_share_find(f->arena, "plots/default.gp");
    if (!path || set->profile || (set->elsewhere && !f->only)) return true;
    know_script(f, name);
    if (f->only && strcmp(f->only, name) != 0) return true;
    gb_plot_script *script = gb_arena_alloc(f->arena, sizeof *script);
    if (!gb_plot_script_load(f->arena, path, "-default", script, f->error)) return false;
    const bool alone = f->count == 0 || f->items[f->count - 1].source != f->planned;
    if (plan_rows(f, script, name, set)) return true;
    /* beside other figures it was not to be drawn */
    return alone ? gb_plot_leave_out(f, name, f->error) : f->error->status == GB_UNSUPPORTED;
}

static bool plan(finder *f)
{
    for (size_t i = 0; i < f->results->set_count; i++, f->planned++) {
        const gb_result_set *set = &f->results->sets[i];
        if (!gb_published_serves(f->results, set) &&
            (!plan_all_of(f, set->primitive, set, NULL) || !plan_default(f, set)))
            return false;
    }
    for (size_t i = 0; i < f->results->dump_count; i++, f->planned++)
        if (!plan_all_of(f, f->results->dumps[i].primitive, NULL, &f->results->dumps[i]))
            return false;
    return true;
}

/* ---- their names ---------------------------------------------------------------------------- */

/* Adds a device to a text, once. */
static void add_device(finder *f, const char **text, const char *device)
{
    if (!strstr(*text, device))
        *text = gb_arena_printf(f->arena, "%s%s%s", *text, **text ? " " : "", device);
}

static const char *devices_of(finder *f, const gb_plot_figure *of)
{
    const char *text = "";
    if (of->generation) return "";
    if (of->dump ? of->dump->simt : of->set->simt) return "simt";
    for (size_t i = 0; of->dump && i < of->dump->table_count; i++)
        add_device(f, &text, of->dump->tables[i].device);
    for (size_t i = 0; of->slice && i < of->slice->device_count; i++)
        add_device(f, &text, of->slice->devices[i]);
    return text;
}

/* Figures of experiments on the simt device and on a GPU, or of dumps in two folders, would replace
 * one another. */
static void name_figures(finder *f)
{
    gb_plot_name *names = gb_arena_alloc(f->arena, (f->count + 1) * sizeof *names);
    for (size_t i = 0; i < f->count; i++) {
        const gb_plot_figure *of = &f->items[i];
        names[i] = (gb_plot_name){.name = of->name,
                                  .apart = {[GB_PLOT_OF_DEVICES] = devices_of(f, of),
                                            [GB_PLOT_OF_PLACE] = of->dump         ? of->dump->folder
                                                                 : of->generation ? ""
                                                                                  : of->set->scope,
                                            [GB_PLOT_OF_SCRIPT] = of->shown}};
    }
    gb_plot_names_tell_apart(f->arena, names, f->count);
    for (size_t i = 0; i < f->count; i++)
        f->items[i].name = names[i].name;
}

bool gb_plot_figures_find(gb_plot_figures *f, gb_error *error)
{
    f->error = error;
    if (!plan(f)) return false;
    name_figures(f);
    return true;
}

bool gb_plot_is_needless(const gb_plot_figures *f, const gb_plot_figure *figure)
{
    for (size_t i = 0; figure->fallback && i < f->count; i++)
        if (f->items[i].source == figure->source && !f->items[i].fallback && f->items[i].drawn)
            return true;
    return false;
}

void gb_plot_figures_free(gb_plot_figures *f)
{
    for (size_t i = 0; i < f->paper_count; i++)
        gb_results_free(f->papers[i]);
    gb_results_free(&f->printed);
}
