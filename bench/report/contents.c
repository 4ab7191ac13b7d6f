/* The page's contents: a column beside it, on a phone a menu. */
#include "bench/report/sections.h"

static void put_link(gb_report *r, const char *id, const char *text)
{
    gb_report_put(r, "<li><a href=\"#", id, "\">");
    gb_report_put(r, "", text, "</a>");
}

/* An experiment that several devices have is named once, with a link to each. */
static void put_experiment(gb_report *r, const gb_report_experiment *x)
{
    if (x->first) put_link(r, x->id, x->title);
    if (!x->first) {
        gb_report_put(r, ", <a href=\"#", x->id, "\">");
        gb_report_put(r, "", x->device, "</a>");
    }
}

static void put_section(gb_report *r, const gb_report_section *section)
{
    put_link(r, section->id, section->title);
    if (section->experiment_count) fputs("<ul>", r->file);
    for (size_t i = 0; i < section->experiment_count; i++) {
        put_experiment(r, &section->experiments[i]);
        if (i + 1 == section->experiment_count || section->experiments[i + 1].first)
            fputs("</li>\n", r->file);
    }
    fputs(section->experiment_count ? "</ul></li>\n" : "</li>\n", r->file);
}

/* Open, for those without the script; it folds the menu on a phone. */
void gb_report_put_contents(gb_report *r, const gb_report_plan *plan)
{
    fputs("<nav id=\"contents\" aria-label=\"Contents\"><details open><summary>Contents</summary>"
          "<ul>\n<li><a href=\"#summary\">Summary</a></li>",
          r->file);
    fputs(gb_report_has_papers(plan) ? "<li><a href=\"#claims\">Verdicts</a></li>\n" : "\n",
          r->file);
    if (plan->device_count > 1)
        fputs("<li><a href=\"#matrix\">What was measured where</a></li>"
              "<li><a href=\"#differences\">Differences between devices</a></li>\n",
              r->file);
    if (gb_report_has_generations(r))
        fputs("<li><a href=\"#generations\">Generations</a></li>\n", r->file);
    for (size_t i = 0; i < plan->section_count; i++)
        put_section(r, &plan->sections[i]);
    fputs("<li><a href=\"#devices\">Devices</a></li><li><a href=\"#flags\">Flags and statuses</a>"
          "</li></ul></details></nav>\n",
          r->file);
}
