/* What a change between two runs is, in words. */
#include "bench/history/history.h"

#include <math.h>

/* By how much of the rate before, 0.12: 12 % less or more. */
static double change_of(const gb_pair *pair)
{
    return fabs(pair->ratio.value - 1);
}

static const char *percent(gb_arena *arena, double part)
{
    const double value = 100 * part;
    return gb_arena_printf(arena, "%.*f", value < 9.95 ? 1 : 0, value);
}

/* "12 % ±0.4" of one row, "8.1 to 14 %" of several. */
static const char *by_how_much(gb_arena *arena, const gb_history_group *group, gb_verdict verdict)
{
    const gb_pair *least = NULL, *most = NULL;
    for (size_t i = 0; i < group->count; i++) {
        const gb_pair *pair = group->pairs[i];
        if (pair->verdict != verdict) continue;
        if (!least || change_of(pair) < change_of(least)) least = pair;
        if (!most || change_of(pair) > change_of(most)) most = pair;
    }
    if (!least || !most) return "nothing";
    if (least == most)
        return gb_arena_printf(arena, "%s %% ±%s", percent(arena, change_of(least)),
                               percent(arena, (least->ratio.hi - least->ratio.lo) / 2));
    return gb_arena_printf(arena, "%s to %s %%", percent(arena, change_of(least)),
                           percent(arena, change_of(most)));
}

const char *gb_history_change_text(gb_arena *arena, const gb_history_group *group,
                                   gb_verdict verdict)
{
    const char *text = gb_arena_printf(arena, "%s by %s", gb_verdict_names[verdict],
                                       by_how_much(arena, group, verdict));
    if (group->verdicts[verdict] == group->count) return text;
    return gb_arena_printf(arena, "%s in %zu of %zu rows", text, group->verdicts[verdict],
                           group->count);
}
