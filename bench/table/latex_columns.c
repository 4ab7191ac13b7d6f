/* The columns of a LaTeX table. */
#include "bench/table/latex_columns.h"

#include "bench/table/latex_text.h"

#include <math.h>
#include <string.h>

/* ems: of the room before ±; of text that is folded first, and only where that is not enough; that
 * is too narrow to be read; of what adding up loses */
static const double thin_space = 0.17, longer_text = 16, long_text = 9, narrowest = 7;
static const double rounding = 0.01;

static double width_of(const char *text)
{
    return gb_latex_width(text, strlen(text));
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Nothing but marks of footnotes. */
static bool is_marks(const char *text)
{
    size_t bytes;
    while (*text) {
        if (*text == '*')
            bytes = 1;
        else if (gb_latex_superscript(text, &bytes) < 0)
            return false;
        text += bytes;
    }
    return true;
}

/* An interval, "±1.2%", or a sign of percent, with marks behind. */
static bool is_tail(const char *text)
{
    static const char sign[] = "±";
    if (strncmp(text, sign, sizeof sign - 1) == 0) {
        text += sizeof sign - 1;
        text += strspn(text, "0123456789.");
    }
    text += strspn(text, " %");
    return is_marks(text);
}

gb_latex_cell gb_latex_cut(gb_arena *arena, const char *text)
{
    const char *at = text + (*text == '-');
    const size_t whole = strspn(at, "0123456789");
    const char *point = at + whole;
    const size_t behind = *point == '.' ? 1 + strspn(point + 1, "0123456789") : 0;
    const char *rest = point + behind;
    const char *tail = rest + (*rest == ' ');
    if (whole == 0 || !is_tail(tail)) return (gb_latex_cell){false, {text, "", ""}};
    /* Marks stand at the last digit. */
    const size_t marks = is_marks(rest) ? strlen(rest) : 0;
    return (gb_latex_cell){true,
                           {gb_arena_strndup(arena, text, (size_t)(point - text)),
                            gb_arena_strndup(arena, point, behind + marks), marks ? "" : tail}};
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* The bytes up to where a line of a head may end: a blank, or behind a hyphen or slash in a word.
 */
static size_t atom_of(const char *text)
{
    const size_t word = strcspn(text, " ");
    size_t atom = strcspn(text, "-/");
    if (atom < 3 && text[atom]) atom += 1 + strcspn(text + atom + 1, "-/");
    return atom + 1 < word ? atom + 1 : word;
}

/* Breaks a head into lines no wider than `most` where that can be; returns how many. lines may be
 * NULL. */
static size_t fold_head(gb_arena *arena, const char *text, double most, const char **lines)
{
    size_t count = 0;
    while (*text) {
        size_t length = atom_of(text);
        for (size_t next; text[length]; length = next) {
            next = length + (text[length] == ' ');
            next += atom_of(text + next);
            if (next == length || gb_latex_width(text, next) > most) break;
        }
        if (lines) lines[count] = gb_arena_strndup(arena, text, length);
        count++;
        text += length;
        text += *text == ' ';
    }
    return count;
}

static void set_head(gb_arena *arena, gb_latex_column *column, const char *text)
{
    double most = column->width;
    for (const char *at = text; *at; at += atom_of(at), at += *at == ' ')
        most = fmax(most, gb_latex_width(at, atom_of(at)));
    while (fold_head(arena, text, most, NULL) > GB_LATEX_MOST_HEAD_LINES)
        most *= 1.05;
    column->head = gb_arena_alloc(arena, (strlen(text) + 1) * sizeof *column->head);
    column->head_count = fold_head(arena, text, most, column->head);
    for (size_t i = 0; i < column->head_count; i++)
        column->width = fmax(column->width, width_of(column->head[i]));
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Some of the cells are numbers, and what else there is may be why others are not. */
static bool is_numeric(gb_arena *arena, const gb_table_panel *panel, size_t column)
{
    size_t numbers = 0, texts = 0;
    for (size_t r = 0; r < panel->row_count; r++) {
        const char *text = panel->rows[r][column];
        if (!*text) continue;
        *(gb_latex_cut(arena, text).number ? &numbers : &texts) += 1;
    }
    return numbers > 0 && 3 * numbers >= texts;
}

static void measure_text(gb_latex_column *column, const char *text)
{
    const double width = width_of(text);
    column->width = fmax(column->width, width);
    if (width > long_text && strpbrk(text, " ;")) column->foldable = true;
}

static void measure(gb_arena *arena, const gb_table_panel *panel, size_t c, gb_latex_column *column)
{
    double part[GB_LATEX_PARTS] = {0};
    column->has[0] = true;
    column->numeric = c >= panel->stubs && is_numeric(arena, panel, c);
    for (size_t r = 0; r < panel->row_count; r++) {
        const gb_latex_cell cell = gb_latex_cut(arena, panel->rows[r][c]);
        if (!column->numeric || !cell.number) {
            measure_text(column, panel->rows[r][c]);
            continue;
        }
        for (int p = 0; p < GB_LATEX_PARTS; p++) {
            part[p] = fmax(part[p], width_of(cell.part[p]));
            column->has[p] |= *cell.part[p] != '\0';
        }
    }
    if (column->numeric) column->foldable = false;
    column->parts = part[0] + part[1] + part[2] + (column->has[2] ? thin_space : 0);
    column->width = fmax(column->width, column->parts);
    set_head(arena, column, panel->head[c]);
}

gb_latex_column *gb_latex_columns(gb_arena *arena, const gb_table_panel *panel)
{
    gb_latex_column *columns = gb_arena_alloc(arena, (panel->columns + 1) * sizeof *columns);
    memset(columns, 0, (panel->columns + 1) * sizeof *columns);
    for (size_t c = 0; c < panel->columns; c++)
        measure(arena, panel, c, &columns[c]);
    return columns;
}

size_t gb_latex_column_parts(const gb_latex_column *column)
{
    return (size_t)column->has[0] + column->has[1] + column->has[2];
}

static double width_now(const gb_latex_column *column)
{
    return column->folded > 0 ? column->folded : column->width;
}

double gb_latex_columns_width(const gb_latex_column *columns, size_t stubs, size_t from, size_t to,
                              double points, double gap)
{
    double ems = 0;
    for (size_t c = 0; c < stubs; c++)
        ems += width_now(&columns[c]);
    for (size_t c = from; c < to; c++)
        ems += width_now(&columns[c]);
    const size_t count = stubs + to - from;
    return ems * points + gap * (count > 0 ? (double)(count - 1) : 0);
}

/* ---- folding --------------------------------------------------------------------------------- */

/* Folds the texts longer than `least` ems, each to as much as it has of them all, but no less than
 * can be read; false where that is no help. */
static bool fold_longer(gb_latex_column *columns, size_t count, double least, double over)
{
    double texts = 0, narrow = 0;
    for (size_t c = 0; c < count; c++) {
        if (!columns[c].foldable || columns[c].width <= least) continue;
        texts += columns[c].width;
        narrow += narrowest;
    }
    const double room = texts - over;
    if (texts == 0 || room < narrow) return false;
    for (size_t c = 0; c < count; c++) {
        if (!columns[c].foldable || columns[c].width <= least) continue;
        columns[c].folded = narrowest + (room - narrow) * columns[c].width / texts;
        if (columns[c].folded > columns[c].width) columns[c].folded = columns[c].width;
    }
    return true;
}

/* Folds some of the first columns where what they are a part of is wider than `most`; false where
 * that cannot be done. */
static bool fold_to(gb_latex_column *columns, size_t count, double wide, double points, double most)
{
    const double over = (wide - most) / points + rounding;
    return wide <= most || fold_longer(columns, count, longer_text, over) ||
           fold_longer(columns, count, long_text, over);
}

void gb_latex_fold(gb_latex_column *columns, size_t stubs, size_t count, double points, double gap,
                   double most)
{
    const double all = gb_latex_columns_width(columns, stubs, stubs, count, points, gap);
    if (fold_to(columns, count, all, points, most)) return;
    /* In parts: the names with the widest of the values. */
    double widest = 0;
    for (size_t c = stubs; c < count; c++)
        widest = fmax(widest, columns[c].width * points + gap);
    const double names = gb_latex_columns_width(columns, stubs, stubs, stubs, points, gap);
    fold_to(columns, stubs, names + widest, points, most);
}
