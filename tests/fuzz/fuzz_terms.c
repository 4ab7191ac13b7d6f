/* Conditions on rows: a term holds where its opposite does not, and reads the same when written
 * anew. */
#include "tests/fuzz/fuzz.h"

#include "bench/rows/terms.h"

static const char *const signs[] = {[GB_IS] = "=",       [GB_IS_NOT] = "!=", [GB_BELOW] = "<",
                                    [GB_AT_MOST] = "<=", [GB_ABOVE] = ">",   [GB_AT_LEAST] = ">="};
static const int opposite[] = {
    [GB_IS] = GB_IS_NOT,     [GB_IS_NOT] = GB_IS,     [GB_BELOW] = GB_AT_LEAST,
    [GB_AT_MOST] = GB_ABOVE, [GB_ABOVE] = GB_AT_MOST, [GB_AT_LEAST] = GB_BELOW};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const values[] = {"0", "32", "33554432", "1e300", "-1", "uniform"};
    gb_arena arena = {0};
    gb_terms terms = {0}, again = {0};
    const char *why = NULL, *written = "";
    char *text = fuzz_text(data, size);
    if (!gb_terms_parse(&arena, text, &terms, &why)) {
        REQUIRE(why && *why);
        terms.count = 0;
    }
    for (size_t i = 0; i < terms.count; i++) {
        const gb_term *term = &terms.items[i];
        gb_term other = *term;
        other.relation = opposite[term->relation];
        written = gb_arena_printf(&arena, "%s%s%s %s %s", written, i ? ";" : "", term->name,
                                  signs[term->relation], term->values);
        const bool numbers = term->relation != GB_IS && term->relation != GB_IS_NOT;
        for (size_t v = 0; v < sizeof values / sizeof *values - numbers; v++)
            REQUIRE(gb_term_holds(&arena, term, values[v]) !=
                    gb_term_holds(&arena, &other, values[v]));
    }
    REQUIRE(gb_terms_parse(&arena, written, &again, &why));
    REQUIRE(again.count == terms.count);
    for (size_t i = 0; i < terms.count; i++) {
        REQUIRE(strcmp(terms.items[i].name, again.items[i].name) == 0);
        REQUIRE(strcmp(terms.items[i].values, again.items[i].values) == 0);
        REQUIRE(terms.items[i].relation == again.items[i].relation);
    }
    gb_arena_free(&arena);
    free(text);
    return 0;
}
