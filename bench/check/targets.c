/* From operands to primitives and their workers, before any of them is checked. */
#include "bench/check/targets.h"

#include "bench/config/find.h"
#include "bench/config/source.h"
#include "common/text/text.h"

#include <stdio.h>
#include <string.h>

/* What --worker has to say so that a replay finds the worker of a choice, which a wish led to. */
static const char *worker_again(gb_check_targets *t, const gb_wish *wish,
                                const gb_worker_choice *choice)
{
    const gb_described *worker = &t->asked.list[choice->worker];
    char folder[GB_WORKER_FOLDER];
    if (worker->home == GB_HOME_NAMED) return wish->worker;
    if (worker->home != GB_HOME_CONFIG) return NULL;
    return gb_arena_strdup(&t->arena, gb_worker_folder_of(worker->command, folder, sizeof folder));
}

static gb_check_group *group_of(gb_check_targets *t, const gb_worker_choice *choice)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->groups[i].choice.worker == choice->worker) return &t->groups[i];
    t->groups = gb_arena_grow(&t->arena, t->groups, t->count, &t->capacity, sizeof *t->groups);
    gb_check_group *group = &t->groups[t->count++];
    *group = (gb_check_group){.choice = *choice};
    return group;
}

/* Whether it has nothing to check before a config says what it is. */
static bool is_made(const gb_check_targets *t, size_t worker, const char *name)
{
    const gb_catalogue_primitive *primitive =
        name ? gb_catalogue_find(t->asked.list[worker].catalogue, name) : NULL;
    return primitive && primitive->from_config;
}

/* Finds the worker of a wish, and adds the wish's primitive to those that are checked with it. */
static bool add(gb_check_targets *t, const gb_wish *wish, gb_worker_choice *choice, gb_error *error)
{
    if (!gb_worker_choose(&t->asked, wish, choice, error)) return false;
    if (is_made(t, choice->worker, wish->primitive)) {
        gb_fail(error, GB_WRONG,
                "%.60s is made from a config: `gpubench run CONFIG` checks its answers before and "
                "after its samples",
                wish->primitive);
        return false;
    }
    gb_check_group *group = group_of(t, choice);
    group->worker = worker_again(t, wish, choice);
    for (size_t i = 0; wish->primitive && i < group->count; i++)
        if (strcmp(group->names[i], wish->primitive) == 0) return true;
    if (!wish->primitive) return true;
    group->names = gb_arena_grow(&t->arena, group->names, group->count, &group->capacity,
                                 sizeof *group->names);
    group->names[group->count++] = gb_arena_strdup(&t->arena, wish->primitive);
    return true;
}

static bool add_config(gb_check_targets *t, gb_wish wish, const char *operand, gb_error *error)
{
    gb_config_source source = {0};
    gb_worker_choice choice = {0};
    const char *path = gb_config_find(&t->arena, operand, error);
    bool good = path && gb_config_read(&source, path, error);
    if (good && !source.primitive) {
        gb_fail(error, GB_WRONG, "%.300s: no config that names a primitive", path);
        good = false;
    }
    if (path == operand) wish.config = path;
    wish.primitive = source.primitive;
    good = good && add(t, &wish, &choice, error);
    if (choice.lacking) gb_config_blame_primitive(&source, error);
    gb_config_source_free(&source);
    return good;
}

/* All that the workers of a folder have; each of them is asked. */
static bool add_folder(gb_check_targets *t, gb_wish wish, const char *folder, gb_error *error)
{
    gb_executables found;
    gb_worker_choice choice;
    wish.worker = folder;
    bool good = gb_executables_find(&found, folder, NULL, wish.under.code, error);
    size_t primitives = 0;
    for (size_t i = 0; good && i < found.count; i++) {
        const size_t at = gb_asked_index(&t->asked, &found.list[i]);
        const gb_catalogue *catalogue = t->asked.list[at].catalogue;
        for (unsigned j = 0; good && catalogue && j < catalogue->primitive_count; j++) {
            if (catalogue->primitives[j].from_config) continue;
            wish.primitive = catalogue->primitives[j].name;
            good = add(t, &wish, &choice, error);
            primitives++;
        }
        if (!catalogue) *error = t->asked.list[at].error;
    }
    gb_executables_free(&found);
    return good && primitives;
}

/* A folder that has the name of a primitive is meant only where no worker has that one. */
static bool add_operand(gb_check_targets *t, gb_wish wish, const char *operand, gb_error *error)
{
    gb_worker_choice choice;
    if (gb_text_ends(operand, ".json")) return add_config(t, wish, operand, error);
    if (gb_is_folder_path(operand)) return add_folder(t, wish, operand, error);
    wish.primitive = operand;
    if (add(t, &wish, &choice, error)) return true;
    return choice.lacking && gb_is_folder(operand) && add_folder(t, wish, operand, error);
}

bool gb_check_targets_find(gb_check_targets *targets, const gb_check *c, char *const *operands,
                           size_t count, gb_error *error)
{
    *targets = (gb_check_targets){.asked.under = c->under};
    gb_worker_choice choice;
    bool good = true;
    /* Schedules are the simt device's, whatever else is there. */
    const gb_wish wish = {.device = c->hooks && !c->device ? "simt" : c->device,
                          .worker = c->worker,
                          .under = c->under};
    for (size_t i = 0; good && i < count; i++)
        good = add_operand(targets, wish, operands[i], error);
    if (count == 0 && c->worker && gb_is_folder(c->worker))
        good = add_folder(targets, wish, c->worker, error);
    else if (count == 0)
        good = add(targets, &wish, &choice, error);
    for (size_t i = 0; good && i < targets->count; i++)
        fputs(targets->groups[i].choice.note, stderr);
    return good;
}

void gb_check_targets_free(gb_check_targets *targets)
{
    gb_asked_free(&targets->asked);
    gb_arena_free(&targets->arena);
}
