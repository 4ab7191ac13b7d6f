/* Reading an SVG that gnuplot drew. */
#include "bench/report/svg.h"

#include "common/text/file.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 256 << 20 };

/* ---- text ------------------------------------------------------------------------------------ */

const char *gb_svg_attribute_of(const gb_svg_node *node, const char *name)
{
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0) return node->attributes[i].value;
    return "";
}

const char *gb_svg_plain(gb_arena *arena, const char *text)
{
    static const char *const entities[][2] = {
        {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&amp;", "&"}};
    char *plain = gb_arena_strdup(arena, text), *to = plain;
    while (*text) {
        size_t i = 0;
        while (i < sizeof entities / sizeof *entities &&
               strncmp(text, entities[i][0], strlen(entities[i][0])) != 0)
            i++;
        if (i < sizeof entities / sizeof *entities) {
            *to++ = entities[i][1][0];
            text += strlen(entities[i][0]);
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    return plain;
}

/* ---- elements -------------------------------------------------------------------------------- */

typedef struct reader {
    gb_arena *arena;
    gb_svg *svg;
    const char *at;
    size_t open[GB_SVG_MOST_DEPTH], depth;
} reader;

static const char blanks[] = " \t\r\n";

static gb_svg_node *add(reader *r, gb_svg_node node)
{
    gb_svg *svg = r->svg;
    svg->nodes =
        gb_arena_grow(r->arena, svg->nodes, svg->count, &svg->capacity, sizeof *svg->nodes);
    svg->nodes[svg->count] = node;
    return &svg->nodes[svg->count++];
}

static const char *take_name(reader *r)
{
    const size_t length = strcspn(r->at, " \t\r\n=/>");
    const char *name = gb_arena_strndup(r->arena, r->at, length);
    r->at += length;
    return name;
}

/* name="value", blanks around the sign or not. */
static bool take_attribute(reader *r, gb_svg_node *node)
{
    gb_svg_attribute attribute = {.name = take_name(r)};
    r->at += strspn(r->at, blanks);
    if (*r->at++ != '=') return false;
    r->at += strspn(r->at, blanks);
    const char quote = *r->at;
    if (quote != '"' && quote != '\'') return false;
    const char *end = strchr(r->at + 1, quote);
    if (!end) return false;
    attribute.value = gb_arena_trimmed(r->arena, r->at + 1, (size_t)(end - r->at - 1));
    r->at = end + 1;
    node->attributes = gb_arena_grow(r->arena, node->attributes, node->attribute_count,
                                     &node->attribute_capacity, sizeof *node->attributes);
    node->attributes[node->attribute_count++] = attribute;
    return true;
}

static bool take_end(reader *r, const char *name)
{
    if (r->depth == 0) return false;
    const size_t begin = r->open[--r->depth];
    if (name && strcmp(name, r->svg->nodes[begin].name) != 0) return false;
    r->svg->nodes[begin].partner = r->svg->count;
    add(r, (gb_svg_node){.kind = GB_SVG_END, .name = r->svg->nodes[begin].name, .partner = begin});
    return true;
}

static bool take_element(reader *r)
{
    gb_svg_node node = {.kind = GB_SVG_BEGIN};
    r->at++;
    if (*r->at == '/') {
        r->at++;
        const char *name = take_name(r);
        r->at += strspn(r->at, blanks);
        return *r->at++ == '>' && take_end(r, name);
    }
    node.name = take_name(r);
    for (r->at += strspn(r->at, blanks); *r->at && !strchr("/>", *r->at);
         r->at += strspn(r->at, blanks))
        if (!take_attribute(r, &node)) return false;
    if (r->depth == GB_SVG_MOST_DEPTH) return false;
    r->open[r->depth++] = r->svg->count;
    add(r, node);
    if (*r->at == '>') {
        r->at++;
        return true;
    }
    if (strncmp(r->at, "/>", 2) != 0) return false;
    r->at += 2;
    return take_end(r, NULL);
}

static void take_text(reader *r)
{
    const size_t length = strcspn(r->at, "<");
    const char *text = gb_arena_trimmed(r->arena, r->at, length);
    r->at += length;
    if (*text) add(r, (gb_svg_node){.kind = GB_SVG_TEXT, .name = text});
}

/* From <svg to the end of that element. */
static bool take_all(reader *r)
{
    do {
        if (strncmp(r->at, "<!--", 4) == 0) {
            const char *end = strstr(r->at, "-->");
            if (!end) return false;
            r->at = end + 3;
        } else if (*r->at == '<') {
            if (!take_element(r)) return false;
        } else {
            take_text(r);
        }
    } while (r->depth > 0 && *r->at);
    return r->depth == 0;
}

/* ---- series ---------------------------------------------------------------------------------- */

static void add_mark(gb_arena *arena, gb_svg_series *s, double x, double y)
{
    size_t capacity = s->capacity;
    s->x = gb_arena_grow(arena, s->x, s->count, &capacity, sizeof *s->x);
    s->y = gb_arena_grow(arena, s->y, s->count, &s->capacity, sizeof *s->y);
    s->x[s->count] = x;
    s->y[s->count++] = y;
}

/* The middle of a bar's upper edge. */
static void add_bar(gb_arena *arena, gb_svg_series *s, const char *points)
{
    double least = 0, most = 0, top = 0;
    bool first = true;
    for (char *at; *points; points = at) {
        const double x = strtod(points, &at);
        if (at == points || *at != ',') break;
        const double y = strtod(at + 1, &at);
        least = first || x < least ? x : least;
        most = first || x > most ? x : most;
        top = first || y < top ? y : top;
        first = false;
        at += strspn(at, blanks);
    }
    if (!first) add_mark(arena, s, (least + most) / 2, top);
}

size_t gb_svg_numbers(const char *text, const char *word, double *numbers, size_t most)
{
    size_t count = 0;
    if (strncmp(text, word, strlen(word)) != 0) return 0;
    for (const char *at = text + strlen(word); *(at += strcspn(at, "-.0123456789"));) {
        char *end;
        const double number = strtod(at, &end);
        if (end == at) {
            at++;
            continue;
        }
        if (count < most) numbers[count] = number;
        count++;
        at = end;
    }
    return count;
}

static void take_marks(gb_arena *arena, const gb_svg *svg, gb_svg_series *s)
{
    for (size_t i = s->begin; i < svg->nodes[s->begin].partner; i++) {
        const gb_svg_node *node = &svg->nodes[i];
        if (node->kind != GB_SVG_BEGIN) continue;
        double place[2];
        if (strcmp(node->name, "polygon") == 0)
            add_bar(arena, s, gb_svg_attribute_of(node, "points"));
        else if (strcmp(node->name, "use") == 0 &&
                 gb_svg_numbers(gb_svg_attribute_of(node, "transform"), "translate(", place, 2) >=
                     2)
            add_mark(arena, s, place[0], place[1]);
    }
}

/* A title; "" where gnuplot made one up: of its own name, or of what it was told to draw. */
static const char *label_of(gb_arena *arena, const char *title)
{
    const char *label = gb_svg_plain(arena, title);
    return strncmp(label, "gnuplot_plot_", 13) == 0 || strstr(label, " using ") ? "" : label;
}

/* Elements called gnuplot_plot_1a, _2a, ...; in the next panel _1b, ... */
static void find_series(gb_arena *arena, gb_svg *svg)
{
    static const char prefix[] = "gnuplot_plot_";
    const char *last = NULL;
    size_t panel = 0;
    for (size_t i = 0; i < svg->count; i++) {
        const gb_svg_node *node = &svg->nodes[i];
        const char *id = node->kind == GB_SVG_BEGIN ? gb_svg_attribute_of(node, "id") : "";
        if (strncmp(id, prefix, sizeof prefix - 1) != 0) continue;
        id += sizeof prefix - 1;
        const char *letter = id + strspn(id, "0123456789");
        if (last && strcmp(last, letter) != 0) panel++;
        last = letter;
        gb_svg_series series = {.label = "", .begin = i, .panel = panel};
        if (strcmp(node[1].name, "title") == 0 && node[2].kind == GB_SVG_TEXT)
            series.label = label_of(arena, node[2].name);
        take_marks(arena, svg, &series);
        svg->series = gb_arena_grow(arena, svg->series, svg->series_count, &svg->series_capacity,
                                    sizeof *svg->series);
        svg->series[svg->series_count++] = series;
    }
}

bool gb_svg_read(gb_arena *arena, const char *path, gb_svg *svg, gb_error *error)
{
    size_t length;
    char *text = gb_file_read(path, "a figure", MOST_BYTES, &length, GB_WRONG, error);
    reader r = {.arena = arena, .svg = svg, .at = text ? strstr(text, "<svg") : NULL};
    const bool good = r.at && take_all(&r);
    if (text && !good) gb_fail(error, GB_WRONG, "%s is no SVG, or is cut", path);
    free(text);
    if (good) find_series(arena, svg);
    return good;
}
