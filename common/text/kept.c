/* A hash table of texts, with open addressing. */
#include "common/text/kept.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct {
    char **slots; /* a power of two of them, at most half full; NULL: free */
    size_t capacity, count;
} kept;

/* FNV-1a (Fowler, Noll, Vo). */
static size_t hash_of(const char *text)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    return (size_t)hash;
}

/* Where the text is, or belongs. */
static char **slot_of(char **slots, size_t capacity, const char *text)
{
    size_t at = hash_of(text) & (capacity - 1);
    while (slots[at] && strcmp(slots[at], text) != 0)
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

static int grow(void)
{
    const size_t capacity = kept.capacity ? 2 * kept.capacity : 256;
    char **slots = calloc(capacity, sizeof *slots);
    if (!slots) return 0;
    for (size_t i = 0; i < kept.capacity; i++)
        if (kept.slots[i]) *slot_of(slots, capacity, kept.slots[i]) = kept.slots[i];
    free(kept.slots);
    kept.slots = slots;
    kept.capacity = capacity;
    return 1;
}

const char *gb_text_kept(const char *text)
{
    if (2 * (kept.count + 1) > kept.capacity && !grow()) return NULL;
    char **slot = slot_of(kept.slots, kept.capacity, text);
    if (!*slot && (*slot = strdup(text))) kept.count++;
    return *slot;
}

void gb_text_forget(void)
{
    for (size_t i = 0; i < kept.capacity; i++)
        free(kept.slots[i]);
    free(kept.slots);
    kept.slots = NULL;
    kept.capacity = kept.count = 0;
}
