/* Files of `gpubench dump` in memory. */
#include "bench/rows/dumps.h"

#include "common/text/text.h"

#include <string.h>

bool gb_is_dump(const gb_csv *csv)
{
    return gb_csv_column(csv, "dump") >= 0;
}

static const char *stem_of(gb_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 4 && gb_text_ends(name, ".csv")) length -= 4;
    return gb_arena_strndup(arena, name, length);
}

static const char *folder_of(gb_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? gb_arena_strndup(arena, path, (size_t)(slash - path)) : "";
}

/* What a table's rows share, as the row says it. */
static gb_dump_table head_of(const gb_dump_file *file, size_t row)
{
    char *const *fields = file->csv->rows[row];
    const size_t seed = file->first_column - 1, first_axis = seed - file->axis_count;
    gb_dump_table head = {.variant = gb_csv_field(file->csv, row, "variant"),
                          .device = gb_csv_field(file->csv, row, "device"),
                          .seed = fields[seed]};
    for (unsigned a = 0; a < file->axis_count; a++)
        head.axis[a] = fields[first_axis + a];
    return head;
}

static bool same_table(const gb_dump_file *file, const gb_dump_table *a, const gb_dump_table *b)
{
    for (unsigned i = 0; i < file->axis_count; i++)
        if (strcmp(a->axis[i], b->axis[i]) != 0) return false;
    return strcmp(a->variant, b->variant) == 0 && strcmp(a->device, b->device) == 0 &&
           strcmp(a->seed, b->seed) == 0;
}

/* The table that a row belongs to; mostly the last. */
static gb_dump_table *table_of(gb_arena *arena, gb_dump_file *file, size_t row)
{
    const gb_dump_table head = head_of(file, row);
    for (size_t i = file->table_count; i-- > 0;)
        if (same_table(file, &file->tables[i], &head)) return &file->tables[i];
    file->tables = gb_arena_grow(arena, file->tables, file->table_count, &file->table_capacity,
                                 sizeof *file->tables);
    file->tables[file->table_count] = head;
    return &file->tables[file->table_count++];
}

/* What every row says alike: the version, the dump and the primitive, which name the figure. */
static bool check_row(const char *path, const gb_csv *csv, size_t row, gb_error *error)
{
    static const char *const alike[] = {"schema", "dump", "primitive"};
    const char *what = NULL;
    for (size_t i = 0; i < sizeof alike / sizeof *alike && !what; i++) {
        const char *text = gb_csv_field(csv, row, alike[i]);
        if (strcmp(text, gb_csv_field(csv, 0, alike[i])) != 0)
            what = "is not that of the first row: one dump a file";
        else if (i == 0 && strcmp(text, "1") != 0)
            what = "is not 1, the schema that this gpubench reads";
        else if (gb_name_mistake(text))
            what = "is no name";
        if (what)
            gb_fail(error, GB_WRONG, "%s: data row %zu, column %s: '%.80s' %s", path, row + 1,
                    alike[i], text, what);
    }
    return !what;
}

static bool find_columns(const char *path, gb_dump_file *file, gb_error *error)
{
    const int device = gb_csv_column(file->csv, "device"), seed = gb_csv_column(file->csv, "seed");
    const char *wrong = NULL;
    if (device < 0 || seed < 0 || gb_csv_column(file->csv, "primitive") < 0 ||
        gb_csv_column(file->csv, "variant") < 0)
        wrong = "it lacks one of the columns primitive, variant, device and seed";
    else if (seed <= device || seed - device - 1 > GB_MAX_AXES)
        wrong = "between its columns device and seed stand no axes, or more than there can be";
    else if ((size_t)seed + 1 >= file->csv->columns)
        wrong = "it has no column behind seed";
    if (wrong) {
        gb_fail(error, GB_WRONG, "%s is no file of `gpubench dump`: %s", path, wrong);
        return false;
    }
    file->first_column = (size_t)seed + 1;
    file->axis_count = (unsigned)(seed - device - 1);
    for (unsigned a = 0; a < file->axis_count; a++)
        file->axes[a] = file->csv->header[(unsigned)device + 1 + a];
    return true;
}

bool gb_dump_read(gb_arena *arena, const char *path, gb_csv *csv, gb_dump_file *file,
                  gb_error *error)
{
    *file =
        (gb_dump_file){.name = stem_of(arena, path), .folder = folder_of(arena, path), .csv = csv};
    if (!find_columns(path, file, error)) return false;
    if (csv->row_count == 0) {
        gb_fail(error, GB_WRONG, "%s holds no row: there is nothing to draw", path);
        return false;
    }
    for (size_t row = 0; row < csv->row_count; row++) {
        for (size_t c = 0; c < csv->columns; c++)
            gb_text_tame(csv->rows[row][c]);
        if (!check_row(path, csv, row, error)) return false;
        gb_dump_table *table = table_of(arena, file, row);
        table->rows = gb_arena_grow(arena, table->rows, table->row_count, &table->row_capacity,
                                    sizeof *table->rows);
        table->rows[table->row_count++] = row;
        file->simt |= strcmp(gb_csv_field(csv, row, "backend"), "simt") == 0;
    }
    file->dump = gb_csv_field(csv, 0, "dump");
    file->primitive = gb_csv_field(csv, 0, "primitive");
    return true;
}
