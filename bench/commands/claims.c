/* gpubench claims: which of the papers' claims hold on this GPU. */
#include "bench/claims/claims.h"
#include "bench/claims/print.h"
#include "bench/commands/commands.h"
#include "bench/rows/papers.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "bench/util/wrap.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "claims RESULTS... [options]",
    .summary =
        "Prints, for each claim of the papers, the paper's value, what was measured, and\n"
        "whether it HOLDS or FAILS on this GPU, is UNDECIDED, since what was measured could be\n"
        "chance or shows something else, or is NOT TESTED by these results. Claims that are\n"
        "true BY CONSTRUCTION, that are about an OTHER GPU or about THEIR PROCEDURE are\n"
        "counted apart. RESULTS are files that `gpubench run` wrote or folders of them.\n",
    .examples = "  gpubench claims results/nvidia-h200\n"
                "  gpubench claims results/nvidia-h200 --paper octree --rows\n"
                "  gpubench claims results/nvidia-h200 --format markdown\n"};

/* What is wanted of the claims. */
typedef struct claims_wishes {
    const char *paper; /* NULL: all */
    const gb_exporter *format;
    bool rows, counts;
} claims_wishes;

/* A line a device, in Markdown an item of a list. */
static void print_counts(const gb_claims_output *out, const char *const *devices, size_t count,
                         const gb_exporter *format)
{
    const bool item = strcmp(format->name, "markdown") == 0;
    for (size_t d = 0; d < count; d++) {
        const char *text =
            gb_claims_counted(out->arena, out->claims, out->results, out->noise, devices[d], NULL);
        if (item)
            printf("- **%s**: %s\n", devices[d], text);
        else
            gb_put_line(stdout, 0, "%s: %s", devices[d], text);
    }
}

static void print_tables(gb_claims_output *out, const char *const *devices, size_t count,
                         const gb_exporter *format)
{
    gb_exporter_begin(format, out);
    for (size_t d = 0; d < count; d++)
        format->item(out, devices[d]);
    gb_exporter_end(format, out);
}

/* There are no claims of the paper that was asked for: which papers have some. */
static void refuse_paper(gb_arena *arena, const gb_claims *claims, const char *paper,
                         gb_error *error)
{
    gb_papers papers = {0};
    if (!gb_papers_load(arena, &papers, error)) return;
    const char **names = gb_arena_alloc(arena, papers.count * sizeof *names + 1);
    size_t count = 0;
    for (size_t p = 0; p < papers.count; p++) {
        bool has = false;
        for (size_t i = 0; i < claims->count; i++)
            has |= strcmp(claims->items[i].paper, papers.items[p].name) == 0;
        if (has) names[count++] = papers.items[p].name;
    }
    gb_fail(error, GB_WRONG, "--paper %s: no paper of that name has claims; the papers are %s",
            paper, gb_arena_listed(arena, names, count));
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
        refuse_paper(&results->arena, &claims, paper, &error);
        goto failed;
    }
    claims.count = kept;
    size_t count;
    const char **devices = gb_claims_devices(&results->arena, results, &count);
    if (count == 0) {
        gb_fail(&error, GB_WRONG,
                results->place_count
                    ? "the results hold rows of devices under conditions alone (the column under), "
                      "and claims are about devices as they are"
                    : "the results hold no measured row");
        goto failed;
    }
    gb_claims_output output = {.arena = &results->arena,
                               .claims = &claims,
                               .results = results,
                               .noise = &noise,
                               .rows = wishes->rows,
                               .file = stdout};
    if (wishes->counts)
        print_counts(&output, devices, count, wishes->format);
    else
        print_tables(&output, devices, count, wishes->format);
    return GB_EXIT_OK;
failed:
    fprintf(stderr, "gpubench claims: %s\n", error.text);
    return GB_EXIT_USAGE;
}

int gb_command_claims(int argc, char **argv)
{
    gb_results results = {0};
    gb_error error = {GB_OK, ""};
    claims_wishes wishes = {0};
    unsigned format = 0;
    int status;
    const gb_option options[] = {
        gb_exporter_option("how to write it (default: text)", gb_claims_exporters, &format),
        gb_option_flag("rows", "show the points behind each verdict, with their intervals",
                       &wishes.rows),
        gb_option_flag("counts", "how many have which verdict, a line a device, and no more",
                       &wishes.counts),
        gb_option_text("paper", "NAME", "only the claims of this paper, such as octree",
                       &wishes.paper),
        gb_option_no_pager(),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    wishes.format = &gb_claims_exporters[format];
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
