/* The pieces of the report's page: gnuplot's figures made smaller, what their points stand for,
 * tables whose numbers stand below one another. */
#include "bench/report/html.h"
#include "bench/report/points.h"
#include "tests/driver/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static gb_arena arena;
static gb_error error;

static const char *in_folder(const char *name)
{
    return gb_arena_printf(&arena, "%s/%s", folder, name);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/gpubench-page-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    static const char *const files[] = {"figure.svg", "data.gp", "one.dat"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(in_folder(files[i]));
    gb_arena_free(&arena);
    return rmdir(folder);
}

static void save(const char *name, const char *text)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* ---- figures --------------------------------------------------------------------------------- */

#define HEAD                                                                                 \
    "<?xml version=\"1.0\"?>\n<svg \n width=\"90\" height=\"50\"\n viewBox=\"0 0 90 50\"\n " \
    "xmlns=\"http://www.w3.org/2000/svg\"\n>\n<title>Gnuplot</title>\n<g "                   \
    "id=\"gnuplot_canvas\">\n<rect x=\"0\" y=\"0\" width=\"90\" height=\"50\" "              \
    "fill=\"#ffffff\"/>\n<defs>\n\t<circle id='gpDot' r='0.5'/>\n</defs>\n"
#define TAIL "</g>\n</svg>\n"
#define MARK(x, y)                                                                             \
    "<use xlink:href='#gpPt6' transform='translate(" x "," y ") scale(2.00)' color='rgb(  0, " \
    "114, 178)'/>"
#define SERIES(content)                                                                      \
    "<g id=\"gnuplot_plot_1a\" ><title>a &amp; b</title>\n<g fill=\"none\" color=\"black\" " \
    "stroke=\"currentColor\">" content "</g>\n</g>\n"

static gb_svg read_svg(const char *text)
{
    gb_svg svg = {0};
    save("figure.svg", text);
    if (!gb_svg_read(&arena, in_folder("figure.svg"), &svg, &error)) fail_msg("%s", error.text);
    return svg;
}

static const char *written(gb_svg *svg)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    gb_svg_put(&arena, file, svg, "wide", "a \"text\"");
    fclose(file);
    const char *kept = gb_arena_strdup(&arena, text);
    free(text);
    return kept;
}

/* Line ends at the end apart. */
static void assert_written(const char *content, const char *expected)
{
    gb_svg svg = read_svg(gb_arena_printf(&arena, HEAD "%s" TAIL, content));
    const char *text = written(&svg), *begin = strstr(text, "><g>\n");
    assert_non_null(begin);
    begin += strlen("><g>\n");
    assert_string_equal(gb_arena_trimmed(&arena, begin, strlen(begin) - strlen("</g></svg>\n")),
                        gb_arena_trimmed(&arena, expected, strlen(expected)));
}

static void figures_are_made_smaller(void **state)
{
    (void)state;
    assert_written("", "");
    assert_written("<g fill=\"none\" color=\"black\">\n\n</g>", "");
    assert_written(
        "<path stroke='rgb( 64,  64,  64)'  d='M1.04,2.00 L3.96,2.00 L3.96,5.04 L5.00,6.00  '/>",
        "<path stroke=\"#404040\" d=\"M1 2h3v3l1 1\"/>");
    /* a tenth is not added up: the third point stands where it stood */
    assert_written("<path d='M0.04,0.04 L0.08,1.00 L0.12,2.00 M7,7 M8,8'/>",
                   "<path d=\"M0 0l.1 1v1\"/>");
    /* what is handed down already is not said again, what differs is */
    assert_written("<g fill=\"none\" stroke=\"currentColor\"><path stroke=\"currentColor\" "
                   "d=\"M0,0 L1,0\"/></g>",
                   "<path d=\"M0 0h1\"/>");
    assert_written("<g fill=\"red\"><polygon fill=\"none\" points=\"0,0 1,0\"/></g>",
                   "<g fill=\"red\"><polygon fill=\"none\" points=\"0,0 1,0\"/></g>\n");
    assert_written("<g transform=\"translate(1.26,2.00)\" stroke=\"none\" fill=\"rgb(80,80,80)\" "
                   "text-anchor=\"end\">\n<text> rgb( 1, 2, 3) &lt;g&gt; </text>\n</g>",
                   "<text x=\"1.3\" y=\"2\" fill=\"#505050\" text-anchor=\"end\">rgb( 1, 2, 3) "
                   "&lt;g&gt;</text>");
    assert_written("<g transform=\"translate(1.26,2.00) rotate(270.00)\" stroke=\"none\" "
                   "fill=\"red\"><text>up</text></g>",
                   "<text transform=\"translate(1.26,2)rotate(270)\" fill=\"red\">up</text>");
    assert_written("<polygon fill = 'rgb(1, 2, 3)' points = '29.66,68.80 49.90,68.80 '/>",
                   "<polygon fill=\"#010203\" points=\"29.7,68.8 49.9,68.8\"/>");
    assert_written(
        MARK("1.0", "2.5") MARK("3.0", "4"),
        "<g color=\"#0072b2\" transform=\"scale(2)\"><use href=\"#gpPt6\" x=\".5\" y=\"1.25\"/>"
        "<use href=\"#gpPt6\" x=\"1.5\" y=\"2\"/></g>\n");
    assert_written(SERIES("<path d='M0,0 L1,0'/>"),
                   "<g class=\"series\"><title>a &amp; b</title><path d=\"M0 0h1\"/></g>\n");
}

static void lines_that_look_alike_are_one_path(void **state)
{
    (void)state;
    /* tics with a text between them, a grid line of another look, what is drawn above them behind
     */
    assert_written("<g stroke=\"#111111\"><path d='M0,0 L1,0'/></g><g><text>t</text></g>"
                   "<path stroke=\"#222222\" stroke-dasharray='2,4' d='M0,5 L9,5'/>"
                   "<g stroke=\"#111111\"><path d='M0,1 L1,1'/></g>" MARK("1", "1"),
                   "<text>t</text><path stroke=\"#111111\" d=\"M0 0h1M0 1h1\"/>\n"
                   "<path stroke=\"#222222\" stroke-dasharray=\"2,4\" d=\"M0 5h9\"/>\n"
                   "<g color=\"#0072b2\" transform=\"scale(2)\"><use href=\"#gpPt6\" x=\".5\" "
                   "y=\".5\"/></g>\n");
    assert_written("<path stroke-dasharray='2,4' d='M0,0 L1,0'/><path d='M0,1 L1,1'/>",
                   "<path stroke-dasharray=\"2,4\" d=\"M0 0h1\"/>\n<path d=\"M0 1h1\"/>");
    /* those of a series are its own */
    assert_written(
        "<path stroke=\"#111111\" d='M0,0 L1,0'/>" SERIES(
            "<path stroke=\"#111111\" d='M0,2 L1,2'/>") "<path stroke=\"#111111\" d='M0,3 L1,3'/>",
        "<path stroke=\"#111111\" d=\"M0 0h1\"/>\n"
        "<g class=\"series\"><title>a &amp; b</title><path stroke=\"#111111\" d=\"M0 2h1\"/></g>\n"
        "<path stroke=\"#111111\" d=\"M0 3h1\"/>\n");
    /* one that is moved or filled waits for none */
    assert_written("<path transform=\"scale(2)\" d='M0,0 L1,0'/><path d='M0,0 L1,0'/>",
                   "<path transform=\"scale(2)\" d=\"M0 0h1\"/><path d=\"M0 0h1\"/>\n");
}

static void titles_that_gnuplot_made_up_are_none(void **state)
{
    (void)state;
    assert_written(
        "<g id=\"gnuplot_plot_1\" ><title>gnuplot_plot_1</title><path d='M0,0 L1,0'/></g>",
        "<g class=\"series\"><path d=\"M0 0h1\"/></g>\n");
    assert_written(
        "<g id=\"gnuplot_plot_1\" ><title>gb_file[s] using 1:2</title><path d='M0,0 L1,0'/></g>",
        "<g class=\"series\"><path d=\"M0 0h1\"/></g>\n");
}

static void what_is_no_figure_is_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "garbage",
                                        "<svg>",
                                        "<svg><g></svg>",
                                        "<svg><g></h></svg>",
                                        "<svg><g a=1/></svg>",
                                        "<svg><g a=\"1/></svg>",
                                        "<svg><g a/></svg>",
                                        "<svg><!-- </svg>",
                                        "</svg>",
                                        "<svg"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        gb_svg svg = {0};
        save("figure.svg", texts[i]);
        if (gb_svg_read(&arena, in_folder("figure.svg"), &svg, &error)) fail_msg("%s", texts[i]);
        assert_says(error.text, "figure.svg is no SVG, or is cut", texts[i]);
    }
}

/* ---- what points stand for ------------------------------------------------------------------- */

/* A figure of one series, whose rows are of so many rates and times. */
static void save_data(const char *rows)
{
    save("data.gp",
         gb_arena_printf(&arena,
                         "gb_format = \"svg\"\ngb_title = \"A \\\"title\\\\\"\ngb_unit = \"keys\"\n"
                         "gb_x_axis = \"n\"\ngb_panels = 1\ngb_first[1] = 1\n"
                         "gb_file[1] = \"%s/one.dat\"\ngb_label[1] = \"a & b\"\ngb_last[1] = 1\n",
                         folder));
    save("one.dat", gb_arena_printf(&arena,
                                    "# a, GPU\n# n rate rate_ci95_lo rate_ci95_hi time_s "
                                    "time_ci95_lo_s time_ci95_hi_s speedup cache_resident best\n%s",
                                    rows));
}

/* What the marks of a drawing of that data stand for; "": unknown. */
static const char *points_of(const char *marks)
{
    gb_figure_data data = {0};
    gb_svg svg = read_svg(gb_arena_printf(&arena, HEAD SERIES("%s") TAIL, marks));
    if (!gb_figure_data_read(&arena, folder, &data)) return "no data";
    gb_figure_match(&arena, &data, &svg);
    return svg.series[0].points ? svg.series[0].points : "";
}

static void points_are_known_where_they_are_sure(void **state)
{
    (void)state;
    save_data("1000000 1e9 9e8 1.1e9 ? ? ? ? 0 ?\n2000000 2e9 ? ? 0.5 ? ? ? 0 ?\n3 4e9 ? ? ? ? ? ? "
              "0 ?\n");
    static const char told[] = "1M 1e9 9e8 1.1e9;2M 2e9 0 0 0.5;3 4e9";
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30") MARK("3", "10")), told);
    /* logarithmic */
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30") MARK("3", "20.2")), told);
    /* one elsewhere, one too many, one too few, none above another, upside down */
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "33") MARK("3", "10")), "");
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30") MARK("3", "10") MARK("4", "10")),
                        "");
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30")), "");
    assert_string_equal(points_of(MARK("1", "10") MARK("2", "20") MARK("3", "40")), "");
    /* rows that are not drawn, although those that are would fit */
    save_data("1 1e9 ? ? ? ? ? ? 0 ?\n2 2e9 ? ? ? ? ? ? 0 ?\n3 3e9 ? ? ? ? ? ? 0 ?\n4 4e9 ? ? ? ? "
              "? ? 0 ?\n");
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30") MARK("3", "20")), "");
    /* times, of the rows that have one */
    save_data("1 ? ? ? 0.5 ? ? ? 0 ?\n2 1e9 ? ? 0.25 ? ? ? 0 ?\n3 2e9 ? ? 0.125 ? ? ? 0 ?\n4 5 ? ? "
              "? ? ? ? 0 ?\n");
    assert_string_equal(points_of(MARK("1", "10") MARK("2", "30") MARK("3", "40")),
                        "1 0 0 0 0.5;2 1e9 0 0 0.25;3 2e9 0 0 0.125");
}

static void two_points_prove_nothing(void **state)
{
    (void)state;
    save_data("1 1e9 ? ? ? ? ? ? 0 ?\n2 2e9 ? ? ? ? ? ? 0 ?\n");
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30")), "");
    save_data("1 1e9 ? ? ? ? ? ? 0 ?\n2 1e9 ? ? ? ? ? ? 0 ?\n3 1e9 ? ? ? ? ? ? 0 ?\n");
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "40") MARK("3", "40")), "");
}

static void data_are_read_as_plot_wrote_them(void **state)
{
    gb_figure_data data = {0};
    (void)state;
    assert_false(gb_figure_data_read(&arena, folder, &data));
    save_data("");
    assert_true(gb_figure_data_read(&arena, folder, &data));
    assert_string_equal(data.title, "A \"title\\");
    assert_string_equal(data.unit, "keys");
    assert_string_equal(data.x_axis, "n");
    assert_null(data.x_names);
    /* of categories, with signs that gnuplot would take for commands */
    save("data.gp",
         gb_arena_printf(
             &arena, "\ngb_x_name[1] = \"\\140\".\"<;\\100\".\"1\"\ngb_panels = 1\ngb_file[1] = "
                     "\"x/one.dat\"\ngb_label[1] = \"a & b\"\ngb_last[1] = 1\n"));
    save("one.dat",
         "# n rate l h time_s l h speedup r best\n1 1e9 ? ? ? ? ? ? 0 ?\n1 2e9 ? ? ? ? ? ? 0 ?\n"
         "1 3e9 ? ? ? ? ? ? 0 ?\n");
    assert_string_equal(points_of(MARK("1", "40") MARK("2", "30") MARK("3", "20")),
                        "%60%3C%3B%401 1e9;%60%3C%3B%401 2e9;%60%3C%3B%401 3e9");
    /* a profiler's */
    save("one.dat", "# n l1_hit_rate time_s\n1 0.5 2\n");
    assert_string_equal(points_of(MARK("1", "40")), "no data");
    save("data.gp", "gb_title = \"of a dump\"\n");
    assert_string_equal(points_of(MARK("1", "40")), "no data");
}

/* ---- tables ---------------------------------------------------------------------------------- */

enum { CELLS = 4 };

/* The rows of a table of one column of values behind one of names. */
static const char *column_of(const char *const cells[CELLS])
{
    gb_table table = {.title = "t", .caption = ""};
    gb_table_panel *panel = gb_table_add_panel(&arena, &table, "", 2, 1);
    panel->head[0] = "name";
    panel->head[1] = "value";
    for (size_t i = 0; i < CELLS; i++) {
        const char **line = gb_table_add_line(&arena, panel, false);
        line[0] = "r";
        line[1] = cells[i];
    }
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    gb_html_table(&arena, file, &table, 0);
    fclose(file);
    char *begin = strstr(text, "<tbody>\n");
    assert_non_null(begin);
    *strstr(begin, "</tbody>") = '\0';
    const char *kept = gb_arena_strdup(&arena, begin + strlen("<tbody>\n"));
    free(text);
    return kept;
}

#define ROW(cells) "<tr><th scope=\"row\">r" cells "\n"
#define DIGIT "\u2007"
#define POINT "\u2008"

static void numbers_stand_below_one_another(void **state)
{
    (void)state;
    assert_string_equal(column_of((const char *const[]){"1.25", "12", "0.5", "timeout"}),
                        ROW("<td>1.25") ROW("<td>12" POINT DIGIT DIGIT) ROW("<td>0.5" DIGIT)
                            ROW("<td>timeout"));
    assert_string_equal(column_of((const char *const[]){"1.5 ±2%", "12*", "1,000", "-¹"}),
                        ROW("<td>1.5<td class=\"rest\">±2%")
                            ROW("<td>12" POINT DIGIT "<td class=\"rest\">*")
                                ROW("<td>1,000" POINT DIGIT "<td>") ROW("<td>-¹<td>"));
    assert_string_equal(column_of((const char *const[]){"1.5 (1.4 to 1.6)", "", "−0.25", "2"}),
                        ROW("<td>1.5" DIGIT "<td class=\"rest\">(1.4 to 1.6)") ROW("<td><td>")
                            ROW("<td>−0.25<td>") ROW("<td>2" POINT DIGIT DIGIT "<td>"));
}

static void what_begins_with_a_digit_may_be_text(void **state)
{
    (void)state;
    assert_string_equal(column_of((const char *const[]){"32M", "1.5", "2", "3"}),
                        ROW("<td>32M") ROW("<td>1.5") ROW("<td>2") ROW("<td>3"));
    assert_string_equal(
        column_of((const char *const[]){"1.5", "2 of 3 points, of which one is unsure", "", ""}),
        ROW("<td class=\"text\">1.5")
            ROW("<td class=\"text\">2 of 3 points, of which one is unsure")
                ROW("<td class=\"text\">") ROW("<td class=\"text\">"));
    assert_string_equal(column_of((const char *const[]){"<1>", "HOLDS", "", ""}),
                        ROW("<td>&lt;1&gt;") ROW("<td class=\"good\">HOLDS") ROW("<td>")
                            ROW("<td>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(figures_are_made_smaller, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lines_that_look_alike_are_one_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(titles_that_gnuplot_made_up_are_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_figure_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(points_are_known_where_they_are_sure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_points_prove_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(data_are_read_as_plot_wrote_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_stand_below_one_another, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_begins_with_a_digit_may_be_text, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
