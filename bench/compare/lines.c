/* What two devices have, as the rows of a pair know it. */
#include "bench/compare/lines.h"
#include "common/protocol/under.h"

#include <string.h>

static const gb_gpu *gpu_of(const gb_sides *sides, const gb_result_row *row)
{
    return gb_gpu_find(&sides->gpus, gb_row_model(row));
}

/* Nothing is known of the run behind a printed row. */
static gb_run_facts run_of(gb_sides *sides, const gb_result_row *row)
{
    const gb_run_facts none = {0};
    return *row->quantity ? none : *gb_side_run(sides, row);
}

/* How many of its multiprocessors a device was held to; 0: it had all. */
static unsigned held_to(const gb_result_row *row)
{
    gb_under under;
    return gb_under_parse(row->under, &under) ? under.multiprocessors : 0;
}

double gb_multiprocessors(gb_sides *sides, const gb_result_row *row)
{
    if (held_to(row)) return held_to(row);
    const double sms = run_of(sides, row).sms;
    const gb_gpu *gpu = gpu_of(sides, row);
    return sms > 0 ? sms : gpu ? gpu->sms : 0;
}

double gb_launch_s(gb_sides *sides, const gb_result_row *row)
{
    return run_of(sides, row).launch_s;
}

static bool is_same_model(const gb_pair *pair)
{
    return strcmp(gb_row_model(pair->a), gb_row_model(pair->b)) == 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static gb_line line_of(double a, double b, gb_origin origin)
{
    const bool known = a > 0 && b > 0;
    return (gb_line){.a = known ? a : 0,
                     .b = known ? b : 0,
                     .ratio = known ? b / a : 0,
                     .origin = known ? origin : GB_UNKNOWN};
}

/* What was measured of both, else what data sheets say of both. */
static gb_line either(gb_line measured, gb_line by_sheet)
{
    return measured.ratio > 0 ? measured : by_sheet;
}

static gb_line by_sheets(const gb_gpu *a, const gb_gpu *b, double of_a, double of_b)
{
    return a && b ? line_of(of_a, of_b, GB_BY_SHEET) : (gb_line){0};
}

/* What few multiprocessors copy says how much they can ask for, and not what the memory gives. */
static gb_line memory_of(gb_sides *sides, const gb_pair *pair)
{
    const bool held = held_to(pair->a) || held_to(pair->b);
    const double copy_a = run_of(sides, pair->a).copy_bytes_per_s;
    const double copy_b = run_of(sides, pair->b).copy_bytes_per_s;
    const gb_gpu *a = gpu_of(sides, pair->a), *b = gpu_of(sides, pair->b);
    const gb_line none = {0};
    if (held && is_same_model(pair)) return line_of(1, 1, GB_SAME_DEVICE);
    return either(held ? none : line_of(copy_a, copy_b, GB_MEASURED),
                  by_sheets(a, b, a ? a->bytes_per_s : 0, b ? b->bytes_per_s : 0));
}

static gb_line clock_of(const gb_sides *sides, const gb_pair *pair)
{
    const gb_gpu *a = gpu_of(sides, pair->a), *b = gpu_of(sides, pair->b);
    return either(line_of(pair->a->sm_clock_mhz * 1e6, pair->b->sm_clock_mhz * 1e6, GB_MEASURED),
                  by_sheets(a, b, a ? a->sm_clock_hz : 0, b ? b->sm_clock_hz : 0));
}

/* A line that goes with the clock and with something countable, whoever says how many there are. */
static gb_line times(gb_line clock, double count_a, double count_b)
{
    return line_of(clock.a * count_a, clock.b * count_b, clock.origin);
}

/* L2 is made of slices, which go with the memory's partitions and each give so many bytes a clock:
 * of one architecture its bandwidth goes with size times clock. How fast slices are compared with
 * those of another architecture nobody states. */
static gb_line l2_of(gb_sides *sides, const gb_pair *pair, gb_line clock)
{
    const gb_gpu *a = gpu_of(sides, pair->a), *b = gpu_of(sides, pair->b);
    const double l2_a = run_of(sides, pair->a).l2_bytes, l2_b = run_of(sides, pair->b).l2_bytes;
    const bool same_kind = is_same_model(pair) || (a && b && *a->architecture &&
                                                   strcmp(a->architecture, b->architecture) == 0);
    if (!same_kind) return (gb_line){0};
    return times(clock,
                 l2_a > 0 ? l2_a
                 : a      ? a->l2_bytes
                          : 0,
                 l2_b > 0 ? l2_b
                 : b      ? b->l2_bytes
                          : 0);
}

void gb_lines_of_pair(gb_sides *sides, const gb_pair *pair, gb_line line[GB_RESOURCE_COUNT])
{
    const gb_line clock = clock_of(sides, pair);
    line[GB_OF_MEMORY] = memory_of(sides, pair);
    line[GB_OF_CLOCK] = clock;
    line[GB_OF_ISSUE] =
        times(clock, gb_multiprocessors(sides, pair->a), gb_multiprocessors(sides, pair->b));
    line[GB_OF_L2] = l2_of(sides, pair, clock);
}
