/* What stands first: device, date, how ours stand, verdicts, three figures. */
#include "bench/report/sections.h"

#include "bench/report/html.h"
#include "bench/util/version.h"

#include <string.h>

/* ---- when ------------------------------------------------------------------------------------ */

/* From which day to which a device was measured: "2026-11-20 to 2026-11-25"; "" if no run says. */
static const char *days_of(gb_report *r, const char *device)
{
    const char *first = "", *last = "";
    for (size_t i = 0; i < r->sides.operand_count; i++)
        for (size_t s = 0; s < r->sides.operands[i].set_count; s++) {
            const gb_result_set *set = &r->sides.operands[i].sets[s];
            for (size_t k = 0; k < set->row_count && gb_report_shows(set); k++) {
                if (strcmp(set->rows[k].device, device) != 0) continue;
                const gb_run_facts *run = gb_side_run(&r->sides, &set->rows[k]);
                if (*run->started && (!*first || strcmp(run->started, first) < 0))
                    first = run->started;
                if (*run->ended && strcmp(run->ended, last) > 0) last = run->ended;
            }
        }
    enum { DAY = sizeof "2026-11-20" - 1 };
    const bool one = strncmp(first, last, DAY) == 0 || !*last;
    return one ? gb_arena_strndup(&r->sides.arena, first, strnlen(first, DAY))
               : gb_arena_printf(&r->sides.arena, "%.10s to %.10s", first, last);
}

static void put_devices(gb_report *r, const gb_report_plan *plan)
{
    for (size_t d = 0; d < plan->device_count; d++) {
        const char *days = days_of(r, plan->devices[d]);
        gb_report_put(r, "<p class=\"device\"><strong>", plan->devices[d], "</strong>");
        if (*days) gb_report_put(r, ", measured ", days, "");
        fputs("</p>\n", r->file);
    }
}

/* ---- how ours stand -------------------------------------------------------------------------- */

/* The rows of a panel before the next block, or behind it. */
static gb_table_panel part_of(const gb_table_panel *panel, bool behind)
{
    size_t block = 1;
    while (block < panel->row_count && !panel->begins_block[block])
        block++;
    gb_table_panel part = *panel;
    if (block > part.row_count) block = part.row_count;
    if (behind) {
        part.rows += block;
        part.begins_block += block;
        part.row_count -= block;
    } else {
        part.row_count = block;
    }
    return part;
}

static void put_standings_on(gb_report *r, const gb_side *side)
{
    gb_arena *arena = &r->sides.arena;
    gb_error error;
    gb_standings s = {.sides = &r->sides,
                      .contests = &r->contests,
                      .peers = &r->peers,
                      .owners = &r->owners,
                      .device = side->device};
    if (!gb_standings_find(&s, &error)) {
        gb_report_put(r, "<p class=\"note\">", error.text, "</p>\n");
        return;
    }
    if (s.count == 0) return;
    const gb_table all = gb_standings_table(&s, false);
    const char *title = gb_arena_printf(arena, "Our best against the best of others, %s", s.device);
    gb_table_panel lines = part_of(&all.panels[0], false), behind = part_of(&all.panels[0], true);
    gb_table first = all, rest = {.title = "", .caption = all.caption};
    lines.title = title;
    first.panels = &lines;
    first.caption = "";
    gb_html_table(arena, r->file, &first, 0);
    fputs("<details><summary>Every further point where ours is behind, and what is compared"
          "</summary>\n",
          r->file);
    behind.title = "Where ours is behind";
    rest.panels = &behind;
    rest.panel_count = behind.row_count > 0;
    gb_html_table(arena, r->file, &rest, 0);
    fputs("</details>\n", r->file);
}

static void put_standings(gb_report *r, const gb_report_plan *plan)
{
    if (r->no_owners) {
        gb_report_put(r,
                      "<p class=\"note\">How our own variants stand against others is left out: "
                      "which are ours, the workers say, and none answers: ",
                      r->no_owners, "</p>\n");
        return;
    }
    for (size_t d = 0; d < plan->device_count; d++)
        for (size_t i = 0; i < plan->side_count; i++)
            if (strcmp(plan->sides[i]->device, plan->devices[d]) == 0) {
                put_standings_on(r, plan->sides[i]);
                break;
            }
}

/* ---- figures --------------------------------------------------------------------------------- */

enum { FIGURES = 3 };

static gb_report_figure *figure_called(gb_report *r, const char *name)
{
    for (size_t i = 0; i < r->figure_count; i++)
        if (strcmp(r->figures[i].name, name) == 0) return &r->figures[i];
    return NULL;
}

/* Those that plots/report.json names; where they are not there, the first of each section. */
static size_t choose_figures(gb_report *r, const gb_report_plan *plan,
                             gb_report_figure *chosen[FIGURES])
{
    size_t count = 0;
    for (size_t i = 0; i < r->important_count && count < FIGURES; i++) {
        gb_report_figure *figure = figure_called(r, r->important[i]);
        if (figure) chosen[count++] = figure;
    }
    const bool named = count > 0;
    for (size_t s = 0; s < plan->section_count && count < FIGURES && !named; s++)
        for (size_t i = 0; i < r->figure_count && plan->sections[s].experiment_count; i++) {
            const char *owner = gb_report_owner(r, plan, r->figures[i].name);
            if (!owner || strcmp(owner, plan->sections[s].experiments[0].set->experiment) != 0)
                continue;
            chosen[count++] = &r->figures[i];
            break;
        }
    return count;
}

static bool put_figures(gb_report *r, gb_report_plan *plan)
{
    gb_report_figure *chosen[FIGURES];
    const size_t count = choose_figures(r, plan, chosen);
    for (size_t i = 0; i < count; i++)
        if (!gb_report_put_figure(r, plan, chosen[i], "")) return false;
    return true;
}

bool gb_report_put_summary(gb_report *r, gb_report_plan *plan)
{
    fputs("<section id=\"summary\"><h2>Summary</h2>\n", r->file);
    put_devices(r, plan);
    const bool papers = gb_report_has_papers(plan);
    gb_report_put(r,
                  papers ? "<p>The papers' GPU primitives, their baselines, and faster versions, "
                           "run by one instrument, every answer verified, the papers' own numbers "
                           "beside. Written by gpubench "
                         : "<p>Variants that do the same work, sampled in turns by one instrument. "
                           "Written by gpubench ",
                  GB_VERSION, ".</p>\n");
    put_standings(r, plan);
    if (papers) gb_report_put_verdicts(r, plan);
    if (!put_figures(r, plan)) return false;
    fputs("</section>\n", r->file);
    return true;
}
