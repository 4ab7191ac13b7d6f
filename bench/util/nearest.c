/* "Did you mean ...?": the known word nearest to a mistyped one. */
#include "bench/util/nearest.h"

#include "common/text/text.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 63 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions and swaps
 * of neighbours cost one each; upper and lower case are alike. Both words hold at most MAX_WORD
 * characters. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[3][MAX_WORD + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    unsigned columns = (unsigned)strlen(b);

    for (unsigned j = 0; j <= columns; j++)
        last[j] = j;
    for (unsigned i = 1; a[i - 1] != '\0'; i++) {
        row[0] = i;
        for (unsigned j = 1; j <= columns; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                tolower((unsigned char)a[i - 2]) == y)
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[columns];
}

const char *gb_nearest(const char *word, const char *const *candidates)
{
    size_t length = strlen(word);
    if (length == 0 || length > MAX_WORD) return NULL;

    /* A third of the letters may be wrong, but never all of them. */
    unsigned limit = (unsigned)(length + 2) / 3, best = limit + 1;
    const char *nearest = NULL;
    for (; *candidates; candidates++) {
        size_t other = strlen(*candidates);
        if (other == 0 || other > MAX_WORD) continue;
        unsigned d = distance(word, *candidates);
        if (d >= best || d >= length || d >= other) continue;
        best = d;
        nearest = *candidates;
    }
    return nearest;
}

const char *gb_did_you_mean(char *text, size_t capacity, const char *word,
                            const char *const *candidates)
{
    text[0] = '\0';
    const char *colon = strchr(word, ':');
    char stem[MAX_WORD + 2];
    snprintf(stem, sizeof stem, "%.*s", colon ? (int)(colon - word) + 1 : MAX_WORD + 1, word);
    const char *nearest = candidates ? gb_nearest(stem, candidates) : NULL;
    if (!nearest) return text;
    const char *argument = colon && colon[1] ? colon + 1 : "...";
    snprintf(text, capacity, " (did you mean \"%s%.60s\"?)", nearest,
             gb_text_ends(nearest, ":") ? argument : "");
    return text;
}
