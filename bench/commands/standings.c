/* gpubench standings: our own variants against the fastest of everybody else's. */
#include "bench/standings/standings.h"
#include "bench/claims/print.h"
#include "bench/commands/commands.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "standings RESULTS... [options]",
    .summary =
        "Sets the fastest of our own variants beside the fastest of all others at the points\n"
        "of plots/standings.json, and shows every point where ours is behind. Others are\n"
        "whatever else was measured at the point, in any experiment, and what\n"
        "results/published/peers.csv prints for the same card. RESULTS are files that\n"
        "`gpubench run` wrote or folders of them. The workers tell whose a variant is.\n",
    .examples = "  gpubench standings results/nvidia-h200\n"
                "  gpubench standings results/nvidia-h200 --all --format csv\n"};

typedef struct standings_command {
    gb_sides sides;
    gb_contests contests;
    gb_peers peers;
    gb_owners owners;
    const gb_exporter *format;
    bool all;
} standings_command;

/* What is not in the table and why. */
static void warn(const gb_standings *s)
{
    for (size_t i = 0; i < s->unknown_count; i++)
        fprintf(stderr,
                "gpubench standings: left out: %s: no worker here lists it, so that nobody can say "
                "whose it is\n",
                s->unknown[i]);
    for (size_t i = 0; i < s->missing_count; i++)
        fprintf(stderr, "gpubench standings: left out: \"%s\": that point was not measured\n",
                s->missing[i]);
}

/* Whether an operand before this one has rows of a device. */
static bool is_seen_before(standings_command *c, size_t operand, const char *device)
{
    for (size_t i = 0; i < operand; i++) {
        size_t count;
        const char **devices = gb_claims_devices(&c->sides.arena, &c->sides.operands[i], &count);
        for (size_t k = 0; k < count; k++)
            if (strcmp(devices[k], device) == 0) return true;
    }
    return false;
}

/* The standings on each device that has a point of a contest. */
static bool print_all(standings_command *c, gb_error *error)
{
    gb_standings_output output = {.all = c->all, .file = stdout};
    bool printed = false;
    for (size_t o = 0; o < c->sides.operand_count; o++) {
        size_t count;
        const char **devices = gb_claims_devices(&c->sides.arena, &c->sides.operands[o], &count);
        for (size_t d = 0; d < count; d++) {
            gb_standings s = {.sides = &c->sides,
                              .contests = &c->contests,
                              .peers = &c->peers,
                              .owners = &c->owners,
                              .device = devices[d]};
            if (is_seen_before(c, o, devices[d])) continue;
            if (!gb_standings_find(&s, error)) return false;
            if (s.count == 0) continue;
            if (!printed) gb_exporter_begin(c->format, &output);
            c->format->item(&output, &s);
            printed = true;
            fflush(stdout);
            warn(&s);
        }
    }
    if (printed) {
        gb_exporter_end(c->format, &output);
        return true;
    }
    gb_fail(
        error, GB_WRONG,
        "the results hold no row of a GPU, as it is and under no conditions, of the experiments "
        "in plots/standings.json, such as %s: run that config",
        c->contests.items[0].experiment);
    return false;
}

static int standings(standings_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    gb_arena *arena = &c->sides.arena;
    int status = GB_EXIT_USAGE;
    if (gb_contests_load(arena, &c->contests, &error) && gb_peers_load(arena, &c->peers, &error) &&
        gb_sides_load(&c->sides, paths, count, &error)) {
        if (!gb_owners_ask(&c->owners, c->contests.ours, &error))
            status = GB_EXIT_NO_DEVICE;
        else if (print_all(c, &error))
            status = GB_EXIT_OK;
    }
    if (status != GB_EXIT_OK) fprintf(stderr, "gpubench standings: %s\n", error.text);
    gb_owners_free(&c->owners);
    gb_sides_free(&c->sides);
    return status;
}

int gb_command_standings(int argc, char **argv)
{
    standings_command c = {0};
    unsigned format = 0;
    int status;
    const gb_option options[] = {
        gb_exporter_option("how to write it (default: text)", gb_standings_exporters, &format),
        gb_option_flag("all", "every point, also where ours is ahead", &c.all),
        gb_option_no_pager(),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    c.format = &gb_standings_exporters[format];
    if (optind >= argc) {
        fprintf(stderr, "gpubench standings: name at least one result file or folder, such as "
                        "results/nvidia-h200; --help says more\n");
        return GB_EXIT_USAGE;
    }
    return standings(&c, argv + optind, (size_t)(argc - optind));
}
