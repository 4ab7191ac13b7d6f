/* How the rates of two rows stand to one another, and how sure that is. */
#include "bench/rows/ratio.h"

#include "common/protocol/flags.h"
#include "common/stats/series.h"
#include "common/stats/stats.h"
#include "common/text/csv.h"
#include "common/text/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double *gb_room_of(gb_room *room, size_t count)
{
    if (count <= room->count) return room->numbers;
    double *larger = realloc(room->numbers, count * sizeof *larger);
    if (!larger) return NULL;
    room->numbers = larger;
    room->count = count;
    return larger;
}

void gb_room_free(gb_room *room)
{
    free(room->numbers);
    *room = (gb_room){0};
}

/* The mean time of samples; where samples hang on those before, the variance of the mean is as much
 * larger as those say. */
static gb_mean mean_of_samples(gb_room *room, const gb_result_row *row, const double *samples)
{
    const size_t count = row->samples;
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += samples[i];
    gb_mean mean = {.value = sum / (double)count, .df = (double)(count - 1)};
    for (size_t i = 0; i < count; i++)
        squares += (samples[i] - mean.value) * (samples[i] - mean.value);
    mean.variance = squares / mean.df / (double)count;
    if (!(row->flags & GB_FLAG_AUTOCORRELATED)) return mean;
    double *scratch = gb_room_of(room, 2 * count);
    if (!scratch) return mean;
    gb_series_trends(samples, count, scratch, scratch + count); /* sorts */
    const double widening = gb_series_widening(samples, scratch, count, scratch + count);
    mean.variance *= widening * widening;
    return mean;
}

/* One measured sample says nothing of its scatter. */
static bool lacks_interval(const gb_result_row *row)
{
    return !*row->quantity && row->samples < 2;
}

/* Half of the last digit of a number that is printed with so many. */
static double half_digit(double value, int digits)
{
    return digits > 0 ? pow(10, floor(log10(value)) + 1 - digits) / 2 : 0;
}

/* The same of what a printed row has, its rate or its time, over that value: the other, where the
 * row has it, follows from it. */
static double printed_half(const gb_result_row *row)
{
    const double value = strcmp(row->quantity, "time") == 0 ? row->time_s : row->rate;
    return value > 0 ? half_digit(value, row->digits) / value : 0;
}

static const double normal975 = 1.959963984540054;

/* Half the width of the interval over the value, however wide it is; 0: there is none. */
static double relative_half(const gb_result_row *row)
{
    if (lacks_interval(row)) return 0;
    const bool printed_rate = row->rate > 0 && *row->quantity;
    if (row->time_s > 0 && row->time_hi_s > row->time_lo_s)
        return (row->time_hi_s - row->time_lo_s) / 2 / row->time_s;
    if (!(row->rate > 0) || !(row->rate_lo > 0)) return 0;
    if (printed_rate) return (row->rate_hi - row->rate_lo) / 2 / row->rate;
    if (row->rate_hi > 0) return (1 / row->rate_lo - 1 / row->rate_hi) / 2 * row->rate;
    return row->rate / row->rate_lo - 1; /* the interval of the time reaches 0 */
}

/* The value of a row, its variance from the interval that the file has: of a mean, or of a printed
 * number, which is at least as unsure as its last digit. */
static gb_mean mean_of_interval(const gb_result_row *row, double value, double lo, double hi)
{
    gb_mean mean = {.value = value};
    double half = hi > lo ? (hi - lo) / 2 : relative_half(row) * value;
    if (*row->quantity) {
        half = fmax(half, printed_half(row) * value);
        mean.variance = half * half / (normal975 * normal975);
        return mean;
    }
    if (row->samples < 2 || half == 0) return mean;
    mean.df = (double)(row->samples - 1);
    const double t = gb_student_t975(row->samples - 1);
    mean.variance = half * half / (t * t);
    return mean;
}

gb_ratio gb_ratio_of_rows(gb_room *room, const gb_result_row *a, const double *samples_a,
                          const gb_result_row *b, const double *samples_b)
{
    if (samples_a && samples_b) { /* of the times, the other way round */
        const gb_mean of_a = mean_of_samples(room, a, samples_a);
        const gb_mean of_b = mean_of_samples(room, b, samples_b);
        return gb_ratio_of_means(&of_a, &of_b);
    }
    gb_ratio ratio;
    if (a->time_s > 0 && b->time_s > 0) {
        const gb_mean of_a = mean_of_interval(a, a->time_s, a->time_lo_s, a->time_hi_s);
        const gb_mean of_b = mean_of_interval(b, b->time_s, b->time_lo_s, b->time_hi_s);
        ratio = gb_ratio_of_means(&of_a, &of_b);
    } else {
        if (!(a->rate > 0) || !(b->rate > 0)) return (gb_ratio){0};
        const gb_mean of_a = mean_of_interval(a, a->rate, a->rate_lo, a->rate_hi);
        const gb_mean of_b = mean_of_interval(b, b->rate, b->rate_lo, b->rate_hi);
        ratio = gb_ratio_of_means(&of_b, &of_a);
    }
    if (lacks_interval(a) || lacks_interval(b)) ratio = (gb_ratio){.value = ratio.value};
    return ratio;
}

double gb_row_spread(const gb_result_row *row)
{
    const double half = relative_half(row);
    return half < 1 ? half : INFINITY;
}

bool gb_cost_of_row(const gb_result_row *row, gb_mean *cost)
{
    *cost = (gb_mean){.value = 1 / row->rate};
    if (lacks_interval(row) || !(row->rate_lo > 0)) return false;
    double half = relative_half(row);
    if (*row->quantity) half = fmax(half, printed_half(row));
    if (row->flags & GB_FLAG_AUTOCORRELATED) half *= 2;
    cost->df = *row->quantity ? 0 : (double)(row->samples - 1);
    const double t = *row->quantity ? normal975 : gb_student_t975(row->samples - 1);
    cost->variance = half * half / (t * t) * cost->value * cost->value;
    return true;
}

gb_ratio gb_ratio_to_printed(const gb_result_row *row, double printed, int digits)
{
    gb_mean cost;
    gb_mean other = {.value = 1 / printed};
    const double half = half_digit(printed, digits) / printed / normal975;
    other.variance = half * half * other.value * other.value;
    if (!gb_cost_of_row(row, &cost)) return (gb_ratio){.value = row->rate / printed};
    return gb_ratio_of_means(&other, &cost);
}

void gb_ratio_put_csv(FILE *file, const gb_ratio *ratio)
{
    gb_csv_put_positive(file, ratio->value);
    gb_csv_put_positive(file, ratio->lo);
    gb_csv_put_number(file, ratio->hi, ratio->lo > 0);
}

void gb_ratio_add_json(cJSON *object, const gb_ratio *ratio)
{
    gb_json_add_positive(object, "ratio", ratio->value);
    gb_json_add_positive(object, "ratio_ci95_lo", ratio->lo);
    gb_json_add_positive(object, "ratio_ci95_hi", ratio->lo > 0 ? ratio->hi : 0);
}

bool gb_row_begins_blocks(const gb_result_row *row)
{
    return row && strcmp(row->limit_kind, "blocks") == 0 && row->rate >= 0.95 * row->limit_rate;
}

gb_noise_row gb_noise_row_of(const gb_result_set *set, const gb_result_row *row)
{
    return (gb_noise_row){.device = gb_row_model(row),
                          .scope = row->scope,
                          .primitive = set->primitive,
                          .variant = row->variant,
                          /* no limit of the device's memory: it ran on the host */
                          .cpu = !*row->limit_kind,
                          .time_s = row->time_s,
                          .folder = row->place ? row->place->folder : NULL};
}
