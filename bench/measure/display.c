/* Points and rows in words, while they are measured. */
#include "bench/measure/display.h"

#include "bench/util/terminal.h"
#include "bench/util/wrap.h"
#include "common/protocol/conditions.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, CELL = 64, MOST_NAME = 32 };

/* The variant, and what else tells its rows at a point apart. */
static void put_name(const gb_display *display, const gb_row *row, char name[CELL])
{
    const gb_measure *measure = &display->config->measure;
    const bool caches = measure->warm && measure->cold;
    snprintf(name, CELL, "%.*s%s%s%s%s", MOST_NAME,
             display->config->primitive->variants[row->variant].name, caches ? " " : "",
             caches ? gb_cache_name(row->cold) : "", measure->both_scopes ? " " : "",
             measure->both_scopes ? gb_scope_name(row->scope) : "");
}

bool gb_display_begin(gb_display *display, const gb_config *config)
{
    *display = (gb_display){.config = config};
    for (unsigned a = 0; a < config->primitive->axis_count; a++) {
        for (size_t i = 1; i < config->point_count && !display->varies[a]; i++)
            display->varies[a] =
                strcmp(config->points[0].value[a].text, config->points[i].value[a].text) != 0;
    }
    for (unsigned i = 0; i < config->variant_count; i++) {
        char name[CELL];
        const gb_row row = {.variant = config->variants[i],
                            .cold = config->measure.cold,
                            .scope = GB_SCOPE_HOST_TO_HOST};
        put_name(display, &row, name);
        if ((int)strlen(name) > display->width) display->width = (int)strlen(name);
    }
    display->baseline = config->baseline >= 0 ? (unsigned)config->baseline : config->variants[0];
    display->rows = calloc(4 * (size_t)config->variant_count + 1, sizeof *display->rows);
    return display->rows != NULL;
}

void gb_display_free(gb_display *display)
{
    free(display->rows);
    gb_string_set_free(&display->reasons);
    *display = (gb_display){0};
}

void gb_display_title(const gb_display *display, const char *device, bool cpu, size_t points,
                      FILE *file)
{
    const gb_config *config = display->config;
    fprintf(file, "%s on %s: %zu point%s\n", config->name, device, points, points == 1 ? "" : "s");
    if (config->variant_count > 1)
        fprintf(file, "x: times the rate of %s\n",
                config->primitive->variants[display->baseline].name);
    if (cpu) fputs("times are the CPU's and say nothing about a GPU\n", file);
    fflush(file);
}

char *gb_display_point(const gb_display *display, const gb_params *point,
                       char text[GB_DISPLAY_POINT])
{
    const gb_catalogue_primitive *primitive = display->config->primitive;
    size_t used = 0;
    for (unsigned a = 0; a < primitive->axis_count && used < GB_DISPLAY_POINT; a++) {
        const gb_value *value = &point->value[a];
        char size[32];
        if (!display->varies[a]) continue;
        used += (size_t)snprintf(text + used, GB_DISPLAY_POINT - used, "%s%s=%s", used ? " " : "",
                                 primitive->axes[a].name,
                                 primitive->axes[a].type == GB_AXIS_SIZE
                                     ? gb_size_format(value->size, size, sizeof size)
                                     : value->text);
    }
    if (used == 0) snprintf(text, GB_DISPLAY_POINT, "%s", display->config->name);
    return text;
}

void gb_display_add(gb_display *display, const gb_row *row, double planned_s, double spent_s)
{
    display->rows[display->count++] =
        (gb_display_row){.row = *row, .planned_s = planned_s, .spent_s = spent_s};
}

void gb_display_next(gb_display *display)
{
    display->count = 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Significant digits that a number deserves whose 95 % interval has this half width, relative to
 * it. */
static int digits_of(double half)
{
    return half >= 0.1 ? 2 : half >= 0.005 ? 3 : 4;
}

/* "1.234 ms", "25.9 Gkeys/s": value in the largest of the units, which are a thousandfold of one
 * another, that leaves something before the point. */
static void put_scaled(char text[CELL], double value, int digits, const char *const *prefixes,
                       int count, double least, const char *unit)
{
    int at = 0;
    double scaled = value / least;
    /* 999.96 with four digits is 1000 */
    while (at + 1 < count && scaled >= 1000 * (1 - 0.5 * pow(10, -digits))) {
        scaled /= 1000;
        at++;
    }
    const int whole = scaled >= 100 ? 3 : scaled >= 10 ? 2 : 1;
    snprintf(text, CELL, "%.*f %s%s", digits > whole ? digits - whole : 0, scaled, prefixes[at],
             unit);
}

static void put_time(char text[CELL], double seconds, int digits)
{
    static const char *const prefixes[] = {"n", "u", "m", ""};
    put_scaled(text, seconds, digits, prefixes, 4, 1e-9, "s");
}

static void put_rate(char text[CELL], double rate, int digits, const char *items)
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T"};
    char unit[CELL / 2];
    snprintf(unit, sizeof unit, "%.24s/s", items);
    put_scaled(text, rate, digits, prefixes, 5, 1, unit);
}

/* "±0.4%"; "" where one sample says nothing. */
static void put_width(char text[CELL], const gb_stats *s)
{
    const double percent = s->median > 0 ? 50 * (s->median_hi - s->median_lo) / s->median : 0;
    *text = 0;
    if (s->count < 2) return;
    if (percent >= 99.5)
        snprintf(text, CELL, "±>99%%");
    else
        snprintf(text, CELL, "±%.*f%%", percent >= 9.95 ? 0 : percent >= 0.095 ? 1 : 2, percent);
}

/* The mean, as sure as its samples make it. */
static gb_mean mean_of(const gb_stats *s)
{
    const double widening = s->autocorrelated ? s->widening : 1;
    return (gb_mean){.value = s->mean,
                     .variance = s->sd * s->sd / (double)s->count * widening * widening,
                     .df = (double)(s->count - 1)};
}

/* "1.46x ±0.01": so many times the baseline's rate at the same point; "~1.5x" where that is not
 * known to within itself. */
static void put_ratio(char text[CELL], const gb_row *baseline, const gb_row *row)
{
    const gb_mean above = mean_of(&baseline->stats), below = mean_of(&row->stats);
    gb_ratio ratio = {.value = above.value / below.value};
    if (above.df >= 1 && below.df >= 1) ratio = gb_ratio_of_means(&above, &below);
    const double half = fmax(ratio.hi - ratio.value, ratio.value - ratio.lo);
    if (ratio.lo <= 0 || half <= 0 || half >= ratio.value) {
        snprintf(text, CELL, "~%.*fx", ratio.value < 0.95 ? 2 : ratio.value < 9.5, ratio.value);
        return;
    }
    const double needed = ceil(-log10(half));
    const int decimals = needed < 0 ? 0 : needed > 3 ? 3 : (int)needed;
    const int used = snprintf(text, CELL, "%.*fx", decimals, ratio.value);
    if (half >= 0.0005) snprintf(text + used, CELL - (size_t)used, " ±%.*f", decimals, half);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The baseline's row that a row is to be set against; NULL: there is none that is ok. */
static const gb_row *baseline_of(const gb_display *display, const gb_row *row)
{
    for (size_t i = 0; i < display->count; i++) {
        const gb_row *other = &display->rows[i].row;
        if (other->variant == display->baseline && other->cold == row->cold &&
            other->scope == row->scope && other->status == GB_OK)
            return other;
    }
    return NULL;
}

/* Cuts a line to the terminal and ends it. */
static void end_line(FILE *file, char *line, unsigned columns)
{
    if (columns) gb_text_cut(line, columns - (columns > 1));
    for (size_t length = strlen(line); length > 0 && line[length - 1] == ' ';)
        line[--length] = 0;
    fprintf(file, "%s\n", line);
}

static void add_measurement(const gb_display *display, const gb_row *row, char *line, size_t room)
{
    const gb_stats *s = &row->stats;
    char time[CELL], width[CELL], rate[CELL] = "", ratio[CELL] = "";
    const double half = s->count > 1 ? (s->median_hi - s->median_lo) / 2 / s->median : 0.01;
    put_time(time, s->median, digits_of(half));
    put_width(width, s);
    if (row->work.items && s->mean > 0)
        put_rate(rate, (double)row->work.items / s->mean, digits_of(gb_stats_rel_ci(s)),
                 display->config->primitive->unit);
    const gb_row *baseline = baseline_of(display, row);
    if (baseline == row && display->config->variant_count > 1)
        snprintf(ratio, sizeof ratio, "baseline");
    else if (baseline && baseline != row)
        put_ratio(ratio, baseline, row);
    const int pad = (int)(strlen(width) - gb_text_columns(width));
    snprintf(line, room, " %9s %*s %*s%s%s", time, 6 + pad, width,
             (int)strlen(display->config->primitive->unit) + 9, rate, *ratio ? "  " : "", ratio);
}

/* Whether this is the first time that a variant fails for this reason. */
static bool is_news(gb_display *display, const gb_row *row)
{
    char *key = NULL;
    const bool news = asprintf(&key, "%u %s", row->variant, row->reason) < 0 ||
                      !gb_string_set_has(&display->reasons, key);
    if (key && news) (void)gb_string_set_add(&display->reasons, key);
    free(key);
    return news;
}

/* What came of a row that is not ok, and why, in as many lines as the terminal needs. */
static void print_failure(gb_display *display, const gb_row *row, const char *name,
                          unsigned columns, FILE *file)
{
    const bool news = *row->reason && is_news(display, row);
    char first[2 * CELL], text[sizeof row->reason + 32];
    snprintf(first, sizeof first, "  %-*s ", display->width, name);
    snprintf(text, sizeof text, "%s%s%s", gb_status_name(row->status), news ? ": " : "",
             news ? row->reason : "");
    gb_text_tame(text);
    gb_put_wrapped(file, first, text, gb_text_columns(first), columns ? columns : sizeof text * 2);
}

static void print_row(gb_display *display, const gb_row *row, unsigned columns, FILE *file)
{
    char name[CELL], line[LINE];
    put_name(display, row, name);
    if (row->status != GB_OK) {
        print_failure(display, row, name, columns, file);
        return;
    }
    const size_t used = (size_t)snprintf(line, sizeof line, "  %-*s", display->width, name);
    add_measurement(display, row, line + used, sizeof line - used);
    end_line(file, line, columns);
}

void gb_display_print(gb_display *display, const char *point, unsigned columns, FILE *file)
{
    char line[LINE];
    const bool bold = gb_use_colour(file);
    if (display->count == 0) return;
    snprintf(line, sizeof line, "%s", point);
    if (columns) gb_text_cut(line, columns);
    fprintf(file, "%s%s%s\n", bold ? "\033[1m" : "", line, bold ? "\033[0m" : "");
    /* In the config's order, whoever was done first. */
    for (unsigned v = 0; v < display->config->variant_count; v++) {
        for (size_t i = 0; i < display->count; i++) {
            const gb_row *row = &display->rows[i].row;
            if (row->variant == display->config->variants[v])
                print_row(display, row, columns, file);
        }
    }
    fflush(file);
}
