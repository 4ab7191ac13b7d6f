/* The worker of the hooks build: when it is the one to ask, and what is not seen without. */
#include "bench/check/check.h"
#include "bench/util/shell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char hooks_program[] = "gpubench-simt-hooks";
static const char usual_schedules[] = "200"; /* that a check of orders is begun with */

/* ---- which worker ---------------------------------------------------------------------------- */

/* make builds the usual worker first. */
static bool is_older(const char *hooks, const char *usual)
{
    char folder[GB_WORKER_FOLDER], path[sizeof folder + 64];
    struct stat a, b;
    if (!gb_worker_folder(folder, sizeof folder)) return false;
    snprintf(path, sizeof path, "%s/%s", folder, hooks);
    if (stat(path, &a) != 0) return false;
    snprintf(path, sizeof path, "%s/%s", folder, usual);
    if (stat(path, &b) != 0) return false;
    return a.st_mtim.tv_sec < b.st_mtim.tv_sec;
}

bool gb_check_find_hooks(gb_check *c)
{
    c->hooks_worker = gb_worker_command_named(hooks_program);
    if (!c->hooks_worker) return false;
    if (is_older(hooks_program, "gpubench-simt"))
        fprintf(stderr,
                "note: %s is older than gpubench-simt, and may have the kernels of before: `make "
                "simt-hooks` builds it anew\n",
                hooks_program);
    return true;
}

bool gb_check_prefer_hooks(gb_check *c, gb_error *error)
{
    const gb_catalogue *found = c->session.catalogue;
    const bool wanted =
        c->schedules || (c->has_one_schedule && gb_schedule_needs_hooks(&c->one_schedule));
    if (!wanted || c->worker || c->hooks_worker || found->hooks ||
        strcmp(found->backend, "simt") != 0 || !gb_check_find_hooks(c))
        return true;
    gb_session_close(&c->session);
    return gb_session_find(&c->session, &(gb_wish){.device = c->device, .worker = c->hooks_worker},
                           error);
}

/* ---- what was not seen ----------------------------------------------------------------------- */

/* The command that was given, with these options. */
static void print_command(const gb_check *c, const char *options)
{
    printf("%s check%s", program_invocation_name, options);
    for (int i = 1; i < c->argc; i++) {
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
    printf("not looked for: %smissing fences, races of plain loads and stores",
           explored ? "" : "other orders of the threads, ");
    if (c->worker) {
        printf(" (--worker is none of a hooks build: docs/simt.md)\n");
        return;
    }
    char *hooks = gb_worker_command_named(hooks_program);
    printf("; %s\n    ",
           hooks ? "this does:"
                 : "`make simt-hooks` in gpubench's sources builds what does, then run");
    free(hooks);
    char options[96];
    snprintf(options, sizeof options, "%s%s%s --hooks", simt ? "" : " --device simt",
             c->schedules ? "" : " --schedules ", c->schedules ? "" : usual_schedules);
    print_command(c, options);
}
