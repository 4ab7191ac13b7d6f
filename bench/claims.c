/* gpubench claims: which of the papers' claims hold on this GPU. */
#include "bench/claims.h"

#include "bench/claims_print.h"
#include "bench/commands.h"
#include "bench/options.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "claims RESULTS... [options]",
    .summary =
        "Prints, for each claim of the five papers, the paper's value, what was measured, and\n"
        "whether it HOLDS or FAILS on this GPU, is UNDECIDED, since what was measured could be\n"
        "chance or shows something else, or is NOT TESTED by these results. Claims that are\n"
        "true BY CONSTRUCTION, that are about an OTHER GPU or about THEIR PROCEDURE are\n"
        "counted apart. RESULTS are files that `gpubench run` wrote or folders of them.\n",
    .examples = "  gpubench claims results/nvidia-h200\n"
                "  gpubench claims results/nvidia-h200 --paper octree --rows\n"
                "  gpubench claims results/nvidia-h200 --format markdown\n"};

/* What is wanted of the claims; {0}: all of them, without the rows behind them. */
typedef struct claims_wishes {
    const char *paper; /* NULL: all */
    gb_claims_format format;
    bool rows, counts;
} claims_wishes;

/* A line, in Markdown an item of a list. */
static void print_counts(gb_arena *arena, const gb_claims *claims, const gb_results *results,
                         const gb_noise *noise, const char *device, gb_claims_format format)
{
    const bool markdown = format == GB_CLAIMS_MARKDOWN;
    printf("%s%s%s: %s\n", markdown ? "- **" : "", device, markdown ? "**" : "",
           gb_claims_counted(arena, claims, results, noise, device, NULL));
}

/* Prints the claims for every device in the results. */
static int print_claims(gb_results *results, char **paths, size_t path_count,
                        const claims_wishes *wishes)
{
    const char *paper = wishes->paper;
    gb_claims claims = {0};
    gb_noise noise = {0};
    gb_error error = {GB_OK, ""};
    if (!gb_claims_load_all(&results->arena, &claims, &error) ||
        !gb_noise_load_beside(&results->arena, paths, path_count, &noise, &error))
        goto failed;
    size_t kept = 0;
    for (size_t i = 0; i < claims.count; i++)
        if (!paper || strcmp(claims.items[i].paper, paper) == 0)
            claims.items[kept++] = claims.items[i];
    if (kept == 0) {
        gb_fail(&error, GB_WRONG,
                "--paper %s: no paper of that name has claims; the papers are "
                "multipartition, stencil, radix-sort, dynamic-array and octree",
                paper);
        goto failed;
    }
    claims.count = kept;
    size_t count;
    const char **devices = gb_claims_devices(&results->arena, results, &count);
    if (count == 0) {
        gb_fail(&error, GB_WRONG, "the results hold no measured row");
        goto failed;
    }
    for (size_t d = 0; d < count; d++) {
        if (wishes->counts) {
            print_counts(&results->arena, &claims, results, &noise, devices[d], wishes->format);
            continue;
        }
        if (d && wishes->format != GB_CLAIMS_CSV) putchar('\n');
        gb_claims_print(&results->arena, &claims, results, &noise, devices[d], wishes->format,
                        wishes->rows, d == 0, stdout);
    }
    return GB_EXIT_OK;
failed:
    fprintf(stderr, "gpubench claims: %s\n", error.text);
    return GB_EXIT_USAGE;
}

int gb_command_claims(int argc, char **argv)
{
    gb_results results = {0};
    gb_error error = {GB_OK, ""};
    claims_wishes wishes = {.format = GB_CLAIMS_TEXT};
    int status;
    const gb_option options[] = {
        gb_option_word("format", "text|markdown|latex|csv", "how to write it (default: text)",
                       &wishes.format, gb_claims_formats),
        gb_option_flag("rows", "show the points behind each verdict, with their intervals",
                       &wishes.rows),
        gb_option_flag("counts", "how many have which verdict, a line a device, and no more",
                       &wishes.counts),
        gb_option_text("paper", "NAME", "only the claims of this paper, such as octree",
                       &wishes.paper),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    if (optind >= argc) {
        fprintf(stderr, "gpubench claims: name at least one result file or folder, such as "
                        "results/nvidia-h200; --help says more\n");
        return GB_EXIT_USAGE;
    }
    bool good = true;
    status = GB_EXIT_USAGE;
    for (int i = optind; i < argc && good; i++)
        good = gb_results_add(&results, argv[i], &error);
    if (good)
        status = print_claims(&results, argv + optind, (size_t)(argc - optind), &wishes);
    else
        fprintf(stderr, "gpubench claims: %s\n", error.text);
    gb_results_free(&results);
    return status;
}
