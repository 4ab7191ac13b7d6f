/* Experiment configs: the whole file, section by section, and what options change about it. */
#include "bench/config/parts.h"
#include "bench/config/source.h"
#include "bench/util/nearest.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1, MOST_TITLE = 300, MOST_PAPER = 300, MOST_WHERE = 1000 };

/* The variants of a section. */
typedef struct variant_list {
    unsigned *indexes; /* NULL: not given */
    unsigned count;
} variant_list;

/* Both sections as read; quick is what "quick" overrides. */
typedef struct draft {
    gb_plan plan, quick_plan;
    variant_list variants, quick_variants;
    gb_measure_plan measure, quick_measure;
    char *where; /* NULL: not given */
    bool has_quick;
} draft;

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* Other schemas may have other keys, so this comes before all else. */
static bool read_schema(gb_json_reader *reader, const cJSON *root)
{
    if (!cJSON_IsObject(root))
        return gb_json_refuse_item(reader, root, "a config is one object in braces");
    const cJSON *schema = member(root, "schema");
    if (!schema) return gb_json_refuse(reader, "\"schema\" is missing; add \"schema\": %d", SCHEMA);
    gb_json_enter(reader, "schema");
    if (!cJSON_IsNumber(schema) || schema->valuedouble != SCHEMA)
        return gb_json_refuse_item(reader, schema, "this gpubench reads schema 1");
    gb_json_leave(reader, 0);
    return true;
}

/* Endings of the files beside a result file: with one of them, NAME.csv would be another's. */
static const char *const taken_endings[] = {".samples", ".retried"};

/* The name becomes a file name in the output folder and must not lead out of it. */
static bool read_name(gb_json_reader *reader, const cJSON *root, gb_config *config)
{
    const cJSON *item = member(root, "name");
    if (!item)
        return gb_json_refuse(reader, "\"name\" is missing; it names the result files, e.g. "
                                      "\"name\": \"multipartition\"");
    gb_json_enter(reader, "name");
    if (!gb_json_string(reader, item, GB_MOST_NAME, &config->name)) return false;
    if (gb_name_mistake(config->name))
        return gb_json_refuse_item(reader, item,
                                   "it becomes a file name: letters, digits, '-', '_' and '.' are "
                                   "allowed, the first neither '.' nor '-'");
    for (size_t i = 0; i < sizeof taken_endings / sizeof *taken_endings; i++) {
        if (gb_text_ends(config->name, taken_endings[i]))
            return gb_json_refuse_item(reader, item,
                                       "its result file would be called like another config's "
                                       "file of samples or of retried rows: end it otherwise");
    }
    gb_json_leave(reader, 0);
    return true;
}

/* True if path has a component "..". */
static bool climbs(const char *path)
{
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0')) return true;
    }
    return false;
}

static bool read_texts(gb_json_reader *reader, const cJSON *root, gb_config *config)
{
    const cJSON *title = member(root, "title"), *paper = member(root, "paper");
    gb_json_enter(reader, "title");
    if (title && !gb_json_string(reader, title, MOST_TITLE, &config->title)) return false;
    gb_json_leave(reader, 0);

    gb_json_enter(reader, "paper");
    if (paper) {
        if (!gb_json_string(reader, paper, MOST_PAPER, &config->paper)) return false;
        if (*config->paper == '\0' || *config->paper == '/' || climbs(config->paper))
            return gb_json_refuse_item(reader, paper,
                                       "a path under results/ is allowed, e.g. "
                                       "\"published/multipartition-table1.csv\"");
    }
    gb_json_leave(reader, 0);

    if (!config->title) config->title = strdup("");
    if (!config->paper) config->paper = strdup("");
    return (config->title && config->paper) || gb_json_refuse(reader, "not enough memory");
}

static bool read_primitive(gb_json_reader *reader, const cJSON *root, const gb_catalogue *catalogue,
                           gb_config *config)
{
    const char **names = calloc((size_t)catalogue->primitive_count + 1, sizeof *names);
    if (!names) return gb_json_refuse(reader, "not enough memory");
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        names[i] = catalogue->primitives[i].name;
    char known[256], hint[256], shown[GB_JSON_SHOWN];
    gb_join_names(known, sizeof known, names);

    const cJSON *item = member(root, "primitive");
    if (cJSON_IsString(item)) config->primitive = gb_catalogue_find(catalogue, item->valuestring);
    if (!item) {
        gb_json_refuse(reader, "\"primitive\" is missing; known: %s", known);
    } else if (!config->primitive) {
        const char *word = cJSON_IsString(item) ? item->valuestring : "";
        gb_json_enter(reader, "primitive");
        gb_json_refuse(reader, "found %s%s; known: %s", gb_json_show(item, shown),
                       gb_did_you_mean(hint, sizeof hint, word, names), known);
    }
    free(names);
    return config->primitive != NULL;
}

/* A variant's name, as "variants" and "baseline" hold it; -1 after an error. */
static int read_variant(gb_json_reader *reader, const cJSON *item,
                        const gb_catalogue_primitive *primitive)
{
    int index =
        cJSON_IsString(item) ? gb_catalogue_variant_index(primitive, item->valuestring) : -1;
    if (index >= 0) return index;
    const char **names = calloc((size_t)primitive->variant_count + 1, sizeof *names);
    for (unsigned i = 0; names && i < primitive->variant_count; i++)
        names[i] = primitive->variants[i].name;
    char known[256], hint[256], shown[GB_JSON_SHOWN];
    gb_json_refuse(
        reader, "found %s%s; %s has: %s", gb_json_show(item, shown),
        gb_did_you_mean(hint, sizeof hint, cJSON_IsString(item) ? item->valuestring : "", names),
        primitive->name, gb_join_names(known, sizeof known, names));
    free(names);
    return -1;
}

static int find_variant(const variant_list *list, unsigned variant)
{
    for (unsigned i = 0; i < list->count; i++) {
        if (list->indexes[i] == variant) return (int)i;
    }
    return -1;
}

static bool read_variants(gb_json_reader *reader, const cJSON *section,
                          const gb_catalogue_primitive *primitive, variant_list *list)
{
    const cJSON *array = member(section, "variants");
    if (!array) return true;
    size_t outside = gb_json_enter(reader, "variants");
    if (!cJSON_IsArray(array))
        return gb_json_refuse_item(reader, array, "a list of variants is allowed");
    if (!array->child)
        return gb_json_refuse(reader, "found an empty list; give at least one variant");
    list->indexes = calloc((size_t)primitive->variant_count + 1, sizeof *list->indexes);
    if (!list->indexes) return gb_json_refuse(reader, "not enough memory");
    for (const cJSON *item = array->child; item; item = item->next) {
        size_t before = gb_json_enter_index(reader, list->count);
        int variant = read_variant(reader, item, primitive);
        if (variant < 0) return false;
        int earlier = find_variant(list, (unsigned)variant);
        if (earlier >= 0)
            return gb_json_refuse(reader, "\"%s\" is there already, at [%d]; leave one of them out",
                                  item->valuestring, earlier);
        list->indexes[list->count++] = (unsigned)variant;
        gb_json_leave(reader, before);
    }
    gb_json_leave(reader, outside);
    return true;
}

/* A config that names none means all that the primitive has, but for those published as failing. */
static bool take_all(gb_json_reader *reader, const gb_catalogue_primitive *primitive,
                     variant_list *list)
{
    if (list->indexes) return true;
    list->indexes = calloc((size_t)primitive->variant_count + 1, sizeof *list->indexes);
    if (!list->indexes) return gb_json_refuse(reader, "not enough memory");
    for (unsigned i = 0; i < primitive->variant_count; i++)
        if (!primitive->variants[i].known_to_fail) list->indexes[list->count++] = i;
    return list->count > 0 || gb_json_refuse(reader, "%s has no variant to run", primitive->name);
}

static bool read_baseline(gb_json_reader *reader, const cJSON *root, const draft *d,
                          gb_config *config)
{
    const cJSON *item = member(root, "baseline");
    config->baseline = -1;
    if (!item) return true;
    gb_json_enter(reader, "baseline");
    int variant = read_variant(reader, item, config->primitive);
    if (variant < 0) return false;
    if (find_variant(&d->variants, (unsigned)variant) < 0)
        return gb_json_refuse(reader,
                              "found \"%s\", which is not among the config's variants; add "
                              "it there",
                              item->valuestring);
    gb_json_leave(reader, 0);
    if (d->quick_variants.indexes && find_variant(&d->quick_variants, (unsigned)variant) < 0) {
        gb_json_enter(reader, "quick.variants");
        return gb_json_refuse(reader, "the baseline \"%s\" is not among them; add it",
                              item->valuestring);
    }
    config->baseline = variant;
    return true;
}

static bool read_quick(gb_json_reader *reader, const cJSON *root, draft *d)
{
    static const char *const keys[] = {"axes", "points", "measure", "variants", NULL};
    const cJSON *quick = member(root, "quick");
    d->quick_measure = d->measure;
    if (!quick) return true;
    d->has_quick = true;
    gb_json_enter(reader, "quick");
    if (!gb_json_check_keys(reader, quick, "key", keys) ||
        !gb_plan_read(reader, quick, &d->quick_plan) ||
        !read_variants(reader, quick, d->plan.primitive, &d->quick_variants) ||
        !gb_measure_read(reader, quick, &d->quick_measure))
        return false;
    gb_json_leave(reader, 0);
    return true;
}

static bool read_seed(gb_json_reader *reader, const cJSON *root, gb_config *config)
{
    const cJSON *item = member(root, "seed");
    config->seed = 1;
    if (!item) return true;
    gb_json_enter(reader, "seed");
    if (!gb_json_whole(reader, item, 0, UINT64_MAX,
                       "a whole number from 0 to 18446744073709551615 is allowed (from 2^53 on in "
                       "a string)",
                       &config->seed))
        return false;
    gb_json_leave(reader, 0);
    return true;
}

/* "where": which rows of the plan there are, an expression as of --filter. */
static bool read_where(gb_json_reader *reader, const cJSON *root, draft *d, const gb_config *config)
{
    const cJSON *item = member(root, "where");
    gb_error why;
    if (!item) return true;
    gb_json_enter(reader, "where");
    if (!gb_json_string(reader, item, MOST_WHERE, &d->where)) return false;
    gb_filter *filter = gb_filter_parse(d->where, config->primitive, &why);
    gb_filter_free(filter);
    if (!filter) return gb_json_refuse(reader, "%s", why.text);
    gb_json_leave(reader, 0);
    return true;
}

/* "reproduce": false leaves a config out of `make reproduce-all`, which looks for it itself. */
static bool read_reproduce(gb_json_reader *reader, const cJSON *root)
{
    const cJSON *item = member(root, "reproduce");
    if (!item) return true;
    gb_json_enter(reader, "reproduce");
    if (!cJSON_IsBool(item)) return gb_json_refuse_item(reader, item, "true or false is allowed");
    gb_json_leave(reader, 0);
    return true;
}

const char *const gb_config_keys[] = {
    "schema", "name",  "title",   "paper",     "primitive", "variants", "baseline",  "axes",
    "points", "where", "measure", "overrides", "quick",     "seed",     "reproduce", NULL};

/* Of a primitive that was made from this config, its worker has looked at all other keys; that none
 * is given twice is left. */
static bool check_keys(gb_json_reader *reader, const cJSON *root, bool made)
{
    size_t count = 0;
    const cJSON *item = NULL;
    if (!made) return gb_json_check_keys(reader, root, "key", gb_config_keys);
    const char **all = calloc((size_t)cJSON_GetArraySize(root) + 1, sizeof *all);
    if (!all) return gb_json_refuse(reader, "not enough memory");
    cJSON_ArrayForEach(item, root)
    {
        all[count++] = item->string;
    }
    const bool good = gb_json_check_keys(reader, root, "key", all);
    free(all);
    return good;
}

static bool read_root(gb_json_reader *reader, const cJSON *root, const gb_catalogue *catalogue,
                      draft *d, gb_config *config)
{
    if (!read_schema(reader, root) || !check_keys(reader, root, catalogue->made) ||
        !read_name(reader, root, config) || !read_texts(reader, root, config) ||
        !read_primitive(reader, root, catalogue, config))
        return false;
    d->plan.primitive = d->quick_plan.primitive = config->primitive;
    d->measure = gb_measure_defaults;

    if ((!catalogue->made && !read_variants(reader, root, config->primitive, &d->variants)) ||
        !take_all(reader, config->primitive, &d->variants))
        return false;
    return gb_plan_read(reader, root, &d->plan) && gb_measure_read(reader, root, &d->measure) &&
           gb_overrides_read(reader, root, &d->measure.measure, config) &&
           read_quick(reader, root, d) && read_baseline(reader, root, d, config) &&
           read_seed(reader, root, config) && read_where(reader, root, d, config) &&
           read_reproduce(reader, root);
}

/* Moves the sections that count into the config and makes its points. */
static bool settle(gb_json_reader *reader, draft *d, const gb_config_options *options,
                   gb_config *config)
{
    if (options->quick && d->has_quick) {
        gb_plan_override(&d->plan, &d->quick_plan);
        d->measure = d->quick_measure;
        if (d->quick_variants.indexes) {
            variant_list full = d->variants;
            d->variants = d->quick_variants;
            d->quick_variants = full;
        }
    }
    config->small = gb_plan_small(&d->plan);
    if (options->quick && !gb_plan_shrink(reader, &d->plan)) return false;
    if (!config->small) return gb_json_refuse(reader, "not enough memory");
    config->can_be_quick = d->has_quick || *config->small;
    config->quick = options->quick && config->can_be_quick;
    if (!options->quick) *config->small = '\0';
    if (!gb_measure_settle(reader, &d->measure, options->samples)) return false;
    if ((options->quick && d->has_quick) || options->samples) gb_overrides_free(config);
    config->measure = d->measure.measure;
    config->variants = d->variants.indexes;
    config->variant_count = d->variants.count;
    d->variants.indexes = NULL;

    /* Said apart, so that a mistake in --filter is shown as it was written. */
    if (options->filter) {
        config->filter = gb_filter_parse(options->filter, config->primitive, reader->error);
        if (!config->filter) return false;
    }
    if (d->where) {
        char *both = NULL;
        const int length = options->filter
                               ? asprintf(&both, "(%s) && (%s)", d->where, options->filter)
                               : asprintf(&both, "%s", d->where);
        if (length < 0) return gb_json_refuse(reader, "not enough memory");
        gb_filter_free(config->filter);
        config->filter = gb_filter_parse(both, config->primitive, reader->error);
        free(both);
        if (!config->filter) return false;
    }
    if (!gb_plan_expand(reader, &d->plan, config->filter, config->variants, config->variant_count,
                        &config->points, &config->point_count))
        return false;
    if (config->point_count > 0) return true;
    const char *small = *config->small ? " (with --quick " : "",
               *whole = *config->small ? "; --full has them whole)" : "";
    if (!options->filter)
        return gb_json_refuse(reader, "\"where\" leaves none of its points and variants%s%s%s",
                              small, config->small, whole);
    return gb_json_refuse(reader, "--filter '%.100s' leaves none of its points and variants%s%s%s",
                          options->filter, small, config->small, whole);
}

gb_config *gb_config_parse(const char *path, char *text, size_t length,
                           const gb_catalogue *catalogue, const gb_config_options *options,
                           gb_error *error)
{
    static const gb_config_options none;
    gb_config *config = calloc(1, sizeof *config);
    if (!config || !(config->path = strdup(path))) {
        gb_fail(error, GB_UNSUPPORTED, "%s: not enough memory", path);
        free(config);
        free(text);
        return NULL;
    }
    config->text = text;
    cJSON *root = gb_json_read(path, text, length, error);
    gb_json_reader reader = {.file = path, .text = text, .error = error};
    draft d = {.has_quick = false};
    bool valid = root && read_root(&reader, root, catalogue, &d, config) &&
                 settle(&reader, &d, options ? options : &none, config);
    gb_plan_free(&d.plan);
    gb_plan_free(&d.quick_plan);
    free(d.variants.indexes);
    free(d.quick_variants.indexes);
    free(d.where);
    cJSON_Delete(root);
    if (valid) return config;
    gb_config_free(config);
    return NULL;
}

gb_config *gb_config_load(const char *path, const gb_catalogue *catalogue,
                          const gb_config_options *options, gb_error *error)
{
    gb_config_source source;
    gb_config *config = NULL;
    if (gb_config_read(&source, path, error))
        config = gb_config_parse(path, gb_config_take_text(&source), source.length, catalogue,
                                 options, error);
    gb_config_source_free(&source);
    return config;
}

void gb_config_free(gb_config *config)
{
    if (!config) return;
    gb_filter_free(config->filter);
    gb_overrides_free(config);
    free(config->path);
    free(config->text);
    free(config->name);
    free(config->title);
    free(config->paper);
    free(config->small);
    free(config->variants);
    free(config->points);
    free(config);
}
