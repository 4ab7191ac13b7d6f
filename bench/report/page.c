/* The page of `gpubench report`: what stands where. */
#include "bench/report/sections.h"

#include "common/protocol/flags.h"

#include <string.h>

/* ---- head ------------------------------------------------------------------------------------ */

static void put_head(gb_report *r, const gb_report_plan *plan)
{
    const char *names = "";
    for (size_t i = 0; i < plan->device_count; i++)
        names =
            gb_arena_printf(&r->sides.arena, "%s%s%s", names, *names ? ", " : "", plan->devices[i]);
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
          r->file);
    gb_report_put(r, "<title>gpubench: ", names, "</title>\n<style>\n");
    fprintf(r->file,
            "%s</style></head>\n<body>\n<a class=\"skip\" href=\"#summary\">To the summary</a>\n",
            r->style);
    gb_report_put_contents(r, plan);
    gb_report_put(r, "<main>\n<h1>gpubench on ", names, "</h1>\n");
}

/* ---- papers ---------------------------------------------------------------------------------- */

/* What a section is about: of a paper its reference, and what it compares with. */
static void put_heading(gb_report *r, const gb_report_section *section)
{
    gb_arena *arena = &r->sides.arena;
    const gb_paper *paper = section->paper;
    gb_report_put(r, "<h2>", section->title, "</h2>\n");
    if (!paper) return;
    if (paper->reference)
        gb_report_put(r, "<p class=\"citation\">", gb_reference_line(arena, paper->reference),
                      "</p>\n");
    const char *compared = gb_paper_compared(arena, paper);
    if (compared && *compared)
        gb_report_put(r, "<p class=\"note\">Compared with ", compared, ".</p>\n");
}

static bool put_section(gb_report *r, gb_report_plan *plan, const gb_report_section *section)
{
    gb_report_put(r, section->paper ? "<section id=\"" : "<section class=\"besides\" id=\"",
                  section->id, "\">");
    put_heading(r, section);
    if (section->paper) gb_report_put_claims(r, plan, section->paper);
    for (size_t i = 0; i < section->experiment_count; i++)
        if (!gb_report_put_experiment(r, plan, &section->experiments[i])) return false;
    fputs("</section>\n", r->file);
    return true;
}

/* ---- flags ----------------------------------------------------------------------------------- */

static void put_term(gb_report *r, const char *word, const char *meaning)
{
    gb_report_put(r, "<dt>", word, "</dt>");
    gb_report_put(r, "<dd>", meaning, "</dd>\n");
}

void gb_report_put_flags(gb_report *r)
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
    gb_report_plan plan = {0};
    gb_report_make_plan(r, &plan);
    put_head(r, &plan);
    if (!gb_report_put_marks(r) || !gb_report_put_summary(r, &plan)) return false;
    gb_report_put_matrix(r, &plan);
    gb_report_put_differences(r, &plan);
    if (!gb_report_put_generations(r, &plan)) return false;
    for (size_t i = 0; i < plan.section_count; i++)
        if (!put_section(r, &plan, &plan.sections[i])) return false;
    gb_report_put_devices(r, &plan);
    gb_report_put_flags(r);
    fprintf(r->file, "</main>\n<script>\n%s</script>\n</body></html>\n", r->script);
    return true;
}
