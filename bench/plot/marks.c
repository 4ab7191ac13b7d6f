/* What tells the curves of a figure apart, and its gaps from nothing. */
#include "bench/plot/writer.h"
#include "common/text/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values nearer to one another than this part lie on top of one another. */
static const double nearest_value = 0.03;
/* Sizes this near to one another may differ in kind more than in size. */
static const double nearest_size = 1.25, least_size = 1e5;
/* A curve has so many others above it at most that a broader line still shows it. */
enum { MOST_ABOVE = 3 };
/* So many reasons fit at the foot. */
enum { MOST_REASONS = 3 };

/* ---- curves under others --------------------------------------------------------------------- */

/* Whether in one of the pictures of a profile, hit rates and bytes, two rows lie together. */
static bool is_profile_near(const gb_result_row *a, const gb_result_row *b)
{
    const double *p = a->profile, *q = b->profile;
    const double moved = p[GB_PROFILE_DRAM_READ] + p[GB_PROFILE_DRAM_WRITE];
    const double other = q[GB_PROFILE_DRAM_READ] + q[GB_PROFILE_DRAM_WRITE];
    return fabs(p[GB_PROFILE_L1_HIT_RATE] - q[GB_PROFILE_L1_HIT_RATE]) < nearest_value / 2 ||
           fabs(p[GB_PROFILE_L2_HIT_RATE] - q[GB_PROFILE_L2_HIT_RATE]) < nearest_value / 2 ||
           (moved > 0 && other > 0 && fabs(log(moved / other)) < nearest_value / 2);
}

/* Whether two curves lie on top of one another at a value of x. */
static bool is_near(const gb_plot_writer *w, const gb_plot_curve *a, const gb_plot_curve *b,
                    size_t x)
{
    const double value = gb_plot_value(w, a->series, a->panel, x);
    const double other = gb_plot_value(w, b->series, b->panel, x);
    if (!(value > 0) || !(other > 0)) return false;
    if (w->b.set->profile)
        return is_profile_near(gb_plot_row(w, a->series, a->panel, x),
                               gb_plot_row(w, b->series, b->panel, x));
    return fabs(log(value / other)) < nearest_value;
}

/* How many curves, one above the other, hide a curve: 0 if most of its points stand free of those
 * that are drawn later. */
static unsigned depth_of(const gb_plot_writer *w, const unsigned *under, size_t curve)
{
    const gb_plot_curve *of = &w->curves[curve];
    size_t points = 0, hidden = 0;
    unsigned depth = 0;
    for (size_t x = 0; x < w->x_count; x++) {
        unsigned here = 0;
        for (size_t k = curve + 1; k < w->drawn && w->curves[k].panel == of->panel; k++)
            if (is_near(w, of, &w->curves[k], x) && under[k] + 1 > here) here = under[k] + 1;
        points += gb_plot_value(w, of->series, of->panel, x) > 0;
        hidden += here > 0;
        if (here > depth) depth = here;
    }
    return 2 * hidden < points || points == 0 ? 0 : depth < MOST_ABOVE ? depth : MOST_ABOVE;
}

/* A series is as broad in one panel as in the others. */
static void put_hidden(gb_plot_writer *w)
{
    unsigned *under = gb_arena_alloc(w->b.arena, (w->drawn + 1) * sizeof *under), all = 0;
    for (size_t c = w->drawn; c-- > 0;)
        under[c] = depth_of(w, under, c);
    for (size_t c = 0; c < w->drawn; c++) {
        unsigned most = 0;
        for (size_t k = 0; k < w->drawn; k++)
            if (w->styles[w->curves[k].series] == w->styles[w->curves[c].series] && under[k] > most)
                most = under[k];
        fprintf(w->gp, "gb_under[%zu] = %u\n", c + 1, most);
        if (most > all) all = most;
    }
    fprintf(w->gp, "gb_most_under = %u\n", all);
}

/* ---- sizes of two kinds ---------------------------------------------------------------------- */

static bool is_times(double size, double unit)
{
    return size >= unit && fmod(size, unit) == 0;
}

/* Whether two sizes are near to one another, one in thousands and one in powers of two: 16M, 16Mi.
 */
static bool is_jump(double low, double high)
{
    if (!(low >= least_size) || high > low * nearest_size) return false;
    const bool tens = is_times(low, 1000), twos = is_times(high, 1024);
    const bool low_twos = is_times(low, 1024) && !tens, high_tens = is_times(high, 1000);
    return (tens && twos && !high_tens) || (low_twos && high_tens);
}

static void put_jumps(gb_plot_writer *w)
{
    size_t count = 0;
    fprintf(w->gp, "array gb_jump_from[%zu]\narray gb_jump_to[%zu]\n", w->x_count, w->x_count);
    for (size_t x = 1; x < w->x_count && !w->script->categories; x++) {
        const double low = strtod(w->x_values[x - 1], NULL), high = strtod(w->x_values[x], NULL);
        if (!is_jump(low, high)) continue;
        count++;
        fprintf(w->gp, "gb_jump_from[%zu] = %.17g\ngb_jump_to[%zu] = %.17g\n", count, low, count,
                high);
    }
    fprintf(w->gp, "gb_jumps = %zu\n", count);
}

/* ---- what is missing ------------------------------------------------------------------------- */

/* In a word, why a series has nothing somewhere. */
static const char *gap_word(const gb_result_row *row)
{
    if (!row) return "not run";
    if (row->status == GB_OK) return "no base";
    return row->status == GB_UNSUPPORTED ? "cannot" : gb_status_cell(row->status);
}

/* Adds the reason of a gap to those of the figure, each once. */
static void keep_reason(gb_plot_writer *w, const char *label, const gb_result_row *row,
                        size_t *reasons)
{
    if (!row || row->status == GB_OK || !*row->reason) return;
    const char *text = gb_arena_printf(w->b.arena, "%s: %s", label, row->reason);
    if (strstr(w->gaps, text) || (*reasons)++ >= MOST_REASONS) return;
    w->gaps = gb_arena_printf(w->b.arena, "%s%s%s", w->gaps, *w->gaps ? "; " : "", text);
}

/* The line type of a series that is measured and has a place in a panel, drawn there or not; 0: it
 * has none. */
static int style_in(const gb_plot_writer *w, size_t series, size_t panel)
{
    const gb_table_series *s = &w->b.series[series];
    const char *device = w->panels[panel].device;
    if (s->published || (device && strcmp(device, s->device) != 0)) return 0;
    int style = w->styles[series];
    for (size_t k = 0; k < w->b.series_count && device && !style; k++)
        if (gb_plot_is_alike(s, &w->b.series[k])) style = w->styles[k];
    return style;
}

/* The lines "x style "word"" of a panel's gaps; file: NULL to count them alone. */
static size_t put_gaps(gb_plot_writer *w, size_t panel, FILE *file, size_t *reasons)
{
    size_t count = 0;
    for (size_t s = 0; s < w->b.series_count; s++) {
        const int style = style_in(w, s, panel);
        for (size_t x = 0; x < w->x_count && style; x++) {
            if (gb_plot_value(w, s, panel, x) > 0) continue;
            count++;
            if (!file) continue;
            const gb_result_row *row = gb_plot_row(w, s, panel, x);
            fprintf(file, "%s %d \"%s\"\n", gb_plot_place(w, x), style, gap_word(row));
            keep_reason(w, w->b.series[s].label, row, reasons);
        }
    }
    return count;
}

static bool put_missing(gb_plot_writer *w)
{
    size_t reasons = 0;
    for (size_t p = 0; p < w->panel_count; p++) {
        const char *path = gb_arena_printf(w->b.arena, "%s/missing-%zu.dat", w->folder, p + 1);
        const bool any = !w->b.set->profile && put_gaps(w, p, NULL, NULL) > 0;
        gb_plot_put_path(w, gb_plot_element(w, "gb_missing", p + 1), any ? path : "");
        if (!any) continue;
        FILE *file = gb_plot_create(w, path);
        if (!file) return false;
        fprintf(file, "# %s style why\n", w->b.set->axes[w->x_axis]);
        put_gaps(w, p, file, &reasons);
        if (!gb_plot_finish(w, file, path)) return false;
    }
    if (reasons > MOST_REASONS)
        w->gaps = gb_arena_printf(w->b.arena, "%s; and more, which gpubench table prints", w->gaps);
    gb_plot_put_text(w, "gb_gaps", w->gaps);
    return true;
}

bool gb_plot_write_marks(gb_plot_writer *w)
{
    put_hidden(w);
    put_jumps(w);
    return put_missing(w);
}
