/* A failed launch's report: what happened, where, and what every thread of the block was doing. */
#include "common/simt/report.h"

#include <stdarg.h>

namespace simt
{
enum { report_bytes = 3600, listed_threads = 6 };

struct writer {
    char text[report_bytes];
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(writer *w, const char *format, ...)
{
    if (w->length >= sizeof w->text - 1) return;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(w->text + w->length, sizeof w->text - w->length, format, arguments);
    va_end(arguments);
    if (n > 0) w->length += (size_t)n;
    if (w->length > sizeof w->text - 1) w->length = sizeof w->text - 1;
}

static bool alike(const task *a, const task *b)
{
    if (a->state != b->state) return false;
    if (a->state == state_ended) return true;
    if (!a->stack != !b->stack || a->file != b->file || a->line != b->line) return false;
    return a->state != state_warp || (a->op == b->op && a->mask == b->mask);
}

static void describe(writer *out, const task *t)
{
    static const char *const states[] = {"ready", "running", "at the barrier",
                                         "at a warp operation", "ended"};
    if (t->state == state_ready && !t->stack) {
        add(out, "not started yet");
        return;
    }
    add(out, "%s", states[t->state]);
    if (t->state == state_ended) return;
    if (t->file)
        add(out, "%s %s:%d", t->state < state_barrier ? ", last seen at" : "", t->file, t->line);
    else
        add(out, ", not seen at any barrier, atomic or warp operation");
    if (t->state == state_warp) add(out, " with mask 0x%08x", t->mask);
}

/* Threads that are at the same place are one line. */
static void add_threads(writer *out, const worker *w)
{
    bool told[max_threads] = {};
    for (unsigned i = 0; i < w->job->threads; i++) {
        if (told[i]) continue;
        unsigned count = 0;
        for (unsigned k = i; k < w->job->threads; k++)
            count += alike(&w->tasks[i], &w->tasks[k]);
        add(out, "\n  %u thread%s ", count, count == 1 ? "" : "s");
        describe(out, &w->tasks[i]);
        unsigned listed = 0;
        for (unsigned k = i; k < w->job->threads; k++) {
            if (!alike(&w->tasks[i], &w->tasks[k])) continue;
            told[k] = true;
            if (listed < listed_threads) add(out, "%s%u", listed ? "," : " [", k);
            if (listed++ == listed_threads) add(out, ",...");
        }
        add(out, "]");
    }
}

/* As SIMT_... variables, or as the --schedule that was asked for. */
static void add_settings(writer *out, const job *j)
{
    static const char *const policies[] = {"round-robin", "random", "unfair", "priority"};
    const configuration &c = config;
    if (c.explored) {
        add(out,
            "\n  schedule: policy=%s,seed=%llu,atomic=%u,volatile=%u,plain=%u,weak=%u,resident=%u",
            policies[c.policy], (unsigned long long)c.seed, c.preempt_atomic, c.preempt_volatile,
            c.preempt_plain, c.weak, c.resident);
    } else {
        add(out, "\n  replay: SIMT_POLICY=%s SIMT_SEED=%llu SIMT_PREEMPT=%u", policies[c.policy],
            (unsigned long long)c.seed, c.preempt_atomic);
        if (c.preempt_volatile != c.preempt_atomic)
            add(out, " SIMT_PREEMPT_VOLATILE=%u", c.preempt_volatile);
        if (c.preempt_plain) add(out, " SIMT_PREEMPT_PLAIN=%u", c.preempt_plain);
        if (c.weak) add(out, " SIMT_WEAK=%u", c.weak);
        if (c.resident) add(out, " SIMT_RESIDENT=%u", c.resident);
        if (c.workers) add(out, " SIMT_WORKERS=%u", c.workers);
    }
    if (c.resident && j->nudged)
        add(out,
            "\n  a thread ran for long without an atomic, a barrier or a __nanosleep, and was left "
            "by the clock: this run may differ when it is replayed");
}

/* The first failure is the launch's. */
static bool is_first(job *j)
{
    int expected = j->halt.load();
    return expected != halt_failed && j->halt.compare_exchange_strong(expected, halt_failed);
}

void report_block(worker *w, cudaError_t code, const char *what)
{
    if (!is_first(w->job)) return;
    writer out = {};
    add(&out, "%s\n  block (%u,%u,%u) of (%u,%u,%u), %u threads", what, w->block.index.x,
        w->block.index.y, w->block.index.z, w->block.grid.x, w->block.grid.y, w->block.grid.z,
        w->job->threads);
    if (here.thread)
        add(&out, "; thread (%u,%u,%u)", here.thread->index.x, here.thread->index.y,
            here.thread->index.z);
    add_settings(&out, w->job);
    if (w->alive) add_threads(&out, w);
    w->job->error = set_error(code, "%s", out.text);
}

void report_grid(job *j, cudaError_t code, const char *what)
{
    if (!is_first(j)) return;
    writer out = {};
    add(&out, "%s\n  %u blocks, %u threads each", what, j->blocks, j->threads);
    add_settings(&out, j);
    j->error = set_error(code, "%s", out.text);
}

void fail(cudaError_t code, const char *what)
{
    worker *w = here.worker;
    report_block(w, code, what);
    w->abandoned = true;
    switch_home(w);
    __builtin_unreachable();
}

void fail_halted(int halt)
{
    if (halt == halt_expired) fail(cudaErrorLaunchTimeout, "no progress until the time limit");
    fail(cudaErrorLaunchFailure, "stopped"); /* not the first failure, so it tells nobody */
}
} // namespace simt
