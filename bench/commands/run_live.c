/* The figure that grows while a run goes on. */
#include "bench/commands/run_live.h"

#include "bench/plot/apart.h"
#include "bench/plot/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool gb_run_live_possible(void)
{
    gb_plot_target screen = {0};
    gb_error error = {GB_OK, ""};
    const char *verbose = getenv("GPUBENCH_VERBOSE");
    if (verbose && *verbose)
        gb_fail(&error, GB_WRONG,
                "--live and the worker's log exclude each other: both want the terminal's end");
    else if (gb_plot_screen_live(&screen, stderr, "--live", &error))
        return true;
    fprintf(stderr, "gpubench run: %s\n", error.text);
    return false;
}

char *gb_run_live_draw(void *context, gb_error *note)
{
    gb_run_live *live = context;
    gb_plot_target screen = {0}; /* the terminal may have another size now */
    gb_error error = {GB_OK, ""};
    if (!gb_plot_screen_live(&screen, stderr, "--live", &error)) return NULL;
    char *drawn = gb_plot_apart(live->csv, NULL, &screen, &error);
    if (drawn || strcmp(error.text, live->said.text) == 0) return drawn;
    live->said = error;
    gb_fail(note, error.status, "no figure: %.400s", error.text);
    return NULL;
}
