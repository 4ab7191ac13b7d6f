/* Times, factors and verdicts in words. */
#include "bench/project/words.h"

#include "bench/table/numbers.h"

#include <math.h>
#include <string.h>

const char *gb_ms_text(gb_arena *arena, double seconds)
{
    return seconds > 0 ? gb_significant(arena, seconds * 1e3, 3) : "";
}

const char *gb_factor_text(gb_arena *arena, double factor)
{
    return gb_arena_printf(arena, "%.2f", factor);
}

/* "stencil, card left out, NVIDIA H200" */
static const char *check_text(gb_arena *arena, const gb_check *check)
{
    return gb_arena_printf(arena, "%s, %s", gb_check_names[check->kind], check->held);
}

/* "csl, x 512: 1.2 ms guessed, 2.4 are true" */
static const char *guess_text(gb_arena *arena, const gb_guess *guess)
{
    return gb_arena_printf(arena, "%s, %s%s%s%s: %s ms guessed, %s %s", guess->experiment,
                           guess->variant, *guess->readable ? ", " : "", guess->readable,
                           guess->kind == GB_CHECK_LIMIT || guess->kind == GB_CHECK_EDGE
                               ? gb_arena_printf(arena, ", %g multiprocessors", guess->sms)
                               : "",
                           gb_ms_text(arena, guess->time_s), gb_ms_text(arena, guess->truth_s),
                           guess->kind == GB_CHECK_PRINTED ? "printed" : "measured");
}

const char *gb_verdict_text(gb_arena *arena, const gb_verdict_of *verdict)
{
    const gb_check *off = verdict->refused;
    if (off)
        return gb_arena_printf(
            arena,
            "%s is refused: of %zu guesses%s (%s) 90 %% are off by factors of up to %s, more than "
            "%s; furthest off: %s.",
            verdict->primitive, off->count,
            strcmp(off->primitive, verdict->primitive) == 0
                ? ""
                : gb_arena_printf(arena, " of %s, since nothing is printed of it", off->primitive),
            check_text(arena, off), gb_factor_text(arena, off->of90),
            gb_factor_text(arena, gb_project_limit), guess_text(arena, off->worst));
    if (verdict->unchecked)
        return gb_arena_printf(arena,
                               "%s is refused: nothing is known that its guesses could be held "
                               "against.",
                               verdict->primitive);
    return gb_arena_printf(
        arena, "%s: intervals are widened by a factor of %s either way%s.", verdict->primitive,
        gb_factor_text(arena, exp(verdict->spread)),
        verdict->unvalidated ? ", which is that of other primitives: no value of it is printed for "
                               "another architecture"
                             : "");
}
