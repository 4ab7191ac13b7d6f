/* A figure of the page: drawn twice, for screens and for phones, with what its points stand for. */
#include "bench/report/sections.h"

#include "bench/report/points.h"

#include <string.h>

bool gb_report_put_marks(gb_report *r)
{
    gb_svg svg = {0};
    if (r->figure_count == 0) return true;
    if (!gb_svg_read(&r->sides.arena, r->figures[0].wide, &svg, r->error)) return false;
    fputs("<svg class=\"marks\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\n", r->file);
    gb_svg_put_marks(r->file, &svg);
    fputs("</defs></svg>\n", r->file);
    return true;
}

/* Title and subtitle stand in the wide drawing and are for the narrow one, which has none. */
static void put_caption(gb_report *r, const gb_report_figure *figure, const gb_figure_data *data)
{
    gb_report_put(r, "<figcaption>", "", "");
    if (figure->narrow && data->title && *data->title) {
        gb_report_put(r, "<span class=\"narrow\"><strong>", data->title, ".</strong> ");
        gb_report_put(r, "", data->subtitle, ".</span> ");
    }
    gb_report_put(r, "<code>", figure->name, "</code></figcaption>\n");
}

static bool put_drawing(gb_report *r, const gb_figure_data *data, const char *path,
                        const char *class, const char *alt)
{
    gb_svg svg = {0};
    if (!gb_svg_read(&r->sides.arena, path, &svg, r->error)) return false;
    if (data) gb_figure_match(&r->sides.arena, data, &svg);
    gb_svg_put(&r->sides.arena, r->file, &svg, class, alt);
    return true;
}

static const char *alt_of(gb_report *r, const gb_report_figure *figure, const gb_figure_data *data,
                          const char *title)
{
    const bool known = data->title && *data->title;
    return gb_arena_printf(&r->sides.arena,
                           "Figure %s: %s. The table of its experiment has its "
                           "numbers.",
                           figure->name, known && !*title ? data->title : title);
}

bool gb_report_put_figure(gb_report *r, gb_report_plan *plan, gb_report_figure *figure,
                          const char *title)
{
    gb_arena *arena = &r->sides.arena;
    gb_figure_data data = {0};
    if (figure->id) {
        fprintf(r->file, "<p class=\"note\"><a href=\"#%s\">", figure->id);
        gb_report_put(r, "Figure ", figure->name, "</a> stands above.</p>\n");
        return true;
    }
    figure->id = gb_report_id(r, plan, gb_arena_printf(arena, "figure-%s", figure->name));
    const bool known = gb_figure_data_read(arena, figure->data, &data);
    const char *alt = alt_of(r, figure, &data, title);
    fprintf(r->file, "<figure id=\"%s\"", figure->id);
    if (known) {
        gb_report_put(r, " data-x=\"", data.x_axis, "\"");
        gb_report_put(r, " data-unit=\"", data.unit, "\"");
    }
    fputs(">\n", r->file);
    bool good =
        put_drawing(r, known ? &data : NULL, figure->wide, figure->narrow ? "wide" : "only", alt);
    if (good && figure->narrow) good = put_drawing(r, NULL, figure->narrow, "narrow", alt);
    if (!good) return false;
    put_caption(r, figure, &data);
    fputs("</figure>\n", r->file);
    return true;
}
