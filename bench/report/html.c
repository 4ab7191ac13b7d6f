/* The pieces of an HTML page. */
#include "bench/report/html.h"

#include "common/text/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 256 << 20 };

void gb_html_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            putc(*text, file);
        }
    }
}

static void put_element(FILE *file, const char *begin, const char *text, const char *end)
{
    fputs(begin, file);
    gb_html_text(file, text);
    fputs(end, file);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A verdict gets a class of its own, for its colour: "FAILS" is class="fails". */
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

enum { SHORT = 28 }; /* bytes of a text that is not broken into lines */

static void put_panel(FILE *file, const gb_table_panel *panel, const char *name)
{
    fputs("<div class=\"wide\"><table class=\"sortable\">", file);
    put_element(file, "<caption>", *panel->title ? panel->title : name, "</caption>\n<thead><tr>");
    for (size_t c = 0; c < panel->columns; c++)
        put_element(file,
                    c < panel->stubs ? "<th scope=\"col\" class=\"stub\">" : "<th scope=\"col\">",
                    panel->head[c], "</th>");
    fputs("</tr></thead>\n<tbody>\n", file);
    for (size_t r = 0; r < panel->row_count; r++) {
        fputs(panel->begins_block[r] ? "<tr class=\"block\">" : "<tr>", file);
        for (size_t c = 0; c < panel->columns; c++) {
            const char *cell = panel->rows[r][c], *class = class_of(cell);
            if (class)
                fprintf(file, "<td class=\"%s\">", class);
            else if (c >= panel->stubs)
                fputs("<td>", file);
            else
                fputs(strlen(cell) > SHORT ? "<td class=\"stub long\">" : "<td class=\"stub\">",
                      file);
            put_element(file, "", cell, "</td>");
        }
        fputs("</tr>\n", file);
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
    if (table->caption && *table->caption) put_element(file, "<p>", table->caption, "</p>\n");
    for (size_t p = 0; p < table->panel_count; p++)
        put_panel(file, &table->panels[p], table->title);
    if (table->starred) put_element(file, "<p class=\"note\">* ", table->star_note, "</p>\n");
    for (size_t i = 0; i < table->note_count; i++)
        put_element(file, "<p class=\"note\">",
                    gb_arena_printf(arena, "%s %s", gb_table_mark(arena, i + 1), table->notes[i]),
                    "</p>\n");
    for (size_t i = 0; i < table->remark_count; i++)
        put_element(file, "<p class=\"note\">", table->remarks[i], "</p>\n");
}

/* ---- figures --------------------------------------------------------------------------------- */

/* Moves *at behind a word if it stands there. */
static bool takes(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0) return false;
    *at += length;
    return true;
}

/* Behind the next occurrence of a word; the end if there is none. */
static const char *behind(const char *at, const char *word)
{
    const char *found = strstr(at, word);
    return found ? found + strlen(word) : at + strlen(at);
}

/* Behind an element <g ...> that holds nothing; NULL if this is none. */
static const char *behind_empty_group(const char *at)
{
    if (strncmp(at, "<g", 2) != 0 || !strchr(" >", at[2])) return NULL;
    at = behind(at, ">");
    at += strspn(at, " \t\n\r");
    return takes(&at, "</g>") ? at : NULL;
}

/* What is the same without: names that nothing refers to (they would be there twice), defaults. */
static bool takes_needless(const char **at)
{
    static const char *const needless[] = {
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\"", "xmlns=\"http://www.w3.org/2000/svg\"",
        " stroke-linecap=\"butt\"", " stroke-linejoin=\"miter\"", " font-family=\"sans-serif\""};
    for (size_t i = 0; i < sizeof needless / sizeof *needless; i++)
        if (takes(at, needless[i])) return true;
    if (!takes(at, " id=\"gnuplot_")) return false;
    *at = behind(*at, "\"");
    return true;
}

/* gnuplot's text without what a page does not need, a third of it; the marks' definitions are those
 * of the first figure. */
static void put_svg(FILE *file, const char *text, bool first)
{
    for (const char *at = text, *end; *at;) {
        if ((end = behind_empty_group(at))) {
            at = end;
        } else if (!first && strncmp(at, "<defs>", 6) == 0) {
            at = behind(at, "</defs>");
        } else if (strncmp(at, "<title>", 7) == 0) {
            at = behind(at, "</title>");
        } else if (strncmp(at, "<desc>", 6) == 0) {
            at = behind(at, "</desc>");
        } else if (takes_needless(&at)) {
            continue;
        } else if (takes(&at, "xlink:href=")) {
            fputs("href=", file);
        } else if (takes(&at, "rgb(")) { /* colours have blanks inside */
            fputs("rgb(", file);
            for (; *at && *at != ')'; at++)
                if (*at != ' ') putc(*at, file);
        } else if (strchr(" \t\n\r", *at)) {
            at += strspn(at, " \t\n\r");
            if (*at && !strchr("<>", *at)) putc(' ', file);
        } else {
            putc(*at++, file);
            /* a line for each element, for those who look at the page's source */
            if (at[-1] == '>' && strncmp(at, "<", 1) == 0) putc('\n', file);
        }
    }
}

bool gb_html_svg(FILE *file, const char *path, const char *alt, size_t number, gb_error *error)
{
    size_t length;
    char *text = gb_file_read(path, "a figure", MOST_BYTES, &length, GB_WRONG, error);
    const char *begin = text ? strstr(text, "<svg") : NULL;
    if (begin && !strstr(begin, "</svg>")) begin = NULL;
    if (text && !begin) gb_fail(error, GB_WRONG, "%s is no SVG, or is cut", path);
    if (begin) {
        put_element(file, "<svg role=\"img\" aria-label=\"", alt, "\"");
        put_svg(file, begin + strlen("<svg"), number == 0);
    }
    free(text);
    return begin != NULL;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put_base64(FILE *file, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const unsigned block = (unsigned)bytes[i] << 16 |
                               (i + 1 < count ? (unsigned)bytes[i + 1] << 8 : 0) |
                               (i + 2 < count ? bytes[i + 2] : 0);
        putc(digits[block >> 18], file);
        putc(digits[block >> 12 & 63], file);
        putc(i + 1 < count ? digits[block >> 6 & 63] : '=', file);
        putc(i + 2 < count ? digits[block & 63] : '=', file);
    }
}

/* What `gzip` makes of a file, size bytes that the caller frees; NULL if it cannot. */
static unsigned char *compressed(const char *path, size_t *size)
{
    int ends[2];
    if (pipe(ends) != 0) return NULL;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("gzip", "gzip", "-9nc", "--", path, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    unsigned char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    for (ssize_t got = 1; child > 0 && got > 0;) {
        if (*size == capacity) {
            unsigned char *larger = realloc(bytes, capacity = capacity ? 2 * capacity : 1 << 16);
            if (!larger) break;
            bytes = larger;
        }
        got = read(ends[0], bytes + *size, capacity - *size);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            *size += (size_t)got;
    }
    close(ends[0]);
    int status = -1;
    if (child > 0) waitpid(child, &status, 0);
    if (status == 0) return bytes;
    free(bytes);
    return NULL;
}

bool gb_html_file(FILE *file, const char *path, gb_error *error)
{
    size_t size, length;
    char *text = gb_file_read(path, "a result file", MOST_BYTES, &length, GB_WRONG, error);
    if (!text) return false;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    unsigned char *bytes = compressed(path, &size);
    put_element(file, "<a download=\"", name,
                bytes ? ".gz\" href=\"data:application/gzip;base64,"
                      : "\" href=\"data:text/csv;base64,");
    put_base64(file, bytes ? bytes : (unsigned char *)text, bytes ? size : length);
    put_element(file, "\">", name, bytes ? ".gz</a>" : "</a>");
    free(bytes);
    free(text);
    return true;
}
