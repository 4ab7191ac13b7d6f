/* What is wanted of rows: choices of axes, cache, scope and variants, and the options for them. */
#include "bench/rows/select.h"

#include "bench/util/nearest.h"
#include "bench/util/quoted.h"
#include "common/text/size.h"

#include <string.h>

void gb_choices_add(gb_arena *arena, gb_choices *choices, const char *name, const char *value)
{
    choices->items = gb_arena_grow(arena, choices->items, choices->count, &choices->capacity,
                                   sizeof *choices->items);
    choices->items[choices->count++] = (gb_choice){name, value};
}

const gb_choice *gb_choice_find(const gb_choices *choices, const char *name)
{
    const gb_choice *found = NULL;
    for (size_t i = 0; choices && i < choices->count; i++)
        if (strcmp(choices->items[i].name, name) == 0) found = &choices->items[i];
    return found;
}

/* The first item of a list whose commas separate, unless they stand in quotes; returns the rest. */
static const char *take_item(gb_arena *arena, const char *at, const char **item)
{
    const size_t room = strlen(at) + 1;
    char *text = gb_arena_strndup(arena, at, room);
    const char *end = *at == '"' || *at == '\'' ? gb_quoted_read(at, text, room) : NULL;
    if (!end || (*end && *end != ',')) {
        end = at + strcspn(at, ",");
        text = gb_arena_strndup(arena, at, (size_t)(end - at));
    }
    *item = text;
    return end + (*end == ',');
}

bool gb_choice_allows(gb_arena *arena, const gb_choice *choice, const char *value)
{
    if (strcmp(choice->value, "all") == 0) return true;
    const char *item;
    for (const char *at = choice->value; *at;) {
        at = take_item(arena, at, &item);
        if (gb_size_same(item, value)) return true;
    }
    return false;
}

bool gb_choices_pass(gb_arena *arena, const gb_choices *choices, const gb_result_set *set,
                     const gb_result_row *row)
{
    for (size_t i = 0; choices && i < choices->count; i++) {
        const gb_choice *choice = &choices->items[i];
        const int axis = gb_result_axis(set, choice->name);
        const char *value = axis >= 0 ? row->axis[axis] : NULL;
        if (strcmp(choice->name, "cache") == 0) value = row->cache;
        if (strcmp(choice->name, "scope") == 0) value = row->scope;
        if (strcmp(choice->name, "variant") == 0) value = row->variant;
        if (strcmp(choice->name, "experiment") == 0 && !set->elsewhere) value = set->experiment;
        const bool unsaid = value && set->published && (!*value || strcmp(value, gb_any) == 0);
        if (value && !unsaid && !gb_choice_allows(arena, choice, value)) return false;
        if (!value && !set->published) return false;
    }
    return true;
}

static bool choose(void *chooser, const char *option, const char *argument, gb_error *error)
{
    const gb_chooser *to = chooser;
    (void)error;
    gb_choices_add(to->arena, to->choices, option, argument);
    return true;
}

gb_option gb_choice_option(const char *name, const char *argument, const char *help,
                           gb_chooser *chooser)
{
    return gb_option_special(name, argument, help, choose, chooser);
}

gb_option gb_choice_cache(gb_chooser *chooser)
{
    return gb_choice_option("cache", "warm|cold|all",
                            "which cache mode (default: warm where measured)", chooser);
}

gb_option gb_choice_scope(gb_chooser *chooser)
{
    return gb_choice_option("scope", "device|host-to-host|all",
                            "which scope (default: device where measured)", chooser);
}

const gb_option *gb_choice_options(gb_chooser *chooser, const gb_option *own, int argc, char **argv)
{
    gb_arena *arena = chooser->arena;
    size_t count = 0, capacity = 0;
    gb_option *options = gb_arena_grow(arena, NULL, 0, &capacity, sizeof *options);
    for (; own[count].name; count++) {
        options = gb_arena_grow(arena, options, count + 1, &capacity, sizeof *options);
        options[count] = own[count];
    }
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0) continue;
        char *name = gb_arena_strndup(arena, argv[i] + 2, strcspn(argv[i] + 2, "="));
        bool known = strcmp(name, "help") == 0;
        for (size_t k = 0; k < count && !known; k++)
            known = strcmp(options[k].name, name) == 0;
        if (known) continue;
        options = gb_arena_grow(arena, options, count + 1, &capacity, sizeof *options);
        options[count++] =
            gb_choice_option(name, "VALUE", "the values of this axis to show", chooser);
    }
    options[count] = (gb_option){0};
    return options;
}

gb_option gb_choice_variant(gb_chooser *chooser)
{
    return gb_choice_option("variant", "NAME", "only these variants, separated by commas", chooser);
}

const char *gb_choice_of_variants(gb_arena *arena, const gb_choice *choice, const char *variants)
{
    if (!choice) return variants;
    const char *kept = "";
    for (const char *at = variants; *at;) {
        const size_t length = strcspn(at, ";");
        const char *name = gb_arena_strndup(arena, at, length);
        if (gb_choice_allows(arena, choice, name))
            kept = gb_arena_printf(arena, "%s%s%s", kept, *kept ? ";" : "", name);
        at += length + (at[length] == ';');
    }
    return kept;
}

/* --NAME is no axis of the results: what they have, and what it may have been meant for. */
static void refuse_axis(const char *name, const gb_results *results, const gb_option *own,
                        gb_error *error)
{
    gb_arena arena = {0};
    const char **candidates = NULL, *axes = "";
    size_t count = 0, capacity = 0;
    for (size_t s = 0; s < results->set_count; s++) {
        const gb_result_set *set = &results->sets[s];
        for (unsigned a = 0; a < set->axis_count; a++) {
            candidates = gb_arena_grow(&arena, candidates, count, &capacity, sizeof *candidates);
            candidates[count++] = set->axes[a];
            if (s == 0)
                axes = gb_arena_printf(&arena, "%s%s--%s", axes, a ? ", " : "", set->axes[a]);
        }
    }
    for (; own->name; own++) {
        candidates = gb_arena_grow(&arena, candidates, count, &capacity, sizeof *candidates);
        candidates[count++] = own->name;
    }
    candidates = gb_arena_grow(&arena, candidates, count, &capacity, sizeof *candidates);
    candidates[count] = NULL;
    const char *nearest = gb_nearest(name, candidates);
    gb_fail(error, GB_WRONG,
            "--%s is no option, and the results have no axis of that name%s%s%s. Their axes: "
            "%s; --help lists the options",
            name, nearest ? " (did you mean --" : "", nearest ? nearest : "", nearest ? "?)" : "",
            axes);
    gb_arena_free(&arena);
}

const char *gb_values_listed(gb_arena *arena, const char **values, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count && i < 24; i++)
        text = gb_arena_printf(arena, "%s%s%s", text, i ? ", " : "", values[i]);
    return count > 24 ? gb_arena_printf(arena, "%s, ... (%zu values)", text, count) : text;
}

/* The different variants of all rows, NULL-terminated. */
static const char **variants_of(gb_arena *arena, const gb_results *results, size_t *count)
{
    size_t capacity = 0;
    *count = 0;
    const char **names = gb_arena_grow(arena, NULL, 0, &capacity, sizeof *names);
    for (size_t s = 0; s < results->set_count; s++)
        for (size_t r = 0; r < results->sets[s].row_count; r++) {
            const char *name = results->sets[s].rows[r].variant;
            size_t at = *count; /* rows come in runs of a few variants */
            while (at > 0 && strcmp(names[at - 1], name) != 0)
                at--;
            if (at > 0) continue;
            names = gb_arena_grow(arena, names, *count + 1, &capacity, sizeof *names);
            names[(*count)++] = name;
        }
    names[*count] = NULL;
    return names;
}

/* Whether rows have each of the variants that are chosen. */
static bool has_variants(const gb_choice *choice, const gb_results *results, gb_error *error)
{
    gb_arena arena = {0};
    size_t count;
    const char *item, **names = variants_of(&arena, results, &count);
    bool good = true;
    for (const char *at = choice->value; good && *at && strcmp(choice->value, "all") != 0;) {
        at = take_item(&arena, at, &item);
        good = false;
        for (size_t i = 0; names[i] && !good; i++)
            good = strcmp(names[i], item) == 0;
        char hint[128];
        if (!good)
            gb_fail(error, GB_WRONG, "--variant %.60s: no row is of that variant%s; there is: %s",
                    item, gb_did_you_mean(hint, sizeof hint, item, names),
                    gb_values_listed(&arena, names, count));
    }
    gb_arena_free(&arena);
    return good;
}

bool gb_choices_check(const gb_choices *chosen, const gb_results *results, const gb_option *own,
                      gb_error *error)
{
    for (size_t i = 0; i < chosen->count; i++) {
        const char *name = chosen->items[i].name;
        bool known = strcmp(name, "cache") == 0 || strcmp(name, "scope") == 0 ||
                     strcmp(name, "experiment") == 0;
        if (strcmp(name, "variant") == 0) {
            if (!has_variants(&chosen->items[i], results, error)) return false;
            continue;
        }
        for (size_t s = 0; s < results->set_count && !known; s++)
            known = gb_result_axis(&results->sets[s], name) >= 0;
        if (known) continue;
        refuse_axis(name, results, own, error);
        return false;
    }
    return true;
}
