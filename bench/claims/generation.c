/* Of which generation of GPUs a claim was said. */
#include "bench/claims/claims.h"

#include <string.h>

/* The last word of a name, without parentheses: "K80" of "GPUs before Volta (K80". */
static const char *last_word(gb_arena *arena, const char *name)
{
    char *text = gb_arena_strdup(arena, name);
    for (char *end = text + strlen(text); end > text && strchr(") ", end[-1]);)
        *--end = '\0';
    char *at = text + strlen(text);
    while (at > text && !strchr("( ", at[-1]))
        at--;
    return at;
}

static const char *generation_of(gb_arena *arena, const char *devices, const gb_gpus *gpus)
{
    const char *text = "";
    for (const char *at = devices; *at;) {
        const size_t length = strcspn(at, ";");
        const char *name = gb_arena_strndup(arena, at, length);
        at += length + (at[length] == ';');
        const gb_gpu *gpu = gb_gpu_find(gpus, name);
        if (!gpu) gpu = gb_gpu_find(gpus, last_word(arena, name));
        if (!gpu || !gpu->architecture || strstr(text, gpu->architecture)) continue;
        text = gb_arena_printf(arena, "%s%s%s", text, *text ? ", " : "", gpu->architecture);
    }
    return text;
}

void gb_claims_name_generations(gb_arena *arena, gb_claims *claims, const gb_gpus *gpus)
{
    for (size_t i = 0; i < claims->count; i++)
        claims->items[i].generation = generation_of(arena, claims->items[i].device, gpus);
}
