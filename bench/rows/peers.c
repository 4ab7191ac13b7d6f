/* Reading results/published/peers.csv. */
#include "bench/rows/peers.h"

#include "bench/util/csv_load.h"
#include "bench/util/share.h"
#include "common/protocol/conditions.h"
#include "common/text/number.h"
#include "common/text/text.h"

#include <string.h>

bool gb_is_peers(const gb_csv *csv)
{
    return gb_csv_column(csv, "peer") >= 0 && gb_csv_column(csv, "point") >= 0;
}

typedef struct reader {
    gb_arena *arena;
    const char *path;
    const gb_csv *csv;
    size_t row;
    gb_error *error;
} reader;

static const char *text_of(const reader *r, const char *column)
{
    char *text = gb_arena_strdup(r->arena, gb_csv_field(r->csv, r->row, column));
    gb_text_tame(text);
    return text;
}

static bool refuse(const reader *r, const char *column, const char *allowed)
{
    gb_fail(r->error, GB_WRONG, "%s: data row %zu, column %s: found '%.60s'; allowed: %s", r->path,
            r->row + 1, column, gb_csv_field(r->csv, r->row, column), allowed);
    return false;
}

static bool read_peer(const reader *r, gb_peer *peer)
{
    static const char *const needed[] = {"peer",      "source", "device", "measured",
                                         "primitive", "name",   "point",  "unit"};
    const char *value = text_of(r, "value"), *why;
    *peer = (gb_peer){.peer = text_of(r, "peer"),
                      .version = text_of(r, "version"),
                      .licence = text_of(r, "licence"),
                      .source = text_of(r, "source"),
                      .device = text_of(r, "device"),
                      .measured = text_of(r, "measured"),
                      .primitive = text_of(r, "primitive"),
                      .name = text_of(r, "name"),
                      .point_text = text_of(r, "point"),
                      .stable = strcmp(text_of(r, "stable"), "yes") == 0,
                      .cache = text_of(r, "cache"),
                      .scope = text_of(r, "scope"),
                      .digits = gb_number_digits(value),
                      .unit = text_of(r, "unit"),
                      .note = text_of(r, "note")};
    if (strcmp(text_of(r, "schema"), "1") != 0) return refuse(r, "schema", "1");
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!*text_of(r, needed[i])) return refuse(r, needed[i], "a text that is not empty");
    if (!peer->stable && strcmp(text_of(r, "stable"), "no") != 0)
        return refuse(r, "stable", "yes or no");
    if (*peer->cache && !gb_cache_parse(peer->cache, NULL))
        return refuse(r, "cache", "cold, warm, or nothing where it is not said");
    if (!gb_scope_parse(peer->scope, NULL)) return refuse(r, "scope", "device or host-to-host");
    if (strcmp(text_of(r, "quantity"), "rate") != 0) return refuse(r, "quantity", "rate");
    if (!gb_number_parse(value, &peer->rate) || !(peer->rate > 0))
        return refuse(r, "value", "a number above 0, such as 51.3e9");
    if (!gb_terms_parse(r->arena, peer->point_text, &peer->point, &why))
        return refuse(r, "point", why);
    for (size_t i = 0; i < peer->point.count; i++)
        if (peer->point.items[i].relation != GB_IS)
            return refuse(r, "point", "values of axes, such as n=268435456;dist=uniform");
    return true;
}

bool gb_peers_load(gb_arena *arena, gb_peers *peers, gb_error *error)
{
    const char *path = gb_share_find(arena, "results/published/peers.csv");
    if (!path) return true;
    gb_csv *csv = gb_csv_load(path, error);
    if (!csv) return false;
    reader r = {.arena = arena, .path = path, .csv = csv, .error = error};
    bool good = gb_is_peers(csv);
    if (!good)
        gb_fail(error, GB_WRONG,
                "%s has no columns 'peer' and 'point': results/published/README.md describes them",
                path);
    for (; good && r.row < csv->row_count; r.row++) {
        peers->items = gb_arena_grow(arena, peers->items, peers->count, &peers->capacity,
                                     sizeof *peers->items);
        good = read_peer(&r, &peers->items[peers->count]);
        peers->count += good;
    }
    gb_csv_free(csv);
    return good;
}
