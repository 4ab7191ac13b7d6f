/* What a run says of how its rows stand to those of the run before. */
#include "bench/commands/run_watch.h"
#include "bench/compare/compare.h"
#include "bench/rows/paths.h"
#include "bench/table/numbers.h"
#include "bench/table/render.h"
#include "bench/util/share.h"

#include <stdlib.h>
#include <string.h>

/* More rows than these are shown where they are not the SAME alone. */
enum { MOST_ROWS = 24 };

static const char *const words[GB_VERDICT_COUNT] = {
    [GB_FASTER] = "faster", [GB_SLOWER] = "SLOWER", [GB_SAME] = "same", [GB_UNCLEAR] = "unclear"};

/* Of what was moved aside the file that was written last; NULL: there is none. */
static const char *find_before(gb_arena *arena, const char *csv)
{
    const char *slash = strrchr(csv, '/'), *name = slash ? slash + 1 : csv, *newest = NULL;
    const char *prefix = gb_arena_strndup(arena, name, strlen(name) - strlen("csv"));
    struct timespec when = {0};
    char **path = gb_folder_list(arena, gb_result_folder(arena, csv), prefix, ".csv");
    for (; *path; path++) {
        struct stat info;
        if (!gb_result_is_moved_aside(*path) || stat(*path, &info) != 0) continue;
        /* "NAME.other.RUN_ID.csv" is of another experiment */
        if (strlen(*path) != strlen(csv) + strlen(".########T######Z-xxxxxx")) continue;
        const bool later = info.st_mtim.tv_sec != when.tv_sec ? info.st_mtim.tv_sec > when.tv_sec
                                                              : info.st_mtim.tv_nsec > when.tv_nsec;
        if (newest && !later) continue;
        newest = *path;
        when = info.st_mtim;
    }
    return newest;
}

/* The axes on which the rows differ. */
static const bool *varying(gb_arena *arena, const gb_comparison *c)
{
    bool *shown = gb_arena_alloc(arena, GB_MAX_AXES);
    for (size_t i = 1; i < c->pair_count; i++)
        for (unsigned a = 0; a < c->pairs[0].set->axis_count; a++)
            shown[a] |= c->pairs[i].set == c->pairs[0].set &&
                        strcmp(c->pairs[i].a->axis[a], c->pairs[0].a->axis[a]) != 0;
    return shown;
}

/* "12 rows: 3 faster, 9 same" */
static const char *counts_text(gb_arena *arena, const gb_comparison *c)
{
    const char *text =
        gb_arena_printf(arena, "%zu row%s", c->pair_count, c->pair_count == 1 ? "" : "s");
    const char *between = ": ";
    for (int v = 0; v < GB_VERDICT_COUNT; v++) {
        if (c->verdicts[v] == 0) continue;
        text = gb_arena_printf(arena, "%s%s%zu %s", text, between, c->verdicts[v], words[v]);
        between = ", ";
    }
    if (c->broken) text = gb_arena_printf(arena, "%s; %zu that were ok failed", text, c->broken);
    return text;
}

static void fill(gb_arena *arena, const gb_comparison *c, gb_table *table)
{
    const bool *shown = varying(arena, c);
    gb_table_panel *panel = gb_table_add_panel(arena, table, "", 4, 2);
    const char *const head[] = {"variant", "point", "now / before", "verdict"};
    memcpy(panel->head, head, sizeof head);
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        if (c->pair_count > MOST_ROWS && pair->verdict == GB_SAME) continue;
        const char **line = gb_table_add_line(arena, panel, false);
        line[0] = pair->a->variant;
        line[1] = gb_pair_point(arena, pair->set, pair->a, shown);
        line[2] = gb_ratio_text(arena, &pair->ratio);
        line[3] = words[pair->verdict];
    }
}

static void compare(gb_sides *sides, const char *csv, const char *before)
{
    gb_arena *arena = &sides->arena;
    char *paths[] = {(char *)before, (char *)csv};
    gb_noise noise = {0};
    gb_error error;
    gb_comparison c = {0};
    if (!gb_sides_load(sides, paths, 2, &error) ||
        !gb_noise_load_beside(arena, paths, 2, &noise, &error)) {
        fprintf(stderr, "gpubench run: note: not compared with the run before: %s\n", error.text);
        return;
    }
    const gb_judging judging = {.alpha = 0.05, .min_effect = 0.01, .noise = &noise};
    if (sides->count != 2) return; /* one of them has no row */
    gb_compare_join(sides, &sides->items[0], &sides->items[1], NULL, &c);
    gb_compare_judge(sides, &judging, &c);
    gb_table table = {.title = "Against the run before", .caption = ""};
    if (c.pair_count) fill(arena, &c, &table);
    gb_table_add_remark(arena, &table, counts_text(arena, &c));
    putchar('\n');
    gb_table_write(arena, &table, GB_TABLE_TEXT, stdout);
    fflush(stdout);
}

void gb_run_since_print(const char *csv)
{
    gb_arena arena = {0};
    gb_sides sides = {0};
    const char *before = find_before(&arena, csv);
    if (before) compare(&sides, csv, before);
    gb_sides_free(&sides);
    gb_arena_free(&arena);
}
