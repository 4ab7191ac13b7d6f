/* Standings for people and for programs. */
#include "bench/compare/print.h"
#include "bench/rows/ratio.h"
#include "bench/rows/select.h"
#include "bench/standings/standings.h"
#include "bench/table/build.h"
#include "bench/table/numbers.h"
#include "bench/util/columns.h"
#include "bench/util/terminal.h"
#include "bench/util/wrap.h"
#include "common/text/csv.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, STUBS = 3, WIDTH = 110 };

typedef struct printer {
    const gb_standings *s;
    gb_arena *arena;
    gb_table *table;
    gb_table_panel *panel;
} printer;

/* ---- texts ----------------------------------------------------------------------------------- */

static const char *rate_text(gb_arena *arena, double rate)
{
    return rate > 0 ? gb_significant(arena, rate / 1e9, 3) : "";
}

static bool lists(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* "partition, n 32Mi, bins 4096": the axes of a point that are not as usual. */
static const char *point_text(gb_arena *arena, const gb_standing *standing)
{
    const gb_contest *contest = standing->contest;
    const char *text = contest->name;
    for (unsigned a = 0; a < standing->set->axis_count; a++) {
        const char *axis = standing->set->axes[a], *value = standing->point->axis[a];
        const gb_term *usual = gb_terms_find(&contest->usual, axis);
        if ((usual && gb_term_holds(arena, usual, value)) || gb_terms_find(&contest->where, axis) ||
            lists(contest->free, contest->free_count, axis))
            continue;
        text = gb_arena_printf(arena, "%s, %s %s", text, axis, gb_axis_readable(arena, value));
    }
    return text;
}

/* The mark of the footnote for a printed rate. */
static const char *note_of(printer *p, const gb_peer *peer)
{
    const char *text = gb_arena_printf(
        p->arena, "%s%s%s%s%s%s on %s, printed: %s, %s%s%s", peer->name, *peer->version ? " " : "",
        peer->version, *peer->licence ? " (" : "", peer->licence, *peer->licence ? ")" : "",
        peer->device, peer->source, peer->measured, *peer->note ? "; " : "", peer->note);
    return gb_table_add_note(p->arena, p->table, text);
}

static const char *other_text(printer *p, const gb_standing *standing)
{
    if (standing->peer)
        return gb_arena_printf(p->arena, "%s%s", standing->peer->name, note_of(p, standing->peer));
    return standing->other ? standing->other->variant : "nobody";
}

/* ---- the table ------------------------------------------------------------------------------- */

static void add_line(printer *p, const gb_standing *standing, bool begins_block)
{
    const gb_ratio *ratio = &standing->ratio;
    const char *const cells[COLUMNS] = {
        standing->what ? standing->what : point_text(p->arena, standing),
        standing->ours ? standing->ours->variant : "none",
        other_text(p, standing),
        rate_text(p->arena, standing->ours ? standing->ours->rate : 0),
        rate_text(p->arena, gb_standing_other_rate(standing)),
        gb_ratio_value_text(p->arena, ratio),
        ratio->value > 0 ? gb_ratio_interval_text(p->arena, ratio) : ""};
    memcpy(gb_table_add_line(p->arena, p->panel, begins_block), cells, sizeof cells);
}

static const gb_standing *standing_of(const gb_standings *s, const gb_contest *contest,
                                      const gb_contest_line *line)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->items[i].contest == contest && s->items[i].what == line->what) return &s->items[i];
    return NULL;
}

/* Whether the same two rows stand against each other in an earlier contest, or in a line of any. */
static bool is_shown_before(const gb_standings *s, const gb_standing *standing)
{
    for (size_t i = 0; i < s->count; i++) {
        const gb_standing *other = &s->items[i];
        if (other->ours == standing->ours && other->other == standing->other &&
            other->peer == standing->peer && other->set == standing->set &&
            other->point == standing->point && (other->what || other < standing))
            return true;
    }
    return standing->what != NULL;
}

static int by_ratio(const void *x, const void *y)
{
    const gb_standing *a = *(const gb_standing *const *)x, *b = *(const gb_standing *const *)y;
    if (a->contest != b->contest) return a->contest < b->contest ? -1 : 1;
    if (a->ratio.value != b->ratio.value) return a->ratio.value < b->ratio.value ? -1 : 1;
    return (a > b) - (a < b);
}

/* The points that no line has shown: those where ours is behind, worst first; all: every one. */
static void add_points(printer *p, bool all)
{
    const gb_standings *s = p->s;
    size_t count = 0;
    const gb_standing **list = gb_arena_alloc(p->arena, (s->count + 1) * sizeof *list);
    for (size_t i = 0; i < s->count; i++)
        if ((all || s->items[i].verdict == GB_BEHIND) && !is_shown_before(s, &s->items[i]))
            list[count++] = &s->items[i];
    if (!all) qsort(list, count, sizeof *list, by_ratio);
    for (size_t i = 0; i < count; i++)
        add_line(p, list[i], i == 0);
}

/* How many points of a contest, or of all (NULL), have each verdict. */
static void count_points(const gb_standings *s, const gb_contest *contest,
                         size_t counts[GB_STANDING_VERDICT_COUNT])
{
    memset(counts, 0, GB_STANDING_VERDICT_COUNT * sizeof *counts);
    for (size_t i = 0; i < s->count; i++)
        if (!contest || s->items[i].contest == contest) counts[s->items[i].verdict]++;
}

static const char *closing_text(printer *p)
{
    size_t counts[GB_STANDING_VERDICT_COUNT];
    const char *contests = "";
    for (size_t c = 0; c < p->s->contests->count; c++) {
        const gb_contest *contest = &p->s->contests->items[c];
        count_points(p->s, contest, counts);
        const size_t points = counts[GB_AHEAD] + counts[GB_LEVEL] + counts[GB_BEHIND];
        if (points)
            contests =
                gb_arena_printf(p->arena, "%s%s%s %zu of %zu", contests, *contests ? "; " : "",
                                contest->name, counts[GB_AHEAD], points);
    }
    count_points(p->s, NULL, counts);
    const size_t points = counts[GB_AHEAD] + counts[GB_LEVEL] + counts[GB_BEHIND];
    const char *alone =
        counts[GB_ALONE]
            ? gb_arena_printf(p->arena, ". At %zu more nobody else was measured", counts[GB_ALONE])
            : "";
    return gb_arena_printf(
        p->arena,
        "Ahead at %zu of %zu points, level at %zu, behind at %zu (ahead: %s); what holds by two "
        "contracts is shown once%s.",
        counts[GB_AHEAD], points, counts[GB_LEVEL], counts[GB_BEHIND], contests, alone);
}

/* "cold L2, but warm in stencil-modern" */
static const char *cache_text(const gb_standings *s)
{
    gb_arena *arena = &s->sides->arena;
    const char *warm = "";
    for (size_t c = 0; c < s->contests->count; c++) {
        const gb_contest *contest = &s->contests->items[c];
        if (strcmp(contest->cache, "warm") == 0 && !strstr(warm, contest->experiment))
            warm = gb_arena_printf(arena, "%s%s%s", warm, *warm ? ", " : "", contest->experiment);
    }
    return *warm ? gb_arena_printf(arena, "cold L2, but warm in %s", warm) : "cold L2";
}

gb_table gb_standings_table(const gb_standings *standings, bool all)
{
    gb_arena *arena = &standings->sides->arena;
    gb_table table = {.title = gb_arena_printf(arena, "How ours stands on %s", standings->device),
                      .label = gb_arena_printf(arena, "standings %s", standings->device)};
    printer p = {.s = standings, .arena = arena, .table = &table};
    table.caption = gb_arena_printf(
        arena,
        "Rates in 10⁹/s, %s. The fastest of ours (by the catalogue's origin, %s) against the "
        "fastest of all others that were measured on this card at the same point by the same "
        "contract, in whatever experiment, or are printed for it; with the 95 %% interval of the "
        "ratio. Below the chosen lines, every point where ours is behind.",
        cache_text(standings), standings->contests->ours);
    p.panel = gb_table_add_panel(arena, &table, "", COLUMNS, STUBS);
    const char *const head[COLUMNS] = {"what",  "ours", "best of others", "ours, 10⁹/s", "theirs",
                                       "ratio", "95 %"};
    memcpy(p.panel->head, head, sizeof head);
    for (size_t c = 0; c < standings->contests->count; c++) {
        const gb_contest *contest = &standings->contests->items[c];
        for (size_t l = 0; l < contest->line_count; l++) {
            const gb_standing *standing = standing_of(standings, contest, &contest->lines[l]);
            if (standing) add_line(&p, standing, false);
        }
    }
    add_points(&p, all);
    gb_table_add_remark(arena, &table, closing_text(&p));
    return table;
}

/* ---- as text --------------------------------------------------------------------------------- */

/* Wide enough for the names: what the points are comes last. */
static void print_text(const gb_table *table, FILE *file)
{
    static const char *const headers[] = {"RATIO",  "95 %",  "OURS", "10⁹/s",
                                          "OTHERS", "10⁹/s", "WHAT", NULL};
    static const size_t order[COLUMNS] = {5, 6, 1, 3, 2, 4, 0};
    const gb_table_panel *panel = &table->panels[0];
    gb_columns *columns = gb_columns_new(headers);
    for (size_t r = 0; r < panel->row_count; r++) {
        const char *cells[COLUMNS];
        static const char *const none[COLUMNS] = {"", "", "", "", "", "", ""};
        if (panel->begins_block[r]) gb_columns_add(columns, none);
        for (size_t c = 0; c < COLUMNS; c++)
            cells[c] = panel->rows[r][order[c]];
        gb_columns_add(columns, cells);
    }
    fprintf(file, "%s\n", table->title);
    gb_print_folded(table->caption, WIDTH, file);
    putc('\n', file);
    gb_columns_print(file, columns, 0);
    gb_columns_free(columns);
    putc('\n', file);
    for (size_t i = 0; i < table->note_count; i++) {
        const bool fits = gb_terminal_columns(file) > 0; /* the number, too */
        if (fits) gb_put_line(file, 0, "%zu %s", i + 1, table->notes[i]);
        if (fits) continue;
        fprintf(file, "%zu ", i + 1);
        gb_print_folded(table->notes[i], WIDTH, file);
    }
    for (size_t i = 0; i < table->remark_count; i++)
        gb_print_folded(table->remarks[i], WIDTH, file);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void begin_csv(void *output)
{
    const gb_standings_output *out = output;
    fputs("device,contest,experiment,what,point,cache,verdict,ours,other,other_source,unit,"
          "ours_rate,other_rate,ratio,ratio_ci95_lo,ratio_ci95_hi\n",
          out->file);
}

static void put_csv(void *output, const void *item)
{
    const gb_standings_output *out = output;
    const gb_standings *standings = item;
    FILE *file = out->file;
    for (size_t i = 0; i < standings->count; i++) {
        const gb_standing *s = &standings->items[i];
        if (!out->all && !s->what && s->verdict != GB_BEHIND) continue;
        const char *source = "";
        if (s->peer) source = "printed";
        if (s->other) source = s->other_set->experiment;
        const char *const texts[] = {
            standings->device,
            s->contest->name,
            s->contest->experiment,
            s->what ? s->what : "",
            gb_row_point(&standings->sides->arena, s->set, s->ours ? s->ours : s->point),
            s->contest->cache,
            gb_standing_names[s->verdict],
            s->ours ? s->ours->variant : "",
            s->peer    ? s->peer->name
            : s->other ? s->other->variant
                       : "",
            source,
            s->point->unit};
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            gb_csv_put(file, texts[t], t == 0);
        gb_csv_put_positive(file, s->ours ? s->ours->rate : 0);
        gb_csv_put_positive(file, gb_standing_other_rate(s));
        gb_ratio_put_csv(file, &s->ratio);
        putc('\n', file);
    }
}

/* ---- formats --------------------------------------------------------------------------------- */

static void put_table(gb_standings_output *out, const gb_standings *standings,
                      gb_table_format format)
{
    const gb_table table = gb_standings_table(standings, out->all);
    if (out->tables++) putc('\n', out->file);
    if (format == GB_TABLE_TEXT)
        print_text(&table, out->file);
    else
        gb_table_write(&standings->sides->arena, &table, format, out->file);
}

static void put_text(void *output, const void *standings)
{
    put_table(output, standings, GB_TABLE_TEXT);
}

static void put_markdown(void *output, const void *standings)
{
    put_table(output, standings, GB_TABLE_MARKDOWN);
}

static void put_latex(void *output, const void *standings)
{
    put_table(output, standings, GB_TABLE_LATEX);
}

const gb_exporter gb_standings_exporters[] = {{"text", NULL, put_text, NULL},
                                              {"markdown", NULL, put_markdown, NULL},
                                              {"latex", NULL, put_latex, NULL},
                                              {"csv", begin_csv, put_csv, NULL},
                                              {NULL, NULL, NULL, NULL}};
