/* gpubench table: results as the papers' tables lay them out, the papers' numbers beside them. */
#include "bench/commands/commands.h"
#include "bench/rows/published.h"
#include "bench/table/noise.h"
#include "bench/table/records.h"
#include "bench/table/set.h"
#include "bench/util/exporter.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "table RESULTS... [options]",
    .summary = "Prints results as the papers lay out their tables, with the papers' numbers\n"
               "beside. RESULTS are files that `gpubench run` wrote, folders of them, or\n"
               "files of results/published or of other tools (NVBench, google/benchmark,\n"
               "hyperfine, CSV with --map); of a device's aa/noise.csv a table says what\n"
               "equal runs differ by. --AXIS VALUE[,VALUE...] (--dist binomial,\n"
               "--n 8M,32M) chooses the values of any axis; all is every value. CSV and JSON\n"
               "have a record for each cell, with all axes, in SI units (docs/results.md).\n",
    .examples = "  gpubench table results/nvidia-h200\n"
                "  gpubench table results/nvidia-h200/multipartition.csv --format markdown\n"
                "  gpubench table results/published/multipartition-table1.csv\n"};

typedef struct table_command {
    gb_arena arena;
    const gb_option *options; /* its own, without those of axes */
    gb_results results, published;
    gb_foreign_map map;
    gb_noise noise;
    gb_table_wishes wishes;
    unsigned paper; /* a gb_table_paper */
    const gb_exporter *format;
    size_t written;
    gb_records_output records;
} table_command;

/* ---- formats --------------------------------------------------------------------------------- */

/* They write to stdout for a table_command, an item a gb_table; none begins or ends with more. */
static void put(table_command *c, const gb_table *table, gb_table_format format)
{
    gb_table shown = *table;
    shown.paper = (gb_table_paper)c->paper;
    if (c->written++ > 0) putchar('\n');
    gb_table_write(&c->arena, &shown, format, stdout);
}

static void put_text(void *command, const void *table)
{
    put(command, table, GB_TABLE_TEXT);
}

static void put_markdown(void *command, const void *table)
{
    put(command, table, GB_TABLE_MARKDOWN);
}

static void put_latex(void *command, const void *table)
{
    put(command, table, GB_TABLE_LATEX);
}

/* Those for programs: a record a cell. They begin when it is known that there is one. */
static void begin_records(table_command *c, void (*begin)(gb_records_output *))
{
    if (c->written++ > 0) return;
    c->records = (gb_records_output){.arena = &c->arena, .file = stdout};
    for (size_t i = 0; i < c->results.set_count; i++)
        if (!c->results.sets[i].profile && !gb_published_serves(&c->results, &c->results.sets[i]))
            gb_records_know(&c->records, &c->results.sets[i]);
    begin(&c->records);
}

static void put_csv(void *command, const void *table)
{
    table_command *c = command;
    begin_records(c, gb_records_begin_csv);
    gb_records_put_csv(&c->records, table);
}

static void put_json(void *command, const void *table)
{
    table_command *c = command;
    begin_records(c, gb_records_begin_json);
    gb_records_put_json(&c->records, table);
}

static void end_json(void *command)
{
    table_command *c = command;
    gb_records_end_json(&c->records);
}

enum { FIRST_OF_RECORDS = 3 };
static const gb_exporter exporters[] = {
    {"text", NULL, put_text, NULL},     {"markdown", NULL, put_markdown, NULL},
    {"latex", NULL, put_latex, NULL},   {"csv", NULL, put_csv, NULL},
    {"json", NULL, put_json, end_json}, {NULL, NULL, NULL, NULL}};

/* ---- the command ----------------------------------------------------------------------------- */

static bool write_set(table_command *c, const gb_result_set *set, gb_error *error)
{
    gb_tables tables;
    if (!gb_tables_of_set(&c->arena, &c->results, set, &c->wishes, &c->published, &tables, error))
        return false;
    for (size_t i = 0; i < tables.count; i++)
        c->format->item(c, &tables.items[i]);
    if (c->wishes.elsewhere && !tables.elsewhere && tables.count > 0 && !set->published)
        fprintf(stderr,
                "gpubench table: nothing that others printed is about the points of %s; "
                "results/published/elsewhere has all of it\n",
                set->experiment);
    if (tables.hidden)
        fprintf(stderr, "gpubench table: %s was measured with more than is shown: %s\n",
                set->experiment, tables.hidden);
    return true;
}

/* A table for each device whose noise a file says. */
static void write_noise(table_command *c)
{
    for (size_t i = 0; i < c->noise.count; i++) {
        const gb_noise_class *of = &c->noise.items[i];
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++)
            seen = gb_noise_beside(&c->noise.items[k], of);
        if (seen) continue;
        if (c->wishes.records) {
            fprintf(stderr, "gpubench table: left out: %s is a table for programs already\n",
                    of->file);
            continue;
        }
        const gb_table table = gb_noise_table(&c->arena, &c->noise, of);
        c->format->item(c, &table);
    }
}

static bool read_operand(table_command *c, const char *path, gb_error *error)
{
    if (!gb_is_noise_file(path)) return gb_results_add(&c->results, path, error);
    if (gb_results_know(&c->results, path)) return true;
    return gb_noise_load(&c->arena, path, &c->noise, error);
}

static int write_tables(table_command *c, int argc, char **argv)
{
    gb_error error = {0};
    if (optind >= argc) {
        fprintf(stderr, "gpubench table: name at least one result file or folder, such as "
                        "results/nvidia-h200; --help says more\n");
        return GB_EXIT_USAGE;
    }
    for (int i = optind; i < argc; i++)
        if (!read_operand(c, argv[i], &error)) goto failed;
    if (c->results.set_count == 0 && c->noise.count == 0) {
        if (c->results.dump_count)
            gb_fail(&error, GB_WRONG, "%s is a dump: `gpubench plot` draws it",
                    c->results.dumps[0].name);
        else if (c->results.peers)
            gb_fail(&error, GB_WRONG,
                    "%s has rates of other programs: `gpubench standings RESULTS` sets them beside "
                    "ours",
                    argv[optind]);
        else if (c->results.gpus)
            gb_fail(&error, GB_WRONG,
                    "%s has what data sheets say of GPUs, which are no results: `gpubench compare` "
                    "and figures take it from there",
                    argv[optind]);
        else
            gb_fail(&error, GB_WRONG, "there is nothing to print: the results hold no row yet");
        goto failed;
    }
    if (!gb_choices_check(&c->wishes.chosen, &c->results, c->options, &error)) goto failed;
    for (size_t i = 0; i < c->results.set_count; i++) {
        const gb_result_set *set = &c->results.sets[i];
        /* Published rows are printed by themselves unless they stand beside measured ones. */
        if (gb_published_serves(&c->results, set)) continue;
        bool ok = write_set(c, set, &error);
        gb_results_free(&c->published);
        if (ok) continue;
        /* A choice that one of several experiments cannot meet leaves that one out. */
        if (error.status != GB_UNSUPPORTED || c->results.set_count == 1) goto failed;
        fprintf(stderr, "gpubench table: left out: %s\n", error.text);
    }
    write_noise(c);
    if (c->written > 0) {
        gb_exporter_end(c->format, c);
        return GB_EXIT_OK;
    }
    gb_fail(&error, GB_WRONG, "there is nothing to print: every experiment was left out");
failed:
    fprintf(stderr, "gpubench table: %s\n", error.text);
    return GB_EXIT_USAGE;
}

/* By gb_table_paper. */
static const char *const papers[] = {"either", "column", "page", NULL};

int gb_command_table(int argc, char **argv)
{
    table_command c = {0};
    unsigned format = 0;
    gb_chooser chooser = {&c.arena, &c.wishes.chosen};
    gb_foreign_mapper mapper = {&c.arena, &c.map};
    c.results.map = &c.map;
    int status;
    const gb_option own[] = {
        gb_exporter_option("how to write the table (default: text)", exporters, &format),
        gb_option_text("published", "FILE",
                       "published numbers to set beside (default: the layout's)", &c.wishes.paper),
        gb_option_flag("elsewhere", "what others printed of the same points beside",
                       &c.wishes.elsewhere),
        gb_option_flag("no-published", "measured numbers only", &c.wishes.no_paper),
        gb_option_text("table", "NAME",
                       "the layout plots/NAME.table.json, a file, or: plain (a row a point)",
                       &c.wishes.layout),
        gb_option_word("paper-width", "column|page",
                       "LaTeX so wide (default: a column where it fits, else the page)", &c.paper,
                       papers),
        gb_choice_cache(&chooser),
        gb_choice_scope(&chooser),
        gb_choice_variant(&chooser),
        gb_foreign_map_option(&mapper),
        gb_option_no_pager(),
        {0}};
    c.options = own;
    if (!gb_options_parse(argc, argv, &help, gb_choice_options(&chooser, own, argc, argv), &status))
        goto done;
    c.format = &exporters[format];
    c.wishes.records = format >= FIRST_OF_RECORDS;
    if (c.paper != GB_PAPER_EITHER && c.format->item != put_latex) {
        fprintf(stderr, "gpubench table: --paper-width is for a paper: add --format latex\n");
        status = GB_EXIT_USAGE;
        goto done;
    }
    status = write_tables(&c, argc, argv);
done:
    gb_results_free(&c.results);
    gb_results_free(&c.published);
    gb_arena_free(&c.arena);
    return status;
}
