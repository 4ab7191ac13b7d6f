/* Reading plots/standings.json. */
#include "bench/rows/json_data.h"
#include "bench/standings/standings.h"
#include "common/protocol/conditions.h"

static bool read_lines(gb_json_reader *reader, gb_arena *arena, const cJSON *object,
                       gb_contest *contest)
{
    static const char *const keys[] = {"what", "at", NULL};
    const cJSON *item;
    if (!gb_json_objects(reader, object, "lines", false, &item, &contest->line_count)) return false;
    contest->lines = gb_arena_alloc(arena, (contest->line_count + 1) * sizeof *contest->lines);
    const size_t before = gb_json_enter(reader, "lines");
    for (size_t i = 0; item; item = item->next, i++) {
        const size_t at = gb_json_enter_index(reader, i);
        gb_contest_line *line = &contest->lines[i];
        if (!gb_json_check_keys(reader, item, "key", keys) ||
            !gb_json_text(reader, arena, item, "what", true, &line->what) ||
            !gb_json_terms(reader, arena, item, "at", &line->at))
            return false;
        gb_json_leave(reader, at);
    }
    gb_json_leave(reader, before);
    return true;
}

static bool read_contest(gb_json_reader *reader, gb_arena *arena, const cJSON *item,
                         gb_contest *contest)
{
    static const char *const keys[] = {"name",  "experiment", "cache",      "stable", "where",
                                       "usual", "free",       "other_work", "lines",  NULL};
    *contest = (gb_contest){.cache = "cold"};
    if (!gb_json_check_keys(reader, item, "key", keys) ||
        !gb_json_text(reader, arena, item, "name", true, &contest->name) ||
        !gb_json_text(reader, arena, item, "experiment", true, &contest->experiment) ||
        !gb_json_text(reader, arena, item, "cache", false, &contest->cache) ||
        !gb_json_flag(reader, item, "stable", &contest->stable) ||
        !gb_json_terms(reader, arena, item, "where", &contest->where) ||
        !gb_json_terms(reader, arena, item, "usual", &contest->usual) ||
        !gb_json_texts(reader, arena, item, "free", &contest->free, &contest->free_count) ||
        !gb_json_texts(reader, arena, item, "other_work", &contest->other_work,
                       &contest->other_work_count) ||
        !read_lines(reader, arena, item, contest))
        return false;
    if (!gb_cache_parse(contest->cache, NULL))
        return gb_json_refuse(reader, "\"cache\" is cold or warm");
    for (size_t i = 0; i < contest->usual.count; i++)
        if (contest->usual.items[i].relation != GB_IS)
            return gb_json_refuse(reader, "\"usual\" has values of axes, such as dist=uniform");
    return true;
}

bool gb_contests_load(gb_arena *arena, gb_contests *contests, gb_error *error)
{
    static const char *const keys[] = {"schema", "ours", "contests", NULL};
    gb_json_reader reader;
    const cJSON *item = NULL;
    cJSON *root = gb_json_share(arena, "plots/standings.json", &reader, error);
    bool good = root && gb_json_check_keys(&reader, root, "key", keys) &&
                gb_json_text(&reader, arena, root, "ours", true, &contests->ours) &&
                gb_json_objects(&reader, root, "contests", true, &item, &contests->count);
    if (good) contests->items = gb_arena_alloc(arena, contests->count * sizeof *contests->items);
    if (good) gb_json_enter(&reader, "contests");
    for (size_t i = 0; good && item; item = item->next, i++) {
        const size_t at = gb_json_enter_index(&reader, i);
        good = read_contest(&reader, arena, item, &contests->items[i]);
        if (good) gb_json_leave(&reader, at);
    }
    cJSON_Delete(root);
    return good;
}
