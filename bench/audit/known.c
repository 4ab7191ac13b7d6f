/* Reading audit-known.csv: differences that were looked into. */
#include "bench/audit/audit.h"
#include "bench/util/csv_load.h"
#include "common/text/text.h"

#include <string.h>
#include <unistd.h>

typedef struct reader {
    gb_arena *arena;
    const char *path, *folder;
    const gb_csv *csv;
    const gb_audit_rules *rules;
    gb_error *error;
} reader;

static bool read_entry(const reader *r, size_t row, gb_audit_known *known)
{
    const char *texts[5], *allowed = NULL, *why, *column = NULL;
    static const char *const columns[5] = {"experiment", "variant", "rule", "where", "because"};
    for (size_t c = 0; c < 5; c++) {
        texts[c] = gb_arena_strdup(r->arena, gb_csv_field(r->csv, row, columns[c]));
        gb_text_tame((char *)texts[c]);
    }
    *known = (gb_audit_known){.path = r->path,
                              .folder = r->folder,
                              .line = row + 1,
                              .experiment = texts[0],
                              .variant = texts[1],
                              .rule = texts[2],
                              .where_text = texts[3],
                              .because = texts[4]};
    bool has_rule = false;
    const char *names = "";
    for (size_t i = 0; i < r->rules->count; i++) {
        const char *name = r->rules->items[i].name;
        has_rule |= strcmp(name, known->rule) == 0;
        names = gb_arena_printf(r->arena, "%s%s%s", names, i ? ", " : "", name);
    }
    if (!*known->experiment) column = "experiment", allowed = "the name of an experiment";
    if (!*known->variant) column = "variant", allowed = "names of variants separated by ;, or *";
    if (!has_rule) column = "rule", allowed = gb_arena_printf(r->arena, "one of %s", names);
    if (!*known->because) column = "because", allowed = "what was found out";
    if (!column && !gb_terms_parse(r->arena, known->where_text, &known->where, &why))
        column = "where", allowed = why;
    if (!column) return true;
    gb_fail(r->error, GB_WRONG, "%s: data row %zu, column %s: found '%.60s'; allowed: %s", r->path,
            row + 1, column, gb_csv_field(r->csv, row, column), allowed);
    return false;
}

bool gb_audit_known_load(gb_arena *arena, const char *results, const gb_audit_rules *rules,
                         gb_audit_knowns *knowns, gb_error *error)
{
    const char *path = gb_arena_printf(arena, "%s/%s", gb_result_folder(arena, results),
                                       gb_known_differences_name);
    const char *folder = gb_result_home(arena, results);
    for (size_t i = 0; i < knowns->count; i++)
        if (strcmp(knowns->items[i].folder, folder) == 0) return true;
    if (access(path, F_OK) != 0) return true;
    gb_csv *csv = gb_csv_load(path, error);
    if (!csv) return false;
    const reader r = {arena, path, folder, csv, rules, error};
    bool good = true;
    for (size_t row = 0; good && row < csv->row_count; row++) {
        knowns->items = gb_arena_grow(arena, knowns->items, knowns->count, &knowns->capacity,
                                      sizeof *knowns->items);
        good = read_entry(&r, row, &knowns->items[knowns->count]);
        knowns->count += good;
    }
    gb_csv_free(csv);
    return good;
}
