/* Memory that is released all at once: a list of blocks, each filled from its start. */
#include "bench/util/arena.h"

#include "common/text/limits.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct gb_arena_block {
    struct gb_arena_block *next;
    size_t used, capacity;
    _Alignas(max_align_t) char bytes[];
};

void *gb_arena_alloc(gb_arena *arena, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    size = (size + align - 1) / align * align;
    struct gb_arena_block *block = arena->blocks;
    if (!block || block->capacity - block->used < size) {
        size_t capacity = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        block = calloc(1, sizeof *block + capacity);
        if (!block) gb_memory_gone("gpubench", size);
        block->capacity = capacity;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *result = block->bytes + block->used;
    block->used += size;
    return result;
}

char *gb_arena_strndup(gb_arena *arena, const char *text, size_t length)
{
    char *copy = gb_arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *gb_arena_trimmed(gb_arena *arena, const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return gb_arena_strndup(arena, text, length);
}

char *gb_arena_strdup(gb_arena *arena, const char *text)
{
    return gb_arena_strndup(arena, text, strlen(text));
}

char *gb_arena_printf(gb_arena *arena, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = gb_arena_alloc(arena, length < 0 ? 1 : (size_t)length + 1);
    if (length > 0) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

const char *gb_arena_listed(gb_arena *arena, const char *const *words, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = gb_arena_printf(arena, "%s%s%s", text,
                               i == 0           ? ""
                               : i + 1 == count ? " and "
                                                : ", ",
                               words[i]);
    return text;
}

void *gb_arena_grow(gb_arena *arena, void *array, size_t count, size_t *capacity, size_t item_size)
{
    if (count < *capacity) return array;
    *capacity = *capacity ? *capacity * 2 : 16;
    void *larger = gb_arena_alloc(arena, *capacity * item_size);
    if (count) memcpy(larger, array, count * item_size);
    return larger;
}

void gb_arena_free(gb_arena *arena)
{
    while (arena->blocks) {
        struct gb_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}
