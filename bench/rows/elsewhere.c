/* What others printed, all of it, and what of it stands beside measured rows. */
#include "bench/rows/elsewhere.h"

#include "bench/rows/published.h"
#include "bench/util/share.h"

bool gb_elsewhere_load(gb_results *results, gb_error *error)
{
    char **paths = gb_share_list(&results->arena, "results/published/elsewhere", "", ".csv");
    for (size_t i = 0; paths[i]; i++) {
        const size_t before = results->set_count;
        if (!gb_results_add(results, paths[i], error)) return false;
        for (size_t s = before; s < results->set_count; s++) {
            if (results->sets[s].elsewhere) continue;
            gb_fail(error, GB_WRONG,
                    "%s holds other rows than what others printed: it has no column 'source' "
                    "(results/published/elsewhere/README.md describes the layout)",
                    paths[i]);
            return false;
        }
    }
    return true;
}

const gb_result_set *gb_elsewhere_next(const gb_results *results, const gb_result_set *measured,
                                       size_t *at)
{
    while (*at < results->set_count) {
        const gb_result_set *set = &results->sets[(*at)++];
        if (set->elsewhere && gb_published_is_about(set, measured)) return set;
    }
    return NULL;
}

const char *gb_elsewhere_note(gb_arena *arena, const gb_result_set *set, const gb_result_row *row)
{
    const char *text = gb_arena_printf(arena, "%s, %s", set->experiment, row->locator);
    if (*row->instance) text = gb_arena_printf(arena, "%s; version: %s", text, row->instance);
    if (*row->assumption) text = gb_arena_printf(arena, "%s; assumed: %s", text, row->assumption);
    return text;
}
