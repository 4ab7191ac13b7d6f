/* Reading plots/audit.json. */
#include "bench/audit/audit.h"
#include "bench/rows/json_data.h"

#include <string.h>

static const char *const rule_keys[] = {"name",      "primitive", "alike", "grows",
                                        "smooth",    "values",    "where", "margin",
                                        "beyond_l2", "look",      NULL};

/* What the rule is about: one of three members, each with the name of an axis or, of rows that are
 * alike, of what else they may differ in. */
static bool read_kind(gb_json_reader *reader, gb_arena *arena, const cJSON *item,
                      gb_audit_rule *rule)
{
    static const struct {
        const char *name;
        gb_audit_kind kind;
    } others[] = {{"cache", GB_AUDIT_CACHE},
                  {"experiment", GB_AUDIT_EXPERIMENT},
                  {"instance", GB_AUDIT_INSTANCE}};
    const char *alike = NULL, *grows = NULL, *smooth = NULL;
    if (!gb_json_text(reader, arena, item, "alike", false, &alike) ||
        !gb_json_text(reader, arena, item, "grows", false, &grows) ||
        !gb_json_text(reader, arena, item, "smooth", false, &smooth))
        return false;
    if ((alike != NULL) + (grows != NULL) + (smooth != NULL) != 1)
        return gb_json_refuse(reader, "one of \"alike\", \"grows\" and \"smooth\" is needed");
    rule->kind = alike ? GB_AUDIT_AXIS : grows ? GB_AUDIT_MORE : GB_AUDIT_DIP;
    rule->axis = alike ? alike : grows ? grows : smooth;
    for (size_t i = 0; alike && i < sizeof others / sizeof *others; i++) {
        if (strcmp(alike, others[i].name) != 0) continue;
        rule->kind = others[i].kind;
        rule->axis = NULL;
    }
    return true;
}

static bool read_rule(gb_json_reader *reader, gb_arena *arena, const cJSON *item,
                      gb_audit_rule *rule)
{
    if (!gb_json_check_keys(reader, item, "key", rule_keys) ||
        !gb_json_text(reader, arena, item, "name", true, &rule->name) ||
        !gb_json_text(reader, arena, item, "primitive", false, &rule->primitive) ||
        !read_kind(reader, arena, item, rule) ||
        !gb_json_texts(reader, arena, item, "values", &rule->values, &rule->value_count) ||
        !gb_json_terms(reader, arena, item, "where", &rule->where) ||
        !gb_json_number(reader, item, "margin", 0, 10, &rule->margin) ||
        !gb_json_number(reader, item, "beyond_l2", 1, 1e6, &rule->beyond_l2) ||
        !gb_json_text(reader, arena, item, "look", true, &rule->look))
        return false;
    if (rule->values && rule->kind != GB_AUDIT_AXIS)
        return gb_json_refuse(reader, "\"values\" are those of an axis that is \"alike\"");
    return true;
}

static bool read_rules(gb_json_reader *reader, gb_arena *arena, const cJSON *root,
                       gb_audit_rules *rules)
{
    static const char *const keys[] = {"schema", "margin", "noise", "rules", NULL};
    double margin = 0.05;
    const cJSON *item;
    rules->noise = 0.05;
    if (!gb_json_check_keys(reader, root, "key", keys) ||
        !gb_json_number(reader, root, "margin", 0, 10, &margin) ||
        !gb_json_number(reader, root, "noise", 0, 10, &rules->noise) ||
        !gb_json_objects(reader, root, "rules", true, &item, &rules->count))
        return false;
    rules->items = gb_arena_alloc(arena, rules->count * sizeof *rules->items);
    const size_t before = gb_json_enter(reader, "rules");
    for (size_t i = 0; item; item = item->next, i++) {
        const size_t at = gb_json_enter_index(reader, i);
        rules->items[i] = (gb_audit_rule){.margin = margin, .beyond_l2 = 4};
        if (!read_rule(reader, arena, item, &rules->items[i])) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(rules->items[k].name, rules->items[i].name) == 0)
                return gb_json_refuse(reader, "another rule is called \"%s\", too",
                                      rules->items[i].name);
        gb_json_leave(reader, at);
    }
    gb_json_leave(reader, before);
    return true;
}

bool gb_audit_rules_load(gb_arena *arena, gb_audit_rules *rules, gb_error *error)
{
    gb_json_reader reader;
    cJSON *root = gb_json_share(arena, "plots/audit.json", &reader, error);
    const bool good = root && read_rules(&reader, arena, root, rules);
    cJSON_Delete(root);
    return good;
}
