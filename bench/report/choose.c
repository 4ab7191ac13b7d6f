/* plots/report.json: what the summary shows. */
#include "bench/report/page.h"

#include "bench/rows/json_data.h"

bool gb_report_choose(gb_report *r, gb_error *error)
{
    static const char *const keys[] = {"schema", "figures", NULL};
    gb_arena *arena = &r->sides.arena;
    gb_json_reader reader;
    cJSON *root = gb_json_share(arena, "plots/report.json", &reader, error);
    const bool good =
        root && gb_json_check_keys(&reader, root, "key", keys) &&
        gb_json_texts(&reader, arena, root, "figures", &r->important, &r->important_count);
    cJSON_Delete(root);
    return good;
}
