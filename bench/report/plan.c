/* What the page has, in which order, and what links are called. */
#include "bench/report/sections.h"

#include "bench/report/html.h"
#include "common/text/text.h"

#include <string.h>

bool gb_report_shows(const gb_result_set *set)
{
    return !set->published && !set->profile && set->row_count > 0;
}

bool gb_report_has_generations(const gb_report *r)
{
    for (size_t i = 0; i < r->generation_count; i++)
        if (r->generations[i].found.architectures > 1) return true;
    return false;
}

bool gb_report_is_of_generations(const gb_report *r, const char *figure)
{
    for (size_t i = 0; i < r->generation_count && gb_report_has_generations(r); i++)
        if (strcmp(r->generations[i].name, figure) == 0) return true;
    return false;
}

void gb_report_put(gb_report *r, const char *begin, const char *text, const char *end)
{
    gb_html_element(r->file, begin, text, end);
}

void gb_report_put_fact(gb_report *r, const char *name, const char *value)
{
    if (!*value) return;
    gb_report_put(r, "<dt>", name, "</dt>");
    gb_report_put(r, "<dd>", value, "</dd>\n");
}

const char *gb_report_counted(gb_report *r, size_t count, const char *one)
{
    return gb_arena_printf(&r->sides.arena, "%zu %s%s", count, one, count == 1 ? "" : "s");
}

/* ---- ids ------------------------------------------------------------------------------------- */

static bool is_taken(const gb_report_plan *plan, const char *id)
{
    for (size_t i = 0; i < plan->id_count; i++)
        if (strcmp(plan->ids[i], id) == 0) return true;
    return false;
}

const char *gb_report_id(gb_report *r, gb_report_plan *plan, const char *wanted)
{
    gb_arena *arena = &r->sides.arena;
    const char *stem = gb_name_mistake(wanted) ? "section" : wanted, *id = stem;
    for (size_t number = 2; is_taken(plan, id); number++)
        id = gb_arena_printf(arena, "%s-%zu", stem, number);
    plan->ids =
        gb_arena_grow(arena, plan->ids, plan->id_count, &plan->id_capacity, sizeof *plan->ids);
    return plan->ids[plan->id_count++] = id;
}

/* ---- experiments ----------------------------------------------------------------------------- */

/* The sets of all operands one after another: the number-th, or NULL behind the last. *results:
 * what it is of. */
static const gb_result_set *set_at(const gb_report *r, size_t number, const gb_results **results)
{
    for (size_t i = 0; i < r->sides.operand_count; i++) {
        *results = &r->sides.operands[i];
        if (number < (*results)->set_count) return &(*results)->sets[number];
        number -= (*results)->set_count;
    }
    return NULL;
}

/* Whether another operand has the experiment, too; before: one before this set's. */
static bool is_shared(const gb_report *r, const gb_result_set *set, bool before)
{
    const gb_results *results;
    const gb_result_set *other;
    for (size_t i = 0; (other = set_at(r, i, &results)) && !(before && other == set); i++)
        if (other != set && gb_report_shows(other) &&
            strcmp(other->experiment, set->experiment) == 0)
            return true;
    return false;
}

static void add_experiment(gb_report *r, gb_report_plan *plan, gb_report_section *section,
                           const gb_results *results, const gb_result_set *set)
{
    gb_arena *arena = &r->sides.arena;
    const char *title = gb_side_run(&r->sides, &set->rows[0])->title;
    if (!*title) title = set->experiment;
    section->experiments = gb_arena_grow(arena, section->experiments, section->experiment_count,
                                         &section->capacity, sizeof *section->experiments);
    section->experiments[section->experiment_count++] = (gb_report_experiment){
        .results = results,
        .set = set,
        .id = gb_report_id(r, plan, gb_arena_printf(arena, "experiment-%s", set->experiment)),
        .title = title,
        .device = is_shared(r, set, false) ? set->rows[0].device : NULL,
        .first = !is_shared(r, set, true),
        .repeats = section->paper && strcmp(set->experiment, set->primitive) == 0};
}

/* An experiment of all operands that have it, from the first on. */
static void add_everywhere(gb_report *r, gb_report_plan *plan, gb_report_section *section,
                           const gb_result_set *first)
{
    const gb_results *results;
    const gb_result_set *set;
    for (size_t i = 0; (set = set_at(r, i, &results)); i++)
        if (gb_report_shows(set) && strcmp(set->experiment, first->experiment) == 0)
            add_experiment(r, plan, section, results, set);
}

/* All experiments of a primitive, the one that carries its name first. */
static void add_experiments(gb_report *r, gb_report_plan *plan, gb_report_section *section,
                            const char *primitive)
{
    const gb_results *results;
    const gb_result_set *set;
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; (set = set_at(r, i, &results)); i++)
            if (gb_report_shows(set) && strcmp(set->primitive, primitive) == 0 &&
                (strcmp(set->experiment, primitive) != 0) == others && !is_shared(r, set, true))
                add_everywhere(r, plan, section, set);
}

/* ---- sections -------------------------------------------------------------------------------- */

static bool has_primitive(const gb_report *r, const char *primitive)
{
    const gb_results *results;
    const gb_result_set *set;
    for (size_t i = 0; (set = set_at(r, i, &results)); i++)
        if (gb_report_shows(set) && strcmp(set->primitive, primitive) == 0) return true;
    return false;
}

/* The first paper about a primitive, which has its experiments; NULL: there is none. */
static const gb_paper *first_about(const gb_report *r, const char *primitive)
{
    for (size_t p = 0; p < r->papers.count; p++)
        if (strcmp(r->papers.items[p].primitive, primitive) == 0) return &r->papers.items[p];
    return NULL;
}

static void add_section(gb_report *r, gb_report_plan *plan, const gb_paper *paper,
                        const char *primitive)
{
    const char *name = paper ? paper->name : primitive;
    gb_report_section section = {.paper = paper,
                                 .id = gb_report_id(r, plan, name),
                                 .title = paper ? paper->title : primitive};
    if (!paper || first_about(r, primitive) == paper) add_experiments(r, plan, &section, primitive);
    plan->sections = gb_arena_grow(&r->sides.arena, plan->sections, plan->section_count,
                                   &plan->section_capacity, sizeof *plan->sections);
    plan->sections[plan->section_count++] = section;
}

/* The primitives that no paper is about, each once. */
static void add_others(gb_report *r, gb_report_plan *plan)
{
    const gb_results *results;
    const gb_result_set *set, *before;
    for (size_t i = 0; (set = set_at(r, i, &results)); i++) {
        bool seen = !gb_report_shows(set) || first_about(r, set->primitive);
        for (size_t k = 0; k < i && !seen; k++) {
            before = set_at(r, k, &results);
            seen = gb_report_shows(before) && strcmp(before->primitive, set->primitive) == 0;
        }
        if (!seen) add_section(r, plan, NULL, set->primitive);
    }
}

static void add_device(gb_report *r, gb_report_plan *plan, const gb_side *side)
{
    gb_arena *arena = &r->sides.arena;
    plan->sides = gb_arena_grow(arena, plan->sides, plan->side_count, &plan->side_capacity,
                                sizeof *plan->sides);
    plan->sides[plan->side_count++] = side;
    for (size_t i = 0; i < plan->device_count; i++)
        if (strcmp(plan->devices[i], side->device) == 0) return;
    plan->devices = gb_arena_grow(arena, plan->devices, plan->device_count, &plan->device_capacity,
                                  sizeof *plan->devices);
    plan->devices[plan->device_count++] = side->device;
}

static void add_devices(gb_report *r, gb_report_plan *plan)
{
    for (size_t i = 0; i < r->sides.count; i++)
        if (!r->sides.items[i].published) add_device(r, plan, &r->sides.items[i]);
}

void gb_report_make_plan(gb_report *r, gb_report_plan *plan)
{
    static const char *const own[] = {"summary",     "claims",  "matrix", "differences",
                                      "generations", "devices", "flags",  "contents"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        gb_report_id(r, plan, own[i]);
    add_devices(r, plan);
    for (size_t p = 0; p < r->papers.count; p++)
        if (has_primitive(r, r->papers.items[p].primitive))
            add_section(r, plan, &r->papers.items[p], r->papers.items[p].primitive);
    add_others(r, plan);
}

const gb_report_section *gb_report_section_of(const gb_report_plan *plan, const gb_paper *paper)
{
    for (size_t i = 0; i < plan->section_count; i++)
        if (plan->sections[i].paper == paper) return &plan->sections[i];
    return NULL;
}

bool gb_report_has_papers(const gb_report_plan *plan)
{
    for (size_t i = 0; i < plan->section_count; i++)
        if (plan->sections[i].paper) return true;
    return false;
}

const char *gb_report_owner(const gb_report *r, const gb_report_plan *plan, const char *figure)
{
    const char *owner = NULL;
    if (gb_report_is_of_generations(r, figure)) return NULL;
    for (size_t s = 0; s < plan->section_count; s++)
        for (size_t e = 0; e < plan->sections[s].experiment_count; e++) {
            const char *name = plan->sections[s].experiments[e].set->experiment;
            const size_t length = strlen(name);
            if (strncmp(figure, name, length) == 0 &&
                (figure[length] == '-' || figure[length] == '\0') &&
                (!owner || length > strlen(owner)))
                owner = name;
        }
    return owner;
}
