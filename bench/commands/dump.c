/* gpubench dump: what a variant built at a point, as CSV, for pictures and for looking at it. */
#include "bench/commands/commands.h"
#include "bench/config/cases.h"
#include "bench/util/destination.h"
#include "bench/util/interrupt.h"
#include "bench/util/nearest.h"
#include "bench/util/options.h"
#include "bench/util/replace.h"
#include "bench/worker/job.h"
#include "bench/worker/under_options.h"
#include "common/text/csv.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CASES = 256 };
static const double limit_s = 600;

static const gb_command_help help = {
    .usage = "dump PRIMITIVE WHAT --variant NAME [options]",
    .summary =
        "Runs a variant once, verifies what it wrote, and writes a table of it as CSV, each\n"
        "row with its point: what `gpubench plot` draws pictures from. What there is: name\n"
        "the primitive alone.\n",
    .examples = "  gpubench dump octree\n"
                "  gpubench dump octree slice --variant cpu --case n=20k,dist=disc --out disc.csv\n"
                "  gpubench plot disc.csv\n"};

typedef struct dump_command {
    const char *device, *worker, *out, *what;
    gb_under under;
    const char *variants[MOST_CASES], *cases[MOST_CASES];
    unsigned variant_count, case_count;
    uint64_t seed;
    gb_session session;
    const gb_catalogue_primitive *primitive;
    gb_params *points; /* of the cases */
    char *columns;     /* of the first table; NULL before it */
    FILE *file;
    unsigned failed;
} dump_command;

/* ---- one table ------------------------------------------------------------------------------- */

static void write_head(dump_command *c)
{
    fputs("schema,dump,primitive,variant,backend,device", c->file);
    for (unsigned a = 0; a < c->primitive->axis_count; a++)
        gb_csv_put(c->file, c->primitive->axes[a].name, false);
    fprintf(c->file, ",seed,%s\n", c->columns);
}

/* Each row behind what all of its table have. */
static void write_rows(const dump_command *c, const char *variant, const gb_params *params,
                       char *rows)
{
    char device[GB_SESSION_DEVICE];
    gb_session_device(&c->session, device);
    for (char *save, *row = strtok_r(rows, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
        gb_csv_put(c->file, "1", true);
        gb_csv_put(c->file, c->what, false);
        gb_csv_put(c->file, c->primitive->name, false);
        gb_csv_put(c->file, variant, false);
        gb_csv_put(c->file, c->session.catalogue->backend, false);
        gb_csv_put(c->file, device, false);
        for (unsigned a = 0; a < c->primitive->axis_count; a++)
            gb_csv_put(c->file, params->value[a].text, false);
        fprintf(c->file, ",%" PRIu64 ",%s\n", c->seed, row);
    }
}

static unsigned fields(const char *line)
{
    unsigned count = 1;
    for (; *line && *line != '\n'; line++)
        count += *line == ',';
    return count;
}

/* Whether what a worker sent is a table; quotes and odd characters are not for dumps. */
static bool is_table(const char *columns, const char *rows)
{
    for (const char *at = columns; *at; at++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_,", *at)) return false;
    for (const char *at = rows; *at; at++)
        if ((*at < ' ' && *at != '\n') || *at > '~' || *at == '"') return false;
    for (const char *row = rows; *row; row++) {
        if (fields(row) != fields(columns)) return false;
        row += strcspn(row, "\n");
        if (!*row) break;
    }
    return true;
}

static gb_status dump_job(dump_command *c, gb_link *link, unsigned job, const char *variant,
                          const gb_params *params, gb_error *error)
{
    char *columns, *rows;
    gb_status status = gb_job_verify(link, job, limit_s, NULL, NULL, error);
    if (status != GB_OK) return status;
    status = gb_job_dump(link, job, c->what, limit_s, &columns, &rows, error);
    if (status == GB_OK &&
        (!is_table(columns, rows) || (c->columns && strcmp(c->columns, columns) != 0)))
        status = gb_fail(error, GB_CRASHED, "the worker's answer makes no sense: it is no table");
    if (status == GB_OK) {
        if (!c->columns) {
            c->columns = strdup(columns);
            write_head(c);
        }
        write_rows(c, variant, params, rows);
    }
    free(columns);
    free(rows);
    return status;
}

static gb_status dump_point(dump_command *c, gb_link *link, const gb_catalogue_variant *variant,
                            const gb_params *params, gb_error *error)
{
    gb_job_request request = {.variant = variant->name,
                              .params = params,
                              .seed = c->seed,
                              .scope =
                                  variant->own_transfers ? GB_SCOPE_HOST_TO_HOST : GB_SCOPE_DEVICE};
    unsigned job;
    gb_work work;
    gb_status status = gb_job_open(link, &request, limit_s, &job, &work, NULL, error);
    if (status != GB_OK) return status;
    status = dump_job(c, link, job, variant->name, params, error);
    if (!gb_worker_alive(c->session.worker)) return status;
    gb_error late = {GB_OK, ""};
    gb_status closed = gb_job_close(link, job, limit_s, &late);
    if (status == GB_OK && closed != GB_OK) *error = late;
    return status == GB_OK ? closed : status;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What a variant cannot do is left out, unless nothing is left. False: it is over. */
static bool dump_one(dump_command *c, gb_link *link, const char *name, const gb_params *params)
{
    char text[GB_CASE_TEXT];
    const int index = gb_catalogue_variant_index(c->primitive, name);
    gb_error error = {GB_OK, ""};
    gb_status status = dump_point(c, link, &c->primitive->variants[index], params, &error);
    if (gb_interrupted) return false;
    if (status != GB_OK)
        fprintf(stderr, "gpubench dump: %s %s/%s at %s: %s\n",
                status == GB_UNSUPPORTED ? "left out" : gb_status_name(status), c->primitive->name,
                name, gb_check_case_format(c->primitive, params, text, sizeof text), error.text);
    c->failed += status != GB_OK && status != GB_UNSUPPORTED;
    return gb_worker_alive(c->session.worker);
}

static int dump_all(dump_command *c)
{
    gb_link link = {.session = &c->session, .primitive = c->primitive};
    bool going = true;
    for (unsigned i = 0; i < c->case_count; i++)
        for (unsigned v = 0; v < c->variant_count && going; v++)
            going = dump_one(c, &link, c->variants[v], &c->points[i]);
    if (gb_interrupted) return GB_EXIT_INTERRUPTED;
    return c->failed || !going || !c->columns ? GB_EXIT_FAILED : GB_EXIT_OK;
}

/* Collects the table and writes it at the end, so that a file is a whole one. */
static int dump_to_file(dump_command *c)
{
    char *text = NULL;
    size_t size = 0;
    gb_error error = {GB_OK, ""};
    if (!gb_destination_check(c->out, &error)) {
        fprintf(stderr, "gpubench dump: --out: %s\n", error.text);
        return GB_EXIT_USAGE;
    }
    c->file = open_memstream(&text, &size);
    int status = c->file ? dump_all(c) : GB_EXIT_FAILED;
    if (!c->file || fclose(c->file) != 0) {
        fputs("gpubench dump: not enough memory for the table\n", stderr);
        status = GB_EXIT_FAILED;
    }
    if (status == GB_EXIT_OK && !gb_files_replace(c->out, text, size, &error)) {
        fprintf(stderr, "gpubench dump: %s\n", error.text);
        status = GB_EXIT_FAILED;
    }
    free(text);
    if (status == GB_EXIT_OK) printf("%s\n", c->out);
    return status;
}

/* ---- the command line ------------------------------------------------------------------------ */

/* True and *status if the command ends here. */
static bool parse(dump_command *c, int argc, char **argv, int *status)
{
    const gb_option options[] = {
        gb_option_device(&c->device),
        gb_option_code(&c->under),
        gb_option_multiprocessors(&c->under),
        gb_option_shared_kib(&c->under),
        gb_option_list("variant", "NAME", "of this variant (may be given more than once)",
                       c->variants, &c->variant_count, MOST_CASES),
        gb_option_list("case", "n=20k,dist=disc,...",
                       "at this point (likewise); axes left out take their defaults", c->cases,
                       &c->case_count, MOST_CASES),
        gb_option_size("seed", "S", "seed of the input (default: 1)", &c->seed, 0, UINT64_MAX),
        gb_option_text("out", "FILE", "write here, once all is well (default: standard output)",
                       &c->out),
        gb_option_worker(&c->worker),
        gb_option_verbose("show the worker's log"),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, status)) return true;
    if (optind < argc && argc <= optind + 2) return false;
    fputs("gpubench dump: name a primitive and what to dump of it, such as `octree slice`; "
          "--help says more\n",
          stderr);
    *status = GB_EXIT_USAGE;
    return true;
}

/* What the primitive can dump, a line each. */
static int list_dumps(const gb_catalogue_primitive *primitive)
{
    if (primitive->dump_count == 0) {
        fprintf(stderr, "gpubench dump: %s has nothing to dump\n", primitive->name);
        return GB_EXIT_USAGE;
    }
    for (unsigned i = 0; i < primitive->dump_count; i++)
        printf("%-14s %s\n", primitive->dumps[i].name, primitive->dumps[i].help);
    return GB_EXIT_OK;
}

static bool has_dump(const dump_command *c)
{
    const gb_catalogue_primitive *primitive = c->primitive;
    const char **names = calloc(primitive->dump_count + 1, sizeof *names);
    bool found = false;
    for (unsigned i = 0; names && i < primitive->dump_count; i++) {
        names[i] = primitive->dumps[i].name;
        found |= strcmp(names[i], c->what) == 0;
    }
    char hint[128], known[512];
    if (!found && names && primitive->dump_count == 0)
        fprintf(stderr, "gpubench dump: %s has nothing to dump\n", primitive->name);
    else if (!found && names)
        fprintf(stderr, "gpubench dump: %s has no dump \"%.60s\"%s; it has %s\n", primitive->name,
                c->what, gb_did_you_mean(hint, sizeof hint, c->what, names),
                gb_join_names(known, sizeof known, names));
    free(names);
    return found;
}

static bool has_variants(const dump_command *c)
{
    if (c->variant_count == 0)
        fputs("gpubench dump: --variant says which variant builds it; `gpubench list variants` "
              "names them\n",
              stderr);
    for (unsigned i = 0; i < c->variant_count; i++) {
        if (gb_catalogue_variant_index(c->primitive, c->variants[i]) >= 0) continue;
        fprintf(stderr,
                "gpubench dump: %s has no variant \"%.60s\"; `gpubench list variants` names them\n",
                c->primitive->name, c->variants[i]);
        return false;
    }
    return c->variant_count > 0;
}

/* Without a case, that of all defaults. */
static bool parse_cases(dump_command *c)
{
    gb_error error;
    gb_link link = {.session = &c->session, .primitive = c->primitive};
    if (c->case_count == 0) c->cases[c->case_count++] = "";
    c->points = gb_check_cases_named(c->primitive, c->cases, c->case_count, &error);
    if (c->points && gb_check_cases_right(&link, c->points, c->case_count, &error)) return true;
    fprintf(stderr, "gpubench dump: %s\n", error.text);
    return false;
}

static int dump_on_device(dump_command *c, const char *primitive)
{
    gb_error error = {GB_OK, ""};
    const gb_wish wish = {
        .device = c->device, .worker = c->worker, .primitive = primitive, .under = c->under};
    if (!gb_session_find(&c->session, &wish, &error)) {
        fprintf(stderr, "gpubench dump: %s\n", error.text);
        return error.status == GB_WRONG ? GB_EXIT_USAGE : GB_EXIT_NO_DEVICE;
    }
    c->primitive = gb_catalogue_find(c->session.catalogue, primitive);
    if (!c->what) return list_dumps(c->primitive);
    if (!has_dump(c) || !has_variants(c)) return GB_EXIT_USAGE;
    if (!parse_cases(c)) return GB_EXIT_USAGE;
    gb_interrupt_install();
    if (!gb_session_select(&c->session, &error)) {
        fprintf(stderr, "gpubench dump: %s\n", error.text);
        return gb_interrupted ? GB_EXIT_INTERRUPTED : GB_EXIT_NO_DEVICE;
    }
    c->file = stdout;
    return c->out ? dump_to_file(c) : dump_all(c);
}

int gb_command_dump(int argc, char **argv)
{
    dump_command c = {.seed = 1};
    int status;
    if (!parse(&c, argc, argv, &status)) {
        if (optind + 1 < argc) c.what = argv[optind + 1];
        status = dump_on_device(&c, argv[optind]);
    }
    gb_session_close(&c.session);
    free(c.columns);
    free(c.points);
    return status;
}
