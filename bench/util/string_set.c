/* A set of strings: a hash table with linear probing. */
#include "bench/util/string_set.h"

#include <stdlib.h>
#include <string.h>

uint64_t gb_fnv1a64(const char *bytes, size_t count)
{
    uint64_t hash = 0xCBF29CE484222325ull;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001B3ull;
    return hash;
}

/* The slot that holds text, or the free one where it belongs. */
static size_t find(char *const *slots, size_t capacity, const char *text)
{
    size_t at = (size_t)gb_fnv1a64(text, strlen(text)) & (capacity - 1);
    while (slots[at] && strcmp(slots[at], text) != 0)
        at = (at + 1) & (capacity - 1);
    return at;
}

static bool grow(gb_string_set *set)
{
    size_t capacity = set->capacity ? set->capacity * 2 : 64;
    char **slots = calloc(capacity, sizeof *slots);
    if (!slots) return false;
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->slots[i]) slots[find(slots, capacity, set->slots[i])] = set->slots[i];
    }
    free(set->slots);
    set->slots = slots;
    set->capacity = capacity;
    return true;
}

bool gb_string_set_add(gb_string_set *set, const char *text)
{
    if (2 * (set->count + 1) > set->capacity && !grow(set)) return false;
    size_t at = find(set->slots, set->capacity, text);
    if (set->slots[at]) return true;
    set->slots[at] = strdup(text);
    if (!set->slots[at]) return false;
    set->count++;
    return true;
}

bool gb_string_set_has(const gb_string_set *set, const char *text)
{
    return set->capacity && set->slots[find(set->slots, set->capacity, text)];
}

void gb_string_set_free(gb_string_set *set)
{
    for (size_t i = 0; i < set->capacity; i++)
        free(set->slots[i]);
    free(set->slots);
    *set = (gb_string_set){0};
}
