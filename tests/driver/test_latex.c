/* LaTeX: text as it is escaped and how wide it becomes, numbers cut, tables that fit a column or a
 * page. */
#include "bench/table/latex.h"
#include "bench/table/latex_columns.h"
#include "bench/table/latex_text.h"
#include "tests/driver/table_fixture.h"

static char *written(const char *text, void (*put)(FILE *, const char *))
{
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    assert_non_null(file);
    put(file, text);
    assert_int_equal(fclose(file), 0);
    return out;
}

static void escapes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *latex;
    } cases[] = {
        {"a_b & c% #1 $x {y} ~ ^", "a\\_b \\& c\\% \\#1 \\$x \\{y\\} \\textasciitilde{} "
                                   "\\textasciicircum{}"},
        {"C:\\x", "C:\\textbackslash{}x"},
        {"95 % of 10⁹ keys", "95\\,\\% of 10$^{9}$ keys"},
        {"2²⁸ and 10⁻⁹", "2$^{28}$ and 10$^{-9}$"},
        {"1.2 ±3.4%", "1.2 $\\pm$3.4\\%"},
        {"2 · 3 × 4 ≥ 5 µs", "2 $\\cdot$ 3 $\\times$ 4 $\\ge$ 5 $\\mu$s"},
        {"-3 and −3, x - 1", "$-$3 and $-$3, x $-$ 1"},
        {"-", "--"},
        {"-¹²", "--$^{12}$"},
        {"cub-radix-sort --rows", "cub-radix-sort -{}-rows"},
        {"\"so\" (\"it\") is", "``so'' (``it'') is"},
        {"a < b > c | d", "a $<$ b $>$ c $|$ d"},
        {"... and", "\\dots{} and"},
        {"Universität", "Universität"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *out = written(cases[i].text, gb_latex_put);
        assert_string_equal(out, cases[i].latex);
        free(out);
    }
    char *out = written("see configs/multipartition-binomial.json or a/b", gb_latex_put_running);
    assert_string_equal(out, "see configs/\\allowbreak{}multipartition-binomial.\\allowbreak{}json "
                             "or a/b");
    free(out);
}

/* What TeX says of \footnotesize, in points. */
static void widths(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double points;
    } cases[] = {{"dynamic-array-growth", 82.19},
                 {"n 8M, dist plummer, leaf 1, pool 100", 136.52},
                 {"0.428 to 0.554", 51.95},
                 {"<0.0001", 30.22},
                 {"0¹", 8.42},
                 {"±3.1%", 24.56},
                 {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 158.13}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double points = 8 * gb_latex_width(cases[i].text, strlen(cases[i].text));
        if (points < 0.99 * cases[i].points || points > 1.03 * cases[i].points)
            fail_msg("%s: %g pt for %g", cases[i].text, points, cases[i].points);
    }
}

static void cuts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool number;
        const char *part[GB_LATEX_PARTS];
    } cases[] = {{"12.34 ±5%*", true, {"12", ".34", "±5%*"}},
                 {"340*", true, {"340", "*", ""}},
                 {"-0.5", true, {"-0", ".5", ""}},
                 {"94 %", true, {"94", "", "%"}},
                 {"1.5¹", true, {"1", ".5¹", ""}},
                 {"crashed¹", false, {"crashed¹", "", ""}},
                 {"32Mi", false, {"32Mi", "", ""}},
                 {"1.38 to 1.39", false, {"1.38 to 1.39", "", ""}},
                 {"1.4 ±0.1; of 10", false, {"1.4 ±0.1; of 10", "", ""}},
                 {"", false, {"", "", ""}}};
    gb_arena arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gb_latex_cell cell = gb_latex_cut(&arena, cases[i].text);
        assert_int_equal(cell.number, cases[i].number);
        for (int p = 0; p < GB_LATEX_PARTS; p++)
            assert_string_equal(cell.part[p], cases[i].part[p]);
    }
    gb_arena_free(&arena);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A table of so many rows in blocks of `block`, of columns of numbers; its first cell has a mark.
 */
static char *table_with(size_t rows, size_t block, size_t columns, gb_table_paper paper)
{
    gb_arena arena = {0};
    static const char *notes[] = {"why"};
    gb_table table = {.title = "Rates_of all",
                      .caption = "In 10⁹/s.",
                      .label = "Rates (H200)",
                      .paper = paper,
                      .notes = notes,
                      .note_count = 1};
    gb_table_panel *panel = gb_table_add_panel(&arena, &table, "", columns + 2, 2);
    panel->head[0] = "n", panel->head[1] = "version";
    for (size_t c = 2; c < columns + 2; c++)
        panel->head[c] = gb_arena_printf(&arena, "variant-%zu", c - 1);
    for (size_t r = 0; r < rows; r++) {
        const char **cells = gb_table_add_line(&arena, panel, r > 0 && r % block == 0);
        if (r % block == 0) cells[0] = gb_arena_printf(&arena, "%zuMi", r / block);
        cells[1] = gb_arena_printf(&arena, "row %zu", r);
        for (size_t c = 2; c < columns + 2; c++)
            cells[c] = r == 0 && c == 2 ? "-¹" : "123.4 ±1.5%";
    }
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);
    assert_non_null(file);
    gb_table_write_latex(&arena, &table, file);
    assert_int_equal(fclose(file), 0);
    gb_arena_free(&arena);
    return out;
}

static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        count++;
    return count;
}

static void fits_a_column(void **state)
{
    (void)state;
    char *text = table_with(4, 2, 2, GB_PAPER_EITHER);
    assert_non_null(strstr(text, "\\begin{table}[tbp]"));
    assert_non_null(strstr(text, "\\caption[{Rates\\_of all}]{Rates\\_of all. In 10$^{9}$/s.}"));
    assert_non_null(strstr(text, "\\label{tab:rates-h200}"));
    assert_non_null(strstr(text, "\\midrule\n1Mi & row 2 & 123&.4&$\\pm$1.5\\%"));
    assert_non_null(strstr(text, "$^{1}$ why\\par"));
    assert_int_equal(count_of(text, "\\begin{tabular}"), 1);
    free(text);
}

static void wider_is_a_page(void **state)
{
    (void)state;
    char *text = table_with(4, 2, 6, GB_PAPER_EITHER);
    assert_non_null(strstr(text, "\\begin{table*}"));
    assert_int_equal(count_of(text, "\\begin{tabular}"), 1);
    free(text);
    text = table_with(4, 2, 2, GB_PAPER_PAGE);
    assert_non_null(strstr(text, "\\begin{table*}"));
    free(text);
}

/* Parts of its columns, each with the names of the rows; the note stands once. */
static void still_wider_is_split(void **state)
{
    (void)state;
    static const gb_table_paper papers[] = {GB_PAPER_EITHER, GB_PAPER_COLUMN};
    for (size_t i = 0; i < 2; i++) {
        char *text = table_with(4, 2, 12, papers[i]);
        const size_t parts = count_of(text, "\\begin{tabular}");
        assert_int_equal(count_of(text, "\\begin{table*}"), papers[i] == GB_PAPER_EITHER);
        assert_true(papers[i] == GB_PAPER_EITHER ? parts == 2 : parts == 4);
        assert_int_equal(count_of(text, "row 3 & "), parts);
        assert_int_equal(count_of(text, "\\multicolumn{3}{c}{variant-12}"), 1);
        assert_int_equal(count_of(text, "$^{1}$ why"), 1);
        free(text);
    }
}

/* Floats with a label each; a block that is torn says its name again. */
static void higher_goes_on(void **state)
{
    (void)state;
    char *text = table_with(90, 5, 2, GB_PAPER_EITHER);
    assert_int_equal(count_of(text, "\\begin{table}"), 3);
    assert_int_equal(count_of(text, "row 89 & "), 1);
    assert_non_null(strstr(text, "Rates\\_of all, continued}\\label{tab:rates-h200:2}"));
    assert_non_null(strstr(text, "\\label{tab:rates-h200:3}"));
    assert_int_equal(count_of(text, "$^{1}$ why"), 1); /* of the first alone */
    free(text);
    text = table_with(90, 90, 2, GB_PAPER_EITHER);
    assert_int_equal(count_of(text, "\\midrule\n0Mi & row "), 3);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(escapes),
        cmocka_unit_test(widths),
        cmocka_unit_test(cuts),
        cmocka_unit_test(fits_a_column),
        cmocka_unit_test(wider_is_a_page),
        cmocka_unit_test(still_wider_is_split),
        cmocka_unit_test(higher_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
