/* Placeholders in the words of a command. */
#include "kernels/command/words.h"

#include "common/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A point, as placeholders find it. */
typedef struct point {
    const gb_axis *axes;
    unsigned axis_count;
    const gb_params *params; /* NULL: values do not count yet */
    char seed[24];
} point;

/* The value of a name, length bytes of it; NULL: it is none. */
static const char *value_of(const point *p, const char *name, size_t length)
{
    if (length == 4 && strncmp(name, "seed", 4) == 0) return p->seed;
    for (unsigned i = 0; i < p->axis_count; i++)
        if (strlen(p->axes[i].name) == length && strncmp(p->axes[i].name, name, length) == 0)
            return p->params ? p->params->value[i].text : "";
    return NULL;
}

/* Writes a word with its values; false with what is wrong, and where, in *at. */
static bool put_word(const char *word, const point *p, FILE *to, const char **at)
{
    for (; *word; word++) {
        *at = word;
        if ((*word == '{' || *word == '}') && word[1] == *word) {
            putc(*word++, to);
        } else if (*word == '{') {
            const char *end = strchr(word, '}');
            const char *value = end ? value_of(p, word + 1, (size_t)(end - word - 1)) : NULL;
            if (!value) return false;
            fputs(value, to);
            word = end;
        } else if (*word == '}') {
            return false;
        } else {
            putc(*word, to);
        }
    }
    return true;
}

static bool refuse_place(const point *p, const char *word, const char *at, gb_error *error)
{
    const char *names[GB_MAX_AXES + 2] = {NULL};
    char known[256];
    unsigned count = 0;
    for (unsigned i = 0; i < p->axis_count; i++)
        names[count++] = p->axes[i].name;
    names[count] = "seed";
    gb_fail(error, GB_UNSUPPORTED,
            "\"%.100s\": \"%.40s\" at byte %zu is no placeholder; what may stand in braces: %s; {{ "
            "and }} are braces themselves",
            word, at, (size_t)(at - word) + 1, gb_join_names(known, sizeof known, names));
    return false;
}

bool command_words_check(const cJSON *list, const gb_axis *axes, unsigned axis_count,
                         gb_error *error)
{
    const point p = {.axes = axes, .axis_count = axis_count};
    const cJSON *item = NULL;
    const char *first =
        cJSON_IsArray(list) && list->child ? cJSON_GetStringValue(list->child) : NULL;
    if (!first || !*first) {
        gb_fail(error, GB_UNSUPPORTED,
                "a list of words is allowed, the program first, such as [\"./my_bench\", \"--n\", "
                "\"{n}\"]; there is no shell");
        return false;
    }
    cJSON_ArrayForEach(item, list)
    {
        const char *word = cJSON_GetStringValue(item), *at = "";
        char *text = NULL;
        size_t size;
        FILE *to = word ? open_memstream(&text, &size) : NULL;
        const bool good = to && put_word(word, &p, to, &at);
        if (to) fclose(to);
        free(text);
        if (good) continue;
        if (word) return refuse_place(&p, word, at, error);
        gb_fail(error, GB_UNSUPPORTED, "all words are texts: write a number in quotes");
        return false;
    }
    return true;
}

char **command_words(const cJSON *list, const gb_axis *axes, unsigned axis_count,
                     const gb_params *params, uint64_t seed)
{
    point p = {.axes = axes, .axis_count = axis_count, .params = params};
    const size_t count = (size_t)cJSON_GetArraySize(list);
    const cJSON *item = NULL;
    const char *at;
    char *text = NULL;
    size_t size = 0;
    snprintf(p.seed, sizeof p.seed, "%" PRIu64, seed);
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    cJSON_ArrayForEach(item, list)
    {
        (void)put_word(item->valuestring, &p, to, &at);
        putc('\0', to);
    }
    if (fclose(to) != 0) {
        free(text);
        return NULL;
    }
    char **words = malloc((count + 1) * sizeof *words + size);
    if (words) {
        char *copy = memcpy(words + count + 1, text, size);
        for (size_t i = 0; i < count; i++, copy += strlen(copy) + 1)
            words[i] = copy;
        words[count] = NULL;
    }
    free(text);
    return words;
}
