/* Other tools' files: what is read becomes rows that are found again and can be drawn, and what is
 * written of it in google/benchmark's format is read as it was. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tables.h"

#include "bench/foreign/export.h"
#include "bench/rows/foreign.h"

#include <math.h>

/* Times beyond this have no rate or no nanoseconds that are finite. */
static const double longest = 1e280, shortest = 1e-280;

static bool is_plain(const gb_foreign_entry *e)
{
    bool plain = e->items < longest && e->mean < longest && e->sd < longest;
    for (size_t i = 0; e->times && i < e->count; i++)
        plain = plain && e->times[i] < longest && (e->times[i] <= 0 || e->times[i] > shortest);
    return plain && (e->mean <= 0 || e->mean > shortest);
}

static void require_same(const gb_foreign_entry *a, const gb_foreign_entry *b)
{
    REQUIRE(strcmp(a->variant, b->variant) == 0 && strcmp(a->device, b->device) == 0);
    REQUIRE(a->status == b->status && a->axis_count == b->axis_count);
    for (unsigned i = 0; i < a->axis_count; i++)
        REQUIRE(strcmp(a->axes[i].name, b->axes[i].name) == 0 &&
                strcmp(a->axes[i].value, b->axes[i].value) == 0);
    REQUIRE(!a->times || a->status != GB_OK || (b->times && b->count == a->count));
    for (size_t i = 0; a->times && b->times && i < a->count; i++)
        REQUIRE(fabs(a->times[i] - b->times[i]) <= 1e-12 * a->times[i]);
}

/* Entries of one run name are one benchmark there: only what differs is written. */
static bool are_unique(const gb_foreign *file)
{
    for (size_t i = 0; i < file->count; i++) {
        const gb_foreign_entry *e = &file->entries[i];
        if (!is_plain(e) || !*e->variant) return false;
        for (unsigned a = 0; a < e->axis_count; a++)
            if (strpbrk(e->axes[a].value, "/:<>")) return false;
        for (size_t k = 0; k < i; k++) {
            const gb_foreign_entry *o = &file->entries[k];
            bool same = strcmp(o->variant, e->variant) == 0 && o->axis_count == e->axis_count;
            for (unsigned a = 0; same && a < e->axis_count; a++)
                same = strcmp(o->axes[a].name, e->axes[a].name) == 0 &&
                       strcmp(o->axes[a].value, e->axes[a].value) == 0;
            if (same || strchr(e->variant, '/') || strchr(e->variant, '<')) return false;
        }
    }
    return true;
}

static void require_back(gb_arena *arena, gb_foreign *file)
{
    char *text = NULL;
    size_t size = 0;
    gb_error error = {GB_OK, ""};
    const gb_export_run run = {.date = "", .host = ""};
    gb_foreign back = {0};
    for (size_t i = 0; i < file->count; i++)
        file->entries[i].experiment = file->entries[i].primitive = "e";
    if (!are_unique(file)) return;
    FILE *out = open_memstream(&text, &size);
    REQUIRE(out && gb_export_google(file, &run, out, &error) && fclose(out) == 0);
    const bool good = gb_foreign_read_json(arena, "out.json", text, size, NULL, &back, &error);
    if (!good) fprintf(stderr, "%s\n", error.text);
    REQUIRE(good && back.count == file->count);
    for (size_t i = 0; i < file->count; i++)
        require_same(&file->entries[i], &back.entries[i]);
    free(text);
}

static void require_rows(gb_results *results)
{
    for (size_t s = 0; s < results->set_count; s++) {
        const gb_result_set *set = &results->sets[s];
        REQUIRE(set->axis_count >= 1 && set->axis_count <= GB_MAX_AXES);
        for (size_t r = 0; r < set->row_count; r++) {
            REQUIRE(gb_result_find(set, &set->rows[r]) == &set->rows[r]);
            REQUIRE(set->rows[r].source && (!set->rows[r].times || set->rows[r].samples > 0));
        }
        fuzz_draw(&results->arena, set, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_error error = {GB_OK, ""};
    gb_foreign_map map = {0};
    gb_results results = {.map = &map};
    gb_foreign file = {0};
    char *text = fuzz_text(data, size);
    bool good;
    if (gb_foreign_is_json(text, size)) {
        good = gb_foreign_read_json(&results.arena, "in.json", text, size, &map, &file, &error);
        if (good) require_back(&results.arena, &file);
        good = gb_foreign_add_json(&results, "in.json", text, size, &error);
        free(text);
    } else {
        gb_csv *csv = gb_csv_parse(text, size, "in.csv", &error);
        if (!csv) return 0; /* fuzz_csv.c looks at these */
        REQUIRE(gb_foreign_map_add(&results.arena, "time=t:ms,variant=v,n=n", &map, &error));
        if (gb_foreign_is_table(&results, csv)) {
            good = gb_foreign_add_table(&results, "in.csv", csv, &error);
        } else {
            gb_csv_free(csv);
            good = true;
        }
    }
    if (good)
        require_rows(&results);
    else
        require_message(&error, "in.");
    gb_results_free(&results);
    return 0;
}
