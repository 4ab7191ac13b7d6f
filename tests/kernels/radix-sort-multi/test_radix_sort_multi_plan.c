/* The plan of a sort over several GPUs: whatever the cells hold, runs take all of them, job behind
 * job, and have room; ranks get as much work as each other, of which keys of one value are little;
 * steps take what travels one behind the other; and what ranks send fills a job. */
#include "common/random.h"
#include "kernels/radix-sort-multi/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SEEDS = 300, MOST_KEY = 1 << 20 };

typedef struct made {
    ms_plan *plan;
    ms_sizes sizes;
    uint64_t n, share, room, seed;
} made;

static uint64_t draw(uint64_t seed, uint64_t i, uint64_t below)
{
    return gb_mix64(seed * 1000003 + i) % below;
}

/* Cells of different widths, some of one value; what each rank has of each. heavy: cells of one
 * value have many keys. */
static made make(uint64_t seed, bool heavy, bool travel)
{
    made m = {.seed = seed};
    const unsigned size = 1 + (unsigned)draw(seed, 1, 8), cells = ms_cells(size);
    m.plan = ms_plan_new(size, cells);
    assert_non_null(m.plan);
    m.plan->most_key = MOST_KEY - 1;
    uint64_t limit = 0;
    for (unsigned c = 0; c + 1 < cells; c++) {
        limit += draw(seed, 10 + c, 3) ? 1 + draw(seed, 500 + c, 1000) : 1;
        m.plan->limits[c] = limit;
    }
    for (unsigned r = 0; r < size; r++) {
        uint64_t *begin = m.plan->offsets + (size_t)r * (cells + 1);
        for (unsigned c = 0; c < cells; c++) {
            const bool single =
                c && c + 1 < cells && m.plan->limits[c] == m.plan->limits[c - 1] + 1;
            const uint64_t most = single && heavy ? 1 + draw(seed, 99, 900) : 40;
            begin[c + 1] = begin[c] + draw(seed, 1000 * (r + 1) + c, most);
        }
        m.n += begin[cells];
        m.plan->in_order[r] = draw(seed, 3000 + r, 4) == 0;
    }
    m.share = (m.n + size - 1) / size;
    m.room = m.share + m.share / 8 + 200;
    m.sizes = (ms_sizes){.target = m.share / 4 + 100,
                         .least = 50,
                         .most = m.share + 200,
                         .common = m.share / 6 + 100,
                         .alone = 64,
                         .early = size > 1 ? 3 : 0,
                         .equal_cost = travel ? 3 : 1,
                         .equal_travel = travel};
    assert_true(ms_plan_make(m.plan, &m.sizes, m.room));
    return m;
}

static const ms_job *job_at(const made *m, unsigned rank, unsigned j)
{
    return &m->plan->jobs[(size_t)rank * m->plan->most + j];
}

static void expect(const made *m, bool holds, const char *what)
{
    if (!holds) fail_msg("seed %u: %s", (unsigned)m->seed, what);
}

/* Runs one behind the other are all keys, job by job, cell by cell. */
static void look_at_runs(const made *m)
{
    const ms_plan *plan = m->plan;
    uint64_t seen = 0;
    for (unsigned r = 0; r < plan->size; r++) {
        uint64_t length = 0;
        for (unsigned j = 0; j < plan->counts[r]; j++) {
            const ms_job *job = job_at(m, r, j);
            expect(m, job->begin == length, "jobs lie behind each other");
            expect(m, plan->before[job->cell] + job->skip == seen, "and take what comes next");
            expect(m, job->equal || job->count <= m->sizes.most, "and are not too large");
            length += job->count;
            seen += job->count;
        }
        expect(m, length == plan->length[r] && length <= m->room, "runs have room");
    }
    expect(m, seen == m->n, "all keys are taken");
}

/* What ranks send, and the owner keeps, fills each job, every place once. */
static void look_at_pieces(const made *m)
{
    const ms_plan *plan = m->plan;
    for (unsigned owner = 0; owner < plan->size; owner++)
        for (unsigned j = 0; j < plan->counts[owner]; j++) {
            const ms_job *job = job_at(m, owner, j);
            uint64_t next = job->begin, from, count, to;
            const bool joined = (plan->common || plan->in_order[owner]) && !job->equal;
            /* else the owner's own come last */
            for (unsigned k = 0; k < plan->size + !joined; k++) {
                const unsigned r = k < plan->size ? k : owner;
                if (k == owner && !joined) continue;
                ms_plan_piece(plan, job, owner, r, &from, &count, &to);
                expect(m, count == 0 || to == next, "pieces lie behind each other");
                next += count;
            }
            expect(m, next == job->begin + job->count, "and are the job");
        }
}

static void look_at_steps(const made *m)
{
    const ms_plan *plan = m->plan;
    for (unsigned r = 0; r < plan->size; r++) {
        unsigned step = 0;
        for (unsigned j = 0; j < plan->counts[r]; j++) {
            const ms_job *job = job_at(m, r, j);
            expect(m, job->travels == (!job->equal || m->sizes.equal_travel), "what travels");
            expect(m, job->step == step, "a job is done behind those before");
            if (!job->travels) continue;
            expect(m, plan->travels[(size_t)r * plan->most + step] == j, "one travels in a step");
            step++;
        }
        expect(m, plan->steps[r] == step, "as many steps as jobs that travel");
    }
}

static void all_is_taken(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const made m = make(seed, seed % 2, seed % 3 == 0);
        look_at_runs(&m);
        look_at_pieces(&m);
        look_at_steps(&m);
        ms_plan_free(m.plan);
    }
}

static double cost_of(const made *m, unsigned rank)
{
    double cost = 0;
    for (unsigned j = 0; j < m->plan->counts[rank]; j++) {
        const ms_job *job = job_at(m, rank, j);
        cost += (double)job->count * (job->equal ? m->sizes.equal_cost : 8);
    }
    return cost;
}

/* But for half a cell, cuts of single cells and the room: here 64 + 40 keys of several ranks. */
static void work_is_shared(void **state)
{
    (void)state;
    unsigned looked_at = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const made m = make(seed, true, false);
        const double slack = 8.0 * 64 * m.plan->size + 8.0 * 40 * m.plan->size;
        double all = 0;
        bool full = false;
        for (unsigned r = 0; r < m.plan->size; r++) {
            all += cost_of(&m, r);
            full = full || m.plan->length[r] + 400 > m.share + (m.room - m.share) / 2;
        }
        for (unsigned r = 0; r < m.plan->size && !full; r++)
            expect(&m, cost_of(&m, r) < all / m.plan->size + slack, "ranks have as much to do");
        looked_at += !full && m.plan->size > 1;
        ms_plan_free(m.plan);
    }
    assert_true(looked_at >= 10);
}

/* Values that many samples are of, without being cells. */
static void common_values_are_found(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        made m = make(seed, false, false);
        expect(&m, !m.plan->common, "no sample is like another one");
        m.plan->samples = 1600;
        m.plan->alike = 1600;
        assert_true(ms_plan_make(m.plan, &m.sizes, m.room));
        expect(&m, m.plan->common, "all are, and no cell is large");
        m.plan->alike = 99;
        assert_true(ms_plan_make(m.plan, &m.sizes, m.room));
        expect(&m, !m.plan->common, "less than a sixteenth");
        ms_plan_free(m.plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_is_taken),
                                       cmocka_unit_test(work_is_shared),
                                       cmocka_unit_test(common_values_are_found)};
    return cmocka_run_group_tests_name("plans of a sort over several GPUs", tests, NULL, NULL);
}
