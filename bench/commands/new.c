/* gpubench new: a folder for a kernel of one's own, or a variant in it. */
#include "bench/commands/commands.h"
#include "bench/sdk/folder.h"
#include "bench/util/options.h"
#include "bench/util/shell.h"
#include "bench/worker/devices.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "new primitive|variant NAME [options]",
    .summary =
        "primitive: writes a folder NAME that builds and runs at once: a kernel, an oracle, a\n"
        "check of every element, a config, a figure, a Makefile. What is yours to change: the\n"
        "kernel in NAME.cu and the oracle in oracle.c. variant: another way to do the same, as a\n"
        "copy of one that is there; the build finds it.\n",
    .examples = "  gpubench new primitive saxpy --axes 'n=1M..64M,dist=uniform|zipf'\n"
                "  gpubench build saxpy && gpubench check saxpy\n"
                "  gpubench run saxpy/saxpy.json --out saxpy/out\n"
                "  gpubench new variant vectorised --in saxpy\n"};

typedef struct new_command {
    const char *in, *axes, *from;
    gb_arena arena;
    gb_error error;
} new_command;

/* Whether the workers that come along have a primitive of that name, as far as they can be asked.
 */
static bool is_known(const char *name)
{
    gb_session session = {0};
    gb_error error;
    const bool known = gb_session_find(&session, &(gb_wish){.device = "simt"}, &error) &&
                       gb_catalogue_find(session.catalogue, name);
    gb_session_close(&session);
    return known;
}

/* A line to copy. */
static void print_command(const char *const *words)
{
    fputs("  ", stdout);
    for (; *words; words++) {
        gb_shell_put(stdout, *words);
        putchar(words[1] ? ' ' : '\n');
    }
}

static bool new_primitive(new_command *c, const char *name)
{
    gb_sdk sdk;
    gb_new_axes axes;
    if (strcmp(name, "cpu") == 0 || is_known(name)) {
        gb_fail(&c->error, GB_UNSUPPORTED,
                "%s is the name of a %s that comes with gpubench: take another", name,
                strcmp(name, "cpu") == 0 ? "variant" : "primitive");
        return false;
    }
    const char *folder = c->in ? gb_arena_printf(&c->arena, "%s/%s", c->in, name) : name;
    if (gb_sdk_find(&c->arena, &sdk, &c->error) != GB_OK ||
        !gb_new_axes_parse(&c->arena, c->axes ? c->axes : "", &axes, &c->error) ||
        !gb_new_primitive(&c->arena, &sdk, folder, name, &axes, &c->error))
        return false;
    printf("%s: the kernel is in %s.cu, what it must give in oracle.c. Then:\n", folder, name);
    print_command((const char *const[]){"gpubench", "build", folder, NULL});
    print_command((const char *const[]){"gpubench", "check", folder, NULL});
    const char *config = gb_arena_printf(&c->arena, "%s/%s.json", folder, name);
    print_command((const char *const[]){"gpubench", "run", config, "--out",
                                        gb_arena_printf(&c->arena, "%s/out", folder), NULL});
    return true;
}

static bool new_variant(new_command *c, const char *name)
{
    const char *folder = c->in ? c->in : ".", *copied;
    if (c->axes) {
        gb_fail(&c->error, GB_UNSUPPORTED, "--axes is for a primitive; a variant has its axes");
        return false;
    }
    if (!gb_new_variant(&c->arena, folder, name, c->from, &copied, &c->error)) return false;
    printf("%s/%s.cu: a copy of %s. Then:\n", folder, name, copied);
    print_command((const char *const[]){"gpubench", "build", folder, NULL});
    print_command((const char *const[]){"gpubench", "check", folder, "--variant", name, NULL});
    return true;
}

static int write_it(new_command *c, const char *what, const char *name)
{
    const bool primitive = strcmp(what, "primitive") == 0;
    const char *mistake = gb_new_name_mistake(name);
    bool done = false;
    if (!primitive && strcmp(what, "variant") != 0)
        gb_fail(&c->error, GB_UNSUPPORTED, "\"%.40s\": a primitive or a variant can be made", what);
    else if (mistake)
        gb_fail(&c->error, GB_UNSUPPORTED, "\"%.60s\": %s", name, mistake);
    else
        done = primitive ? new_primitive(c, name) : new_variant(c, name);
    if (!done) fprintf(stderr, "gpubench new: %s\n", c->error.text);
    return done ? GB_EXIT_OK : GB_EXIT_USAGE;
}

int gb_command_new(int argc, char **argv)
{
    new_command c = {0};
    const gb_option options[] = {
        gb_option_text("in", "DIR",
                       "primitive: make the folder there; variant: the primitive's folder "
                       "(default: the current folder)",
                       &c.in),
        gb_option_text(
            "axes", "AXES",
            "primitive: its axes and their values: n=1M..64M,bins=64|256,dist=uniform|zipf "
            "(default: n=1M..64M)",
            &c.axes),
        gb_option_text("from", "NAME", "variant: copy NAME.cu (default: the first there)", &c.from),
        {0}};
    int status;
    if (gb_options_parse(argc, argv, &help, options, &status)) {
        if (argc - optind == 2) {
            status = write_it(&c, argv[optind], argv[optind + 1]);
        } else {
            fputs("gpubench new: say what and its name, such as `gpubench new primitive saxpy`; "
                  "--help says more\n",
                  stderr);
            status = GB_EXIT_USAGE;
        }
    }
    gb_arena_free(&c.arena);
    return status;
}
