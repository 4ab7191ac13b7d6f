/* gpubench build: the workers of a folder of kernels, by make and the SDK that belongs to this
 * gpubench. */
#include "bench/commands/commands.h"
#include "bench/sdk/find.h"
#include "bench/util/options.h"
#include "bench/util/version.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const gb_command_help help = {
    .usage = "build [DIR] [options] [VARIABLE=VALUE...]",
    .summary =
        "Builds gpubench-simt-NAME and, where nvcc is, gpubench-cuda-NAME in a folder of kernels\n"
        "(default: the current one), by its Makefile or, where it has none, as one that `gpubench\n"
        "new` writes would. Variables: docs/sdk.md. Behind \"--\" stand arguments of make.\n",
    .examples = "  gpubench new primitive saxpy && gpubench build saxpy\n"
                "  gpubench build saxpy CUDA_ARCHS=90 -- V=1\n"
                "  make -C saxpy GPUBENCH=$(gpubench build --sdk)\n"};

static bool is_there(gb_arena *arena, const char *folder, const char *name)
{
    return access(gb_arena_printf(arena, "%s/%s", folder, name), R_OK) == 0;
}

static bool has_makefile(gb_arena *arena, const char *folder)
{
    return is_there(arena, folder, "GNUmakefile") || is_there(arena, folder, "makefile") ||
           is_there(arena, folder, "Makefile");
}

static bool check_folder(gb_arena *arena, const char *folder, gb_error *error)
{
    struct stat info;
    if (stat(folder, &info) != 0) {
        gb_fail(error, GB_UNSUPPORTED, "%s: %s; `gpubench new primitive NAME` writes a folder",
                folder, strerror(errno));
        return false;
    }
    if (!S_ISDIR(info.st_mode)) {
        gb_fail(error, GB_UNSUPPORTED, "%s is no folder: name the one that it lies in", folder);
        return false;
    }
    if (is_there(arena, folder, "primitive.c") || has_makefile(arena, folder)) return true;
    gb_fail(error, GB_UNSUPPORTED,
            "%s has no primitive.c and no Makefile: `gpubench new primitive NAME` writes a folder "
            "that has both",
            folder);
    return false;
}

typedef struct command_line {
    const char **words;
    size_t count, capacity;
    gb_arena *arena;
} command_line;

static void add(command_line *line, const char *word)
{
    line->words =
        gb_arena_grow(line->arena, line->words, line->count, &line->capacity, sizeof *line->words);
    line->words[line->count++] = word;
}

/* Becomes make; returns if it cannot. */
static int become_make(const gb_sdk *sdk, const char *folder, const char *target, char **more,
                       gb_arena *arena)
{
    command_line line = {.arena = arena};
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    add(&line, "make");
    add(&line, "--no-print-directory");
    add(&line, gb_arena_printf(arena, "-j%ld", cores > 0 ? cores : 1));
    add(&line, "-C");
    add(&line, folder);
    if (!has_makefile(arena, folder)) {
        add(&line, "-f");
        add(&line, gb_arena_printf(arena, "%s/primitive.mk", sdk->folder));
    }
    add(&line, gb_arena_printf(arena, "GPUBENCH=%s", sdk->folder));
    add(&line, "GPUBENCH_VERSION=" GB_VERSION);
    if (sdk->libraries) add(&line, gb_arena_printf(arena, "GPUBENCH_LIB=%s", sdk->libraries));
    if (target) add(&line, target);
    for (; *more; more++)
        add(&line, *more);
    add(&line, NULL);
    fflush(stdout);
    execvp("make", (char *const *)line.words);
    if (errno == ENOENT)
        fputs("gpubench build: there is no make here; install GNU make and a C++ compiler (on "
              "Debian and Ubuntu: apt-get install make g++)\n",
              stderr);
    else
        fprintf(stderr, "gpubench build: make cannot be started: %s\n", strerror(errno));
    return GB_EXIT_FAILED;
}

static int build(const char *folder, bool only_sdk, bool hooks, char **more, gb_arena *arena)
{
    gb_error error;
    gb_sdk sdk;
    if (gb_sdk_find(arena, &sdk, &error) != GB_OK ||
        (!only_sdk && !check_folder(arena, folder, &error))) {
        fprintf(stderr, "gpubench build: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    if (!only_sdk) return become_make(&sdk, folder, hooks ? "hooks" : NULL, more, arena);
    puts(sdk.folder);
    return GB_EXIT_OK;
}

/* Moves what is make's ("--" and all behind it, VARIABLE=VALUE) out of argv; the others stay in
 * front. Returns how many those are. */
static int split(int argc, char **argv, char **more)
{
    int kept = 0;
    for (int i = 0; i < argc; i++) {
        if (i > 0 && strcmp(argv[i], "--") == 0) {
            while (++i < argc)
                *more++ = argv[i];
        } else if (i > 0 && argv[i][0] != '-' && strchr(argv[i], '=')) {
            *more++ = argv[i];
        } else {
            argv[kept++] = argv[i];
        }
    }
    *more = NULL;
    argv[kept] = NULL;
    return kept;
}

int gb_command_build(int argc, char **argv)
{
    bool only_sdk = false, hooks = false;
    const gb_option options[] = {
        gb_option_flag("hooks",
                       "build gpubench-simt-NAME-hooks: with it `check --schedules` sees races of "
                       "plain accesses",
                       &hooks),
        gb_option_flag("sdk", "print where the SDK lies, for Makefiles, and build nothing",
                       &only_sdk),
        {0}};
    int status;
    gb_arena arena = {0};
    char **more = gb_arena_alloc(&arena, ((size_t)argc + 1) * sizeof *more);
    argc = split(argc, argv, more);
    if (gb_options_parse(argc, argv, &help, options, &status)) {
        if (argc - optind <= 1) {
            status = build(optind < argc ? argv[optind] : ".", only_sdk, hooks, more, &arena);
        } else {
            fputs("gpubench build: name one folder; arguments of make stand behind \"--\"\n",
                  stderr);
            status = GB_EXIT_USAGE;
        }
    }
    gb_arena_free(&arena);
    return status;
}
