/* What the papers claim, and what holds on each device. */
#include "bench/report/sections.h"

#include "bench/claims/print.h"
#include "bench/report/html.h"

#include <string.h>

/* ---- by paper -------------------------------------------------------------------------------- */

/* How many claims of a paper have which verdict. */
static void count_verdicts(gb_report *r, const char *paper, const gb_results *results,
                           const char *device, size_t verdicts[GB_CLAIM_VERDICT_COUNT])
{
    memset(verdicts, 0, GB_CLAIM_VERDICT_COUNT * sizeof *verdicts);
    for (size_t i = 0; i < r->claims.count; i++)
        if (strcmp(r->claims.items[i].paper, paper) == 0)
            verdicts[gb_claim_test(&r->sides.arena, &r->claims.items[i], results, &r->noise, device)
                         .verdict]++;
}

static void put_line(gb_report *r, const gb_report_plan *plan, const gb_paper *paper,
                     const size_t verdicts[GB_CLAIM_VERDICT_COUNT])
{
    const gb_report_section *section = gb_report_section_of(plan, paper);
    fputs("<tr><th scope=\"row\" class=\"text\">", r->file);
    if (section) fprintf(r->file, "<a href=\"#%s\">", section->id);
    gb_report_put(r, "", paper->title, section ? "</a></th>" : "</th>");
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
        fprintf(r->file, "<td>%zu</td>", verdicts[v]);
    fputs("</tr>\n", r->file);
}

/* All claims of a device in a line a paper. */
static void put_device(gb_report *r, const gb_report_plan *plan, const gb_results *results,
                       const char *device)
{
    gb_report_put(r, "<p>", device, ": ");
    gb_report_put(r, "",
                  gb_claims_counted(&r->sides.arena, &r->claims, results, &r->noise, device, NULL),
                  "</p>\n<div class=\"wide\"><table class=\"sortable stubs-1\">");
    gb_report_put(r, "<caption>Verdicts by paper, ", device,
                  "</caption><thead><tr><th scope=\"col\" class=\"stub\">paper</th>");
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
        gb_report_put(r, "<th scope=\"col\">", gb_claim_verdict_names[v], "</th>");
    fputs("</tr></thead><tbody>\n", r->file);
    for (size_t p = 0; p < r->papers.count; p++) {
        size_t verdicts[GB_CLAIM_VERDICT_COUNT];
        count_verdicts(r, r->papers.items[p].name, results, device, verdicts);
        put_line(r, plan, &r->papers.items[p], verdicts);
    }
    fputs("</tbody></table></div>\n", r->file);
}

void gb_report_put_verdicts(gb_report *r, const gb_report_plan *plan)
{
    fputs("<h3 id=\"claims\">What the papers claim, and what holds here</h3>\n"
          "<p>A claim HOLDS or FAILS where what the verdict rests on lies, with its 95 % interval, "
          "on one side of the criterion; else it is UNDECIDED. What is true BY CONSTRUCTION, was "
          "said of an OTHER GPU or is about THEIR PROCEDURE, measuring here cannot decide. Each "
          "paper's section has its claims one by one, with the points and the statistic behind "
          "each.</p>\n",
          r->file);
    for (size_t i = 0; i < plan->side_count; i++)
        if (!*plan->sides[i]->under)
            put_device(r, plan, plan->sides[i]->results, plan->sides[i]->device);
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* The next part of "n=1000000;bins=256" or of "auto, n=1000000", and what separates it from the
 * one before; false behind the last. */
static bool next_part(const char **at, size_t *separator, size_t *length)
{
    *separator = strspn(*at, ";, ");
    *length = strcspn(*at + *separator, ";,");
    return *length > 0;
}

static bool has_part(const char *cell, const char *part, size_t length)
{
    size_t separator, found;
    for (; next_part(&cell, &separator, &found); cell += separator + found)
        if (found == length && strncmp(cell + separator, part, length) == 0) return true;
    return false;
}

/* Whether all cells of a column that name a point have this value of an axis. */
static bool is_common(const gb_table_panel *panel, size_t column, const char *part, size_t length)
{
    for (size_t r = 0; r < panel->row_count; r++)
        if (strchr(panel->rows[r][column], '=') && !has_part(panel->rows[r][column], part, length))
            return false;
    return true;
}

/* Takes out of a column's points what all have; returns that: "dist=uniform, type=u32". */
static const char *take_common(gb_arena *arena, gb_table_panel *panel, size_t column)
{
    const char *common = "", *first = "";
    for (size_t r = 0; r < panel->row_count && !*first; r++)
        if (strchr(panel->rows[r][column], '=')) first = panel->rows[r][column];
    size_t separator, length;
    for (const char *at = first; next_part(&at, &separator, &length); at += separator + length) {
        const char *part = at + separator;
        if (memchr(part, '=', length) && is_common(panel, column, part, length))
            common =
                gb_arena_printf(arena, "%s%s%.*s", common, *common ? ", " : "", (int)length, part);
    }
    for (size_t r = 0; r < panel->row_count && *common; r++) {
        const char *text = "", *at = panel->rows[r][column];
        for (; next_part(&at, &separator, &length); at += separator + length)
            if (!has_part(common, at + separator, length))
                text = gb_arena_printf(arena, "%s%s%.*s", text, *text ? ", " : "", (int)length,
                                       at + separator);
        panel->rows[r][column] = text;
    }
    return common;
}

/* What all points have in common is said once and not in each. */
static void shorten_points(gb_arena *arena, gb_table *table)
{
    for (size_t p = 0; p < table->panel_count; p++) {
        gb_table_panel *panel = &table->panels[p];
        for (size_t c = 0; c < panel->columns && panel->row_count > 1; c++) {
            const char *common = take_common(arena, panel, c);
            if (!*common) continue;
            gb_table_add_remark(
                arena, table,
                gb_arena_printf(arena, "All in column %s: %s", panel->head[c], common));
        }
    }
}

/* What a verdict rests on: the statistic and the points, folded. */
static void put_evidence(gb_report *r, const gb_results *results, const char *device,
                         const char *paper)
{
    enum { MOST = 60 };
    gb_arena *arena = &r->sides.arena;
    for (size_t i = 0; i < r->claims.count; i++) {
        const gb_claim *claim = &r->claims.items[i];
        if (strcmp(claim->paper, paper) != 0) continue;
        const gb_claim_result result = gb_claim_test(arena, claim, results, &r->noise, device);
        if (result.point_count == 0) continue;
        gb_report_put(r, "<details class=\"evidence\"><summary>",
                      gb_claim_verdict_names[result.verdict], ": ");
        gb_report_put(r, "", claim->statement, "</summary>\n");
        gb_table points = gb_claim_points_table(arena, &result, MOST);
        shorten_points(arena, &points);
        gb_html_table(arena, r->file, &points, 0);
        fputs("</details>\n", r->file);
    }
}

/* "2 HOLDS, 5 FAILS" */
static const char *verdicts_text(gb_report *r, const char *paper, const gb_side *side)
{
    size_t verdicts[GB_CLAIM_VERDICT_COUNT];
    const char *text = "";
    count_verdicts(r, paper, side->results, side->device, verdicts);
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
        if (verdicts[v])
            text = gb_arena_printf(&r->sides.arena, "%s%s%zu %s", text, *text ? ", " : "",
                                   verdicts[v], gb_claim_verdict_names[v]);
    return text;
}

static void put_claims_on(gb_report *r, gb_report_plan *plan, const gb_paper *paper,
                          const gb_side *side)
{
    gb_arena *arena = &r->sides.arena;
    const char *id = gb_report_id(r, plan, gb_arena_printf(arena, "claims-%s", paper->name));
    gb_table table =
        gb_claims_table(arena, &r->claims, side->results, &r->noise, side->device, paper->name);
    const char *title = gb_arena_printf(arena, "Claims on %s", side->device);
    for (size_t p = 0; p < table.panel_count; p++)
        table.panels[p].title = title;
    table.caption = "";
    fprintf(r->file, "<details class=\"print\" id=\"%s\"><summary>", id);
    gb_report_put(r, "<b role=\"heading\" aria-level=\"3\">", title, "</b>");
    gb_report_put(r, " <span>", verdicts_text(r, paper->name, side), "</span></summary>\n");
    gb_html_table(arena, r->file, &table, 0);
    fputs("<details><summary>What each verdict rests on</summary>\n", r->file);
    put_evidence(r, side->results, side->device, paper->name);
    fputs("</details>\n</details>\n", r->file);
}

void gb_report_put_claims(gb_report *r, gb_report_plan *plan, const gb_paper *paper)
{
    bool has = false;
    for (size_t i = 0; i < r->claims.count; i++)
        has |= strcmp(r->claims.items[i].paper, paper->name) == 0;
    for (size_t i = 0; has && i < plan->side_count; i++)
        if (!*plan->sides[i]->under) put_claims_on(r, plan, paper, plan->sides[i]);
}
