/* Quoting, there and back. */
#include "bench/util/quoted.h"

#include <stdio.h>
#include <string.h>

const char *gb_quoted_read(const char *at, char *word, size_t capacity)
{
    const char quote = *at++;
    size_t length = 0;
    for (; *at; at++) {
        if (*at == quote && *++at != quote) {
            word[length] = '\0';
            return at;
        }
        if (length + 1 >= capacity) return NULL;
        word[length++] = *at;
    }
    return NULL;
}

size_t gb_quoted_write(char *text, size_t capacity, const char *word, const char *special)
{
    if (*word && !strpbrk(word, "'\" \t") && !strpbrk(word, special))
        return (size_t)snprintf(text, capacity, "%s", word);
    size_t length = 0;
    const size_t last = strlen(word) + 1; /* where the closing quote stands */
    for (size_t i = 0; i <= last; i++) {
        const char c = i == 0 || i == last ? '"' : word[i - 1];
        const unsigned times = c == '"' && i > 0 && i < last ? 2 : 1;
        for (unsigned t = 0; t < times; t++, length++)
            if (length + 1 < capacity) text[length] = c;
    }
    if (capacity) text[length < capacity ? length : capacity - 1] = '\0';
    return length;
}
