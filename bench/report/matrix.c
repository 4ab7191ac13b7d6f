/* Several devices: what was measured on which. */
#include "bench/report/sections.h"

#include "bench/table/numbers.h"

#include <string.h>

/* What an experiment has of a device. */
typedef struct entry {
    size_t rows, failed;
    const gb_result_row
        *best; /* the fastest of ours, or of all where nobody knows whose they are */
    size_t verdicts[GB_CLAIM_VERDICT_COUNT]; /* of claims that are about this experiment */
    bool claimed;
    bool under; /* its rows are of a device under conditions, about which nothing is claimed */
} entry;

/* Whether a variant does less than what its experiment is about, such as a copy: what contests
 * leave out. */
static bool does_less(const gb_report *r, const char *experiment, const char *variant)
{
    for (size_t c = 0; c < r->contests.count; c++) {
        const gb_contest *contest = &r->contests.items[c];
        for (size_t i = 0; i < contest->other_work_count; i++)
            if (strcmp(contest->experiment, experiment) == 0 &&
                strcmp(contest->other_work[i], variant) == 0)
                return true;
    }
    return false;
}

static bool is_ours(const gb_report *r, const gb_result_set *set, const gb_result_row *row)
{
    const gb_catalogue_variant *variant;
    if (does_less(r, set->experiment, row->variant)) return false;
    return r->no_owners ||
           gb_owner_of(&r->owners, set->primitive, row->variant, &variant) == GB_OWNER_OURS;
}

static void take_set(const gb_report *r, const gb_result_set *set, const char *device, entry *e)
{
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        if (strcmp(row->device, device) != 0) continue;
        e->rows++;
        e->under |= *row->under != '\0';
        e->failed += row->status != GB_OK && row->status != GB_UNSUPPORTED;
        if (row->status == GB_OK && is_ours(r, set, row) && row->rate > 0 &&
            (!e->best || row->rate > e->best->rate))
            e->best = row;
    }
}

static void take_claims(gb_report *r, const gb_results *results, const char *experiment,
                        const char *device, entry *e)
{
    for (size_t i = 0; i < r->claims.count; i++) {
        if (strcmp(r->claims.items[i].experiment, experiment) != 0) continue;
        e->claimed = true;
        e->verdicts[gb_claim_test(&r->sides.arena, &r->claims.items[i], results, &r->noise, device)
                        .verdict]++;
    }
}

/* An experiment on a device, of whichever operand has it. */
static entry entry_of(gb_report *r, const gb_result_set *of, const char *device)
{
    entry e = {0};
    for (size_t i = 0; i < r->sides.operand_count; i++) {
        const size_t before = e.rows;
        for (size_t s = 0; s < r->sides.operands[i].set_count; s++) {
            const gb_result_set *set = &r->sides.operands[i].sets[s];
            if (gb_report_shows(set) && set->simt == of->simt &&
                strcmp(set->experiment, of->experiment) == 0)
                take_set(r, set, device, &e);
        }
        if (e.rows > before && !e.under)
            take_claims(r, &r->sides.operands[i], of->experiment, device, &e);
    }
    return e;
}

/* "345 · 10⁹ keys/s, auto" */
static const char *best_text(gb_report *r, const entry *e)
{
    if (!e->best) return "";
    return gb_arena_printf(&r->sides.arena, "%s · 10⁹ %s%s, %s",
                           gb_significant(&r->sides.arena, e->best->rate / 1e9, 3), e->best->unit,
                           strchr(e->best->unit, '/') ? "" : "/s", e->best->variant);
}

static void put_verdicts(gb_report *r, const entry *e)
{
    static const struct {
        gb_claim_verdict verdict;
        const char *class, *word;
    } shown[] = {{GB_CLAIM_HOLDS, "good", "hold"}, {GB_CLAIM_FAILS, "bad", "fail"}};
    size_t rest = 0;
    const char *comma = "";
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (!e->verdicts[shown[i].verdict]) continue;
        fprintf(r->file, "%s<span class=\"%s\">%zu %s</span>", comma, shown[i].class,
                e->verdicts[shown[i].verdict], shown[i].word);
        comma = ", ";
    }
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
        if (v != GB_CLAIM_HOLDS && v != GB_CLAIM_FAILS) rest += e->verdicts[v];
    if (rest) fprintf(r->file, "%s%zu open", comma, rest);
}

static void put_entry(gb_report *r, const entry *e)
{
    if (e->rows == 0) {
        fputs("<td class=\"text open\">not measured</td><td></td><td></td>", r->file);
        return;
    }
    fprintf(r->file, "<td class=\"text\">%s", gb_report_counted(r, e->rows, "row"));
    if (e->failed) fprintf(r->file, ", <span class=\"bad\">%zu failed</span>", e->failed);
    gb_report_put(r, "</td><td class=\"text\">", best_text(r, e), "</td><td class=\"text\">");
    if (e->claimed) put_verdicts(r, e);
    fputs("</td>", r->file);
}

static void put_head(gb_report *r, const gb_report_plan *plan)
{
    fputs("<div class=\"wide\"><table><caption>Experiments by device</caption><thead>"
          "<tr><td></td>",
          r->file);
    for (size_t d = 0; d < plan->device_count; d++)
        gb_report_put(r, "<th scope=\"colgroup\" colspan=\"3\" class=\"text\">", plan->devices[d],
                      "</th>");
    fputs("</tr>\n<tr><th scope=\"col\" class=\"stub\">experiment</th>", r->file);
    for (size_t d = 0; d < plan->device_count; d++)
        fprintf(r->file,
                "<th scope=\"col\" class=\"text\">measured</th><th scope=\"col\" "
                "class=\"text\">fastest%s</th><th scope=\"col\" class=\"text\">claims</th>",
                r->no_owners ? "" : " of ours");
    fputs("</tr></thead>\n<tbody>\n", r->file);
}

void gb_report_put_matrix(gb_report *r, const gb_report_plan *plan)
{
    if (plan->device_count < 2) return;
    fputs("<section id=\"matrix\"><h2>What was measured where</h2>\n", r->file);
    put_head(r, plan);
    for (size_t s = 0; s < plan->section_count; s++)
        for (size_t i = 0; i < plan->sections[s].experiment_count; i++) {
            const gb_report_experiment *x = &plan->sections[s].experiments[i];
            if (!x->first) continue;
            fprintf(r->file, "<tr><th scope=\"row\"><a href=\"#%s\">", x->id);
            gb_report_put(r, "", x->set->experiment, "</a></th>");
            for (size_t d = 0; d < plan->device_count; d++) {
                const entry e = entry_of(r, x->set, plan->devices[d]);
                put_entry(r, &e);
            }
            fputs("</tr>\n", r->file);
        }
    fputs("</tbody></table></div>\n"
          "<p class=\"note\">Rows of what a variant does not support count, and as no failure. "
          "The fastest is that of all points, blank where no variant of ours has a rate: the "
          "experiments' tables have the others.</p>\n"
          "</section>\n",
          r->file);
}
