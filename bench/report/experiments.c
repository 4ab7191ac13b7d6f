/* An experiment: its figures, its tables, where its rows come from. */
#include "bench/report/sections.h"

#include "bench/report/html.h"
#include "bench/table/set.h"

#include <string.h>

/* ---- figures --------------------------------------------------------------------------------- */

static size_t count_figures(const gb_report *r, const gb_report_plan *plan, const char *experiment)
{
    size_t count = 0;
    for (size_t i = 0; i < r->figure_count; i++) {
        const char *owner = gb_report_owner(r, plan, r->figures[i].name);
        count += owner && strcmp(owner, experiment) == 0;
    }
    return count;
}

static bool put_figures(gb_report *r, gb_report_plan *plan, const gb_report_experiment *x)
{
    for (size_t i = 0; i < r->figure_count; i++) {
        const char *owner = gb_report_owner(r, plan, r->figures[i].name);
        if (!owner || strcmp(owner, x->set->experiment) != 0) continue;
        if (!gb_report_put_figure(r, plan, &r->figures[i], x->title)) return false;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------------------------------ */

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
        gb_report_put_fact(r, "device", row->device);
        gb_report_put_fact(r, "run", row->run_id);
        gb_report_put_fact(r, "ended", run->ended);
        gb_report_put_fact(r, "CUDA Toolkit", run->toolkit);
        gb_report_put_fact(r, "driver", run->driver);
        gb_report_put_fact(r, "version", run->version);
        fputs("</dl>\n", r->file);
    }
    fputs("</details>\n", r->file);
    return true;
}

static void put_tables(gb_report *r, const gb_report_experiment *x)
{
    gb_results published = {0};
    gb_tables tables;
    gb_error no_table = {GB_OK, ""};
    gb_arena *arena = &r->sides.arena;
    const gb_table_wishes wishes = {0};
    const bool made =
        gb_tables_of_set(arena, x->results, x->set, &wishes, &published, &tables, &no_table);
    for (size_t i = 0; made && i < tables.count; i++)
        gb_html_table(arena, r->file, &tables.items[i], tables.count > 1 ? 4 : 0);
    if (made && tables.hidden)
        gb_report_put(r, "<p class=\"note\">Not shown here: ", tables.hidden,
                      ". <code>gpubench table</code> prints it.</p>\n");
    if (!made) gb_report_put(r, "<p class=\"note\">No table: ", no_table.text, "</p>\n");
    gb_results_free(&published);
}

bool gb_report_put_experiment(gb_report *r, gb_report_plan *plan, const gb_report_experiment *x)
{
    const size_t figures = x->first ? count_figures(r, plan, x->set->experiment) : 0;
    fprintf(r->file, "<details id=\"%s\" class=\"experiment%s\"><summary>", x->id,
            x->repeats ? " print" : "");
    gb_report_put(r, "<b role=\"heading\" aria-level=\"3\">", x->title, "</b>");
    gb_report_put(r, " <span>", x->set->experiment, x->device ? " on " : "");
    gb_report_put(r, "", x->device ? x->device : "", ": ");
    fputs(gb_report_counted(r, x->set->row_count, "row"), r->file);
    if (figures) fprintf(r->file, ", %s", gb_report_counted(r, figures, "figure"));
    fputs("</span></summary>\n", r->file);
    if (x->set->simt)
        fputs("<p class=\"note\">Run by the simt device: the kernels on the CPU, to check them. "
              "Its times say nothing about a GPU.</p>\n",
              r->file);
    if (x->first && !put_figures(r, plan, x)) return false;
    put_tables(r, x);
    const bool good = put_sources(r, x->set);
    fputs("</details>\n", r->file);
    return good;
}
