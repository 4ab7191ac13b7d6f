/* The page of `gpubench report`: what stands where. */
#include "bench/report/page.h"

#include "bench/claims/print.h"
#include "bench/report/html.h"
#include "bench/rows/published.h"
#include "bench/table/set.h"
#include "bench/util/version.h"
#include "common/protocol/flags.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

/* The ids of the sections that are no paper's. */
static const char *const own_ids[] = {"claims", "devices", "flags"};

static void put(gb_report *r, const char *begin, const char *text, const char *end)
{
    fputs(begin, r->file);
    gb_html_text(r->file, text);
    fputs(end, r->file);
}

/* ---- what is in the results ------------------------------------------------------------------ */

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

static bool is_shown(const gb_result_set *set)
{
    return !set->published && !set->profile && set->row_count > 0;
}

static bool has_primitive(const gb_report *r, const char *primitive)
{
    const gb_results *results;
    const gb_result_set *set;
    for (size_t i = 0; (set = set_at(r, i, &results)); i++)
        if (is_shown(set) && strcmp(set->primitive, primitive) == 0) return true;
    return false;
}

/* Whether the section of a paper can be linked to by its name: it is no other section's, and such
 * as an id may be. */
static bool has_link(const gb_paper *paper)
{
    for (size_t i = 0; i < sizeof own_ids / sizeof *own_ids; i++)
        if (strcmp(own_ids[i], paper->name) == 0) return false;
    return !gb_name_mistake(paper->name);
}

/* ---- head ------------------------------------------------------------------------------------ */

static void put_head(gb_report *r)
{
    const char *names = "";
    for (size_t i = 0; i < r->sides.count; i++)
        if (!r->sides.items[i].published)
            names = gb_arena_printf(&r->sides.arena, "%s%s%s", names, *names ? ", " : "",
                                    r->sides.items[i].device);
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          r->file);
    put(r, "<title>gpubench: ", names, "</title>\n<style>\n");
    fprintf(r->file, "%s</style></head>\n<body>\n<header>", r->style);
    put(r, "<h1>gpubench on ", names, "</h1>\n");
    fprintf(
        r->file,
        "<p>The papers' GPU primitives, their baselines, and faster versions, run by one "
        "instrument, every answer verified, the papers' own numbers beside. Written by gpubench "
        "%s.</p></header>\n<nav aria-label=\"Sections\"><ul><li><a "
        "href=\"#claims\">Claims</a></li>",
        GB_VERSION);
    for (size_t p = 0; p < r->papers.count; p++) {
        const gb_paper *paper = &r->papers.items[p];
        if (!has_primitive(r, paper->primitive) || !has_link(paper)) continue;
        fprintf(r->file, "<li><a href=\"#%s\">", paper->name);
        put(r, "", paper->title, "</a></li>");
    }
    fputs("<li><a href=\"#devices\">Devices</a></li><li><a href=\"#flags\">Flags and "
          "statuses</a></li>"
          "</ul></nav>\n<main>\n",
          r->file);
}

/* ---- claims ---------------------------------------------------------------------------------- */

/* All claims of a device in a line a paper. */
static void put_verdicts(gb_report *r, const gb_results *results, const char *device)
{
    put(r, "<h3>", device,
        "</h3>\n<div class=\"wide\"><table><caption>Verdicts by paper</caption>"
        "<thead><tr><th scope=\"col\" class=\"stub\">paper</th>");
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
        put(r, "<th scope=\"col\">", gb_claim_verdict_names[v], "</th>");
    fputs("</tr></thead><tbody>\n", r->file);
    for (size_t p = 0; p < r->papers.count; p++) {
        const gb_paper *paper = &r->papers.items[p];
        size_t verdicts[GB_CLAIM_VERDICT_COUNT] = {0};
        for (size_t i = 0; i < r->claims.count; i++)
            if (strcmp(r->claims.items[i].paper, paper->name) == 0)
                verdicts[gb_claim_test(&r->sides.arena, &r->claims.items[i], results, &r->noise,
                                       device)
                             .verdict]++;
        const bool has = has_primitive(r, paper->primitive) && has_link(paper);
        fputs("<tr><td class=\"stub long\">", r->file);
        if (has) fprintf(r->file, "<a href=\"#%s\">", paper->name);
        put(r, "", paper->title, has ? "</a></td>" : "</td>");
        for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
            fprintf(r->file, "<td>%zu</td>", verdicts[v]);
        fputs("</tr>\n", r->file);
    }
    fputs("</tbody></table></div>\n", r->file);
}

static void put_claims(gb_report *r)
{
    fputs("<section id=\"claims\"><h2>What the papers claim, and what holds here</h2>\n"
          "<p>A claim HOLDS or FAILS where what the verdict rests on lies, with its 95 % interval, "
          "on "
          "one side of the criterion; else it is UNDECIDED. What is true BY CONSTRUCTION, was said "
          "of "
          "an OTHER GPU or is about THEIR PROCEDURE, measuring here cannot decide. Each paper's "
          "section has its claims one by one, with the points and the statistic behind each.</p>\n",
          r->file);
    for (size_t i = 0; i < r->sides.operand_count; i++) {
        size_t count;
        const char **devices = gb_claims_devices(&r->sides.arena, &r->sides.operands[i], &count);
        for (size_t d = 0; d < count; d++)
            put_verdicts(r, &r->sides.operands[i], devices[d]);
    }
    fputs("</section>\n", r->file);
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
        put(r, "<details class=\"evidence\"><summary>", gb_claim_verdict_names[result.verdict],
            ": ");
        put(r, "", claim->statement, "</summary>\n");
        const gb_table points = gb_claim_points_table(arena, &result, MOST);
        gb_html_table(arena, r->file, &points, 0);
        fputs("</details>\n", r->file);
    }
}

static void put_claims_of(gb_report *r, const char *paper)
{
    bool has = false;
    for (size_t i = 0; i < r->claims.count; i++)
        has |= strcmp(r->claims.items[i].paper, paper) == 0;
    for (size_t i = 0; has && i < r->sides.operand_count; i++) {
        size_t count;
        const gb_results *results = &r->sides.operands[i];
        const char **devices = gb_claims_devices(&r->sides.arena, results, &count);
        for (size_t d = 0; d < count; d++) {
            gb_table table =
                gb_claims_table(&r->sides.arena, &r->claims, results, &r->noise, devices[d], paper);
            for (size_t p = 0; p < table.panel_count; p++)
                table.panels[p].title =
                    gb_arena_printf(&r->sides.arena, "Claims on %s", devices[d]);
            table.caption = "";
            gb_html_table(&r->sides.arena, r->file, &table, 0);
            put_evidence(r, results, devices[d], paper);
        }
    }
}

/* ---- experiments ----------------------------------------------------------------------------- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The experiment whose name a figure's begins with; of several the longest. NULL: it is none's. */
static const char *owner_of(const gb_report *r, const char *figure)
{
    const char *owner = NULL;
    const gb_results *results;
    const gb_result_set *set;
    for (size_t i = 0; (set = set_at(r, i, &results)); i++) {
        const size_t length = strlen(set->experiment);
        if (strncmp(figure, set->experiment, length) == 0 && strchr("-.", figure[length]) &&
            (!owner || length > strlen(owner)))
            owner = set->experiment;
    }
    return owner;
}

static bool put_figures(gb_report *r, const char *experiment, const char *title)
{
    for (size_t i = 0; i < r->figure_count; i++) {
        const char *name = file_name(r->figures[i]), *owner = owner_of(r, name);
        if (!owner || strcmp(owner, experiment) != 0) continue;
        const char *stem = gb_arena_strndup(&r->sides.arena, name, strcspn(name, "."));
        fputs("<figure>", r->file);
        if (!gb_html_svg(r->file, r->figures[i],
                         gb_arena_printf(&r->sides.arena,
                                         "Figure %s: %s. The table below has its numbers.", stem,
                                         title),
                         r->figures_put++, r->error))
            return false;
        put(r, "<figcaption>", stem, "</figcaption></figure>\n");
    }
    return true;
}

static void put_fact(gb_report *r, const char *name, const char *value)
{
    if (!*value) return;
    put(r, "<dt>", name, "</dt>");
    put(r, "<dd>", value, "</dd>\n");
}

/* Where the rows come from: a file a run. */
static bool put_sources(gb_report *r, const gb_result_set *set)
{
    const char **seen = NULL;
    size_t count = 0, capacity = 0;
    fputs("<details><summary>Raw rows, and how they were measured</summary>\n", r->file);
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        size_t k = 0;
        while (k < count && strcmp(seen[k], row->path) != 0)
            k++;
        if (k < count) continue;
        seen = gb_arena_grow(&r->sides.arena, seen, count, &capacity, sizeof *seen);
        seen[count++] = row->path;
        const gb_run_facts *run = gb_side_run(&r->sides, row);
        fputs("<dl class=\"facts\">\n<dt>rows</dt><dd>", r->file);
        if (!gb_html_file(r->file, row->path, r->error)) return false;
        fputs("</dd>\n", r->file);
        put_fact(r, "device", row->device);
        put_fact(r, "run", row->run_id);
        put_fact(r, "CUDA Toolkit", run->toolkit);
        put_fact(r, "driver", run->driver);
        put_fact(r, "version", run->version);
        fputs("</dl>\n", r->file);
    }
    fputs("</details>\n", r->file);
    return true;
}

/* Tables of the experiment that reproduces a paper are shown at once, others on demand. */
static bool put_experiment(gb_report *r, const gb_results *results, const gb_result_set *set)
{
    gb_results published = {0};
    gb_tables tables;
    gb_error no_table = {GB_OK, ""};
    gb_arena *arena = &r->sides.arena;
    const gb_table_wishes wishes = {0};
    const char *title = gb_side_run(&r->sides, &set->rows[0])->title;
    if (!*title) title = set->experiment;
    fputs("<article>", r->file);
    put(r, "<h3>", title, "</h3>\n");
    put(r, "<p class=\"note\">Experiment ", set->experiment,
        set->simt
            ? ", run by the simt device: the kernels on the CPU, to check them. Its times say "
              "nothing about a GPU.</p>\n"
            : "</p>\n");
    bool good = put_figures(r, set->experiment, title);
    const bool made =
        good && gb_tables_of_set(arena, results, set, &wishes, &published, &tables, &no_table);
    const bool folded = strcmp(set->experiment, set->primitive) != 0;
    if (made && folded) fputs("<details><summary>Table</summary>\n", r->file);
    for (size_t i = 0; made && i < tables.count; i++)
        gb_html_table(arena, r->file, &tables.items[i], tables.count > 1 ? 4 : 0);
    if (made && tables.hidden)
        put(r, "<p class=\"note\">Not shown here: ", tables.hidden,
            ". <code>gpubench table</code> prints it.</p>\n");
    if (made && folded) fputs("</details>\n", r->file);
    if (good && !made) put(r, "<p class=\"note\">No table: ", no_table.text, "</p>\n");
    gb_results_free(&published);
    good = good && put_sources(r, set);
    fputs("</article>\n", r->file);
    return good;
}

/* All experiments of a primitive, the one that carries its name first. */
static bool put_experiments(gb_report *r, const char *primitive)
{
    const gb_results *results;
    const gb_result_set *set;
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; (set = set_at(r, i, &results)); i++) {
            if (!is_shown(set) || strcmp(set->primitive, primitive) != 0 ||
                (strcmp(set->experiment, primitive) != 0) != others)
                continue;
            if (!put_experiment(r, results, set)) return false;
        }
    }
    return true;
}

/* The first paper about a primitive, which has its experiments; NULL: there is none. */
static const gb_paper *first_about(const gb_report *r, const char *primitive)
{
    for (size_t p = 0; p < r->papers.count; p++)
        if (strcmp(r->papers.items[p].primitive, primitive) == 0) return &r->papers.items[p];
    return NULL;
}

/* The claims of each paper, and the experiments, where there are results of its primitive. */
static bool put_papers(gb_report *r)
{
    for (size_t p = 0; p < r->papers.count; p++) {
        const gb_paper *paper = &r->papers.items[p];
        if (!has_primitive(r, paper->primitive)) continue;
        if (has_link(paper))
            put(r, "<section id=\"", paper->name, "\">");
        else
            fputs("<section>", r->file);
        put(r, "<h2>", paper->title, "</h2>\n");
        put_claims_of(r, paper->name);
        if (first_about(r, paper->primitive) == paper && !put_experiments(r, paper->primitive))
            return false;
        fputs("</section>\n", r->file);
    }
    return true;
}

/* The primitives that no paper is about. Nothing links to them: their names could be another
 * section's. */
static bool put_others(gb_report *r)
{
    const gb_results *results;
    const gb_result_set *set, *before;
    for (size_t i = 0; (set = set_at(r, i, &results)); i++) {
        bool seen = !is_shown(set) || first_about(r, set->primitive);
        for (size_t k = 0; k < i && !seen; k++) {
            before = set_at(r, k, &results);
            seen = is_shown(before) && strcmp(before->primitive, set->primitive) == 0;
        }
        if (seen) continue;
        put(r, "<section><h2>", set->primitive, "</h2>\n");
        if (!put_experiments(r, set->primitive)) return false;
        fputs("</section>\n", r->file);
    }
    return true;
}

/* ---- devices and flags ----------------------------------------------------------------------- */

static void put_devices(gb_report *r)
{
    gb_arena *arena = &r->sides.arena;
    fputs("<section id=\"devices\"><h2>Devices</h2>\n", r->file);
    for (size_t i = 0; i < r->sides.count; i++) {
        const gb_side *side = &r->sides.items[i];
        const gb_result_row *row = NULL;
        for (size_t s = 0; s < side->results->set_count && !row; s++) {
            const gb_result_set *set = &side->results->sets[s];
            for (size_t k = 0; k < set->row_count && is_shown(set) && !row; k++)
                if (strcmp(set->rows[k].device, side->device) == 0) row = &set->rows[k];
        }
        if (!row) continue;
        const gb_run_facts *run = gb_side_run(&r->sides, row);
        put(r, "<h3>", side->label, "</h3>\n<dl class=\"facts\">\n");
        put_fact(r, "results", side->path);
        put_fact(r, "back-end", row->backend);
        put_fact(r, "CUDA Toolkit", run->toolkit);
        put_fact(r, "driver", run->driver);
        if (run->sms > 0) put_fact(r, "multiprocessors", gb_arena_printf(arena, "%g", run->sms));
        if (run->copy_bytes_per_s > 0)
            put_fact(
                r, "copy, measured",
                gb_arena_printf(arena, "%.0f GB/s read and written", run->copy_bytes_per_s * 1e-9));
        put_fact(r, "host", run->host);
        fputs("</dl>\n", r->file);
    }
    fputs("</section>\n", r->file);
}

static void put_term(gb_report *r, const char *word, const char *meaning)
{
    put(r, "<dt>", word, "</dt>");
    put(r, "<dd>", meaning, "</dd>\n");
}

static void put_flags(gb_report *r)
{
    fputs("<section id=\"flags\"><h2>Flags and statuses</h2>\n<dl>\n", r->file);
    for (int i = 0; i < GB_FLAG_COUNT; i++)
        put_term(r, gb_flag_words[i].name, gb_flag_words[i].meaning);
    for (unsigned i = GB_OK + 1; i < GB_STATUS_COUNT; i++)
        put_term(r, gb_status_cell((gb_status)i), gb_status_meaning((gb_status)i));
    fputs("</dl>\n"
          "<p class=\"note\">* behind a number: throttled, drifting or autocorrelated. ± is the "
          "95 % interval of the mean, shown where wider than 0.5 %.</p></section>\n",
          r->file);
}

bool gb_report_write(gb_report *r)
{
    put_head(r);
    put_claims(r);
    if (!put_papers(r) || !put_others(r)) return false;
    put_devices(r);
    put_flags(r);
    fprintf(r->file, "</main>\n<script>\n%s</script>\n</body></html>\n", r->script);
    return true;
}
