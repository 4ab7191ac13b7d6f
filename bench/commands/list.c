/* gpubench list: what there is to run. Primitives and variants are the workers' to tell. */
#include "bench/commands/list.h"

#include "bench/commands/commands.h"
#include "bench/util/arena.h"
#include "bench/util/columns.h"
#include "bench/util/nearest.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "bench/util/wrap.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gb_command_help help = {
    .usage =
        "list [primitives|variants|configs|published|papers|references] [PRIMITIVE|DIR] [options]",
    .summary =
        "Shows what there is to run: primitives with their axes, variants with their origin,\n"
        "configs, the published numbers to compare with, the papers that they are from, and\n"
        "works of others that these and our own variants are held against or made after.\n"
        "Without a word, an overview; of primitives and variants those of one PRIMITIVE, or of\n"
        "the workers in DIR.\n",
    .examples = "  gpubench list\n"
                "  gpubench list primitives\n"
                "  gpubench list variants octree\n"
                "  gpubench list variants --device simt\n"
                "  gpubench list primitives saxpy/\n"
                "  gpubench list papers --format bibtex\n"
                "  gpubench list configs --worker 'ssh gpu-host /opt/gpubench/gpubench-cuda'\n",
};

/* ---- what several workers have in common ---------------------------------------------------- */

/* Whether an earlier catalogue has shown the primitive already. */
static bool shown_before(const gb_catalogues *catalogues, size_t at, const char *primitive)
{
    for (size_t i = 0; i < at; i++)
        if (gb_catalogue_find(catalogues->list[i], primitive)) return true;
    return false;
}

/* Whether a primitive is the one that was asked for; NULL: all are. */
static bool is_wanted(const gb_catalogue_primitive *primitive, const char *only)
{
    return !only || strcmp(primitive->name, only) == 0;
}

/* The variant as a catalogue lists it; NULL if it does not. */
static const gb_catalogue_variant *find_variant(const gb_catalogue *catalogue,
                                                const char *primitive, const char *variant)
{
    const gb_catalogue_primitive *found = gb_catalogue_find(catalogue, primitive);
    int index = found ? gb_catalogue_variant_index(found, variant) : -1;
    return index >= 0 ? &found->variants[index] : NULL;
}

/* The catalogue whose words describe a variant: the first whose worker runs it, else the first that
 * lists it. */
static size_t home_of(const gb_catalogues *catalogues, const char *primitive, const char *variant)
{
    size_t home = catalogues->count;
    for (size_t i = 0; i < catalogues->count; i++) {
        const gb_catalogue_variant *found = find_variant(catalogues->list[i], primitive, variant);
        if (found && !found->elsewhere) return i;
        if (found && home == catalogues->count) home = i;
    }
    return home;
}

/* The back-ends on which a variant runs: "cuda, simt", or "cpu" where the host computes. */
static const char *runs_on(const gb_catalogues *catalogues, const char *primitive,
                           const gb_catalogue_variant *variant, char *text, size_t capacity)
{
    if (variant->host) return "cpu";
    gb_arena arena = {0};
    const char **backends = gb_arena_alloc(&arena, (catalogues->count + 1) * sizeof *backends);
    size_t count = 0;
    for (size_t i = 0; i < catalogues->count; i++) {
        const gb_catalogue *catalogue = catalogues->list[i];
        const gb_catalogue_variant *found = find_variant(catalogue, primitive, variant->name);
        bool has = found && !found->elsewhere;
        if (variant->cuda_only && strcmp(catalogue->backend, "cuda") != 0) has = false;
        for (size_t j = 0; j < count; j++)
            has &= strcmp(backends[j], catalogue->backend) != 0;
        if (has) backends[count++] = catalogue->backend;
    }
    gb_join_names(text, capacity, backends);
    gb_arena_free(&arena);
    if (count) return text;
    return variant->cuda_only ? "cuda (no such worker here)" : "a worker that is not here";
}

/* ---- primitives and variants ---------------------------------------------------------------- */

static void describe_allowed(const gb_catalogue_axis *axis, char *text, size_t capacity)
{
    if (axis->type == GB_AXIS_SIZE)
        snprintf(text, capacity, "%" PRIu64 " to %" PRIu64, axis->min, axis->max);
    else
        gb_join_names(text, capacity, (const char *const *)axis->names);
}

/* "gpubench-cuda, gpubench-simt", and where they lie if that is not beside the driver. */
static const char *workers_of(gb_arena *arena, const gb_catalogues *catalogues,
                              const char *primitive)
{
    const char *text = "";
    char own[GB_WORKER_FOLDER], folder[GB_WORKER_FOLDER], name[256];
    if (!gb_worker_folder(own, sizeof own)) *own = '\0';
    for (size_t i = 0; i < catalogues->count; i++) {
        if (!gb_catalogue_find(catalogues->list[i], primitive)) continue;
        gb_worker_folder_of(catalogues->commands[i], folder, sizeof folder);
        const bool outside = *folder && strcmp(folder, own) != 0;
        text = gb_arena_printf(arena, "%s%s%s%s%s", text, *text ? ", " : "", outside ? folder : "",
                               outside ? "/" : "",
                               gb_worker_short_name(catalogues->commands[i], name, sizeof name));
    }
    return text;
}

static void list_primitives(const gb_catalogues *catalogues, const char *only)
{
    static const char *const headers[] = {"AXIS", "TYPE", "DEFAULT", "MEANING", "ALLOWED", NULL};
    bool first = true;
    gb_arena arena = {0};
    for (size_t i = 0; i < catalogues->count; i++) {
        for (unsigned j = 0; j < catalogues->list[i]->primitive_count; j++) {
            const gb_catalogue_primitive *primitive = &catalogues->list[i]->primitives[j];
            if (shown_before(catalogues, i, primitive->name) || !is_wanted(primitive, only))
                continue;
            printf("%s%s\n", first ? "" : "\n", primitive->name);
            first = false;
            if (primitive->from_config) {
                gb_put_line(stdout, 2, "%s; axes and variants are the config's", primitive->title);
                continue;
            }
            gb_put_line(stdout, 2, "%s; %u variants, rates in %s/s", primitive->title,
                        primitive->variant_count, primitive->unit);
            gb_put_line(stdout, 2, "workers: %s", workers_of(&arena, catalogues, primitive->name));
            putchar('\n');
            gb_columns *columns = gb_columns_new(headers);
            for (unsigned k = 0; k < primitive->axis_count; k++) {
                const gb_catalogue_axis *axis = &primitive->axes[k];
                char allowed[1024], usual[300];
                const bool has_small = strcmp(axis->small, axis->fallback) != 0;
                describe_allowed(axis, allowed, sizeof allowed);
                snprintf(usual, sizeof usual, "%s%s%s", axis->fallback,
                         has_small ? ", --quick " : "", has_small ? axis->small : "");
                gb_columns_add(columns,
                               (const char *[]){axis->name,
                                                axis->type == GB_AXIS_SIZE ? "size" : "name", usual,
                                                axis->help, allowed});
            }
            gb_columns_print(stdout, columns, 2);
            gb_columns_free(columns);
        }
    }
    gb_arena_free(&arena);
}

/* Below the table, for they are sentences: how variants depart from the texts that they are from.
 */
static void list_departures(const gb_catalogues *catalogues, const char *only)
{
    gb_columns *columns = NULL;
    for (size_t i = 0; i < catalogues->count; i++) {
        for (unsigned j = 0; j < catalogues->list[i]->primitive_count; j++) {
            const gb_catalogue_primitive *primitive = &catalogues->list[i]->primitives[j];
            if (!is_wanted(primitive, only)) continue;
            for (unsigned k = 0; k < primitive->variant_count; k++) {
                const gb_catalogue_variant *variant = &primitive->variants[k];
                if (!variant->differs[0] ||
                    home_of(catalogues, primitive->name, variant->name) != i)
                    continue;
                static const char *const headers[] = {
                    "PRIMITIVE", "VARIANT", "DIFFERS FROM THE TEXT OF ITS ORIGIN IN THAT", NULL};
                if (!columns) columns = gb_columns_new(headers);
                gb_columns_add(columns,
                               (const char *[]){primitive->name, variant->name, variant->differs});
            }
        }
    }
    if (!columns) return;
    putchar('\n');
    gb_columns_print(stdout, columns, 0);
    gb_columns_free(columns);
}

/* Those that have what a config says, and nothing before. */
static void list_made(const gb_catalogues *catalogues, const char *only, bool behind)
{
    for (size_t i = 0; i < catalogues->count; i++) {
        for (unsigned j = 0; j < catalogues->list[i]->primitive_count; j++) {
            const gb_catalogue_primitive *primitive = &catalogues->list[i]->primitives[j];
            if (!primitive->from_config || shown_before(catalogues, i, primitive->name) ||
                !is_wanted(primitive, only))
                continue;
            if (behind) putchar('\n');
            behind = true;
            gb_put_line(stdout, 0,
                        "%s has what a config says: its \"variants\" and \"axes\" "
                        "(docs/configs.md, kernels/%s/README.md).",
                        primitive->name, primitive->name);
        }
    }
}

static void list_variants(const gb_catalogues *catalogues, const char *only)
{
    static const char *const headers[] = {"PRIMITIVE", "VARIANT", "STABLE", "RUNS ON",
                                          "ORIGIN",    "SUMMARY", NULL};
    gb_columns *columns = NULL;
    for (size_t i = 0; i < catalogues->count; i++) {
        for (unsigned j = 0; j < catalogues->list[i]->primitive_count; j++) {
            const gb_catalogue_primitive *primitive = &catalogues->list[i]->primitives[j];
            if (!is_wanted(primitive, only)) continue;
            for (unsigned k = 0; k < primitive->variant_count; k++) {
                const gb_catalogue_variant *variant = &primitive->variants[k];
                if (home_of(catalogues, primitive->name, variant->name) != i) continue;
                char text[128];
                if (!columns) columns = gb_columns_new(headers);
                gb_columns_add(columns,
                               (const char *[]){
                                   primitive->name, variant->name, variant->stable ? "yes" : "no",
                                   runs_on(catalogues, primitive->name, variant, text, sizeof text),
                                   variant->origin, variant->summary});
            }
        }
    }
    if (columns) gb_columns_print(stdout, columns, 0);
    if (columns) gb_columns_free(columns);
    list_departures(catalogues, only);
    list_made(catalogues, only, columns != NULL);
}

static void list_overview(const gb_catalogues *catalogues)
{
    static const char *const headers[] = {"PRIMITIVE", "VARIANTS", "AXES", "TITLE", NULL};
    gb_columns *columns = gb_columns_new(headers);
    for (size_t i = 0; i < catalogues->count; i++) {
        for (unsigned j = 0; j < catalogues->list[i]->primitive_count; j++) {
            const gb_catalogue_primitive *primitive = &catalogues->list[i]->primitives[j];
            if (shown_before(catalogues, i, primitive->name)) continue;
            const char *names[GB_MAX_AXES + 1] = {NULL};
            for (unsigned k = 0; k < primitive->axis_count; k++)
                names[k] = primitive->axes[k].name;
            char axes[256], variants[16];
            snprintf(variants, sizeof variants, "%u", primitive->variant_count);
            gb_columns_add(columns, (const char *[]){primitive->name, variants,
                                                     gb_join_names(axes, sizeof axes, names),
                                                     primitive->title});
        }
    }
    gb_columns_print(stdout, columns, 0);
    gb_columns_free(columns);
    printf("\n");
    gb_list_configs(catalogues);
    printf("\n");
    gb_list_published();
    putchar('\n');
    gb_put_line(stdout, 0,
                "`gpubench list primitives` tells more of the axes, `gpubench list variants` of "
                "the variants,");
    gb_put_line(stdout, 0, "`gpubench list papers` names the papers.");
}

/* ---- the command ---------------------------------------------------------------------------- */

static const char *const words[] = {"primitives", "variants",   "configs", "published",
                                    "papers",     "references", NULL};
enum { FORMAT_UNSET = 99 };
static const char *const formats[] = {"text", "markdown", "bibtex", NULL};

/* Of which primitive, NULL: all, and what of it; NULL: an overview. */
typedef struct list_wish {
    const char *word, *primitive;
} list_wish;

/* False, with what was probably meant on stderr, if no catalogue has the primitive. */
static bool is_known(const char *primitive, const gb_catalogues *catalogues)
{
    gb_arena arena = {0};
    size_t count = 0, capacity = 0;
    const char **names = gb_arena_grow(&arena, NULL, 0, &capacity, sizeof *names);
    bool found = false;
    for (size_t i = 0; i < catalogues->count; i++)
        for (unsigned j = 0; j < catalogues->list[i]->primitive_count; j++) {
            const char *name = catalogues->list[i]->primitives[j].name;
            found |= strcmp(name, primitive) == 0;
            if (shown_before(catalogues, i, name)) continue;
            names = gb_arena_grow(&arena, names, count + 1, &capacity, sizeof *names);
            names[count++] = name;
        }
    char hint[128] = "";
    if (!found && count) {
        names[count] = NULL;
        gb_did_you_mean(hint, sizeof hint, primitive, names);
    }
    if (!found)
        fprintf(stderr, "gpubench list: \"%.60s\" is no primitive%s; the primitives are %s\n",
                primitive, hint, gb_arena_listed(&arena, names, count));
    gb_arena_free(&arena);
    return found;
}

static int show(list_wish wish, const gb_catalogues *catalogues)
{
    if (wish.primitive && !is_known(wish.primitive, catalogues)) return GB_EXIT_USAGE;
    if (!wish.word)
        list_overview(catalogues);
    else if (strcmp(wish.word, "primitives") == 0)
        list_primitives(catalogues, wish.primitive);
    else if (strcmp(wish.word, "variants") == 0)
        list_variants(catalogues, wish.primitive);
    else
        gb_list_configs(catalogues);
    return GB_EXIT_OK;
}

static void add_catalogue(gb_catalogues *catalogues, const gb_described *worker)
{
    catalogues->list[catalogues->count] = worker->catalogue;
    catalogues->commands[catalogues->count++] = worker->command;
}

/* Whether a worker has a primitive that none of the catalogues has. */
static bool adds_to(const gb_catalogues *catalogues, const gb_catalogue *catalogue)
{
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        if (!shown_before(catalogues, catalogues->count, catalogue->primitives[i].name))
            return true;
    return false;
}

/* The worker that serves one device, and those of its back-end that have other primitives. */
static bool ask_of_device(gb_asked *asked, const char *device, const char *worker,
                          gb_catalogues *catalogues, gb_error *error)
{
    gb_worker_choice choice;
    const gb_wish wish = {.device = device, .worker = worker};
    if (!gb_worker_choose(asked, &wish, &choice, error)) return false;
    fputs(choice.note, stderr);
    const gb_described *first = &asked->list[choice.worker];
    catalogues->list = calloc(asked->count, sizeof *catalogues->list);
    catalogues->commands = calloc(asked->count, sizeof *catalogues->commands);
    if (!catalogues->list || !catalogues->commands) gb_memory_gone("gpubench", asked->count);
    add_catalogue(catalogues, first);
    for (size_t i = 0; i < asked->count; i++) {
        const gb_catalogue *catalogue = asked->list[i].catalogue;
        if (catalogue && strcmp(catalogue->backend, first->catalogue->backend) == 0 &&
            adds_to(catalogues, catalogue))
            add_catalogue(catalogues, &asked->list[i]);
    }
    return true;
}

/* All workers; those that do not answer are named on stderr. */
static bool ask_all(gb_asked *asked, const char *worker, gb_catalogues *catalogues, gb_error *error)
{
    if (!gb_asked_all(asked, worker, NULL, error)) return false;
    catalogues->list = calloc(asked->count, sizeof *catalogues->list);
    catalogues->commands = calloc(asked->count, sizeof *catalogues->commands);
    if (!catalogues->list || !catalogues->commands) gb_memory_gone("gpubench", asked->count);
    for (size_t i = 0; i < asked->count; i++) {
        const gb_described *of = &asked->list[i];
        if (of->catalogue)
            add_catalogue(catalogues, of);
        else
            fprintf(stderr, "gpubench list: %s: %s\n", of->command, of->error.text);
    }
    return true;
}

static int show_of_workers(list_wish wish, const char *device, const char *worker)
{
    gb_error error = {GB_OK, ""};
    gb_asked asked = {0};
    gb_catalogues catalogues = {0};
    int status = GB_EXIT_NO_DEVICE;
    if (wish.primitive && gb_is_folder_path(wish.primitive)) {
        worker = wish.primitive;
        wish.primitive = NULL;
    }
    const bool good = device ? ask_of_device(&asked, device, worker, &catalogues, &error)
                             : ask_all(&asked, worker, &catalogues, &error);
    /* A bare name is a folder's only where no primitive is called so. */
    const bool folder = good && wish.primitive && gb_is_folder(wish.primitive) &&
                        !shown_before(&catalogues, catalogues.count, wish.primitive);
    if (!good)
        fprintf(stderr, "gpubench list: %s\n", error.text);
    else if (catalogues.count && !folder)
        status = show(wish, &catalogues);
    free(catalogues.list);
    free(catalogues.commands);
    gb_asked_free(&asked);
    if (!good && error.status == GB_WRONG) status = GB_EXIT_USAGE;
    return folder ? show_of_workers((list_wish){wish.word, NULL}, device, wish.primitive) : status;
}

/* False, with the reason on stderr, if the words are not what can be listed. */
static bool take_words(int argc, char **argv, list_wish *wish)
{
    char hint[128] = "", names[128];
    wish->word = optind < argc ? argv[optind] : NULL;
    bool known = !wish->word;
    for (size_t i = 0; wish->word && words[i]; i++)
        known |= strcmp(wish->word, words[i]) == 0;
    const bool of_primitive =
        wish->word && known &&
        (strcmp(wish->word, "primitives") == 0 || strcmp(wish->word, "variants") == 0);
    const int most = of_primitive ? 2 : 1;
    if (of_primitive && argc - optind > 1) wish->primitive = argv[optind + 1];
    if (known && argc - optind <= most) return true;
    if (!known) gb_did_you_mean(hint, sizeof hint, wish->word, words);
    fprintf(stderr, "gpubench list: found \"%.60s\"%s; one word of %s is allowed%s\n",
            known ? argv[optind + most] : wish->word, hint,
            gb_join_names(names, sizeof names, words),
            of_primitive ? ", and one primitive or folder" : "");
    return false;
}

int gb_command_list(int argc, char **argv)
{
    const char *device = NULL, *worker = NULL;
    unsigned format = FORMAT_UNSET;
    int status;
    const gb_option options[] = {gb_option_device(&device),
                                 gb_option_worker(&worker),
                                 gb_option_word("format", NULL,
                                                "of papers and references (default: text)", &format,
                                                formats),
                                 gb_option_no_pager(),
                                 {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    list_wish wish = {0};
    if (!take_words(argc, argv, &wish)) return GB_EXIT_USAGE;
    const char *word = wish.word;
    const bool papers = word && strcmp(word, "papers") == 0,
               references = word && strcmp(word, "references") == 0;
    if (format != FORMAT_UNSET && !papers && !references) {
        fputs("gpubench list: --format goes with `list papers` and `list references`\n", stderr);
        return GB_EXIT_USAGE;
    }
    if (papers || references)
        return gb_list_papers(references, formats[format == FORMAT_UNSET ? 0 : format])
                   ? GB_EXIT_OK
                   : GB_EXIT_USAGE;
    if (word && strcmp(word, "published") == 0) {
        gb_list_published();
        return GB_EXIT_OK;
    }
    return show_of_workers(wish, device, worker);
}
