/* Commands for people to copy: quoting as a POSIX shell reads it. */
#include "bench/util/shell.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void gb_shell_put(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=+.,/:@%";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    }
    fputc('\'', file);
}

char *gb_shell_line(const char *const *words, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (size_t i = 0; file && i < count; i++) {
        if (i) fputc(' ', file);
        gb_shell_put(file, words[i]);
    }
    const bool whole = file && !ferror(file);
    if (file && fclose(file) == 0 && whole) return text;
    free(text);
    return NULL;
}
