/* The plan of a sort: cuts, jobs, pieces. */
#include "kernels/radix-sort-multi/plan.h"

#include <stdlib.h>

ms_plan *ms_plan_new(unsigned size, unsigned cells)
{
    ms_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->size = size;
    plan->cells = cells;
    plan->most = cells + 2; /* a cell may be cut, at either end */
    plan->offsets = calloc((size_t)size * (cells + 1), sizeof *plan->offsets);
    plan->limits = calloc(cells, sizeof *plan->limits);
    plan->jobs = calloc((size_t)size * plan->most, sizeof *plan->jobs);
    plan->counts = calloc(size, sizeof *plan->counts);
    plan->length = calloc(size, sizeof *plan->length);
    plan->before = calloc(cells + 1, sizeof *plan->before);
    plan->travels = calloc((size_t)size * plan->most, sizeof *plan->travels);
    plan->steps = calloc(size, sizeof *plan->steps);
    plan->in_order = calloc(size, sizeof *plan->in_order);
    plan->begins = calloc(size + 1, sizeof *plan->begins);
    if (plan->offsets && plan->limits && plan->jobs && plan->counts && plan->length &&
        plan->before && plan->begins && plan->travels && plan->steps && plan->in_order)
        return plan;
    ms_plan_free(plan);
    return NULL;
}

void ms_plan_free(ms_plan *plan)
{
    if (!plan) return;
    free(plan->offsets);
    free(plan->limits);
    free(plan->jobs);
    free(plan->counts);
    free(plan->length);
    free(plan->before);
    free(plan->begins);
    free(plan->travels);
    free(plan->steps);
    free(plan->in_order);
    free(plan);
}

/* ---- cells ----------------------------------------------------------------------------------- */

static const uint64_t *cells_of(const ms_plan *plan, unsigned rank)
{
    return plan->offsets + (size_t)rank * (plan->cells + 1);
}

/* Elements of a cell, of all ranks. */
static uint64_t in_cell(const ms_plan *plan, unsigned c)
{
    return plan->before[c + 1] - plan->before[c];
}

/* The smallest and the largest key that a cell can hold, if it can hold any. */
static uint64_t cell_first(const ms_plan *plan, unsigned c)
{
    return c ? plan->limits[c - 1] : 0;
}
static uint64_t cell_last(const ms_plan *plan, unsigned c)
{
    return c + 1 < plan->cells ? plan->limits[c] - 1 : plan->most_key;
}

/* Whether all keys of a cell that has any are of one value. */
static bool is_single(const ms_plan *plan, unsigned c, uint64_t *value)
{
    *value = cell_first(plan, c);
    return *value == cell_last(plan, c);
}

static bool is_even(const ms_plan *plan)
{
    const uint64_t width = plan->most_key / plan->cells + 1;
    for (unsigned c = 1; c < plan->cells; c++)
        if (cell_first(plan, c) != c * width) return false;
    return true;
}

static void add_up_cells(ms_plan *plan)
{
    plan->before[0] = 0;
    for (unsigned c = 0; c < plan->cells; c++) {
        plan->before[c + 1] = plan->before[c];
        for (unsigned r = 0; r < plan->size; r++)
            plan->before[c + 1] += cells_of(plan, r)[c + 1] - cells_of(plan, r)[c];
    }
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* A place among the elements of all ranks: the cell that it is in or before, and how many elements
 * of that lie before it. */
typedef struct place {
    unsigned cell;
    uint64_t skip;
} place;

/* Whether a cell, if it is not cut, is a job by itself. */
static bool is_alone(const ms_plan *plan, const ms_sizes *sizes, unsigned c)
{
    uint64_t value;
    return in_cell(plan, c) >= sizes->alone && is_single(plan, c, &value);
}

/* Whether a sixteenth of the samples or more are alike, but for those of cells of one value. */
static bool are_common(const ms_plan *plan, const ms_sizes *sizes)
{
    const double n = (double)plan->before[plan->cells];
    double alone = 0;
    for (unsigned c = 0; c < plan->cells; c++)
        if (is_alone(plan, sizes, c)) alone += (double)in_cell(plan, c);
    const double samples = (double)plan->samples;
    return n > 0 && (double)plan->alike - alone / n * samples > samples / 16;
}

/* What a cell costs whom it belongs to, in eighths of sorting an element. */
static uint64_t cost_of(const ms_plan *plan, const ms_sizes *sizes, unsigned c)
{
    return in_cell(plan, c) * (is_alone(plan, sizes, c) ? sizes->equal_cost : 8);
}

/* Where runs should begin: so that they cost the same, but none is longer than `most`. */
static void find_begins(ms_plan *plan, const ms_sizes *sizes, uint64_t most)
{
    const uint64_t n = plan->before[plan->cells], size = plan->size;
    uint64_t all = 0, before = 0; /* costs: of all cells, of those before c */
    unsigned c = 0;
    for (unsigned k = 0; k < plan->cells; k++)
        all += cost_of(plan, sizes, k);
    plan->begins[0] = 0;
    plan->begins[size] = n;
    for (unsigned r = 1; r < size; r++) {
        const uint64_t wanted = all / size * r + all % size * r / size;
        while (c < plan->cells && before + cost_of(plan, sizes, c) <= wanted)
            before += cost_of(plan, sizes, c++);
        uint64_t at = plan->before[c];
        if (c < plan->cells) at += (wanted - before) / (cost_of(plan, sizes, c) / in_cell(plan, c));
        const uint64_t last = plan->begins[r - 1] + most, rest = (size - r) * most;
        if (at > last) at = last;
        if (at + rest < n) at = n - rest;
        plan->begins[r] = at;
    }
}

/* Where the run of a rank begins: as near to where it should as can be. */
static place cut(const ms_plan *plan, unsigned rank)
{
    const uint64_t wanted = plan->begins[rank];
    unsigned c = 0;
    uint64_t value;
    if (rank == 0) return (place){0, 0};
    if (rank == plan->size) return (place){plan->cells, 0};
    while (c < plan->cells && plan->before[c + 1] <= wanted)
        c++;
    if (c == plan->cells) return (place){c, 0};
    const uint64_t skip = wanted - plan->before[c];
    if (is_single(plan, c, &value)) return (place){c, skip};
    return (place){skip <= in_cell(plan, c) - skip ? c : c + 1, 0};
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* How the jobs of a run come about. */
typedef struct maker {
    ms_plan *plan;
    unsigned rank;
    ms_sizes sizes;
    uint64_t half; /* of a cell, as large as they are on average */
    ms_job open;   /* cells that have been put together so far; count 0: none */
    bool fits;
} maker;

static void put(maker *m, ms_job job)
{
    ms_plan *plan = m->plan;
    job.begin = plan->length[m->rank];
    job.value = cell_first(plan, job.cell);
    const uint64_t differ = job.value ^ cell_last(plan, job.cell + job.cells - 1);
    job.bits = 1;
    while (job.bits < 64 && differ >> job.bits)
        job.bits++;
    if (!job.equal && job.count > m->sizes.most) m->fits = false;
    job.travels = !job.equal || m->sizes.equal_travel;
    job.step = plan->steps[m->rank];
    if (job.travels)
        plan->travels[(size_t)m->rank * plan->most + plan->steps[m->rank]++] =
            plan->counts[m->rank];
    plan->jobs[(size_t)m->rank * plan->most + plan->counts[m->rank]++] = job;
    plan->length[m->rank] += job.count;
}

static void close_job(maker *m)
{
    if (m->open.count) put(m, m->open);
    m->open.count = 0;
}

/* The first jobs of a run are smaller. */
static uint64_t wanted_now(const maker *m)
{
    const unsigned made = m->plan->steps[m->rank];
    const uint64_t target = m->plan->common ? m->sizes.common : m->sizes.target;
    if (made >= m->sizes.early) return target;
    const uint64_t early = target >> (m->sizes.early - made);
    return early > m->sizes.least ? early : m->sizes.least;
}

static void take_cell(maker *m, unsigned c, uint64_t count)
{
    if (m->open.count && m->open.count + count > m->sizes.most) close_job(m);
    if (!m->open.count) m->open = (ms_job){.cell = c};
    m->open.cells = c + 1 - m->open.cell;
    m->open.count += count;
    if (m->open.count + m->half >= wanted_now(m)) close_job(m);
}

/* Blocks of evenly wide cells: each as large as its place and the elements wanted allow. */
static void make_blocks(maker *m, unsigned from, unsigned to)
{
    const uint64_t *before = m->plan->before;
    unsigned cells;
    for (unsigned c = from; c < to; c += cells) {
        const uint64_t most = wanted_now(m) + m->half;
        cells = 1;
        while (c % (2 * cells) == 0 && c + 2 * cells <= to &&
               before[c + 2 * cells] - before[c] <= most)
            cells *= 2;
        if (before[c + cells] > before[c])
            put(m, (ms_job){.cell = c, .cells = cells, .count = before[c + cells] - before[c]});
    }
}

static void make_jobs(maker *m, place from, place to)
{
    const ms_plan *plan = m->plan;
    /* few elements are one job: blocks would be several */
    if (plan->even && plan->before[to.cell] - plan->before[from.cell] > m->sizes.least) {
        make_blocks(m, from.cell, to.cell);
        return;
    }
    for (unsigned c = from.cell; c < plan->cells && c <= to.cell; c++) {
        uint64_t value;
        const uint64_t begin = c == from.cell ? from.skip : 0;
        const uint64_t end = c == to.cell ? to.skip : in_cell(plan, c);
        if (end <= begin) continue;
        const bool whole = end - begin == in_cell(plan, c);
        if (whole ? is_alone(plan, &m->sizes, c) : is_single(plan, c, &value)) {
            close_job(m);
            put(m, (ms_job){
                       .cell = c, .cells = 1, .equal = true, .skip = begin, .count = end - begin});
        } else {
            take_cell(m, c, end - begin);
        }
    }
    close_job(m);
}

bool ms_plan_make(ms_plan *plan, const ms_sizes *sizes, uint64_t room)
{
    bool fits = true;
    add_up_cells(plan);
    plan->even = is_even(plan);
    plan->common = !plan->even && are_common(plan, sizes);
    const uint64_t n = plan->before[plan->cells], share = (n + plan->size - 1) / plan->size;
    find_begins(plan, sizes, room > share ? share + (room - share) / 2 : share);
    for (unsigned r = 0; r < plan->size; r++) {
        maker m = {.plan = plan,
                   .rank = r,
                   .sizes = *sizes,
                   .half = plan->before[plan->cells] / plan->cells / 2,
                   .fits = true};
        plan->counts[r] = 0;
        plan->steps[r] = 0;
        plan->length[r] = 0;
        make_jobs(&m, cut(plan, r), cut(plan, r + 1));
        if (!m.fits || plan->length[r] > room) fits = false;
    }
    return fits;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* x as far as it is within [0, most]. */
static uint64_t within(uint64_t x, uint64_t less, uint64_t most)
{
    const uint64_t left = x > less ? x - less : 0;
    return left < most ? left : most;
}

bool ms_plan_joins(const ms_plan *plan, unsigned owner, const ms_job *job)
{
    return (plan->common || plan->in_order[owner]) && !job->equal;
}

void ms_plan_piece(const ms_plan *plan, const ms_job *job, unsigned owner, unsigned rank,
                   uint64_t *from, uint64_t *count, uint64_t *to)
{
    const bool joins = ms_plan_joins(plan, owner, job);
    uint64_t seen = 0; /* elements of the job's cells, of the ranks before */
    *to = job->begin;
    for (unsigned r = 0; r < plan->size; r++) {
        const uint64_t *offsets = cells_of(plan, r);
        const uint64_t all = offsets[job->cell + job->cells] - offsets[job->cell];
        const uint64_t first = job->equal ? within(job->skip, seen, all) : 0;
        const uint64_t last = job->equal ? within(job->skip + job->count, seen, all) : all;
        seen += all;
        if (r == rank) {
            *from = offsets[job->cell] + first;
            *count = last - first;
        } else if (joins ? r < rank : r != owner && (r < rank || rank == owner)) {
            *to += last - first;
        }
    }
}
