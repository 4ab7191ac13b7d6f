/* Blocks of `gpubench list papers` and `references`: every number of a line stands in what
 * results/published/papers.json says of the works that the line names. */
#include "tests/delivery/document_numbers.h"

#include "tests/harness/whole_file.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

static const char *member(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text ? text : "";
}

/* Whether a text has that number, whole. */
static bool has(const char *text, const char *number, size_t length)
{
    for (const char *at = text; *(at += strcspn(at, digits)); at += strspn(at, digits))
        if (strspn(at, digits) == length && strncmp(at, number, length) == 0) return true;
    return false;
}

/* What the file says of the works that a line names, by title or as they are called. */
static const char *said_of(gb_arena *arena, const cJSON *root, const char *line)
{
    const cJSON *reference;
    const char *said = "";
    cJSON_ArrayForEach(reference, cJSON_GetObjectItemCaseSensitive(root, "references"))
    {
        if (!strstr(line, member(reference, "title")) && !strstr(line, member(reference, "called")))
            continue;
        char *text = cJSON_PrintUnformatted(reference);
        said = gb_arena_printf(arena, "%s %s", said, text);
        free(text);
    }
    return said;
}

void check_papers(document *d, const block *b)
{
    char *file = whole_file("results/published/papers.json");
    cJSON *root = cJSON_Parse(file);
    for (size_t i = 0; i < b->line_count; i++) {
        const char *line = b->lines[i], *said = said_of(&d->arena, root, line);
        /* "3-D stencils": a heading of ours */
        const char *at = strstr(line, "**: ") ? strstr(line, "**: ") : strstr(line, "`): ");
        for (at = at ? at : line; *(at += strcspn(at, digits)); at += strspn(at, digits)) {
            const size_t length = strspn(at, digits);
            if (has(said, at, length))
                d->found++;
            else
                lose(d, b, i, "%.*s, which papers.json does not say of it", (int)length, at);
        }
    }
    cJSON_Delete(root);
    free(file);
}
