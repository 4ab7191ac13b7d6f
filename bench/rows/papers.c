/* Which papers there are: what results/published/ has rows of, and its papers.json. */
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

/* ---- from results/published/papers.json ------------------------------------------------------ */

/* The references of a list of keys. */
static bool take_against(gb_json_reader *reader, gb_arena *arena, const cJSON *item,
                         const gb_papers *papers, gb_paper *paper)
{
    const char **keys;
    size_t count;
    if (!gb_json_texts(reader, arena, item, "against", &keys, &count)) return false;
    paper->against = gb_arena_alloc(arena, count * sizeof *paper->against + 1);
    for (paper->against_count = 0; paper->against_count < count; paper->against_count++) {
        const char *key = keys[paper->against_count];
        const gb_reference *reference = gb_reference_find(&papers->references, key);
        if (!reference) return gb_json_refuse(reader, "there is no reference \"%.60s\"", key);
        paper->against[paper->against_count] = reference;
    }
    return true;
}

/* Says of the paper that an object names what the file knows, and moves it to place `at`. */
static bool take_paper(gb_json_reader *reader, gb_arena *arena, const cJSON *item, size_t at,
                       gb_papers *papers)
{
    static const char *const keys[] = {"paper", "title", "reference", "compared", "against", NULL};
    const char *name, *title, *reference = NULL, *compared = NULL;
    if (!gb_json_check_keys(reader, item, "key", keys) ||
        !gb_json_text(reader, arena, item, "paper", true, &name) ||
        !gb_json_text(reader, arena, item, "title", true, &title) ||
        !gb_json_text(reader, arena, item, "reference", false, &reference) ||
        !gb_json_text(reader, arena, item, "compared", false, &compared))
        return false;
    gb_paper *found = gb_paper_find(papers, name);
    if (!found)
        return gb_json_refuse(reader, "no file of results/published has a row of paper \"%.60s\"",
                              name);
    const size_t from = (size_t)(found - papers->items);
    if (from < at) return gb_json_refuse(reader, "paper \"%.60s\" has a title already", name);
    gb_paper paper = {.name = found->name, .primitive = found->primitive, .title = title};
    paper.reference = reference ? gb_reference_find(&papers->references, reference) : NULL;
    if (reference && !paper.reference)
        return gb_json_refuse(reader, "there is no reference \"%.60s\"", reference);
    paper.compared = compared;
    if (!take_against(reader, arena, item, papers, &paper)) return false;
    memmove(&papers->items[at + 1], &papers->items[at], (from - at) * sizeof *papers->items);
    papers->items[at] = paper;
    return true;
}

static bool take_papers(gb_arena *arena, gb_papers *papers, gb_error *error)
{
    static const char *const keys[] = {"schema", "papers", "references", NULL};
    gb_json_reader reader;
    const cJSON *item = NULL;
    size_t count;
    cJSON *root = gb_json_share(arena, "results/published/papers.json", &reader, error);
    bool good = root && gb_json_check_keys(&reader, root, "key", keys) &&
                gb_references_read(&reader, arena, root, &papers->references) &&
                gb_json_objects(&reader, root, "papers", false, &item, &count);
    if (good) gb_json_enter(&reader, "papers");
    for (size_t i = 0; good && item; item = item->next, i++) {
        const size_t before = gb_json_enter_index(&reader, i);
        good = take_paper(&reader, arena, item, i, papers);
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
    return take_papers(arena, papers, error);
}

/* ---- in words -------------------------------------------------------------------------------- */

const char *gb_paper_compared(gb_arena *arena, const gb_paper *paper)
{
    const char *words = paper->compared ? paper->compared : "";
    for (size_t i = 0; i < paper->against_count; i++)
        words =
            gb_arena_printf(arena, "%s%s%s%s", words,
                            i        ? "; "
                            : *words ? " ("
                                     : "(",
                            paper->against[i]->called, i + 1 == paper->against_count ? ")" : "");
    return words;
}
