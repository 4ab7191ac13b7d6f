/* Reading claims. */
#include "bench/claims/claims.h"
#include "bench/rows/published.h"
#include "bench/util/csv_load.h"
#include "bench/util/nearest.h"
#include "bench/util/share.h"
#include "common/text/number.h"
#include "common/text/size.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

const char *const gb_claim_verdict_names[GB_CLAIM_VERDICT_COUNT] = {
    [GB_CLAIM_HOLDS] = "HOLDS",
    [GB_CLAIM_FAILS] = "FAILS",
    [GB_CLAIM_UNDECIDED] = "UNDECIDED",
    [GB_CLAIM_NOT_TESTED] = "NOT TESTED",
    [GB_CLAIM_BY_CONSTRUCTION] = "BY CONSTRUCTION",
    [GB_CLAIM_OTHER_GPU] = "OTHER GPU",
    [GB_CLAIM_THEIR_PROCEDURE] = "THEIR PROCEDURE"};

const char *const gb_claim_class_names[GB_CLAIM_CLASS_COUNT + 1] = {
    [GB_CLAIM_MEASURED] = "measured",
    [GB_CLAIM_CONSTRUCTION] = "construction",
    [GB_CLAIM_GENERATION] = "generation",
    [GB_CLAIM_PROCEDURE] = "procedure"};

static const char *const quantities[GB_CLAIM_QUANTITY_COUNT + 1] = {
    [GB_CLAIM_SPEEDUP] = "speedup",
    [GB_CLAIM_CHANGE] = "change",
    [GB_CLAIM_SPEEDUP_CHANGE] = "speedup_change",
    [GB_CLAIM_TREND] = "trend",
    [GB_CLAIM_SPEEDUP_TREND] = "speedup_trend",
    [GB_CLAIM_CI95] = "ci95",
    [GB_CLAIM_OK] = "ok",
    [GB_CLAIM_UNSUPPORTED] = "unsupported",
    [GB_CLAIM_FAILED] = "failed",
    [GB_CLAIM_FAILS_FROM] = "fails_from",
    [GB_CLAIM_DEVICE_RATIO] = "device_ratio"};

typedef struct reader {
    gb_arena *arena;
    const char *path;
    const gb_csv *csv;
    size_t row;
    gb_error *error;
} reader;

static const char *text_of(const reader *r, const char *column)
{
    return gb_arena_strdup(r->arena, gb_csv_field(r->csv, r->row, column));
}

static bool refuse(const reader *r, const char *column, const char *allowed)
{
    gb_fail(r->error, GB_WRONG, "%s: data row %zu, column %s: found '%.100s'; %s", r->path,
            r->row + 1, column, gb_csv_field(r->csv, r->row, column), allowed);
    return false;
}

/* Whether the file has such an axis: they stand between the columns device and kind. */
static bool has_axis(const reader *r, const char *axis)
{
    const int column = gb_csv_column(r->csv, axis);
    return column > gb_csv_column(r->csv, "device") && column < gb_csv_column(r->csv, "kind");
}

/* "n <= 50k; dist = cube,plummer" */
static bool read_where(const reader *r, gb_claim *claim)
{
    const char *why;
    if (!gb_terms_parse(r->arena, text_of(r, "where"), &claim->where, &why))
        return refuse(r, "where", why);
    for (size_t i = 0; i < claim->where.count; i++)
        if (!has_axis(r, claim->where.items[i].name))
            return refuse(r, "where",
                          gb_arena_printf(r->arena, "the file has no axis '%.40s'",
                                          claim->where.items[i].name));
    return true;
}

/* The axis whose best rows count, or nothing. */
static bool read_best_over(const reader *r, gb_claim *claim)
{
    claim->best_over = text_of(r, "best_over");
    return !*claim->best_over || has_axis(r, claim->best_over) ||
           refuse(r, "best_over", "the file has no such axis");
}

static bool is_trend(const gb_claim *claim)
{
    return claim->quantity == GB_CLAIM_TREND || claim->quantity == GB_CLAIM_SPEEDUP_TREND;
}

/* "n" of a trend; "bins: 361 > 512" of a change; "NVIDIA K80 > NVIDIA P100" of devices, or, at each
 * value of an axis, "radius: NVIDIA K80 > NVIDIA P100". */
static bool read_along(const reader *r, gb_claim *claim)
{
    const char *text = text_of(r, "along"), *colon = strchr(text, ':'), *sign = strchr(text, '>');
    const bool change =
        claim->quantity == GB_CLAIM_CHANGE || claim->quantity == GB_CLAIM_SPEEDUP_CHANGE;
    if (is_trend(claim) || claim->quantity == GB_CLAIM_FAILS_FROM) {
        claim->along = text;
        return has_axis(r, text) ||
               refuse(r, "along", "a trend and a fails_from need the name of an axis");
    }
    if (!change && claim->quantity != GB_CLAIM_DEVICE_RATIO)
        return !*text ||
               refuse(r, "along",
                      "it is blank but for a change, a trend, a fails_from or a device_ratio");
    static const char *const allowed = "allowed is 'AXIS: FROM > TO' of a change, 'DEVICE > "
                                       "DEVICE' or 'AXIS: DEVICE > DEVICE' of a device_ratio";
    const bool has_colon = colon && sign && colon < sign;
    if (!sign || (change && !has_colon)) return refuse(r, "along", allowed);
    if (has_colon) claim->along = gb_arena_trimmed(r->arena, text, (size_t)(colon - text));
    const char *from = has_colon ? colon + 1 : text;
    claim->from = gb_arena_trimmed(r->arena, from, (size_t)(sign - from));
    claim->to = gb_arena_trimmed(r->arena, sign + 1, strlen(sign + 1));
    if (!*claim->from || !*claim->to) return refuse(r, "along", allowed);
    return !has_colon || has_axis(r, claim->along) ||
           refuse(r, "along",
                  gb_arena_printf(r->arena, "the file has no axis '%.40s'", claim->along));
}

/* "all >= 1.83", "most within 2% of 1" */
static bool read_condition(const reader *r, gb_claim *claim)
{
    static const char *const allowed = "allowed is all, most or any, then =, <, <=, > or >= and a "
                                       "number, or within P% of a number";
    gb_claim_condition *c = &claim->condition;
    char of[8], how[8];
    int behind = 0;
    c->text = text_of(r, "holds_if");
    if (sscanf(c->text, "%7s %7s %n", of, how, &behind) != 2 || !c->text[behind])
        return refuse(r, "holds_if", allowed);
    const char *rest = c->text + behind;
    static const char *const ofs[] = {"all", "most", "any", NULL};
    static const char *const hows[] = {"=", "<", "<=", ">", ">=", "within", NULL};
    int i = 0, k = 0;
    while (ofs[i] && strcmp(ofs[i], of) != 0)
        i++;
    while (hows[k] && strcmp(hows[k], how) != 0)
        k++;
    if (!ofs[i] || !hows[k]) return refuse(r, "holds_if", allowed);
    c->of = i == 0 ? GB_CLAIM_ALL : i == 1 ? GB_CLAIM_MOST : GB_CLAIM_ANY;
    c->how = (int)k;
    if (k != GB_HOLDS_WITHIN) {
        if (!gb_number_parse(rest, &c->value)) return refuse(r, "holds_if", allowed);
        /* What has an interval is never known to equal a number; that values trend is all that
         * their order can show. */
        if (k == GB_HOLDS_EQ && !gb_claim_is_share(claim))
            return refuse(r, "holds_if", "= is for ok, unsupported and failed alone");
        if (is_trend(claim) && (c->value != 0 || (k != GB_HOLDS_GT && k != GB_HOLDS_LT) || i == 1))
            return refuse(r, "holds_if", "a trend has all or any, and > 0 or < 0");
        return true;
    }
    if (is_trend(claim)) return refuse(r, "holds_if", "a trend has all or any, and > 0 or < 0");
    const char *sign = strstr(rest, "% of ");
    if (!sign ||
        !gb_number_parse(gb_arena_strndup(r->arena, rest, (size_t)(sign - rest)), &c->within) ||
        c->within < 0 || !gb_number_parse(sign + strlen("% of "), &c->value))
        return refuse(r, "holds_if", allowed);
    c->within /= 100;
    return true;
}

static bool read_class(const reader *r, gb_claim *claim)
{
    const char *text = text_of(r, "class");
    while (gb_claim_class_names[claim->class] &&
           strcmp(gb_claim_class_names[claim->class], text) != 0)
        claim->class ++;
    if (claim->class != GB_CLAIM_CLASS_COUNT) return true;
    char known[128];
    return refuse(r, "class",
                  gb_arena_printf(r->arena, "a claim is one of %s",
                                  gb_join_names(known, sizeof known, gb_claim_class_names)));
}

static bool read_claim(const reader *r, gb_claim *claim)
{
    *claim = (gb_claim){.paper = text_of(r, "paper"),
                        .primitive = text_of(r, "primitive"),
                        .experiment = text_of(r, "experiment"),
                        .device = text_of(r, "device"),
                        .generation = "",
                        .locator = text_of(r, "locator"),
                        .scope = text_of(r, "scope"),
                        .note = text_of(r, "note"),
                        .assumption = text_of(r, "assumption"),
                        .statement = text_of(r, "statement"),
                        .value = text_of(r, "value"),
                        .unit = text_of(r, "unit"),
                        .variant = text_of(r, "variant"),
                        .baseline = text_of(r, "baseline")};
    const char *quantity = text_of(r, "quantity");
    while (quantities[claim->quantity] && strcmp(quantities[claim->quantity], quantity) != 0)
        claim->quantity++;
    if (claim->quantity == GB_CLAIM_QUANTITY_COUNT) {
        char known[256];
        return refuse(r, "quantity",
                      gb_arena_printf(r->arena, "of a claim it is one of %s",
                                      gb_join_names(known, sizeof known, quantities)));
    }
    if (!*claim->variant) return refuse(r, "variant", "a claim names the variants it is about");
    double value;
    if (*claim->value && !gb_number_parse(claim->value, &value))
        return refuse(r, "value", "the number that the paper gives, or nothing, is allowed");
    if (!*claim->statement) return refuse(r, "statement", "a claim says what it claims");
    if (!*claim->experiment)
        return refuse(r, "experiment", "a claim names the config whose results test it");
    const bool compares = claim->quantity == GB_CLAIM_SPEEDUP ||
                          claim->quantity == GB_CLAIM_SPEEDUP_CHANGE ||
                          claim->quantity == GB_CLAIM_SPEEDUP_TREND;
    if (compares && !*claim->baseline)
        return refuse(r, "baseline", "a speed-up needs the variants that it is over");
    return read_class(r, claim) && read_where(r, claim) && read_along(r, claim) &&
           read_best_over(r, claim) && read_condition(r, claim);
}

bool gb_claims_load(gb_arena *arena, const char *path, gb_claims *claims, gb_error *error)
{
    gb_csv *csv = gb_csv_load(path, error);
    if (!csv) return false;
    reader r = {.arena = arena, .path = path, .csv = csv, .error = error};
    bool good = true;
    for (; good && r.row < csv->row_count; r.row++) {
        if (strcmp(gb_csv_field(csv, r.row, "kind"), "claim") != 0) continue;
        for (size_t c = 0; c < csv->columns; c++)
            gb_text_tame(csv->rows[r.row][c]);
        claims->items = gb_arena_grow(arena, claims->items, claims->count, &claims->capacity,
                                      sizeof *claims->items);
        good = read_claim(&r, &claims->items[claims->count]);
        claims->count += good;
    }
    gb_csv_free(csv);
    return good;
}

bool gb_claims_load_all(gb_arena *arena, gb_claims *claims, gb_error *error)
{
    gb_gpus gpus;
    char **paths = gb_share_list(arena, "results/published", "", ".csv");
    for (size_t i = 0; paths[i]; i++)
        if (!gb_claims_load(arena, paths[i], claims, error)) return false;
    if (claims->count) {
        const bool good = gb_gpus_load(arena, "gpus.csv", &gpus, error);
        if (good) gb_claims_name_generations(arena, claims, &gpus);
        return good;
    }
    gb_fail(error, GB_WRONG,
            "there are no claims: no file of results/published in any of: %s (GPUBENCH_SHARE names "
            "the folder that holds results/published)",
            gb_share_places(arena));
    return false;
}
