/* Who is the fastest at every point. */
#include "bench/rows/ratio.h"
#include "bench/standings/standings.h"

#include <stdlib.h>
#include <string.h>

const char *const gb_standing_names[GB_STANDING_VERDICT_COUNT] = {
    [GB_AHEAD] = "ahead", [GB_LEVEL] = "level", [GB_BEHIND] = "behind", [GB_ALONE] = "alone"};

/* Without an interval, and for what it does not settle: smaller differences are none. */
static const double smallest = 0.01;

typedef struct finder {
    gb_standings *s;
    gb_arena *arena;
    gb_room room;
    const gb_contest *contest;
    const gb_result_set *set; /* of the contest's experiment */
} finder;

/* ---- rows ------------------------------------------------------------------------------------ */

static bool lists(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* Whether a row is of the contest, its point and its variant apart: of the device as it is. */
static bool is_meant(const finder *f, const gb_result_set *set, const gb_result_row *row)
{
    return !*row->under && strcmp(row->device, f->s->device) == 0 &&
           strcmp(row->cache, f->contest->cache) == 0 && strcmp(row->scope, "device") == 0 &&
           gb_terms_hold(f->arena, &f->contest->where, set, row);
}

/* Whether a row stands at the point of another: all but the free axes agree. */
static bool is_at(const finder *f, const gb_result_row *point, const gb_result_set *set,
                  const gb_result_row *row)
{
    for (unsigned a = 0; a < f->set->axis_count; a++) {
        const int axis = gb_result_axis(set, f->set->axes[a]);
        if (axis < 0) return false;
        if (strcmp(point->axis[a], row->axis[axis]) != 0 &&
            !lists(f->contest->free, f->contest->free_count, f->set->axes[a]))
            return false;
    }
    return set->axis_count == f->set->axis_count;
}

static void note_unknown(finder *f, const char *variant)
{
    gb_standings *s = f->s;
    if (lists(s->unknown, s->unknown_count, variant)) return;
    s->unknown = gb_arena_grow(f->arena, s->unknown, s->unknown_count, &s->unknown_capacity,
                               sizeof *s->unknown);
    s->unknown[s->unknown_count++] = variant;
}

/* Whether a row competes for that side: it ran there, on the device and not on the host, does the
 * same work and keeps the contract. */
static bool competes(finder *f, const gb_result_set *set, const gb_result_row *row, gb_owner side)
{
    const gb_catalogue_variant *variant = NULL;
    if (row->status != GB_OK || !(row->rate > 0) ||
        lists(f->contest->other_work, f->contest->other_work_count, row->variant))
        return false;
    const gb_owner owner = gb_owner_of(f->s->owners, set->primitive, row->variant, &variant);
    if (owner == GB_OWNER_UNKNOWN) note_unknown(f, row->variant);
    return owner == side && variant && !variant->host && (variant->stable || !f->contest->stable);
}

/* ---- the fastest ----------------------------------------------------------------------------- */

static void find_ours(finder *f, gb_standing *standing)
{
    for (size_t r = 0; r < f->set->row_count; r++) {
        const gb_result_row *row = &f->set->rows[r];
        if (is_meant(f, f->set, row) && is_at(f, standing->point, f->set, row) &&
            competes(f, f->set, row, GB_OWNER_OURS) &&
            (!standing->ours || row->rate > standing->ours->rate))
            standing->ours = row;
    }
}

/* Of every experiment of the primitive. */
static void find_other(finder *f, gb_standing *standing)
{
    for (size_t o = 0; o < f->s->sides->operand_count; o++) {
        const gb_results *results = &f->s->sides->operands[o];
        for (size_t k = 0; k < results->set_count; k++) {
            const gb_result_set *set = &results->sets[k];
            if (set->published || set->profile || set->simt ||
                strcmp(set->primitive, f->set->primitive) != 0)
                continue;
            for (size_t r = 0; r < set->row_count; r++) {
                const gb_result_row *row = &set->rows[r];
                if (!is_at(f, standing->point, set, row) || !is_meant(f, set, row) ||
                    !competes(f, set, row, GB_OWNER_OTHERS) ||
                    (standing->other && row->rate <= standing->other->rate))
                    continue;
                standing->other = row;
                standing->other_set = set;
            }
        }
    }
}

/* Whether a printed rate is about a point: its axes agree with those of the point, and it says what
 * the contest asks for. */
static bool is_printed_at(const finder *f, const gb_peer *peer, const gb_result_row *point)
{
    if (strcmp(peer->device, gb_row_model(point)) != 0 ||
        strcmp(peer->primitive, f->set->primitive) != 0 || strcmp(peer->scope, "device") != 0 ||
        (*peer->cache && strcmp(peer->cache, f->contest->cache) != 0) ||
        (f->contest->stable && !peer->stable))
        return false;
    for (size_t i = 0; i < peer->point.count; i++) {
        const gb_term *term = &peer->point.items[i];
        const int axis = gb_result_axis(f->set, term->name);
        if (axis < 0) return false; /* of a primitive that had other axes then */
        if (!lists(f->contest->free, f->contest->free_count, term->name) &&
            !gb_term_holds(f->arena, term, point->axis[axis]))
            return false;
    }
    for (size_t i = 0; i < f->contest->where.count; i++) {
        const gb_term *wanted = &f->contest->where.items[i];
        const gb_term *said = gb_terms_find(&peer->point, wanted->name);
        if (!said || !gb_term_holds(f->arena, wanted, said->values)) return false;
    }
    return true;
}

static void find_printed(finder *f, gb_standing *standing)
{
    for (size_t i = 0; i < f->s->peers->count; i++) {
        const gb_peer *peer = &f->s->peers->items[i];
        if (peer->rate > gb_standing_other_rate(standing) &&
            is_printed_at(f, peer, standing->point)) {
            standing->peer = peer;
            standing->other = NULL;
        }
    }
}

double gb_standing_other_rate(const gb_standing *standing)
{
    if (standing->peer) return standing->peer->rate;
    return standing->other ? standing->other->rate : 0;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static gb_ratio ratio_of(finder *f, const gb_standing *standing)
{
    const gb_result_row *ours = standing->ours, *other = standing->other;
    if (!ours) return (gb_ratio){0};
    if (!other) return gb_ratio_to_printed(ours, standing->peer->rate, standing->peer->digits);
    const double *of_ours = NULL, *of_other = NULL;
    if (ours->samples > 1 && other->samples > 1) {
        of_ours = gb_side_samples(f->s->sides, standing->set, ours);
        of_other = of_ours ? gb_side_samples(f->s->sides, standing->other_set, other) : NULL;
    }
    gb_ratio ratio = gb_ratio_of_rows(&f->room, other, of_other, ours, of_ours);
    /* of as many steps, where these are free: times are those of the rows' work */
    const double work = ours->rate / other->rate / ratio.value;
    ratio.value *= work;
    ratio.lo *= work;
    ratio.hi *= work;
    return ratio;
}

/* Ahead is said where it is sure, behind where it looks like it. The interval of a ratio to a
 * printed rate is that of its digits, which says nothing of how far that scatters. */
static gb_standing_verdict verdict_of(const gb_standing *standing)
{
    const gb_ratio *ratio = &standing->ratio;
    if (!(gb_standing_other_rate(standing) > 0)) return GB_ALONE;
    if (ratio->value < 1 - smallest) return GB_BEHIND;
    const bool alike = !(ratio->value > 1 + smallest);
    if (!(ratio->lo > 0) || (standing->peer && alike)) return alike ? GB_LEVEL : GB_AHEAD;
    return ratio->hi < 1 ? GB_BEHIND : ratio->lo > 1 ? GB_AHEAD : GB_LEVEL;
}

/* ---- points ---------------------------------------------------------------------------------- */

static void add_point(finder *f, size_t first, const gb_result_row *row)
{
    gb_standings *s = f->s;
    for (size_t i = first; i < s->count; i++)
        if (is_at(f, s->items[i].point, f->set, row)) return;
    gb_standing standing = {.contest = f->contest, .set = f->set, .point = row};
    find_ours(f, &standing);
    find_other(f, &standing);
    find_printed(f, &standing);
    if (!standing.ours && !(gb_standing_other_rate(&standing) > 0)) return;
    standing.verdict = verdict_of(&standing);
    if (standing.verdict != GB_ALONE) standing.ratio = ratio_of(f, &standing);
    standing.verdict = verdict_of(&standing);
    s->items = gb_arena_grow(f->arena, s->items, s->count, &s->capacity, sizeof *s->items);
    s->items[s->count++] = standing;
}

/* Whether a point is the one of a line: what it does not say is as usual. */
static bool is_of_line(const finder *f, const gb_contest_line *line, const gb_standing *standing)
{
    if (!gb_terms_hold(f->arena, &line->at, standing->set, standing->point)) return false;
    for (size_t i = 0; i < f->contest->usual.count; i++) {
        const gb_term *usual = &f->contest->usual.items[i];
        const int axis = gb_result_axis(standing->set, usual->name);
        if (axis >= 0 && !gb_terms_find(&line->at, usual->name) &&
            !gb_term_holds(f->arena, usual, standing->point->axis[axis]))
            return false;
    }
    return true;
}

static bool choose_lines(finder *f, size_t first, gb_error *error)
{
    gb_standings *s = f->s;
    for (size_t l = 0; l < f->contest->line_count; l++) {
        const gb_contest_line *line = &f->contest->lines[l];
        gb_standing *found = NULL;
        for (size_t i = first; i < s->count; i++) {
            if (!is_of_line(f, line, &s->items[i])) continue;
            if (found) {
                gb_fail(error, GB_WRONG,
                        "plots/standings.json: the line \"%s\" of %s fits several points of the "
                        "results: say more in its \"at\", or in \"usual\"",
                        line->what, f->contest->name);
                return false;
            }
            found = &s->items[i];
        }
        if (!found) {
            s->missing = gb_arena_grow(f->arena, s->missing, s->missing_count, &s->missing_capacity,
                                       sizeof *s->missing);
            s->missing[s->missing_count++] = line->what;
            continue;
        }
        found->what = line->what;
    }
    return true;
}

static bool find_contest(finder *f, gb_error *error)
{
    const size_t first = f->s->count;
    for (size_t r = 0; r < f->set->row_count; r++)
        if (is_meant(f, f->set, &f->set->rows[r])) add_point(f, first, &f->set->rows[r]);
    /* Another device's file: nothing of this one is amiss there. */
    return f->s->count == first || choose_lines(f, first, error);
}

bool gb_standings_find(gb_standings *standings, gb_error *error)
{
    finder f = {.s = standings, .arena = &standings->sides->arena};
    bool good = true;
    for (size_t c = 0; good && c < standings->contests->count; c++) {
        f.contest = &standings->contests->items[c];
        for (size_t o = 0; good && o < standings->sides->operand_count; o++) {
            const gb_results *results = &standings->sides->operands[o];
            for (size_t k = 0; good && k < results->set_count; k++) {
                f.set = &results->sets[k];
                if (!f.set->published && !f.set->profile && !f.set->simt &&
                    strcmp(f.set->experiment, f.contest->experiment) == 0)
                    good = find_contest(&f, error);
            }
        }
    }
    gb_room_free(&f.room);
    return good;
}
