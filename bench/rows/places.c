/* Where rows come from, and what tells one place from another. */
#include "bench/rows/places.h"

#include "bench/rows/rows.h"
#include "bench/rows/run_facts.h"
#include "common/protocol/under.h"
#include "common/text/text.h"

#include <limits.h>
#include <string.h>

/* ---- finding --------------------------------------------------------------------------------- */

void gb_place_add_file(gb_results *results, const char *path)
{
    results->read = gb_arena_grow(&results->arena, results->read, results->read_count,
                                  &results->read_capacity, sizeof *results->read);
    results->read[results->read_count++] = (gb_read_file){path, results->operand};
}

static unsigned operand_of(const gb_results *results, const char *path)
{
    size_t i = 0;
    while (i + 1 < results->read_count && results->read[i].path != path)
        i++;
    return results->read[i].operand;
}

/* Whether another operand has brought rows of that place to a set. */
static bool is_taken(const gb_results *results, const gb_result_set *set, const gb_place *place,
                     unsigned operand)
{
    const char *last = NULL;
    for (size_t i = 0; i < set->row_count; i++) {
        const gb_result_row *row = &set->rows[i];
        if (row->place != place || row->path == last) continue;
        last = row->path;
        if (operand_of(results, last) != operand) return true;
    }
    return false;
}

/* Whether two are of one device, as far as files name it, under the same conditions. */
static bool is_alike(const gb_place *a, const gb_place *b)
{
    return strcmp(a->model, b->model) == 0 && strcmp(a->under, b->under) == 0;
}

static gb_place *add_place(gb_results *results, const gb_place *like)
{
    gb_place *place = gb_arena_alloc(&results->arena, sizeof *place);
    *place = *like;
    place->node = place->uuid = "";
    /* no two alike, until gb_places_tell_apart finds what tells them apart */
    place->device = place->model;
    for (size_t i = 0; i < results->place_count; i++)
        if (strcmp(results->places[i]->model, place->model) == 0)
            place->device = gb_arena_printf(&results->arena, "%s (%zu)", place->model,
                                            results->place_count + 1);
    results->places = gb_arena_grow(&results->arena, results->places, results->place_count,
                                    &results->place_capacity, sizeof *results->places);
    results->places[results->place_count++] = place;
    return place;
}

static gb_place *find_folder(gb_results *results, const gb_place *like)
{
    for (size_t i = 0; i < results->place_count; i++) {
        gb_place *place = results->places[i];
        if (!place->of_file && strcmp(place->folder, like->folder) == 0 && is_alike(place, like))
            return place;
    }
    return NULL;
}

/* The place of rows that a file has besides those of this set. */
static gb_place *find_file(gb_results *results, const char *path, const gb_place *like)
{
    for (size_t i = 0; i < results->place_count; i++) {
        gb_place *place = results->places[i];
        if (place->of_file && place->csv[0] == path && is_alike(place, like)) return place;
    }
    return NULL;
}

const gb_place *gb_place_of(gb_results *results, const gb_result_set *set, const char *path,
                            const gb_place *like)
{
    gb_arena *arena = &results->arena;
    gb_place new = *like;
    new.folder = gb_result_home(arena, path);
    new.named = gb_result_folder(arena, path);
    gb_place *place = find_folder(results, &new);
    new.of_file = new.apart || gb_result_is_moved_aside(path) ||
                  (place && is_taken(results, set, place, results->operand));
    if (new.of_file) place = find_file(results, path, &new);
    if (!place) place = add_place(results, &new);
    if (set->profile) return place;
    for (size_t i = 0; i < place->csv_count; i++)
        if (place->csv[i] == path) return place;
    place->csv = gb_arena_grow(arena, place->csv, place->csv_count, &place->csv_capacity,
                               sizeof *place->csv);
    place->csv[place->csv_count++] = path;
    return place;
}

/* ---- telling apart --------------------------------------------------------------------------- */

/* A place of one model among several, and what may tell it from them. */
typedef struct told {
    gb_place *place;
    const gb_results *results;
    size_t same;      /* the first that is the same place, read with other results */
    const char *text; /* tells it apart */
} told;

typedef struct teller {
    gb_arena *arena;
    told *items;
    size_t count, capacity;
} teller;

/* Whether two results have rows of an experiment at a place each. */
static bool overlap(const told *a, const told *b)
{
    for (size_t s = 0; s < a->results->set_count; s++) {
        const gb_result_set *of_a = &a->results->sets[s];
        bool in_a = false, in_b = false;
        for (size_t r = 0; r < of_a->row_count && !in_a; r++)
            in_a = of_a->rows[r].place == a->place;
        for (size_t k = 0; in_a && k < b->results->set_count && !in_b; k++) {
            const gb_result_set *of_b = &b->results->sets[k];
            if (strcmp(of_a->experiment, of_b->experiment) != 0 || of_a->profile != of_b->profile)
                continue;
            for (size_t r = 0; r < of_b->row_count && !in_b; r++)
                in_b = of_b->rows[r].place == b->place;
        }
        if (in_a && in_b) return true;
    }
    return false;
}

static bool is_same(const told *a, const told *b)
{
    return a->results != b->results && !a->place->of_file && !b->place->of_file &&
           strcmp(a->place->folder, b->place->folder) == 0 && !overlap(a, b);
}

/* Collects the places that are alike, the first of each first. */
static size_t gather(teller *t, gb_results *all, size_t count, const gb_place *like)
{
    size_t different = 0;
    t->count = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < all[i].place_count; p++) {
            if (!is_alike(all[i].places[p], like)) continue;
            t->items = gb_arena_grow(t->arena, t->items, t->count, &t->capacity, sizeof *t->items);
            told *item = &t->items[t->count];
            *item = (told){.place = all[i].places[p], .results = &all[i], .same = t->count};
            for (size_t k = 0; k < t->count && item->same == t->count; k++)
                if (is_same(&t->items[k], item)) item->same = t->items[k].same;
            different += item->same == t->count++;
        }
    return different;
}

static void ask_runs(gb_arena *arena, gb_place *place)
{
    for (; place->asked < place->csv_count; place->asked++) {
        const bool first = place->asked == 0;
        const gb_run_facts run = gb_run_facts_read(arena, place->csv[place->asked]);
        if (first || strcmp(place->node, run.node) != 0) place->node = first ? run.node : "";
        if (first || strcmp(place->uuid, run.uuid) != 0) place->uuid = first ? run.uuid : "";
    }
}

/* The last parts of a path. */
static const char *tail_of(const char *path, unsigned parts)
{
    const char *at = path + strlen(path);
    while (at > path && (at[-1] != '/' || --parts > 0))
        at--;
    return at;
}

static const char *folder_text(const teller *t, const told *item, unsigned parts)
{
    const gb_place *place = item->place;
    bool shared = false;
    for (size_t i = 0; i < t->count; i++)
        shared |=
            t->items[i].same != item->same && strcmp(t->items[i].place->folder, place->folder) == 0;
    if ((shared || place->apart) && place->csv_count == 1) {
        const char *name = tail_of(place->csv[0], parts);
        return gb_arena_strndup(t->arena, name,
                                strlen(name) - (gb_text_ends(name, ".csv") ? 4 : 0));
    }
    const char *last = tail_of(place->named, 1);
    const bool plain = *last && strcmp(last, ".") != 0 && strcmp(last, "..") != 0;
    return tail_of(plain && parts < UINT_MAX ? place->named : place->folder, parts);
}

/* What tells places apart, from the shortest on. */
static const char *text_at(const teller *t, unsigned level, const told *item)
{
    enum { SHORT_NODE, NODE, SHORT_UUID, UUID, FOLDER, DEEPEST = FOLDER + 8 };
    static const unsigned digits = 4;
    const char *node = item->place->node, *uuid = item->place->uuid;
    const size_t length = strlen(uuid);
    switch (level) {
    case SHORT_NODE:
        return gb_arena_strndup(t->arena, node, strcspn(node, "."));
    case NODE:
        return node;
    case SHORT_UUID:
        return length > digits ? gb_arena_printf(t->arena, "GPU ..%s", uuid + length - digits)
                               : uuid;
    case UUID:
        return uuid;
    default:
        return folder_text(t, item, level < DEEPEST ? level - FOLDER + 1 : UINT_MAX);
    }
}

/* Whether a level gives every place a text and no two the same one. */
static bool tells(teller *t, unsigned level)
{
    bool good = true;
    for (size_t i = 0; i < t->count; i++) {
        t->items[i].text = text_at(t, level, &t->items[i]);
        good &= *t->items[i].text != '\0';
        for (size_t k = 0; k < i; k++)
            good &= (t->items[k].same == t->items[i].same) ==
                    (strcmp(t->items[k].text, t->items[i].text) == 0);
    }
    return good;
}

/* "MODEL (WORDS, MORE)"; both, or one of them, may be "". */
static char *name_with(gb_arena *arena, const char *model, const char *words, const char *more)
{
    if (!*words && !*more) return gb_arena_strdup(arena, model);
    return gb_arena_printf(arena, "%s (%s%s%s)", model, words, *words && *more ? ", " : "", more);
}

/* For people; "" where there are none. */
static const char *words_of(gb_arena *arena, const char *under)
{
    gb_under conditions;
    char words[GB_UNDER_TEXT];
    if (!gb_under_parse(under, &conditions)) return under; /* of a row that nobody has checked */
    return gb_arena_strdup(arena, gb_under_words(&conditions, words));
}

static void name_alike(teller *t, gb_results *all, size_t count, const gb_place *like)
{
    enum { LEVELS = 13 };
    const size_t different = gather(t, all, count, like);
    const char *model = like->model, *words = words_of(t->arena, like->under);
    if (different > 1) {
        for (size_t i = 0; i < t->count; i++)
            ask_runs(t->arena, t->items[i].place);
        for (unsigned level = 0; level < LEVELS && !tells(t, level); level++)
            ;
    }
    for (size_t i = 0; i < t->count; i++) {
        const told *item = &t->items[i];
        char *name = name_with(t->arena, model, words, different > 1 ? item->text : "");
        gb_text_tame(name);
        item->place->device = name;
    }
}

static void rename_rows(gb_results *results)
{
    for (size_t s = 0; s < results->set_count; s++) {
        gb_result_set *set = &results->sets[s];
        if (set->published) continue;
        for (size_t r = 0; r < set->row_count; r++)
            set->rows[r].device = set->rows[r].place->device;
        gb_result_set_index(&results->arena, set);
    }
}

/* Whether no place before this one is like it. */
static bool is_first(const gb_results *all, size_t results, size_t number)
{
    const gb_place *place = all[results].places[number];
    for (size_t i = 0; i <= results; i++)
        for (size_t p = 0; p < (i < results ? all[i].place_count : number); p++)
            if (is_alike(all[i].places[p], place)) return false;
    return true;
}

void gb_places_tell_apart(gb_arena *arena, gb_results *all, size_t count)
{
    teller t = {.arena = arena};
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < all[i].place_count; p++)
            if (is_first(all, i, p)) name_alike(&t, all, count, all[i].places[p]);
    for (size_t i = 0; i < count; i++)
        rename_rows(&all[i]);
}

/* ---- models ---------------------------------------------------------------------------------- */

const char *gb_device_under(gb_arena *arena, const char *model, const char *under)
{
    return name_with(arena, model, words_of(arena, under), "");
}

const char *gb_row_model(const gb_result_row *row)
{
    return row->place ? row->place->model : row->device;
}

const char *gb_device_model(const gb_result_set *set, const char *device)
{
    for (size_t i = 0; i < set->row_count; i++)
        if (strcmp(set->rows[i].device, device) == 0) return gb_row_model(&set->rows[i]);
    return device;
}
