/* Tables of an HTML page. */
#include "bench/report/html.h"

#include <string.h>

/* A verdict gets a class of its own, for its colour: "FAILS" is class="bad". */
static const char *class_of(const char *cell)
{
    static const char *const verdicts[][2] = {{"HOLDS", "good"},
                                              {"FAILS", "bad"},
                                              {"UNDECIDED", "open"},
                                              {"NOT TESTED", "open"},
                                              {"OTHER GPU", "same"},
                                              {"BY CONSTRUCTION", "same"},
                                              {"THEIR PROCEDURE", "same"},
                                              {"holds", "good"},
                                              {"fails", "bad"},
                                              {"unsure", "open"},
                                              {"FASTER", "good"},
                                              {"SLOWER", "bad"},
                                              {"SAME", "same"},
                                              {"UNCLEAR", "open"}};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strcmp(cell, verdicts[i][0]) == 0) return verdicts[i][1];
    return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Bytes of the number that a cell begins with, and how many of its digits follow the point; 0:
 * none. */
static size_t number_length(const char *cell, size_t *decimals)
{
    static const char digits[] = "0123456789";
    const char *at = cell;
    *decimals = 0;
    at += strncmp(at, "−", strlen("−")) == 0 ? strlen("−") : strspn(at, "-+") ? 1 : 0;
    const size_t whole = strspn(at, "0123456789,");
    if (whole == 0) return 0;
    at += whole;
    if (*at == '.' && strspn(at + 1, digits) > 0) {
        *decimals = strspn(at + 1, digits);
        at += 1 + *decimals;
    }
    return (size_t)(at - cell);
}

/* Whether what follows a number is about it and no part of it: an interval, a mark, a unit behind a
 * blank. */
static bool is_rest(const char *rest)
{
    static const char *const begins[] = {"",  " ±", "±", " (", "*", " %", "¹", "²",
                                         "³", "⁴",  "⁵", "⁶",  "⁷", "⁸",  "⁹"};
    for (size_t i = 1; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(rest, begins[i], strlen(begins[i])) == 0) return true;
    return *rest == '\0';
}

/* How the cells of a column are set. */
typedef struct column {
    bool numbers; /* all that begin with a digit are numbers */
    bool rests;   /* ... and something follows some */
    bool texts;   /* some cell is a text that is broken into lines */
    size_t decimals;
} column;

enum { SHORT = 28 }; /* bytes of a text that is not broken into lines */

static column column_of(const gb_table_panel *panel, size_t c)
{
    column found = {.numbers = true};
    bool any = false;
    for (size_t r = 0; r < panel->row_count; r++) {
        const char *cell = panel->rows[r][c];
        size_t decimals;
        const size_t length = number_length(cell, &decimals);
        found.texts |= strlen(cell) > SHORT;
        if (length == 0) continue;
        any = true;
        found.numbers &= is_rest(cell + length);
        found.rests |= cell[length] != '\0';
        if (decimals > found.decimals) found.decimals = decimals;
    }
    found.numbers &= any && !found.texts;
    found.rests &= found.numbers;
    return found;
}

/* A number with blanks as wide as the digits, and the point, that others of its column have more.
 */
static void put_number(FILE *file, const char *cell, size_t length, size_t decimals, size_t most)
{
    static const char point[] = "\u2008", digit[] = "\u2007";
    fwrite(cell, 1, length, file);
    if (decimals == 0 && most > 0) fputs(point, file);
    for (; decimals < most; decimals++)
        fputs(digit, file);
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* The ends of cells and rows, without which HTML does, would be a twentieth of the page. */
static void put_value(FILE *file, const char *cell, const column *of)
{
    size_t decimals;
    const char *class = class_of(cell);
    const size_t length = of->numbers ? number_length(cell, &decimals) : 0;
    if (class)
        fprintf(file, "<td class=\"%s\">", class);
    else
        fputs(of->texts ? "<td class=\"text\">" : "<td>", file);
    if (length)
        put_number(file, cell, length, decimals, of->decimals);
    else
        gb_html_text(file, cell);
    if (!of->rests) return;
    const char *rest = length ? cell + length : "";
    gb_html_element(file, *rest ? "<td class=\"rest\">" : "<td>", rest + strspn(rest, " "), "");
}

/* What names a row: the first column is its head, the others are set as that by the table's class.
 */
static void put_stub(FILE *file, const char *cell, bool first)
{
    const char *class = class_of(cell);
    fputs(first ? "<th scope=\"row\"" : "<td", file);
    if (!class && strlen(cell) > SHORT) class = "text";
    if (class) fprintf(file, " class=\"%s\"", class);
    gb_html_element(file, ">", cell, "");
}

static void put_head(FILE *file, const gb_table_panel *panel, const column *columns)
{
    for (size_t c = 0; c < panel->columns; c++) {
        const char *begin = c < panel->stubs   ? "<th scope=\"col\" class=\"stub\">"
                            : columns[c].rests ? "<th scope=\"col\" colspan=\"2\">"
                            : columns[c].texts ? "<th scope=\"col\" class=\"text\">"
                                               : "<th scope=\"col\">";
        gb_html_element(file, begin, panel->head[c], "</th>");
    }
}

static void put_panel(gb_arena *arena, FILE *file, const gb_table_panel *panel, const char *name)
{
    column *columns = gb_arena_alloc(arena, (panel->columns + 1) * sizeof *columns);
    for (size_t c = 0; c < panel->columns; c++)
        columns[c] = column_of(panel, c);
    fprintf(file, "<div class=\"wide\"><table class=\"sortable stubs-%zu\">", panel->stubs);
    gb_html_element(file, "<caption>", *panel->title ? panel->title : name,
                    "</caption>\n<thead><tr>");
    put_head(file, panel, columns);
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t r = 0; r < panel->row_count; r++) {
        fputs(panel->begins_block[r] ? "<tr class=\"block\">" : "<tr>", file);
        for (size_t c = 0; c < panel->columns; c++)
            if (c < panel->stubs)
                put_stub(file, panel->rows[r][c], c == 0);
            else
                put_value(file, panel->rows[r][c], &columns[c]);
        putc('\n', file);
    }
    fputs("</tbody></table></div>\n", file);
}

void gb_html_table(gb_arena *arena, FILE *file, const gb_table *table, int level)
{
    if (level) {
        fprintf(file, "<h%d>", level);
        gb_html_text(file, table->title);
        fprintf(file, "</h%d>\n", level);
    }
    if (table->caption && *table->caption) gb_html_element(file, "<p>", table->caption, "</p>\n");
    for (size_t p = 0; p < table->panel_count; p++)
        put_panel(arena, file, &table->panels[p], table->title);
    if (table->starred) gb_html_element(file, "<p class=\"note\">* ", table->star_note, "</p>\n");
    for (size_t i = 0; i < table->note_count; i++)
        gb_html_element(
            file, "<p class=\"note\">",
            gb_arena_printf(arena, "%s %s", gb_table_mark(arena, i + 1), table->notes[i]),
            "</p>\n");
    for (size_t i = 0; i < table->remark_count; i++)
        gb_html_element(file, "<p class=\"note\">", table->remarks[i], "</p>\n");
}
