/* Reading published numbers, and finding those that stand beside measured ones. */
#include "bench/rows/published.h"

#include "bench/util/share.h"

#include <string.h>
#include <unistd.h>

bool gb_published_load(gb_results *published, const char *name, gb_error *error)
{
    const char *path = name;
    if (access(name, R_OK) != 0)
        path = gb_share_find(&published->arena,
                             gb_arena_printf(&published->arena, "results/published/%s", name));
    if (!path) {
        gb_fail(error, GB_WRONG,
                "there is no file %s, nor results/published/%s in any of: %s (--no-published "
                "does without; GPUBENCH_SHARE names the folder that holds results/published)",
                name, name, gb_share_places(&published->arena));
        return false;
    }
    if (!gb_results_add(published, path, error)) return false;
    for (size_t i = 0; i < published->set_count; i++) {
        if (published->sets[i].elsewhere)
            gb_fail(error, GB_WRONG,
                    "%s holds what others printed, which stands beside measured rows without being "
                    "a paper's: name it among the results, or use --elsewhere of `gpubench table`",
                    path);
        if (published->sets[i].elsewhere) return false;
        if (published->sets[i].published) continue;
        gb_fail(error, GB_WRONG,
                "%s holds measured results, not a paper's: it has no column 'kind' (the layout is "
                "described in results/published/README.md)",
                path);
        return false;
    }
    return true;
}

bool gb_published_is_about(const gb_result_set *printed, const gb_result_set *measured)
{
    bool same = printed->published && strcmp(printed->primitive, measured->primitive) == 0 &&
                printed->axis_count == measured->axis_count;
    for (unsigned a = 0; same && a < printed->axis_count; a++)
        same = gb_result_axis(measured, printed->axes[a]) >= 0;
    return same;
}

const gb_result_set *gb_published_for(const gb_results *published, const gb_result_set *measured)
{
    for (size_t i = 0; i < published->set_count; i++) {
        const gb_result_set *set = &published->sets[i];
        if (!set->elsewhere && gb_published_is_about(set, measured)) return set;
    }
    return NULL;
}

bool gb_published_pair(const gb_results *results, const gb_result_set *set, const char *named,
                       const char *fallback, gb_results *published, const gb_result_set **paper,
                       gb_error *error)
{
    *paper = NULL;
    if (set->published || set->simt) return true;
    if (!named) *paper = gb_published_for(results, set);
    const char *file = named ? named : fallback;
    if (*paper || !file) return true;
    if (!gb_published_load(published, file, error)) return false;
    *paper = gb_published_for(published, set);
    if (*paper || !named) return true;
    gb_fail(
        error, GB_WRONG,
        "--published %s has no table of primitive '%s' with the axes %s, which experiment '%s' has "
        "(--no-published does without)",
        named, set->primitive, gb_result_axes(&published->arena, set), set->experiment);
    return false;
}

bool gb_published_serves(const gb_results *results, const gb_result_set *set)
{
    for (size_t i = 0; set->published && !set->elsewhere && i < results->set_count; i++)
        if (!results->sets[i].published && !results->sets[i].simt &&
            strcmp(results->sets[i].primitive, set->primitive) == 0)
            return true;
    return false;
}

const gb_result_set *gb_published_beside(const gb_result_set *set, const char *scope,
                                         const gb_result_set *paper)
{
    if (set->published) return set;
    if (!paper || !*paper->scope || strcmp(paper->scope, scope) == 0) return paper;
    return NULL;
}

bool gb_published_fits_cache(const gb_result_row *printed, const char *cache)
{
    const char *said = printed->said_cache;
    return !said || !*said || !*cache || strcmp(said, cache) == 0;
}

/* Which of two quantities a source prints is its own: rows of items have both. */
static const gb_result_row *find_quantity(const gb_result_set *paper, gb_result_row key)
{
    const gb_result_row *row = gb_result_find(paper, &key);
    if (row || !paper->elsewhere) return row;
    const bool rate = strcmp(key.quantity, "rate") == 0;
    key.quantity = rate ? "time" : "rate";
    row = gb_result_find(paper, &key);
    return row && (rate ? row->rate : row->time_s) > 0 ? row : NULL;
}

const gb_result_row *gb_published_find(const gb_result_set *paper, const gb_result_set *set,
                                       const gb_result_row *point, const char *variant,
                                       const char *device, const char *quantity)
{
    gb_result_row key = {
        .variant = variant, .device = device, .cache = "", .scope = "", .quantity = quantity};
    for (unsigned a = 0; a < paper->axis_count; a++) {
        int at = gb_result_axis(set, paper->axes[a]);
        if (at < 0) return NULL;
        key.axis[a] = point->axis[at];
    }
    const gb_result_row *row = find_quantity(paper, key);
    for (unsigned a = 0; a < paper->axis_count; a++)
        if (paper->any[a]) key.axis[a] = gb_any;
    if (!row) row = find_quantity(paper, key);
    return row && gb_published_fits_cache(row, point->cache) ? row : NULL;
}
