/* What `gpubench report` shows of generations of GPUs: by the scripts that draw them. */
#include "bench/commands/report_generations.h"

#include "bench/plot/figures.h"

#include <string.h>

/* ---- primitives -------------------------------------------------------------------------------
 */

/* A set of rows of a GPU; NULL behind the last. */
static const gb_result_set *measured_set(const gb_report *report, size_t number)
{
    for (size_t i = 0; i < report->sides.operand_count; i++) {
        const gb_results *results = &report->sides.operands[i];
        for (size_t s = 0; s < results->set_count; s++) {
            const gb_result_set *set = &results->sets[s];
            if (set->published || set->simt || set->profile || !set->row_count) continue;
            if (number-- == 0) return set;
        }
    }
    return NULL;
}

static bool is_first_of_primitive(const gb_report *report, size_t number)
{
    const char *primitive = measured_set(report, number)->primitive;
    for (size_t i = 0; i < number; i++)
        if (strcmp(measured_set(report, i)->primitive, primitive) == 0) return false;
    return true;
}

/* ---- points -----------------------------------------------------------------------------------
 */

static bool add_generation(gb_report *report, const char *name, const gb_plot_script *script,
                           const gb_generation_sources *sources, gb_error *error)
{
    gb_arena *arena = &report->sides.arena;
    report->generations = gb_arena_grow(arena, report->generations, report->generation_count,
                                        &report->generation_capacity, sizeof *report->generations);
    gb_report_generation *g = &report->generations[report->generation_count];
    *g = (gb_report_generation){.name = name, .title = script->title};
    gb_generation_query *query = gb_arena_alloc(arena, sizeof *query);
    *query = script->query;
    if (!gb_generation_find(arena, query, &script->layout, &script->gpus, sources, NULL, &g->found,
                            error))
        return error->status == GB_UNSUPPORTED;
    report->generation_count += g->found.device_count > 1;
    return true;
}

static bool add_primitive(gb_report *report, const gb_result_set *set, gb_error *error)
{
    gb_arena *arena = &report->sides.arena;
    gb_generation_sources sources = {0};
    for (size_t i = 0; i < report->sides.operand_count; i++)
        gb_generation_add_sets(arena, &sources, &report->sides.operands[i], set->primitive);
    gb_generation_add_sets(arena, &sources, &report->printed, set->primitive);
    for (char **paths = gb_plot_scripts_of(arena, set->primitive, set); *paths; paths++) {
        const char *file = strrchr(*paths, '/') + 1;
        const char *name = gb_arena_strndup(arena, file, strlen(file) - strlen(".gp"));
        const char what = name[strlen(set->primitive)];
        gb_plot_script script;
        if (what != '-' && what != '\0') continue; /* another primitive's */
        if (!gb_plot_script_load(arena, *paths, name, &script, error)) return false;
        if (script.generations && !add_generation(report, name, &script, &sources, error))
            return false;
    }
    return true;
}

bool gb_report_find_generations(gb_report *report, gb_error *error)
{
    const gb_result_set *set;
    if (!gb_gpus_load(&report->sides.arena, "gpus.csv", &report->gpus, error) ||
        !gb_generation_read_printed(&report->printed, error))
        return false;
    for (size_t i = 0; (set = measured_set(report, i)); i++)
        if (is_first_of_primitive(report, i) && !add_primitive(report, set, error)) return false;
    return true;
}
