/* gpubench project: times of rows on a card that is not here. Experimental. */
#include "bench/project/project.h"
#include "bench/commands/commands.h"
#include "bench/project/words.h"
#include "bench/rows/elsewhere.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "bench/util/share.h"

#include <getopt.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "project RESULTS... --onto GPU | --validate [options]",
    .summary =
        "Experimental: times of rows on a card that is not here. Laws of few terms (bytes over\n"
        "bandwidth, clocks over multiprocessors and their clock, latency, launches) are fitted to\n"
        "what was measured on two cards or more, with all and with some of their multiprocessors,\n"
        "and taken to what gpus.csv says of GPU. --validate shows how wrong that is: of cards and\n"
        "limits left out, and of what papers print. A primitive of which one guess in ten is off\n"
        "by a factor above 1.5 is refused. RESULTS are result files or folders; what lies in\n"
        "their folders under/multiprocessors-* is read with them. --AXIS VALUE[,VALUE...] chooses\n"
        "rows, such as --bins 256. docs/project.md says how it is made, what it cannot know, and\n"
        "where it is wrong.\n",
    .examples = "  gpubench run configs/octree.json --multiprocessors 32\n"
                "  gpubench project results/nvidia-h100-80gb-hbm3 results/nvidia-h200 --validate\n"
                "  gpubench project results/nvidia-h100-80gb-hbm3 results/nvidia-h200 --onto 'RTX "
                "A4500'\n"};

typedef struct project_command {
    gb_arena arena; /* of the options */
    gb_sides sides;
    gb_results published;
    gb_measured measured;
    gb_validation validation;
    gb_choices chosen;
    const gb_option *options; /* its own, without those of axes */
    const char *onto;
    bool validate;
    unsigned format;
} project_command;

/* What papers print, and what others do; nothing where it is not there. */
static bool load_published(project_command *c, gb_error *error)
{
    const char *papers = gb_share_find(&c->sides.arena, "results/published");
    return (!papers || gb_results_add(&c->published, papers, error)) &&
           gb_elsewhere_load(&c->published, error);
}

/* Some of the operands have what was chosen. */
static bool check_choices(project_command *c, gb_error *error)
{
    for (size_t i = 0; i < c->sides.operand_count; i++)
        if (gb_choices_check(&c->chosen, &c->sides.operands[i], c->options, error)) {
            *error = (gb_error){GB_OK, ""};
            return true;
        }
    return false;
}

static bool load(project_command *c, char **paths, size_t count, gb_error *error)
{
    size_t found;
    char **all = gb_project_paths(&c->arena, paths, count, &found);
    if (!gb_sides_load(&c->sides, all, found, error)) return false;
    if (c->sides.gpus.count == 0 &&
        !gb_gpus_load(&c->sides.arena, "gpus.csv", &c->sides.gpus, error))
        return false;
    if (!check_choices(c, error) || !load_published(c, error)) return false;
    gb_project_gather(&c->sides, &c->measured);
    for (size_t i = 0; i < c->measured.left_out_count; i++)
        fprintf(stderr, "gpubench project: left out: %s\n", c->measured.left_out[i]);
    return true;
}

/* What keeps most rows from being projected, and how many. */
static const char *most_lack(const gb_measured *m, size_t *rows)
{
    const char *most = NULL;
    *rows = 0;
    for (size_t i = 0; i < m->series_count; i++) {
        size_t count = 0;
        for (size_t k = 0; k < m->series_count; k++)
            count += m->series[k].lacks && m->series[i].lacks &&
                     strcmp(m->series[k].lacks, m->series[i].lacks) == 0;
        if (count <= *rows) continue;
        *rows = count;
        most = m->series[i].lacks;
    }
    return most;
}

/* There is something that laws can be fitted to. */
static bool has_enough(const project_command *c, gb_error *error)
{
    const gb_measured *m = &c->measured;
    size_t lacking;
    if (m->series_count == 0) {
        gb_fail(error, GB_WRONG, "the results hold no time of a GPU");
        return false;
    }
    for (size_t i = 0; i < m->series_count; i++)
        if (!m->series[i].lacks) return true;
    const char *lack = most_lack(m, &lacking);
    gb_fail(error, GB_WRONG,
            "no law can be fitted: of %zu rows %zu %s. It takes the same rows of two cards of "
            "different bandwidth, and of one of them with two smaller numbers of multiprocessors: "
            "gpubench run CONFIG --multiprocessors 32, and again with 64",
            m->series_count, lacking, lack);
    return false;
}

/* Why nothing at all came out of it. */
static void tell_nothing(project_command *c, const gb_projection *p)
{
    fprintf(stderr, "gpubench project: nothing can be projected onto %s\n", p->target.middle.model);
    for (size_t i = 0; i < p->verdict_count; i++)
        fprintf(stderr, "  %s\n", gb_verdict_text(&c->sides.arena, &p->verdicts[i]));
    for (size_t i = 0; i < p->reason_count; i++)
        fprintf(stderr, "  %zu rows %s\n", p->reasons[i].rows, p->reasons[i].text);
    if (p->verdict_count + p->reason_count == 0) fputs("  no row was chosen\n", stderr);
}

static int put_projection(project_command *c, gb_error *error)
{
    gb_projection p = {
        .measured = &c->measured, .validation = &c->validation, .chosen = &c->chosen};
    if (!gb_target_find(&c->measured, c->onto, &p.target, error)) return GB_EXIT_USAGE;
    gb_project(&p);
    if (p.count == 0) {
        tell_nothing(c, &p);
        return GB_EXIT_FAILED;
    }
    gb_project_output output = {&c->sides.arena, stdout};
    gb_exporter_begin(&gb_projection_exporters[c->format], &output);
    gb_projection_exporters[c->format].item(&output, &p);
    gb_exporter_end(&gb_projection_exporters[c->format], &output);
    return GB_EXIT_OK;
}

static void put_validation(project_command *c)
{
    gb_project_output output = {&c->sides.arena, stdout};
    gb_exporter_begin(&gb_validation_exporters[c->format], &output);
    gb_validation_exporters[c->format].item(&output, &c->validation);
    gb_exporter_end(&gb_validation_exporters[c->format], &output);
}

static int project(project_command *c, char **paths, size_t count)
{
    gb_error error = {GB_OK, ""};
    int status = GB_EXIT_USAGE;
    if (load(c, paths, count, &error) && has_enough(c, &error) &&
        gb_project_validate(&c->measured, &c->published, c->validate ? &c->chosen : NULL,
                            &c->validation, &error)) {
        status = GB_EXIT_OK;
        if (c->validate)
            put_validation(c);
        else
            status = put_projection(c, &error);
    }
    if (*error.text) fprintf(stderr, "gpubench project: %s\n", error.text);
    return status;
}

/* What the command line must have besides options that are right. */
static bool is_whole(const project_command *c, int argc)
{
    if (optind >= argc)
        fputs("gpubench project: name result files or folders of two cards, such as "
              "results/nvidia-h100-80gb-hbm3 results/nvidia-h200; --help says more\n",
              stderr);
    else if (!c->onto == !c->validate)
        fputs("gpubench project: give one of --onto GPU and --validate\n", stderr);
    else
        return true;
    return false;
}

int gb_command_project(int argc, char **argv)
{
    project_command c = {.onto = NULL};
    gb_chooser chooser = {&c.arena, &c.chosen};
    int status;
    const gb_option own[] = {
        gb_option_text("onto", "GPU", "the card, by its name in gpus.csv", &c.onto),
        gb_option_flag("validate", "how wrong it is, instead", &c.validate),
        gb_choice_option("cache", "warm|cold", "only rows with this cache mode", &chooser),
        gb_choice_variant(&chooser),
        gb_choice_option("experiment", "NAME", "only these experiments, separated by commas",
                         &chooser),
        gb_exporter_option("how to write it (default: text)", gb_projection_exporters, &c.format),
        gb_option_no_pager(),
        {0}};
    c.options = own;
    if (gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), &status))
        status = is_whole(&c, argc) ? project(&c, argv + optind, (size_t)(argc - optind))
                                    : GB_EXIT_USAGE;
    gb_results_free(&c.published);
    gb_sides_free(&c.sides);
    gb_arena_free(&c.arena);
    return status;
}
