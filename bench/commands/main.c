/* gpubench: finds the command and hands over. */
#include "bench/commands/commands.h"
#include "bench/commands/welcome.h"
#include "bench/util/nearest.h"
#include "bench/util/pager.h"
#include "bench/util/version.h"
#include "common/protocol/protocol.h"
#include "common/text/descriptors.h"
#include "common/text/limits.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage, *summary;
    bool paged; /* what it prints is to be read, and may be long */
} commands[] = {
    {"run", gb_command_run, "run CONFIG...",
     "measure what configs describe, verified and resumable", false},
    {"list", gb_command_list, "list [primitives|variants|...]", "what there is to run", true},
    {"info", gb_command_info, "info", "devices, workers, measured ceilings", true},
    {"check", gb_command_check, "check [PRIMITIVE...]",
     "every variant against its oracle, nasty inputs", false},
    {"tune", gb_command_tune, "tune", "measure, in a minute, what `auto` goes by on this device",
     false},
    {"new", gb_command_new, "new primitive|variant NAME", "a folder for a kernel of your own",
     false},
    {"build", gb_command_build, "build [DIR]", "workers of kernels of your own", false},
    {"dump", gb_command_dump, "dump PRIMITIVE WHAT", "what a variant built, as CSV: for pictures",
     false},
    {"table", gb_command_table, "table RESULTS...",
     "the papers' tables as text, Markdown, LaTeX, CSV or JSON", true},
    {"compare", gb_command_compare, "compare A B...",
     "how results stand against others, with verdicts", true},
    {"claims", gb_command_claims, "claims RESULTS...",
     "which of the papers' claims hold on this GPU", true},
    {"audit", gb_command_audit, "audit RESULTS...",
     "rows that must be alike and are not, with what to look at", true},
    {"standings", gb_command_standings, "standings RESULTS...",
     "our own variants against the fastest of all others", true},
    {"project", gb_command_project, "project RESULTS... --onto GPU",
     "times on a card that is not here (experimental)", true},
    {"scaling", gb_command_scaling, "scaling RESULTS...",
     "speed-up over numbers of GPUs; more of them (experimental)", true},
    {"report", gb_command_report, "report RESULTS...",
     "one HTML page: tables, figures, claims, raw rows", false},
    {"export", gb_command_export, "export RESULTS",
     "results as NVBench or google/benchmark would write them", false},
    {"history", gb_command_history, "history DIR...",
     "runs commit after commit: which one made what slower", true},
    {"watch", gb_command_watch, "watch RESULTS", "a figure that grows while a run goes on", false},
    {"team", gb_command_team, "team --ranks N -- WORKER",
     "several workers, one process a GPU, as one: for --worker", false},
    {"plot", gb_command_plot, "plot RESULTS...", "figures as SVG, PDF and PNG, or in the terminal",
     false},
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *file)
{
    fputs("usage: gpubench COMMAND [options]\n"
          "\n"
          "Runs GPU kernels as experiment configs say, verifies every answer, and writes CSV with\n"
          "confidence intervals.\n"
          "\n"
          "commands:\n",
          file);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-46s  %s\n", commands[i].usage, commands[i].summary);
    fputs("\n"
          "  gpubench COMMAND --help    options and examples of a command\n"
          "  gpubench --version         version of gpubench and of its worker protocol\n"
          "\n"
          "examples:\n"
          "  gpubench run configs/multipartition.json\n"
          "  gpubench run configs/multipartition.json --device simt --filter 'bins <= 64'\n"
          "  gpubench table results/nvidia-h200/multipartition.csv\n"
          "\n"
          "exit status: 0 all points ok or unsupported, 1 some point failed, 2 usage or config,\n"
          "3 no such device or worker, 4 --fail-on met, 130 interrupted\n",
          file);
}

static int refuse_command(const char *word)
{
    const char *names[COMMAND_COUNT + 3] = {"--help", "--version"};
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i + 2] = commands[i].name;
    char hint[128];
    fprintf(stderr, "gpubench: unknown command \"%.60s\"%s; `gpubench --help` lists the commands\n",
            word, gb_did_you_mean(hint, sizeof hint, word, names));
    return GB_EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        /* To people; a script has left something out, and is told by the status in any case. */
        if (isatty(STDOUT_FILENO))
            gb_welcome();
        else
            print_help(stderr);
        return GB_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return GB_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        printf("gpubench %s (worker protocol %d)\n", GB_VERSION, GB_PROTOCOL_VERSION);
        return GB_EXIT_OK;
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].name) != 0) continue;
        if (commands[i].paged) gb_pager_begin();
        return commands[i].run(argc - 1, argv + 1);
    }
    return refuse_command(word);
}

/* For cJSON, which would leave out what it has no memory for, and call a file no JSON. */
static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory) gb_memory_gone("gpubench", bytes);
    return memory;
}

int main(int argc, char **argv)
{
    if (!gb_descriptors_hold()) {
        perror("gpubench: a closed standard descriptor: /dev/null");
        return GB_EXIT_FAILED;
    }
    gb_error error;
    if (!gb_limits_begin(&error)) {
        fprintf(stderr, "gpubench: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = free});
    int status = dispatch(argc, argv);
    gb_pager_end();
    /* Tables and lists that did not reach their file must not look like a success. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("gpubench: standard output");
        if (status == GB_EXIT_OK) status = GB_EXIT_FAILED;
    }
    return status;
}
