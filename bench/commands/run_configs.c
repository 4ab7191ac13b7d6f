/* Running the configs of `gpubench run`, one after the other, and what is said of each. */
#include "bench/commands/run.h"

#include "bench/commands/run_live.h"
#include "bench/commands/run_table.h"
#include "bench/compare/equal_runs.h"
#include "bench/measure/plan.h"
#include "bench/measure/summary.h"
#include "bench/record/meta.h"
#include "bench/record/totals.h"
#include "bench/util/exit_status.h"
#include "bench/util/interrupt.h"

#include <stdio.h>
#include <string.h>

bool gb_run_wake(gb_run_command *c, const gb_run_item *item, int *status)
{
    gb_error error = {GB_OK, ""};
    if (gb_run_session_wake(&c->sessions, item->session, &error) &&
        gb_run_provide_again(item, &error))
        return true;
    *status = gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_NO_DEVICE;
    if (!gb_interrupted) fprintf(stderr, "gpubench run: %s\n", error.text);
    c->stop = true;
    return false;
}

/* ---- one config ----------------------------------------------------------------------------- */

/* How to go on with rows that are still to be measured, or with a meta file still to be written. */
static void print_remedy(const gb_run_command *c, const char *how, size_t left)
{
    fprintf(stderr, "%s with %zu rows to go; this goes on where it ended:\n", how, left);
    gb_resume_command_print(c->argc, c->argv);
}

/* "2/5 octree": which config of how many; "" of one alone. */
static const char *title_of(const gb_run_command *c, const gb_run_item *item, char title[160])
{
    *title = 0;
    if (c->count > 1)
        snprintf(title, 160, "%zu/%zu %.100s", (size_t)(item - c->items) + 1, c->count,
                 item->config->name);
    return title;
}

/* The rows and what follows from them: warnings, the table, the files, how to go on. */
static void print_end(const gb_run_command *c, const gb_output *output, const gb_session *session,
                      const gb_run_totals *totals)
{
    gb_warnings_print(output, session, totals);
    /* Of one point alone, the rows said it all; equal runs are set side by side at the end, and a
     * round beside the one before. */
    if (!c->stop && !c->aa && !c->again && totals->rows[GB_OK] &&
        output->setup.config->point_count > 1)
        gb_run_table_print(output->files.csv);
    gb_summary_print(output, session, totals);
    fflush(stdout);
}

static void count_rows(gb_run_tally *tally, const gb_run_totals *totals)
{
    for (int i = 0; i < GB_STATUS_COUNT; i++)
        tally->rows[i] += totals->rows[i];
    tally->resumed += totals->resumed;
}

/* Runs one config whose files are open; returns the exit status it asks for. */
static int run_open(gb_run_command *c, const gb_run_item *item, gb_meta *meta, gb_output *output)
{
    static const char *const states[] = {[GB_RUN_COMPLETE] = "complete",
                                         [GB_RUN_LIMITED] = "limited",
                                         [GB_RUN_INTERRUPTED] = "interrupted",
                                         [GB_RUN_BROKEN] = "broken"};
    gb_error error = {GB_OK, ""};
    gb_run_totals totals = {0};
    gb_session *session = item->session;
    const gb_config *config = item->config;
    if (!gb_meta_begin(meta, output->files.meta, config->path, c->resume, &error) ||
        !gb_meta_write(meta, output, session, &totals, "running", &error)) {
        fprintf(stderr, "gpubench run: %s\n", error.text);
        c->stop = true;
        print_remedy(c, gb_interrupted ? "interrupted" : "stopped",
                     gb_run_rows_left(config, output));
        return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_FAILED;
    }
    char moved[512], title[160];
    if (gb_meta_moved(meta, session, moved, sizeof moved))
        fprintf(stderr,
                "gpubench run: note: %s, where the rows so far of %s were measured; --out and no "
                "--resume gives each its own file\n",
                moved, config->name);
    gb_run_live drawer = {.csv = output->files.csv};
    const gb_live live = {gb_run_live_draw, &drawer};
    const gb_run_manner manner = {title_of(c, item, title), c->live ? &live : NULL, c->until,
                                  c->silent};
    gb_run_end end = gb_run_config(session, output, &item->estimate, &manner, &totals, &error);
    c->points = totals.points;
    c->left_out = totals.left_out;
    if (end == GB_RUN_BROKEN) fprintf(stderr, "gpubench run: %s\n", error.text);
    bool written = gb_meta_write(meta, output, session, &totals, states[end], &error);
    if (!written) fprintf(stderr, "gpubench run: %s\n", error.text);
    cJSON_Delete(totals.medians);
    cJSON_Delete(totals.kernels);
    c->stop = (end != GB_RUN_COMPLETE && end != GB_RUN_LIMITED) || !written;
    if (c->tally) count_rows(c->tally, &totals);
    if (!c->silent) print_end(c, output, session, &totals);
    if (c->stop && !c->silent)
        print_remedy(c, end == GB_RUN_INTERRUPTED ? "interrupted" : "stopped",
                     gb_run_rows_left(config, NULL) - totals.resumed - totals.rows[GB_OK] -
                         totals.rows[GB_UNSUPPORTED] - totals.failed);
    if (end == GB_RUN_INTERRUPTED) return GB_EXIT_INTERRUPTED;
    return c->stop || totals.failed || output->failed_before ? GB_EXIT_FAILED : GB_EXIT_OK;
}

/* Once a run of several devices: what passes between them, for the meta file. NCCL keeps memory and
 * threads for the life of a process: a fresh worker goes on, also where this one has not lived
 * through it. */
static bool measure_links(gb_run_command *c, const gb_run_item *item, int *status)
{
    gb_session *session = item->session;
    gb_error error = {GB_OK, ""};
    if (session->set.size < 2 || session->links) return true;
    if (!gb_session_measure_links(session, &error))
        fprintf(stderr, "gpubench run: note: what passes between the devices is not known: %s\n",
                error.text);
    gb_session_rest(session);
    return gb_run_wake(c, item, status);
}

static int run_config(gb_run_command *c, const gb_run_item *item, gb_meta *meta)
{
    char run_id[32];
    int status;
    if (!gb_run_wake(c, item, &status)) return status;
    if (!measure_links(c, item, &status)) return status;
    gb_run_id(run_id);
    const gb_session *session = item->session;
    gb_output_setup setup = {.config = item->config,
                             .device = session->device,
                             .backend = session->catalogue->backend,
                             .under = session->under,
                             .copy_bytes_per_s = session->copy_bytes_per_s,
                             .blocks_per_s = session->blocks_per_s,
                             .folder = item->folder,
                             .run_id = run_id,
                             .command = c->command,
                             .worker_spec = c->worker,
                             .device_spec = c->device,
                             .resume = c->resume,
                             .retry = c->retry};
    static gb_output output; /* one at a time, and large */
    gb_error error = {GB_OK, ""};
    if (!gb_output_open(&output, &setup, &error)) {
        fprintf(stderr, "gpubench run: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    if (!gb_run_exports_check(&c->exports)) {
        gb_output_close(&output);
        return GB_EXIT_USAGE;
    }
    status = run_open(c, item, meta, &output);
    if (!c->stop && !gb_run_exports_write(&c->exports, output.files.csv, c->argc, c->argv) &&
        status < GB_EXIT_FAILED)
        status = GB_EXIT_FAILED;
    gb_output_close(&output);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------- */

int gb_run_configs(gb_run_command *c)
{
    gb_meta meta;
    int worst = GB_EXIT_OK;
    gb_meta_start(&meta, c->argc, c->argv);
    for (size_t i = 0; i < c->count && !c->stop; i++) {
        meta.beside = c->beside ? c->beside[i] : NULL;
        int status = run_config(c, &c->items[i], &meta);
        if (status > worst) worst = status;
    }
    gb_meta_free(&meta);
    return worst;
}

/* Whether an earlier config has the same results folder. */
static bool is_settled(const gb_run_command *c, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(c->items[i].results, c->items[at].results) == 0) return true;
    return false;
}

static bool settle(const gb_run_command *c)
{
    gb_error error = {GB_OK, ""};
    bool good = true;
    for (size_t i = 0; i < c->count; i++) {
        if (is_settled(c, i) || gb_aa_settle(c->items[i].results, stdout, &error)) continue;
        fprintf(stderr, "gpubench run: --aa: %s\n", error.text);
        good = false;
    }
    return good;
}

/* The folders of one pass; false, with the reason on stderr, if a name is too long. */
static bool enter_pass(gb_run_command *c, int pass)
{
    for (size_t i = 0; i < c->count; i++) {
        gb_run_item *item = &c->items[i];
        if (gb_aa_folder(item->folder, sizeof item->folder, item->results, pass)) continue;
        fprintf(stderr, "gpubench run: --out: the folder's name is too long for --aa\n");
        return false;
    }
    return true;
}

int gb_run_equal(gb_run_command *c)
{
    int worst = GB_EXIT_OK;
    for (int pass = 0; pass < GB_AA_PASSES; pass++) {
        if (!enter_pass(c, pass)) return GB_EXIT_USAGE;
        if (pass > 0) gb_run_sessions_rest(&c->sessions);
        const int status = gb_run_configs(c);
        if (status > worst) worst = status;
        if (c->stop) return worst;
    }
    if (settle(c)) return worst;
    return worst > GB_EXIT_FAILED ? worst : GB_EXIT_FAILED;
}
