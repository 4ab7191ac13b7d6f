/* Telling the files of figures apart by their names. */
#include "bench/plot/names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 100 };

/* "NVIDIA H200 (node7)" as "nvidia-h200-node7". */
static const char *slug_of(gb_arena *arena, const char *text)
{
    char *slug = gb_arena_strdup(arena, text ? text : ""), *to = slug;
    for (const char *at = slug; *at && to < slug + LONGEST; at++) {
        const char lower = (char)tolower((unsigned char)*at);
        if ((lower >= 'a' && lower <= 'z') || isdigit((unsigned char)lower))
            *to++ = lower;
        else if (to > slug && to[-1] != '-')
            *to++ = '-';
    }
    if (to > slug && to[-1] == '-') to--;
    *to = '\0';
    return slug;
}

static void append(gb_arena *arena, const char **name, const char *part)
{
    if (*part) *name = gb_arena_printf(arena, "%s-%s", *name, part);
}

/* Whether each figure of a group has such a text, and no two the same one. */
static bool tells(gb_plot_name *const *group, size_t count, int level)
{
    for (size_t i = 0; i < count; i++) {
        if (!*group[i]->apart[level]) return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(group[i]->apart[level], group[k]->apart[level]) == 0) return false;
    }
    return true;
}

static void name_group(gb_arena *arena, gb_plot_name *const *group, size_t count)
{
    int level = 0;
    while (level < GB_PLOT_APART && !tells(group, count, level))
        level++;
    for (size_t i = 0; i < count; i++)
        for (int l = 0; l < GB_PLOT_APART; l++)
            if (l == level || level == GB_PLOT_APART)
                append(arena, &group[i]->name, group[i]->apart[l]);
}

static bool is_taken(const gb_plot_name *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i].name, name) == 0) return true;
    return false;
}

void gb_plot_names_tell_apart(gb_arena *arena, gb_plot_name *names, size_t count)
{
    const char **before = gb_arena_alloc(arena, (count + 1) * sizeof *before);
    gb_plot_name **group = gb_arena_alloc(arena, (count + 1) * sizeof *group);
    for (size_t i = 0; i < count; i++) {
        before[i] = names[i].name;
        for (int l = 0; l < GB_PLOT_APART; l++)
            names[i].apart[l] = slug_of(arena, names[i].apart[l]);
    }
    for (size_t i = 0; i < count; i++) {
        size_t size = 0;
        for (size_t k = 0; k < count; k++)
            if (strcmp(before[k], before[i]) == 0) {
                if (k < i) break; /* it was named with the first of them */
                group[size++] = &names[k];
            }
        if (size > 1) name_group(arena, group, size);
    }
    for (size_t i = 0; i < count; i++) {
        const char *name = names[i].name;
        for (unsigned number = 2; is_taken(names, i, names[i].name); number++)
            names[i].name = gb_arena_printf(arena, "%s-%u", name, number);
    }
}
