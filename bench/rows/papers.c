/* Which papers there are: what results/published/ has rows of, and plots/report.json. */
#include "bench/rows/papers.h"

#include "bench/rows/json_data.h"
#include "bench/rows/published.h"
#include "bench/util/csv_load.h"
#include "bench/util/share.h"
#include "common/text/csv.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

gb_paper *gb_paper_find(const gb_papers *papers, const char *name)
{
    for (size_t i = 0; i < papers->count; i++)
        if (strcmp(papers->items[i].name, name) == 0) return &papers->items[i];
    return NULL;
}

/* ---- from results/published/ ----------------------------------------------------------------- */

/* Adds the paper of a row, unless it is there already; files of other things name none. */
static bool take_row(gb_arena *arena, const char *path, const gb_csv *csv, size_t row,
                     gb_papers *papers, gb_error *error)
{
    const char *name = gb_csv_field(csv, row, "paper"),
               *primitive = gb_csv_field(csv, row, "primitive");
    if (!*name) return true;
    const gb_paper *known = gb_paper_find(papers, name);
    if (known && strcmp(known->primitive, primitive) != 0) {
        gb_fail(
            error, GB_WRONG,
            "%s: data row %zu, column primitive: found '%.60s'; a paper is about one primitive, "
            "and rows of %.60s before it are about %.60s",
            path, row + 1, primitive, name, known->primitive);
        return false;
    }
    if (known) return true;
    papers->items = gb_arena_grow(arena, papers->items, papers->count, &papers->capacity,
                                  sizeof *papers->items);
    name = gb_arena_strdup(arena, name);
    papers->items[papers->count++] =
        (gb_paper){.name = name, .primitive = gb_arena_strdup(arena, primitive), .title = name};
    return true;
}

static bool take_file(gb_arena *arena, const char *path, gb_papers *papers, gb_error *error)
{
    gb_csv *csv = gb_csv_load(path, error);
    if (!csv) return false;
    bool good = true;
    for (size_t row = 0; good && row < csv->row_count; row++) {
        for (size_t c = 0; c < csv->columns; c++)
            gb_text_tame(csv->rows[row][c]);
        good = take_row(arena, path, csv, row, papers, error);
    }
    gb_csv_free(csv);
    return good;
}

/* ---- from plots/report.json ------------------------------------------------------------------ */

/* Gives the paper that an object names its title and moves it to place `at`. */
static bool take_title(gb_json_reader *reader, gb_arena *arena, const cJSON *item, size_t at,
                       gb_papers *papers)
{
    static const char *const keys[] = {"paper", "title", NULL};
    const char *name, *title;
    if (!gb_json_check_keys(reader, item, "key", keys) ||
        !gb_json_text(reader, arena, item, "paper", true, &name) ||
        !gb_json_text(reader, arena, item, "title", true, &title))
        return false;
    gb_paper *found = gb_paper_find(papers, name);
    if (!found)
        return gb_json_refuse(reader, "no file of results/published has a row of paper \"%.60s\"",
                              name);
    const size_t from = (size_t)(found - papers->items);
    if (from < at) return gb_json_refuse(reader, "paper \"%.60s\" has a title already", name);
    const gb_paper paper = {.name = found->name, .primitive = found->primitive, .title = title};
    memmove(&papers->items[at + 1], &papers->items[at], (from - at) * sizeof *papers->items);
    papers->items[at] = paper;
    return true;
}

static bool take_titles(gb_arena *arena, gb_papers *papers, gb_error *error)
{
    static const char *const keys[] = {"schema", "papers", NULL};
    gb_json_reader reader;
    const cJSON *item = NULL;
    size_t count;
    cJSON *root = gb_json_share(arena, "plots/report.json", &reader, error);
    bool good = root && gb_json_check_keys(&reader, root, "key", keys) &&
                gb_json_objects(&reader, root, "papers", false, &item, &count);
    if (good) gb_json_enter(&reader, "papers");
    for (size_t i = 0; good && item; item = item->next, i++) {
        const size_t before = gb_json_enter_index(&reader, i);
        good = take_title(&reader, arena, item, i, papers);
        if (good) gb_json_leave(&reader, before);
    }
    cJSON_Delete(root);
    return good;
}

bool gb_papers_load(gb_arena *arena, gb_papers *papers, gb_error *error)
{
    char **paths = gb_share_list(arena, "results/published", "", ".csv");
    for (size_t i = 0; paths[i]; i++)
        if (!take_file(arena, paths[i], papers, error)) return false;
    return take_titles(arena, papers, error);
}
