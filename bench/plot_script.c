/* What a figure's gnuplot script asks for: reading the lines "# gpubench: KEY ..." at its head. */
#include "bench/plot_script.h"

#include <errno.h>
#include <string.h>

static const char marker[] = "# gpubench:";

typedef struct head {
    gb_arena *arena;
    gb_plot_script *script;
    size_t variant_capacity;
    size_t line;
    gb_error *error;
} head;

static bool refuse(const head *h, const char *what, const char *sentence)
{
    gb_fail(h->error, GB_WRONG, "%s: line %zu: '%s' %s", h->script->path, h->line, what, sentence);
    return false;
}

static bool add_wheres(head *h, char *text)
{
    for (char *save, *pair = strtok_r(text, " ", &save); pair; pair = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(pair, '=');
        if (!equals || equals == pair || equals[1] == '\0')
            return refuse(h, pair,
                          "is not AXIS=VALUE: where takes such pairs, separated by blanks");
        *equals = '\0';
        gb_choices_add(h->arena, &h->script->layout.where, gb_arena_strdup(h->arena, pair),
                       gb_arena_strdup(h->arena, equals + 1));
    }
    return true;
}

static void add_variant(head *h, const char *text)
{
    gb_table_layout *layout = &h->script->layout;
    layout->variants = gb_arena_grow(h->arena, layout->variants, layout->variant_count,
                                     &h->variant_capacity, sizeof *layout->variants);
    size_t length = strcspn(text, " ");
    const char *name = gb_arena_strndup(h->arena, text, length);
    const char *label = text + length + strspn(text + length, " ");
    layout->variants[layout->variant_count++] =
        (gb_layout_variant){name, *label ? gb_arena_strdup(h->arena, label) : name};
}

static bool take(head *h, const char *key, char *rest)
{
    gb_plot_script *script = h->script;
    const struct {
        const char *key, **to;
    } texts[] = {{"title", &script->title},   {"x", &script->x},
                 {"panels", &script->panels}, {"largest", &script->largest},
                 {"over", &script->over},     {"paper", &script->layout.paper}};
    const char **to = NULL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(key, texts[i].key) == 0) to = texts[i].to;
    bool where = strcmp(key, "where") == 0, variant = strcmp(key, "variant") == 0;
    bool listed_only = strcmp(key, "listed-only") == 0, limit = strcmp(key, "limit") == 0;
    bool categories = strcmp(key, "categories") == 0, bare = listed_only || limit || categories;
    if (!to && !where && !variant && !bare)
        return refuse(h, key,
                      "is no key; the keys are title, x, categories, panels, largest, where, over, "
                      "paper, variant, listed-only and limit");
    if (bare && *rest) return refuse(h, key, "takes no value");
    if (!bare && !*rest) return refuse(h, key, "takes a value");
    if (to) *to = gb_arena_strdup(h->arena, rest);
    if (variant) add_variant(h, rest);
    if (listed_only) script->layout.further_variants = false;
    if (limit) script->limit = true;
    if (categories) script->categories = true;
    return !where || add_wheres(h, rest);
}

bool gb_plot_script_load(gb_arena *arena, const char *path, const char *what,
                         gb_plot_script *script, gb_error *error)
{
    *script = (gb_plot_script){.path = path, .what = what, .title = ""};
    script->layout.further_variants = true;
    head h = {.arena = arena, .script = script, .error = error};
    FILE *file = fopen(path, "r");
    if (!file) {
        gb_fail(error, GB_WRONG, "cannot read %s: %s", path, strerror(errno));
        return false;
    }
    bool ok = true;
    char line[1024];
    for (h.line = 1; ok && fgets(line, sizeof line, file); h.line++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strncmp(line, marker, strlen(marker)) != 0) continue;
        char *key = line + strlen(marker);
        key += strspn(key, " ");
        char *rest = key + strcspn(key, " ");
        if (*rest) *rest++ = '\0';
        rest += strspn(rest, " ");
        ok = take(&h, key, rest);
    }
    fclose(file);
    if (ok && !script->x) {
        gb_fail(error, GB_WRONG, "%s: no line '%s x AXIS' says what runs along x", path, marker);
        ok = false;
    }
    return ok;
}
