/* Reading plots/scaling.json, and what it amounts to at a point. */
#include "bench/rows/json_data.h"
#include "bench/scaling/scaling.h"
#include "common/protocol/expression.h"
#include "common/text/size.h"

#include <math.h>
#include <string.h>

const char *const gb_crossing_names[GB_CROSS_COUNT + 1] = {"items", "border", "gpus", NULL};

static bool read_links(gb_json_reader *reader, gb_arena *arena, const cJSON *object,
                       gb_scaling_rules *rules)
{
    static const char *const keys[] = {"where", "bytes", "of", NULL};
    const cJSON *item;
    if (!gb_json_objects(reader, object, "links", true, &item, &rules->link_count)) return false;
    rules->links = gb_arena_alloc(arena, (rules->link_count + 1) * sizeof *rules->links);
    const size_t before = gb_json_enter(reader, "links");
    for (size_t i = 0; item; item = item->next, i++) {
        const size_t at = gb_json_enter_index(reader, i);
        gb_link_rule *rule = &rules->links[i];
        const char *of = "";
        if (!gb_json_check_keys(reader, item, "key", keys) ||
            !gb_json_terms(reader, arena, item, "where", &rule->where) ||
            !gb_json_text(reader, arena, item, "bytes", true, &rule->bytes) ||
            !gb_json_text(reader, arena, item, "of", true, &of))
            return false;
        while (rule->of < GB_CROSS_COUNT && strcmp(gb_crossing_names[rule->of], of) != 0)
            rule->of++;
        if (rule->of == GB_CROSS_COUNT)
            return gb_json_refuse(reader, "\"of\" is items, border or gpus");
        gb_json_leave(reader, at);
    }
    gb_json_leave(reader, before);
    return true;
}

static bool read_pairs(gb_json_reader *reader, gb_arena *arena, const cJSON *object,
                       gb_scaling_rules *rules)
{
    static const char *const keys[] = {"variant", "alone", NULL};
    const cJSON *item;
    if (!gb_json_objects(reader, object, "pairs", false, &item, &rules->pair_count)) return false;
    rules->pairs = gb_arena_alloc(arena, (rules->pair_count + 1) * sizeof *rules->pairs);
    const size_t before = gb_json_enter(reader, "pairs");
    for (size_t i = 0; item; item = item->next, i++) {
        const size_t at = gb_json_enter_index(reader, i);
        if (!gb_json_check_keys(reader, item, "key", keys) ||
            !gb_json_text(reader, arena, item, "variant", true, &rules->pairs[i].variant) ||
            !gb_json_text(reader, arena, item, "alone", true, &rules->pairs[i].alone))
            return false;
        gb_json_leave(reader, at);
    }
    gb_json_leave(reader, before);
    return true;
}

static bool read_rules(gb_json_reader *reader, gb_arena *arena, const cJSON *item,
                       gb_scaling_rules *rules)
{
    static const char *const keys[] = {"name", "size", "alone", "rounds", "pairs", "links", NULL};
    *rules = (gb_scaling_rules){.alone = "single", .rounds = "1"};
    return gb_json_check_keys(reader, item, "key", keys) &&
           gb_json_text(reader, arena, item, "name", true, &rules->primitive) &&
           gb_json_text(reader, arena, item, "size", true, &rules->size) &&
           gb_json_text(reader, arena, item, "alone", false, &rules->alone) &&
           gb_json_text(reader, arena, item, "rounds", false, &rules->rounds) &&
           read_pairs(reader, arena, item, rules) && read_links(reader, arena, item, rules);
}

bool gb_scaling_load(gb_arena *arena, gb_scaling_book *book, gb_error *error)
{
    static const char *const keys[] = {"schema", "primitives", NULL};
    gb_json_reader reader;
    const cJSON *item = NULL;
    cJSON *root = gb_json_share(arena, "plots/scaling.json", &reader, error);
    bool good = root && gb_json_check_keys(&reader, root, "key", keys) &&
                gb_json_objects(&reader, root, "primitives", true, &item, &book->count);
    if (good) {
        book->items = gb_arena_alloc(arena, (book->count + 1) * sizeof *book->items);
        const size_t before = gb_json_enter(&reader, "primitives");
        for (size_t i = 0; good && item; item = item->next, i++) {
            const size_t at = gb_json_enter_index(&reader, i);
            good = read_rules(&reader, arena, item, &book->items[i]);
            gb_json_leave(&reader, at);
        }
        gb_json_leave(&reader, before);
    }
    cJSON_Delete(root);
    return good;
}

const gb_scaling_rules *gb_scaling_rules_of(const gb_scaling_book *book, const char *primitive)
{
    for (size_t i = 0; i < book->count; i++)
        if (strcmp(book->items[i].primitive, primitive) == 0) return &book->items[i];
    return NULL;
}

const char *gb_scaling_alone(const gb_scaling_rules *rules, const char *variant)
{
    for (size_t i = 0; i < rules->pair_count; i++)
        if (strcmp(rules->pairs[i].variant, variant) == 0) return rules->pairs[i].alone;
    return rules->alone;
}

/* What an expression of the axes amounts to at a row. */
static bool amount(const gb_result_set *set, const gb_result_row *row, const char *text,
                   double *value, gb_error *error)
{
    gb_expression_axes axes = {.count = set->axis_count};
    gb_params point = {0};
    uint64_t found;
    gb_error why = {GB_OK, ""};
    for (unsigned a = 0; a < set->axis_count; a++) {
        const bool size = gb_size_parse(row->axis[a], &point.value[a].size, NULL);
        axes.names[a] = set->axes[a];
        axes.types[a] = size ? GB_AXIS_SIZE : GB_AXIS_NAME;
    }
    if (!gb_expression_value(text, &axes, &point, &found, &why)) {
        gb_fail(error, GB_WRONG, "plots/scaling.json, primitive %s: \"%s\": %s", set->primitive,
                text, why.text);
        return false;
    }
    *value = (double)found;
    return true;
}

static const gb_link_rule *rule_of(gb_arena *arena, const gb_scaling_rules *rules,
                                   const gb_result_set *set, const gb_result_row *row)
{
    for (size_t i = 0; i < rules->link_count; i++)
        if (gb_terms_hold(arena, &rules->links[i].where, set, row)) return &rules->links[i];
    return NULL;
}

bool gb_scaling_link_bytes(gb_arena *arena, const gb_scaling_rules *rules, const gb_result_set *set,
                           const gb_result_row *row, unsigned gpus, double items, double *bytes,
                           gb_error *error)
{
    const gb_link_rule *rule = rule_of(arena, rules, set, row);
    double each;
    *bytes = 0;
    if (!rule || gpus < 2) return true;
    if (!amount(set, row, rule->bytes, &each, error)) return false;
    switch (rule->of) {
    case GB_CROSS_ITEMS:
        *bytes = each * items / gpus * (gpus - 1) / gpus;
        break;
    case GB_CROSS_BORDER:
        *bytes = each * (gpus == 2 ? 1 : 2);
        break;
    default:
        *bytes = each * (gpus - 1);
        break;
    }
    return true;
}

bool gb_scaling_rounds(gb_arena *arena, const gb_scaling_rules *rules, const gb_result_set *set,
                       const gb_result_row *row, unsigned gpus, double *rounds, gb_error *error)
{
    const gb_link_rule *rule = rule_of(arena, rules, set, row);
    *rounds = 0;
    if (gpus < 2) return true;
    if (!amount(set, row, rules->rounds, rounds, error)) return false;
    if (!rule || rule->of != GB_CROSS_BORDER) *rounds *= ceil(log2(gpus));
    return true;
}
