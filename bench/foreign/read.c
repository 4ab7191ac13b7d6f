/* Which tool wrote a file. */
#include "bench/foreign/reader.h"

#include <string.h>

/* ---- which tool ------------------------------------------------------------------------------ */

bool gb_foreign_is_json(const char *text, size_t size)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* of UTF-8 */
    size_t at = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    while (at < size && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    return at < size && (text[at] == '{' || text[at] == '[');
}

static const struct {
    bool (*is)(const cJSON *root);
    bool (*read)(gb_foreign_reader *reader, const cJSON *root);
    const char *tool, *keep;
} formats[] = {
    {gb_google_is, gb_google_read, "google/benchmark",
     "--benchmark_repetitions=20 without --benchmark_report_aggregates_only"},
    {gb_nvbench_is, gb_nvbench_read, "NVBench", "--jsonbin in the place of --json"},
    {gb_hyperfine_is, gb_hyperfine_read, "hyperfine", NULL},
};

static bool refuse_tool(gb_foreign_reader *reader, const cJSON *root)
{
    if (gb_foreign_member(root, "run_id") && gb_foreign_member(root, "schema"))
        return gb_json_refuse(&reader->json,
                              "this is what a run says of itself: name its NAME.csv instead");
    return gb_json_refuse(
        &reader->json,
        "this is JSON of no tool that is read here, which are NVBench (--json or --jsonbin: "
        "\"devices\" and \"benchmarks\"), google/benchmark (--benchmark_out: \"context\" and "
        "\"benchmarks\") and hyperfine (--export-json: \"results\"); docs/other-tools.md has more");
}

static bool read_root(gb_foreign_reader *reader, const cJSON *root)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!formats[i].is(root)) continue;
        reader->file->tool = formats[i].tool;
        reader->file->keep = formats[i].keep;
        if (!formats[i].read(reader, root)) return false;
        return reader->file->count > 0 ||
               gb_json_refuse(&reader->json, "this file of %s holds no result", formats[i].tool);
    }
    return refuse_tool(reader, root);
}

/* A map of a table's columns says nothing of JSON, which has names of its own. */
static const gb_foreign_map *map_of_json(const gb_foreign_map *map)
{
    const gb_map_item *time = gb_foreign_map_find(map, "time");
    const bool of_table =
        time && strcmp(time->source, "real_time") != 0 && strcmp(time->source, "cpu_time") != 0;
    return of_table ? NULL : map;
}

bool gb_foreign_read_json(gb_arena *arena, const char *path, const char *text, size_t size,
                          const gb_foreign_map *map, gb_foreign *file, gb_error *error)
{
    map = map_of_json(map);
    gb_foreign_reader reader = {.arena = arena,
                                .json = {.file = path, .text = text, .error = error},
                                .map = map,
                                .file = file};
    cJSON *root = gb_json_read(path, text, size, error);
    if (!root) return false;
    const bool good = read_root(&reader, root) && gb_foreign_settle(arena, path, map, file, error);
    cJSON_Delete(root);
    return good;
}
