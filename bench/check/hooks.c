/* The worker of the hooks build: when it is the one to ask, and what is not seen without. */
#include "bench/check/check.h"
#include "bench/util/shell.h"
#include "bench/util/wrap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usual_schedules[] = "200"; /* that a check of orders is begun with */

/* ---- which worker ---------------------------------------------------------------------------- */

static bool is_command(const char *worker)
{
    return worker && !gb_is_folder(worker);
}

static void say_older(const gb_check *c)
{
    char hooks[256], usual[256];
    gb_worker_short_name(c->hooks_worker, hooks, sizeof hooks);
    gb_worker_short_name(c->session.command, usual, sizeof usual);
    fprintf(stderr,
            "note: %s is older than %s, and may have the kernels of before: `make %s` builds it "
            "anew\n",
            hooks, usual, strcmp(usual, "gpubench-simt") == 0 ? "simt-hooks" : "hooks");
}

/* --hooks insists. */
static bool is_there(const gb_check *c, gb_error *error)
{
    char folder[GB_WORKER_FOLDER];
    if (c->hooks_worker || !c->hooks) return c->hooks_worker != NULL;
    gb_fail(error, GB_UNSUPPORTED,
            "--hooks: there is no worker of a hooks build (gpubench-simt-hooks) in %.300s; `make "
            "simt-hooks` builds it in gpubench's sources, `make hooks` in a folder of your own",
            gb_worker_folder_of(c->session.command, folder, sizeof folder));
    return false;
}

bool gb_check_prefer_hooks(gb_check *c, gb_error *error)
{
    const gb_catalogue *found = c->session.catalogue;
    const bool wanted = c->hooks || c->schedules ||
                        (c->has_one_schedule && gb_schedule_needs_hooks(&c->one_schedule));
    bool older;
    if (!wanted || is_command(c->worker) || found->hooks || strcmp(found->backend, "simt") != 0)
        return true;
    c->hooks_worker = gb_worker_hooks(c->session.command, &older);
    if (!is_there(c, error)) return !c->hooks;
    if (older) say_older(c);
    gb_session_close(&c->session);
    const gb_wish wish = {.device = c->device, .worker = c->hooks_worker, .under = c->under};
    return gb_session_find(&c->session, &wish, error);
}

/* ---- what was not seen ----------------------------------------------------------------------- */

/* The command that was given, with these options. */
static void print_command(const gb_check *c, const char *options)
{
    const bool of_device = strstr(options, "--device") != NULL; /* in the place of what was given */
    printf("%s check%s", program_invocation_name, options);
    for (int i = 1; i < c->argc; i++) {
        if (of_device && strncmp(c->argv[i], "--device", 8) == 0) {
            i += c->argv[i][8] == 0; /* its value is a word of its own */
            continue;
        }
        putchar(' ');
        gb_shell_put(stdout, c->argv[i]);
    }
    putchar('\n');
}

void gb_check_say_unseen(const gb_check *c)
{
    const gb_catalogue *of = c->session.catalogue;
    const bool explored = c->schedules || c->has_one_schedule,
               simt = strcmp(of->backend, "simt") == 0;
    if (!c->passed || c->has_one_schedule || (explored && of->hooks)) return;
    if (!simt && strcmp(of->backend, "cuda") != 0) return;
    const bool outside = c->worker != NULL;
    char *hooks = is_command(c->worker) ? NULL : gb_worker_hooks(c->session.command, NULL);
    gb_put_line(stdout, 0, "not looked for: %smissing fences, races of plain loads and stores%s",
                explored ? "" : "other orders of the threads, ",
                is_command(c->worker) ? " (--worker is none of a hooks build: docs/simt.md)"
                : hooks               ? "; this does:"
                : outside             ? "; `make hooks` in that folder builds what does, then run"
                          : "; `make simt-hooks` in gpubench's sources builds what does, "
                            "then run");
    free(hooks);
    if (is_command(c->worker)) return;
    printf("    ");
    char options[96];
    snprintf(options, sizeof options, "%s%s%s --hooks", simt ? "" : " --device simt",
             c->schedules ? "" : " --schedules ", c->schedules ? "" : usual_schedules);
    print_command(c, options);
}
