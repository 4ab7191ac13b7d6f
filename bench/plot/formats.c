/* In which formats and how wide figures are drawn, as `gpubench plot` is told. */
#include "bench/plot/formats.h"

#include <string.h>

const char *const gb_plot_format_names[GB_PLOT_FORMATS] = {
    [GB_PLOT_SVG] = "svg", [GB_PLOT_PDF] = "pdf", [GB_PLOT_PNG] = "png", [GB_PLOT_EPS] = "eps"};

/* Those of the two-column layouts of IEEE and ACM. */
static const gb_plot_width widths[] = {{"column", 3.33 * 72}, {"page", 7.0 * 72}};

bool gb_plot_parse_formats(const char *option, const char *list, bool wanted[GB_PLOT_FORMATS],
                           gb_error *error)
{
    memset(wanted, 0, GB_PLOT_FORMATS * sizeof *wanted);
    for (const char *at = list; *at;) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < GB_PLOT_FORMATS && (strlen(gb_plot_format_names[i]) != length ||
                                       strncmp(gb_plot_format_names[i], at, length) != 0))
            i++;
        if (i == GB_PLOT_FORMATS) {
            gb_fail(error, GB_WRONG, "--%s %.200s: '%.*s' is none of svg, pdf, png and eps", option,
                    list, (int)length, at);
            return false;
        }
        wanted[i] = true;
        at += length + (at[length] == ',');
    }
    if (!*list) gb_fail(error, GB_WRONG, "--%s: name one or more of svg, pdf, png and eps", option);
    return *list != '\0';
}

const char *gb_plot_format_of(const char *option, const char *path, gb_error *error)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < GB_PLOT_FORMATS; i++)
        if (strcmp(dot + 1, gb_plot_format_names[i]) == 0) return gb_plot_format_names[i];
    gb_fail(error, GB_WRONG,
            "--%s %.200s: the name says how it is drawn: it ends in .svg, .pdf, .png or .eps",
            option, path);
    return NULL;
}

const gb_plot_width *gb_plot_parse_width(const char *option, const char *name, gb_error *error)
{
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (strcmp(widths[i].name, name) == 0) return &widths[i];
    gb_fail(error, GB_WRONG,
            "--%s %.200s: a figure for print is as wide as a column or the page; a file of "
            "published numbers to draw beside is named by --published",
            option, name);
    return NULL;
}
