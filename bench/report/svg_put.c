/* Writing an SVG of gnuplot's into a page, in half of the bytes. */
#include "bench/report/html.h"
#include "bench/report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* 65.4, .5, 78: without zeros that say nothing. */
static void put_number(FILE *file, double value, int decimals)
{
    char text[64];
    snprintf(text, sizeof text, "%.*f", decimals, value);
    char *end = text + strlen(text);
    if (strchr(text, '.')) {
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.') *--end = '\0';
    }
    const char *from = text;
    if (strcmp(from, "-0") == 0) from = "0";
    if (strncmp(from, "-0.", 3) == 0) {
        putc('-', file);
        from += 2;
    } else if (strncmp(from, "0.", 2) == 0) {
        from++;
    }
    fputs(from, file);
}

/* Text with its numbers rounded and without blanks that separate nothing. */
static void put_rounded(FILE *file, const char *text, int decimals)
{
    for (const char *at = text; *at;) {
        char *end = (char *)at;
        const double value = strchr("-.0123456789", *at) ? strtod(at, &end) : 0;
        if (end > at) {
            put_number(file, value, decimals);
            at = end;
        } else if (*at == ' ' && (strchr(" )", at[1]) || at > text ? at[-1] == ')' : 0)) {
            at++; /* "translate(1,2) scale(3)" */
        } else {
            putc(*at++, file);
        }
    }
}

/* ---- paths ----------------------------------------------------------------------------------- */

typedef struct pen {
    FILE *file;
    long x, y;    /* where it stands, in tenths */
    bool moved;   /* ... and the path does not say so yet */
    bool started; /* something is drawn */
    char last;
} pen;

static void put_tenths(pen *p, long value, bool first)
{
    if (!first && value >= 0) putc(' ', p->file);
    put_number(p->file, (double)value / 10, 1);
}

static void put_command(pen *p, char command)
{
    if (p->last != command) putc(command, p->file);
}

static void draw_to(pen *p, long x, long y)
{
    const long dx = x - p->x, dy = y - p->y;
    if (dx == 0 && dy == 0) return;
    if (p->moved) {
        putc('M', p->file);
        put_tenths(p, p->x, true);
        put_tenths(p, p->y, false);
        p->last = 'M';
        p->moved = false;
    }
    const char command = dy == 0 ? 'h' : dx == 0 ? 'v' : 'l';
    const bool first = p->last != command;
    put_command(p, command);
    if (dx != 0) put_tenths(p, dx, first);
    if (dy != 0) put_tenths(p, dy, first && dx == 0);
    p->last = command;
    p->x = x;
    p->y = y;
    p->started = true;
}

/* Whether a path has moves and lines alone, as gnuplot's do. */
static bool is_plain_path(const char *d)
{
    return d[strspn(d, "ML-.,0123456789 \t\r\nzZ")] == '\0' && *d == 'M';
}

static void put_path(FILE *file, const char *d)
{
    pen p = {.file = file};
    for (char *at; *d;) {
        const char command = *d++;
        if (strchr(" \t\r\n", command)) continue;
        if (command == 'z' || command == 'Z') {
            putc('z', file);
            p.last = 'z';
            continue;
        }
        const long x = lround(10 * strtod(d, &at));
        if (at == d || *at != ',') return;
        const long y = lround(10 * strtod(at + 1, &at));
        if (command == 'L') {
            draw_to(&p, x, y);
        } else {
            p.x = x;
            p.y = y;
            p.moved = true;
        }
        d = at;
    }
}

/* ---- what is left out ------------------------------------------------------------------------ */

static bool is(const gb_svg_node *node, const char *name)
{
    return node->kind == GB_SVG_BEGIN && strcmp(node->name, name) == 0;
}

static void remove_all(gb_svg *svg, size_t begin)
{
    for (size_t i = begin; i <= svg->nodes[begin].partner; i++)
        svg->nodes[i].gone = true;
}

static bool is_white(const char *colour)
{
    return strcmp(colour, "#ffffff") == 0 || strcmp(colour, "white") == 0;
}

static bool is_background(const gb_svg *svg, const gb_svg_node *node)
{
    return is(node, "rect") && is_white(gb_svg_attribute_of(node, "fill")) &&
           strcmp(gb_svg_attribute_of(node, "width"),
                  gb_svg_attribute_of(&svg->nodes[0], "width")) == 0 &&
           strcmp(gb_svg_attribute_of(node, "height"),
                  gb_svg_attribute_of(&svg->nodes[0], "height")) == 0;
}

static bool is_series(const gb_svg *svg, size_t begin)
{
    for (size_t i = 0; i < svg->series_count; i++)
        if (svg->series[i].begin == begin) return true;
    return false;
}

/* Elements that show nothing: paths without a line, text without a letter, groups without either.
 */
static void remove_empty(gb_svg *svg)
{
    for (size_t i = svg->count; i-- > 0;) {
        gb_svg_node *node = &svg->nodes[i];
        if (node->gone || node->kind != GB_SVG_BEGIN) continue;
        bool shows = !is(node, "g") && !is(node, "text") && !is(node, "tspan");
        for (size_t k = i + 1; k < node->partner && !shows; k++)
            shows = !svg->nodes[k].gone && svg->nodes[k].kind != GB_SVG_END;
        if (!shows) remove_all(svg, i);
    }
}

static void prune(gb_svg *svg)
{
    for (size_t i = 1; i < svg->count; i++) {
        const gb_svg_node *node = &svg->nodes[i];
        if (is(node, "title") || is(node, "desc") || is(node, "defs") || is_background(svg, node))
            remove_all(svg, i);
    }
    remove_empty(svg);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* What an element hands down to those inside it; the page's style begins with these. */
static const char *const inherited[][2] = {
    {"fill", "none"},         {"stroke", "currentColor"}, {"color", "black"},
    {"stroke-width", "1"},    {"stroke-linecap", "butt"}, {"stroke-linejoin", "miter"},
    {"text-anchor", "start"}, {"font-size", ""},          {"font-family", "sans-serif"}};
enum { INHERITED = sizeof inherited / sizeof *inherited };

typedef struct context {
    const char *values[INHERITED];
} context;

static int inherited_index(const char *name)
{
    for (int i = 0; i < INHERITED; i++)
        if (strcmp(inherited[i][0], name) == 0) return i;
    return -1;
}

/* rgb(  0, 114, 178) as #0072b2. */
static const char *colour_of(gb_arena *arena, const char *value)
{
    double part[3];
    if (gb_svg_numbers(value, "rgb(", part, 3) != 3) return value;
    return gb_arena_printf(arena, "#%02x%02x%02x", (unsigned)part[0] & 255, (unsigned)part[1] & 255,
                           (unsigned)part[2] & 255);
}

static bool is_needless(const gb_svg_attribute *a)
{
    return strcmp(a->name, "id") == 0 || strncmp(a->name, "xmlns", 5) == 0 ||
           (strcmp(a->name, "class") == 0 && strcmp(a->value, "gridline") == 0);
}

static void put_attribute(gb_arena *arena, FILE *file, const gb_svg_attribute *a)
{
    const char *name = strcmp(a->name, "xlink:href") == 0 ? "href" : a->name;
    static const char *const coordinates[] = {"points", "x", "y", "font-size", "stroke-dasharray"};
    fprintf(file, " %s=\"", name);
    bool rounded = false;
    for (size_t i = 0; i < sizeof coordinates / sizeof *coordinates; i++)
        rounded |= strcmp(name, coordinates[i]) == 0;
    if (strcmp(name, "d") == 0 && is_plain_path(a->value))
        put_path(file, a->value);
    else if (rounded)
        put_rounded(file, a->value, 1);
    else if (strcmp(name, "transform") == 0 || strcmp(name, "stroke-width") == 0)
        put_rounded(file, a->value, 2);
    else
        for (const char *at = colour_of(arena, a->value); *at; at++)
            if (*at == '"')
                fputs("&quot;", file);
            else
                putc(*at, file);
    putc('"', file);
}

/* The colour that text has by the page's style: that of the tics. */
static bool is_tic_colour(const gb_svg_node *node, const gb_svg_attribute *a)
{
    return is(node, "text") && strcmp(a->name, "fill") == 0 &&
           strcmp(a->value, "rgb(32,32,32)") == 0;
}

/* Takes what an element says of what is handed down into *here; says what the rest is. */
static size_t settle(const gb_svg_node *node, const context *outer, context *here,
                     gb_svg_attribute *rest)
{
    size_t count = 0;
    *here = *outer;
    for (size_t i = 0; i < node->attribute_count; i++) {
        const gb_svg_attribute *a = &node->attributes[i];
        const int index = inherited_index(a->name);
        if (is_needless(a) || is_tic_colour(node, a)) continue;
        if (index >= 0 && strcmp(outer->values[index], a->value) == 0) continue;
        if (index >= 0) here->values[index] = a->value;
        rest[count++] = *a;
    }
    return count;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "translate(1,2)" and nothing behind it. */
static bool is_shift(gb_arena *arena, const char *transform, const char **x, const char **y)
{
    static const char word[] = "translate(";
    if (strncmp(transform, word, sizeof word - 1) != 0) return false;
    const char *begin = transform + sizeof word - 1, *comma = strchr(begin, ','),
               *end = strchr(begin, ')');
    if (!comma || !end || comma > end || end[1]) return false;
    *x = gb_arena_strndup(arena, begin, (size_t)(comma - begin));
    *y = gb_arena_strndup(arena, comma + 1, (size_t)(end - comma - 1));
    return true;
}

static void add_attribute(gb_arena *arena, gb_svg_node *node, const char *name, const char *value)
{
    if (strcmp(name, "stroke") == 0) return; /* no text has one, by the page's style */
    node->attributes = gb_arena_grow(arena, node->attributes, node->attribute_count,
                                     &node->attribute_capacity, sizeof *node->attributes);
    node->attributes[node->attribute_count++] = (gb_svg_attribute){name, value};
}

/* A group around one text alone says where it stands and how it looks: the text does. */
static void unwrap_text(gb_arena *arena, gb_svg *svg)
{
    for (size_t i = 1; i + 1 < svg->count; i++) {
        gb_svg_node *group = &svg->nodes[i], *text = &svg->nodes[i + 1];
        if (group->gone || !is(group, "g") || !is(text, "text") || text->attribute_count > 0 ||
            text->partner + 1 != group->partner)
            continue;
        for (size_t a = 0; a < group->attribute_count; a++) {
            const char *x, *y;
            if (strcmp(group->attributes[a].name, "transform") == 0 &&
                is_shift(arena, group->attributes[a].value, &x, &y)) {
                add_attribute(arena, text, "x", x);
                add_attribute(arena, text, "y", y);
            } else {
                add_attribute(arena, text, group->attributes[a].name, group->attributes[a].value);
            }
        }
        group->gone = svg->nodes[group->partner].gone = true;
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_series(FILE *file, const gb_svg *svg, size_t begin)
{
    for (size_t i = 0; i < svg->series_count; i++) {
        const gb_svg_series *s = &svg->series[i];
        if (s->begin != begin) continue;
        fputs("<g class=\"series\"", file);
        if (s->points) fprintf(file, " data-points=\"%s\"", s->points);
        putc('>', file);
        if (*s->label) gb_html_element(file, "<title>", s->label, "</title>");
    }
}

/* Lines that look alike and wait to be written as one path. */
typedef struct lines {
    context looks;
    const char *dashes;
    const char **paths;
    size_t count, capacity;
} lines;

enum { LOOKS = 16 };

typedef struct writer {
    gb_arena *arena;
    FILE *file;
    gb_svg *svg;
    context stack[GB_SVG_MOST_DEPTH + 2];
    size_t depth;
    size_t series_end; /* nodes before this one are of a series; its lines wait for none */
    lines waiting[LOOKS];
    size_t waiting_count;
} writer;

/* Whether an element is lines alone, without a place of its own. */
static bool is_lines(const gb_svg_node *node)
{
    for (size_t i = 0; i < node->attribute_count; i++) {
        const gb_svg_attribute *a = &node->attributes[i];
        if (strcmp(a->name, "d") != 0 && strcmp(a->name, "stroke-dasharray") != 0 &&
            !is_needless(a) && inherited_index(a->name) < 0)
            return false;
    }
    return is(node, "path") && is_plain_path(gb_svg_attribute_of(node, "d"));
}

static bool looks_as(const context *a, const context *b)
{
    for (int i = 0; i < INHERITED; i++)
        if (strcmp(a->values[i], b->values[i]) != 0) return false;
    return true;
}

/* Tics, grid and axes are drawn before what they are for, a line at a time: what looks alike
 * becomes one path. False where there are too many looks. */
static bool wait_with_lines(writer *w, const gb_svg_node *node)
{
    context looks;
    gb_svg_attribute *rest = gb_arena_alloc(w->arena, (node->attribute_count + 1) * sizeof *rest);
    settle(node, &w->stack[w->depth], &looks, rest);
    const char *dashes = gb_svg_attribute_of(node, "stroke-dasharray");
    size_t i = 0;
    while (i < w->waiting_count &&
           (!looks_as(&w->waiting[i].looks, &looks) || strcmp(w->waiting[i].dashes, dashes) != 0))
        i++;
    if (i == LOOKS) return false;
    lines *l = &w->waiting[i];
    if (i == w->waiting_count) {
        *l = (lines){.looks = looks, .dashes = dashes};
        w->waiting_count++;
    }
    l->paths = gb_arena_grow(w->arena, l->paths, l->count, &l->capacity, sizeof *l->paths);
    l->paths[l->count++] = gb_svg_attribute_of(node, "d");
    return true;
}

/* Writes what waits, wherever that is: what it looks like and its place does not say is said. */
static void put_waiting(writer *w)
{
    for (size_t i = 0; i < w->waiting_count; i++) {
        const lines *l = &w->waiting[i];
        fputs("<path", w->file);
        for (int k = 0; k < INHERITED; k++)
            if (strcmp(l->looks.values[k], w->stack[w->depth].values[k]) != 0)
                put_attribute(w->arena, w->file,
                              &(gb_svg_attribute){inherited[k][0], l->looks.values[k]});
        if (*l->dashes)
            put_attribute(w->arena, w->file, &(gb_svg_attribute){"stroke-dasharray", l->dashes});
        fputs(" d=\"", w->file);
        for (size_t k = 0; k < l->count; k++)
            put_path(w->file, l->paths[k]);
        fputs("\"/>\n", w->file);
    }
    w->waiting_count = 0;
}

/* Whether a group has lines alone, which say themselves how they look. */
static bool has_lines_alone(const gb_svg *svg, size_t begin)
{
    for (size_t i = begin + 1; i < svg->nodes[begin].partner; i++)
        if (!svg->nodes[i].gone && svg->nodes[i].kind != GB_SVG_END && !is_lines(&svg->nodes[i]))
            return false;
    return true;
}

/* Whether a node waits with others, or may be written while some wait: text lies above no line. */
static bool lets_wait(const gb_svg_node *node)
{
    return node->kind != GB_SVG_BEGIN || is(node, "g") || is(node, "text") || is(node, "tspan");
}

static void put_begin(writer *w, size_t at)
{
    const gb_svg_node *node = &w->svg->nodes[at];
    gb_svg_attribute *rest = gb_arena_alloc(w->arena, (node->attribute_count + 1) * sizeof *rest);
    const size_t count = settle(node, &w->stack[w->depth], &w->stack[w->depth + 1], rest);
    w->depth++;
    if (is_series(w->svg, at)) {
        put_series(w->file, w->svg, at);
        w->series_end = node->partner;
        return;
    }
    const bool waits = at >= w->series_end && has_lines_alone(w->svg, at);
    if (is(node, "g") && (count == 0 || waits)) { /* it says nothing: what is inside does without */
        w->svg->nodes[node->partner].gone = true;
        return;
    }
    fprintf(w->file, "<%s", node->name);
    for (size_t i = 0; i < count; i++)
        put_attribute(w->arena, w->file, &rest[i]);
    fputs(node->partner == at + 1 ? "/>" : ">", w->file);
}

static void put_end(writer *w, size_t at)
{
    const gb_svg_node *node = &w->svg->nodes[at], *begin = &w->svg->nodes[node->partner];
    if (begin->gone) return;
    w->depth--;
    if (node->gone) return;
    if (node->partner + 1 != at) fprintf(w->file, "</%s>", node->name);
    if (is(begin, "g")) putc('\n', w->file);
}

/* A mark: which one, where, how large. */
typedef struct mark {
    const char *href, *colour;
    double x, y, scale;
} mark;

static bool take_mark(const gb_svg_node *node, mark *m)
{
    if (node->gone || !is(node, "use")) return false;
    m->href = gb_svg_attribute_of(node, "xlink:href");
    m->colour = gb_svg_attribute_of(node, "color");
    double numbers[3] = {0};
    const char *transform = gb_svg_attribute_of(node, "transform");
    const bool whole =
        gb_svg_numbers(transform, "translate(", numbers, 3) == 3 && strstr(transform, "scale(");
    m->x = numbers[0];
    m->y = numbers[1];
    m->scale = numbers[2];
    return whole && node->attribute_count == 3 && strncmp(m->href, "#gp", 3) == 0 && *m->colour &&
           m->scale > 0;
}

/* Marks of one colour and size that follow one another: their group says both. Returns where the
 * next node is; begin itself where there is no mark. */
static size_t put_marks(writer *w, size_t begin)
{
    mark first, m;
    size_t at = begin;
    if (!take_mark(&w->svg->nodes[begin], &first)) return begin;
    fprintf(w->file, "<g color=\"%s\" transform=\"scale(", colour_of(w->arena, first.colour));
    put_number(w->file, first.scale, 2);
    fputs(")\">", w->file);
    while (take_mark(&w->svg->nodes[at], &m) && m.scale == first.scale &&
           strcmp(m.colour, first.colour) == 0) {
        fprintf(w->file, "<use href=\"%s\" x=\"", m.href);
        put_number(w->file, m.x / m.scale, 2);
        fputs("\" y=\"", w->file);
        put_number(w->file, m.y / m.scale, 2);
        fputs("\"/>", w->file);
        at = w->svg->nodes[at].partner + 1;
    }
    fputs("</g>\n", w->file);
    return at;
}

static void put_node(writer *w, size_t at)
{
    gb_svg_node *node = &w->svg->nodes[at];
    if (node->kind == GB_SVG_END) put_end(w, at);
    if (node->gone) return;
    if (node->kind == GB_SVG_TEXT) fputs(node->name, w->file);
    if (node->kind != GB_SVG_BEGIN) return;
    if (at >= w->series_end && is_lines(node) && wait_with_lines(w, node)) {
        remove_all(w->svg, at);
        return;
    }
    if (is_series(w->svg, at) || !lets_wait(node)) put_waiting(w);
    put_begin(w, at);
}

static void put_nodes(writer *w)
{
    for (size_t i = 1; i + 1 < w->svg->count;) {
        mark m;
        if (take_mark(&w->svg->nodes[i], &m)) {
            put_waiting(w);
            i = put_marks(w, i);
        } else {
            put_node(w, i++);
        }
    }
    put_waiting(w);
}

/* The value that most elements say of what is handed down: the whole says it for them. Of the first
 * few values, which is as good. */
static const char *most_frequent(const gb_svg *svg, const char *name)
{
    enum { FEW = 8 };
    const char *values[FEW] = {""};
    size_t counts[FEW] = {0}, best = 0;
    for (size_t i = 1; i < svg->count; i++) {
        const char *value = svg->nodes[i].gone ? "" : gb_svg_attribute_of(&svg->nodes[i], name);
        size_t k = 0;
        if (!*value) continue;
        while (k < FEW && values[k] && counts[k] && strcmp(values[k], value) != 0)
            k++;
        if (k == FEW) continue;
        values[k] = value;
        if (++counts[k] > counts[best]) best = k;
    }
    return values[best];
}

static void put_base(writer *w, const char *name)
{
    const char *value = most_frequent(w->svg, name);
    if (!*value) return;
    w->stack[0].values[inherited_index(name)] = value;
    put_attribute(w->arena, w->file, &(gb_svg_attribute){name, value});
}

void gb_svg_put(gb_arena *arena, FILE *file, gb_svg *svg, const char *class, const char *alt)
{
    static const char *const kept[] = {"width", "height", "viewBox"};
    writer w = {.arena = arena, .file = file, .svg = svg};
    for (int i = 0; i < INHERITED; i++)
        w.stack[0].values[i] = inherited[i][1];
    prune(svg);
    unwrap_text(arena, svg);
    fprintf(file, "<svg class=\"%s\" role=\"img\" aria-label=\"", class);
    gb_html_text(file, alt);
    fputs("\"", file);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        fprintf(file, " %s=\"%s\"", kept[i], gb_svg_attribute_of(&svg->nodes[0], kept[i]));
    fputs("><g", file);
    put_base(&w, "stroke-width");
    put_base(&w, "font-size");
    fputs(">\n", file);
    put_nodes(&w);
    fputs("</g></svg>\n", file);
}

void gb_svg_put_marks(FILE *file, const gb_svg *svg)
{
    for (size_t i = 0; i < svg->count; i++) {
        const gb_svg_node *node = &svg->nodes[i];
        if (node->kind != GB_SVG_BEGIN || strncmp(gb_svg_attribute_of(node, "id"), "gp", 2) != 0)
            continue;
        fprintf(file, "<%s", node->name);
        for (size_t a = 0; a < node->attribute_count; a++) {
            const char *name = node->attributes[a].name;
            fprintf(file, " %s=\"%s\"", strcmp(name, "xlink:href") == 0 ? "href" : name,
                    node->attributes[a].value);
        }
        fputs("/>\n", file);
    }
}
