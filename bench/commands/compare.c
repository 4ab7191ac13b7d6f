/* gpubench compare: how the results of one device, toolkit or version stand against another's. */
#include "bench/commands/commands.h"
#include "bench/commands/explain_plot.h"
#include "bench/compare/by_variant.h"
#include "bench/compare/explain_print.h"
#include "bench/compare/print.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "common/text/number.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "compare A B... [options]",
    .summary =
        "Sets rows of the same experiment, variant and axes beside one another: the ratio of\n"
        "their rates with its 95 % interval, and which is the faster, whether they are the\n"
        "SAME, or whether that is UNCLEAR; CSV, JSON and --fail-on say of B that it is FASTER\n"
        "or SLOWER. A, B, ... are result files, folders of them, files of\n"
        "results/published, \"published\" for all of these and what others printed, or files\n"
        "of other tools: JSON of NVBench, google/benchmark or hyperfine, and CSV with --map\n"
        "(docs/other-tools.md); the first is what the others are compared with. --explain says\n"
        "what binds each row, by the ratio of what the two devices have. --AXIS\n"
        "VALUE[,VALUE...] chooses rows, such as --bins 256.\n",
    .examples = "  gpubench compare results/nvidia-h200 results/nvidia-h100\n"
                "  gpubench compare results/nvidia-h200 published --per bandwidth\n"
                "  gpubench compare results/nvidia-h200 results/nvidia-h200/under/* --by-variant\n"
                "  gpubench compare before/ after/ --fail-on slower --min-effect 2%\n"
                "  gpubench compare results/nvidia-h200 results/nvidia-h100 --explain\n"
                "  gpubench compare nvbench-before.json nvbench-after.json --fail-on slower\n"
                "  gpubench compare a.csv b.csv --map 'time=ms:ms,variant=kernel,n=size'\n"};

/* Which rows make the exit status 4. */
typedef enum fail_on { FAIL_ON_SLOWER, FAIL_ON_UNCLEAR, FAIL_ON_NONE } fail_on;

typedef struct compare_command {
    gb_sides sides;
    gb_arena arena; /* of the options */
    gb_choices chosen;
    gb_foreign_map map;
    gb_judging judging;
    gb_noise noise;
    const char *noise_path;
    unsigned format;
    bool explain;
    const char *plot;
    gb_explanation *explanations; /* NULL: not asked for */
    long rows;
    bool by_variant;
    fail_on fail_on; /* unclear: slower as well */
    gb_comparison *comparisons;
    size_t count;
} compare_command;

/* The file that --noise names, else what lies beside the operands. */
static bool load_noise(compare_command *c, char **paths, size_t count, gb_error *error)
{
    gb_arena *arena = &c->sides.arena;
    if (c->noise_path && strcmp(c->noise_path, "none") == 0) return true;
    c->judging.noise = &c->noise;
    if (c->noise_path) return gb_noise_load(arena, c->noise_path, &c->noise, error);
    return gb_noise_load_beside(arena, paths, count, &c->noise, error);
}

/* What another tool's file has, for who looks for a partner of its rows; "" where all are ours. */
static const char *foreign_told(gb_sides *sides)
{
    gb_arena *arena = &sides->arena;
    const char *text = "";
    for (size_t i = 0; i < sides->operand_count; i++)
        for (size_t s = 0; s < sides->operands[i].set_count; s++) {
            const gb_result_set *set = &sides->operands[i].sets[s];
            const char **variants = gb_arena_alloc(arena, (set->row_count + 1) * sizeof *variants);
            size_t count = 0;
            for (size_t r = 0; r < set->row_count && set->unnamed; r++) {
                size_t k = 0;
                while (k < count && strcmp(variants[k], set->rows[r].variant) != 0)
                    k++;
                if (k == count) variants[count++] = set->rows[r].variant;
            }
            if (count)
                text = gb_arena_printf(arena, "%s; %s has the axes %s and the variants %s", text,
                                       set->rows[0].path, gb_result_axes(arena, set),
                                       gb_values_listed(arena, variants, count));
        }
    return *text ? gb_arena_printf(arena, "%s (--map gives them other names)", text) : "";
}

/* The first side against each of the others. Published numbers are not set against those of the
 * same paper. */
static bool compare_all(compare_command *c, gb_error *error)
{
    gb_sides *sides = &c->sides;
    if (sides->count < 2) {
        gb_fail(error, GB_WRONG,
                "there is one side only, %s: name two result files or folders at "
                "least, such as results/nvidia-h200 and results/published",
                sides->count ? sides->items[0].label : "without any row");
        return false;
    }
    c->comparisons = gb_arena_alloc(&sides->arena, sides->count * sizeof *c->comparisons);
    size_t pairs = 0;
    for (size_t i = 1; i < sides->count; i++) {
        gb_comparison *comparison = &c->comparisons[c->count];
        gb_compare_join(sides, &sides->items[0], &sides->items[i], &c->chosen, comparison);
        if (comparison->wrong) {
            gb_fail(error, GB_WRONG, "%s", comparison->wrong);
            return false;
        }
        gb_compare_judge(sides, &c->judging, comparison);
        pairs += comparison->pair_count;
        c->count++;
    }
    if (pairs > 0) return true;
    gb_fail(error, GB_WRONG,
            "no row of %s has a partner in the others: rows belong together that have the same "
            "experiment, variant and axes%s%s%s",
            sides->items[0].label, c->chosen.count ? ", here those that were chosen" : "",
            c->comparisons[0].simt_apart ? "; times of the simt device are never set beside a GPU's"
                                         : "",
            foreign_told(sides));
    return false;
}

static void explain_all(compare_command *c)
{
    c->explanations = gb_arena_alloc(&c->sides.arena, c->count * sizeof *c->explanations);
    for (size_t i = 0; i < c->count; i++)
        gb_explain(&c->sides, &c->comparisons[i], &c->explanations[i]);
}

/* One table of those that have pairs. */
static bool print_by_variant(compare_command *c, gb_error *error)
{
    gb_comparison *list = gb_arena_alloc(&c->sides.arena, c->count * sizeof *list);
    const char *format = gb_compare_exporters[c->format].name;
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (!gb_compare_left_out(&c->comparisons[i])) list[count++] = c->comparisons[i];
    if (gb_compare_by_variant(&c->sides, list, count, format, stdout)) return true;
    gb_fail(error, GB_WRONG, "--by-variant is written as text, markdown, latex or csv, not as %s",
            format);
    return false;
}

static void print_all(compare_command *c)
{
    gb_compare_output output = {
        .sides = &c->sides, .judging = &c->judging, .rows = c->rows, .file = stdout};
    const gb_exporter *formats = c->explain ? gb_explain_exporters : gb_compare_exporters;
    gb_exporter_begin(&formats[c->format], &output);
    for (size_t i = 0; i < c->count; i++)
        formats[c->format].item(&output, c->explain ? (const void *)&c->explanations[i]
                                                    : (const void *)&c->comparisons[i]);
    gb_exporter_end(&formats[c->format], &output);
}

/* The figure of the one comparison that there is something to draw of. */
static bool draw(compare_command *c, gb_error *error)
{
    const gb_explanation *drawn = NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (c->comparisons[i].pair_count == 0) continue;
        if (drawn) {
            gb_fail(error, GB_WRONG,
                    "--plot draws two devices, and A is compared with more than one: name two");
            return false;
        }
        drawn = &c->explanations[i];
    }
    return gb_explain_plot(&c->sides.arena, drawn, c->plot, error);
}

/* Of most devices for which others print something there is no partner: how many is said once. */
static void tell_elsewhere(const compare_command *c)
{
    size_t left_out = 0;
    for (size_t i = 0; i < c->count; i++)
        left_out += c->comparisons[i].b->elsewhere && c->comparisons[i].pair_count == 0;
    if (left_out)
        fprintf(
            stderr,
            "gpubench compare: left out: of %zu device%s nothing that others printed belongs to "
            "a row of %s (`gpubench table results/published/elsewhere` shows all of it)\n",
            left_out, left_out == 1 ? "" : "s", c->sides.items[0].label);
}

static int compare(compare_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    c->sides.map = &c->map;
    if (!gb_sides_load(&c->sides, paths, count, &error) || !load_noise(c, paths, count, &error) ||
        !compare_all(c, &error) || (c->by_variant && !print_by_variant(c, &error))) {
        fprintf(stderr, "gpubench compare: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    if (c->explain) explain_all(c);
    if (!c->by_variant) print_all(c);
    fflush(stdout);
    tell_elsewhere(c);
    if (c->plot && !draw(c, &error)) {
        fprintf(stderr, "gpubench compare: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    bool slower = false, unclear = false, told = false;
    for (size_t i = 0; i < c->count; i++) {
        const gb_comparison *comparison = &c->comparisons[i];
        if (comparison->pair_count) gb_compare_warn(&c->judging, comparison, told);
        told |= comparison->pair_count > 0;
        if (comparison->a->elsewhere || comparison->b->elsewhere) continue; /* decides nothing */
        slower |= comparison->verdicts[GB_SLOWER] || comparison->broken;
        unclear |= comparison->verdicts[GB_UNCLEAR] > 0;
    }
    const bool met =
        (c->fail_on != FAIL_ON_NONE && slower) || (c->fail_on == FAIL_ON_UNCLEAR && unclear);
    return met ? GB_EXIT_SLOWER : GB_EXIT_OK;
}

/* --rows */
static bool take_rows(void *to, const char *option, const char *argument, gb_error *error)
{
    long *rows = to;
    double number;
    *rows = GB_ALL_ROWS;
    if (strcmp(argument, "all") == 0) return true;
    if (gb_number_parse(argument, &number) && number >= 0 && number <= 1e9) {
        *rows = (long)number;
        return true;
    }
    gb_fail(error, GB_WRONG, "--%s %.60s: takes how many, or all", option, argument);
    return false;
}

/* False, with the exit status in *status, if the command ends here. */
static bool parse(compare_command *c, int argc, char **argv, int *status)
{
    static const char *const fails[] = {"slower", "unclear", NULL};
    gb_chooser chooser = {&c->arena, &c->chosen};
    gb_foreign_mapper mapper = {&c->arena, &c->map};
    const gb_option own[] = {
        gb_option_part("alpha", "P",
                       "chance of a false alarm in all tests together (default: 0.05)",
                       &c->judging.alpha),
        gb_option_part("min-effect", "PERCENT", "smaller differences do not matter (default: 1%)",
                       &c->judging.min_effect),
        gb_option_word("fail-on", NULL, "exit status 4 if a row is (with unclear: either)",
                       &c->fail_on, fails),
        gb_exporter_option("how to write it (default: text)", gb_compare_exporters, &c->format),
        gb_option_flag("explain", "say what binds each row: memory, issue slots, latency, ...",
                       &c->explain),
        gb_option_text("plot", "FILE", "draw what --explain says into FILE.svg, .pdf, .png or .eps",
                       &c->plot),
        gb_option_word("per", "sm-clock|bandwidth|watt",
                       "divide rates by what the device has of it", &c->judging.view,
                       gb_view_names),
        gb_option_flag("by-variant",
                       "one table: how many times as long as in A each variant takes in B, ...",
                       &c->by_variant),
        gb_option_text("noise", "FILE|none",
                       "what equal runs differ by (default: aa/noise.csv beside)", &c->noise_path),
        gb_option_special("rows", "N|all", "show so many of the rows that differ (default: 20)",
                          take_rows, &c->rows),
        gb_choice_option("cache", "warm|cold", "only rows with this cache mode", &chooser),
        gb_choice_option("scope", "device|host-to-host", "only rows of this scope", &chooser),
        gb_choice_variant(&chooser),
        gb_choice_option("experiment", "NAME", "only these experiments, separated by commas",
                         &chooser),
        gb_foreign_map_option(&mapper),
        gb_option_no_pager(),
        {0}};
    if (!gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), status))
        return false;
    const char *wrong = NULL;
    if (c->explain && c->judging.view != GB_VIEW_PLAIN)
        wrong = "--explain holds plain rates against what the devices have of each: without --per";
    if (c->plot && !c->explain) wrong = "--plot draws what --explain says: name both";
    if (c->by_variant && c->explain) wrong = "--by-variant and --explain exclude each other";
    if (!wrong) return true;
    fprintf(stderr, "gpubench compare: %s\n", wrong);
    *status = GB_EXIT_USAGE;
    return false;
}

int gb_command_compare(int argc, char **argv)
{
    compare_command c = {
        .judging = {.alpha = 0.05, .min_effect = 0.01}, .rows = 20, .fail_on = FAIL_ON_NONE};
    int status;
    if (!parse(&c, argc, argv, &status)) goto done;
    if (optind >= argc) {
        fprintf(stderr, "gpubench compare: name what to compare: two result files or folders, such "
                        "as results/nvidia-h200 and published; --help says more\n");
        status = GB_EXIT_USAGE;
        goto done;
    }
    status = compare(&c, argv + optind, (size_t)(argc - optind));
done:
    gb_sides_free(&c.sides);
    gb_arena_free(&c.arena);
    return status;
}
