/* document_numbers FILE...: prints every number in a generated block of these documents that the
 * CSV file does not have which the block names; exit status 1 if there is one, or if there is no
 * number at all. GPUBENCH: the program. Runs in the root of the tree. */
#include "tests/delivery/document_numbers.h"

#include "tests/harness/whole_file.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lose(document *d, const block *b, size_t i, const char *format, ...)
{
    va_list arguments;
    d->lost++;
    printf("%s:%zu: ", d->path, b->first + i);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

bool has_number(const char *text)
{
    return strpbrk(text, "0123456789") != NULL;
}

bool has_numbers(const char *text, const char *const *numbers)
{
    for (; *numbers; numbers++) {
        text += strcspn(text, "0123456789");
        if (!begins(text, *numbers)) return false;
        text += strlen(*numbers);
    }
    return !has_number(text);
}

const char *unmarked(gb_arena *arena, const char *text)
{
    static const char *const marks[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "*"};
    size_t length = strlen(text);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
            const size_t mark = strlen(marks[i]);
            if (length < mark || strncmp(text + length - mark, marks[i], mark) != 0) continue;
            length -= mark;
            again = true;
        }
    }
    return gb_arena_strndup(arena, text, length);
}

const char **cells_of(gb_arena *arena, const char *line, size_t *count)
{
    *count = 0;
    if (*line != '|') return NULL;
    const char **cells = gb_arena_alloc(arena, (strlen(line) + 1) * sizeof *cells);
    char *cell = gb_arena_alloc(arena, strlen(line) + 1);
    size_t length = 0;
    for (const char *at = line + 1; *at; at++) {
        if (*at == '\\' && at[1] == '|')
            at++;
        else if (*at == '|') {
            size_t from = strspn(gb_arena_strndup(arena, cell, length), " ");
            while (length > from && cell[length - 1] == ' ')
                length--;
            cells[(*count)++] = gb_arena_strndup(arena, cell + from, length - from);
            length = 0;
            continue;
        }
        cell[length++] = *at;
    }
    return cells;
}

bool parse_printed(const char *text, printed *number)
{
    char *end;
    if (!isdigit((unsigned char)text[*text == '-'])) return false;
    number->value = strtod(text, &end);
    const char *point = memchr(text, '.', (size_t)(end - text));
    number->decimals = point ? (int)(end - point) - 1 : 0;
    number->rest = end;
    return true;
}

bool rounds_to(double value, const printed *number)
{
    const double half = 0.5 * pow(10, -number->decimals);
    return fabs(value - number->value) <= half * (1 + 1e-6);
}

gb_csv *csv_of_command(document *d, const char *command)
{
    FILE *file = popen(command, "r"); /* NOLINT(cert-env33-c): of the tree's own program */
    char *text = NULL;
    size_t size = 0;
    gb_error error = {0};
    if (!file) return NULL;
    FILE *copy = open_memstream(&text, &size);
    for (int c; copy && (c = getc(file)) != EOF;)
        putc(c, copy);
    if (copy) fclose(copy);
    gb_csv *csv = pclose(file) == 0 ? gb_csv_parse(text, size, command, &error) : NULL;
    if (!csv) printf("%s: %s: %s\n", d->path, command, error.text);
    return csv;
}

/* ---- documents ------------------------------------------------------------------------------- */

/* A line without Markdown's escapes. In a table's line those of bars stay, which cells_of takes. */
static char *plain(gb_arena *arena, const char *line)
{
    char *text = gb_arena_strdup(arena, line), *to = text;
    for (const char *at = text; *at; at++) {
        if (*at == '\\' && at[1] && ispunct((unsigned char)at[1]) &&
            !(at[1] == '|' && *line == '|'))
            at++;
        *to++ = *at;
    }
    *to = '\0';
    return text;
}

static void check_block(document *d, const block *b)
{
    const char *command = b->word_count > 1 ? b->words[0] : "";
    if (strcmp(command, "table") == 0) {
        const char *slash = strrchr(b->words[1], '/');
        if (strcmp(slash ? slash + 1 : b->words[1], "noise.csv") == 0)
            check_noise(d, b);
        else
            check_table(d, b);
    } else if (strcmp(command, "claims") == 0) {
        check_claims(d, b);
    } else if (strcmp(command, "standings") == 0) {
        check_standings(d, b);
    } else if (strcmp(command, "compare") == 0) {
        check_compare(d, b);
    } else if (strcmp(command, "list") == 0) {
        check_papers(d, b);
    } else if (strcmp(command, "project") == 0) {
        check_project(d, b);
    } else if (strcmp(command, "scaling") == 0) {
        check_scaling(d, b);
    } else {
        lose(d, b, 0, "a block of '%s', whose numbers nobody looks up", command);
    }
}

/* The words of a command, with the folders that it means. */
static void split_words(document *d, block *b, const char *text)
{
    size_t capacity = 0;
    for (const char *at = text; *(at += strspn(at, " "));) {
        const size_t length = strcspn(at, " ");
        const char *word = gb_arena_strndup(&d->arena, at, length);
        static const char shown[] = "$RESULTS";
        const char *const there = strstr(word, shown);
        if (there)
            word = gb_arena_printf(&d->arena, "%.*s%s%s", (int)(there - word), word, d->results,
                                   there + strlen(shown));
        b->words = gb_arena_grow(&d->arena, b->words, b->word_count, &capacity, sizeof *b->words);
        b->words[b->word_count++] = word;
        at += length;
    }
}

static void check_document(document *d)
{
    static const char head[] = "<!-- gpubench ", end[] = "<!-- end -->";
    size_t number = 0, capacity = 0;
    char *text = whole_file(d->path), *rest = text;
    block b = {0};
    bool fenced = false, inside = false;
    for (char *line; (line = strsep(&rest, "\n"));) {
        number++;
        if (begins(line, "```")) fenced = !fenced;
        if (inside && strcmp(line, end) == 0) {
            check_block(d, &b);
            inside = false;
        } else if (inside) {
            b.lines = gb_arena_grow(&d->arena, b.lines, b.line_count, &capacity, sizeof *b.lines);
            b.lines[b.line_count++] = plain(&d->arena, line);
        } else if (!fenced && begins(line, head)) {
            b = (block){.first = number + 1};
            capacity = 0;
            inside = true;
            const char *command = line + strlen(head), *close = strstr(command, " -->");
            split_words(
                d, &b, gb_arena_strndup(&d->arena, command, close ? (size_t)(close - command) : 0));
        }
    }
    free(text);
}

int main(int argc, char **argv)
{
    const char *gpubench = getenv("GPUBENCH");
    size_t found = 0, lost = 0;
    char *shown = whole_file("results/shown");
    shown[strcspn(shown, "\n")] = '\0';
    for (int i = 1; i < argc; i++) {
        document d = {.path = argv[i], .gpubench = gpubench ? gpubench : "build/gpubench"};
        d.results = gb_arena_printf(&d.arena, "results/%s", shown);
        check_document(&d);
        found += d.found;
        lost += d.lost;
        gb_arena_free(&d.arena);
    }
    free(shown);
    printf("%zu numbers found, %zu lost\n", found, lost);
    return lost > 0 || found == 0;
}
