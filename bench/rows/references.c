/* Works that are cited: read from JSON, written in a line or as BibTeX. */
#include "bench/rows/references.h"

#include "common/text/text.h"

#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static const char *const kinds[] = {"article", "incollection", "inproceedings",
                                    "misc",    "techreport",   NULL};

static bool take_kind(gb_json_reader *reader, gb_arena *arena, const cJSON *item, gb_reference *r)
{
    if (!gb_json_text(reader, arena, item, "kind", true, &r->kind)) return false;
    for (size_t i = 0; kinds[i]; i++)
        if (strcmp(kinds[i], r->kind) == 0) return true;
    char names[128];
    return gb_json_refuse(reader, "found kind \"%.60s\"; one of %s is allowed", r->kind,
                          gb_join_names(names, sizeof names, kinds));
}

static bool take_reference(gb_json_reader *reader, gb_arena *arena, const cJSON *item,
                           gb_references *references)
{
    static const char *const keys[] = {
        "key",    "kind",  "called", "authors", "title", "english", "venue",    "volume",
        "number", "pages", "year",   "doi",     "url",   "unknown", "language", NULL};
    gb_reference r = {0};
    double year = 0;
    const struct {
        const char *key;
        bool needed;
        const char **text;
    } texts[] = {{"key", true, &r.key},          {"called", true, &r.called},
                 {"title", true, &r.title},      {"venue", false, &r.venue},
                 {"english", false, &r.english}, {"language", false, &r.language},
                 {"volume", false, &r.volume},   {"number", false, &r.number},
                 {"pages", false, &r.pages},     {"doi", false, &r.doi},
                 {"url", false, &r.url},         {"unknown", false, &r.unknown}};
    if (!gb_json_check_keys(reader, item, "key", keys) || !take_kind(reader, arena, item, &r))
        return false;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!gb_json_text(reader, arena, item, texts[i].key, texts[i].needed, texts[i].text))
            return false;
    if (!gb_json_texts(reader, arena, item, "authors", &r.authors, &r.author_count) ||
        !gb_json_number(reader, item, "year", 1900, 2100, &year))
        return false;
    r.year = (unsigned)year;
    /* What is missing was looked for, and the reader of a citation is told. */
    if (!r.unknown && (r.author_count == 0 || !r.venue))
        return gb_json_refuse(
            reader, "\"unknown\" is missing: it says why there are no authors, or no venue");
    if (gb_reference_find(references, r.key))
        return gb_json_refuse(reader, "there is a reference \"%.60s\" already", r.key);
    references->items[references->count++] = r;
    return true;
}

bool gb_references_read(gb_json_reader *reader, gb_arena *arena, const cJSON *root,
                        gb_references *references)
{
    const cJSON *item;
    size_t count;
    if (!gb_json_objects(reader, root, "references", false, &item, &count)) return false;
    references->items = gb_arena_alloc(arena, count * sizeof *references->items + 1);
    const size_t outside = gb_json_enter(reader, "references");
    bool good = true;
    for (size_t i = 0; good && item; item = item->next, i++) {
        const size_t before = gb_json_enter_index(reader, i);
        good = take_reference(reader, arena, item, references);
        gb_json_leave(reader, before);
    }
    gb_json_leave(reader, outside);
    return good;
}

const gb_reference *gb_reference_find(const gb_references *references, const char *key)
{
    for (size_t i = 0; i < references->count; i++)
        if (strcmp(references->items[i].key, key) == 0) return &references->items[i];
    return NULL;
}

/* ---- in a line ------------------------------------------------------------------------------- */

/* "Nunan Zola, Wagner M." as "W. M. Nunan Zola"; "{NVIDIA}" as "NVIDIA". */
static const char *short_author(gb_arena *arena, const char *author)
{
    const char *comma = strchr(author, ','), *short_name = "";
    if (!comma)
        return *author == '{' ? gb_arena_strndup(arena, author + 1, strlen(author) - 2) : author;
    for (const char *at = comma + 1; *at;) {
        at += strspn(at, " ");
        size_t letter = *at ? 1 : 0;
        while ((at[letter] & 0xC0) == 0x80) /* the rest of a letter of several bytes */
            letter++;
        if (letter) short_name = gb_arena_printf(arena, "%s%.*s. ", short_name, (int)letter, at);
        at += strcspn(at, " ");
    }
    return gb_arena_printf(arena, "%s%.*s", short_name, (int)(comma - author), author);
}

static const char *short_authors(gb_arena *arena, const gb_reference *r)
{
    const char *all = "";
    for (size_t i = 0; i < r->author_count; i++)
        all = gb_arena_printf(arena, "%s%s%s", all, i ? ", " : "",
                              short_author(arena, r->authors[i]));
    return all;
}

const char *gb_reference_line(gb_arena *arena, const gb_reference *r)
{
    const char *line = r->author_count
                           ? gb_arena_printf(arena, "%s: %s", short_authors(arena, r), r->title)
                           : r->title;
    if (r->english) line = gb_arena_printf(arena, "%s (%s)", line, r->english);
    if (r->venue) line = gb_arena_printf(arena, "%s. %s", line, r->venue);
    if (r->volume) line = gb_arena_printf(arena, "%s %s", line, r->volume);
    if (r->volume && r->number) line = gb_arena_printf(arena, "%s(%s)", line, r->number);
    if (!r->volume && r->number) line = gb_arena_printf(arena, "%s, %s", line, r->number);
    if (r->pages) line = gb_arena_printf(arena, "%s, p. %s", line, r->pages);
    char year[16];
    snprintf(year, sizeof year, "%u", r->year);
    if (r->year && !(r->venue && strstr(r->venue, year)))
        line = gb_arena_printf(arena, "%s, %s", line, year);
    if (r->language) line = gb_arena_printf(arena, "%s (in %s)", line, r->language);
    if (r->doi) line = gb_arena_printf(arena, "%s, doi:%s", line, r->doi);
    if (r->unknown) line = gb_arena_printf(arena, "%s. Not known: %s", line, r->unknown);
    return gb_arena_printf(arena, "%s.", line);
}

const char *gb_reference_address(gb_arena *arena, const gb_reference *r)
{
    return r->doi ? gb_arena_printf(arena, "https://doi.org/%s", r->doi) : r->url;
}

/* ---- BibTeX ---------------------------------------------------------------------------------- */

/* Text in which nothing is a command of TeX. */
static const char *tex(gb_arena *arena, const char *text)
{
    char *escaped = gb_arena_alloc(arena, 2 * strlen(text) + 1), *end = escaped;
    for (; *text; text++) {
        if (strchr("&%#_$", *text)) *end++ = '\\';
        *end++ = *text;
    }
    *end = '\0';
    return escaped;
}

/* Whether a letter is beyond the Latin ones, which pdfTeX has no font for as it stands. */
static bool is_foreign(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0xCD && (unsigned char)*text <= 0xDF) return true;
    return false;
}

static const char *field(gb_arena *arena, const char *entry, const char *name, const char *text)
{
    return text ? gb_arena_printf(arena, "%s,\n  %s = {%s}", entry, name, text) : entry;
}

/* What the venue is called in an entry of this kind. */
static const char *venue_field(const char *kind)
{
    if (strcmp(kind, "article") == 0) return "journal";
    if (strcmp(kind, "techreport") == 0) return "institution";
    return strcmp(kind, "misc") == 0 ? "howpublished" : "booktitle";
}

/* The remark of an entry: language, title, what is not known. */
static const char *note_of(gb_arena *arena, const gb_reference *r, bool translated)
{
    const char *note = "";
    if (r->language) note = gb_arena_printf(arena, "In %s", r->language);
    if (r->english && !translated)
        note = gb_arena_printf(arena, "%s: %s", note, tex(arena, r->english));
    if (r->unknown)
        note = gb_arena_printf(arena, "%s%sNot known: %s", note, *note ? ". " : "",
                               tex(arena, r->unknown));
    return *note ? note : NULL;
}

const char *gb_reference_bibtex(gb_arena *arena, const gb_reference *r)
{
    const bool translated = r->english && is_foreign(r->title);
    const char *authors = NULL;
    for (size_t i = 0; i < r->author_count; i++)
        authors = gb_arena_printf(arena, "%s%s%s", authors ? authors : "", authors ? " and " : "",
                                  tex(arena, r->authors[i]));
    const char *entry = gb_arena_printf(arena, "@%s{%s", r->kind, r->key);
    entry = field(arena, entry, "author", authors);
    entry = field(arena, entry, "title",
                  gb_arena_printf(arena, "{%s}", tex(arena, translated ? r->english : r->title)));
    if (r->venue) entry = field(arena, entry, venue_field(r->kind), tex(arena, r->venue));
    entry = field(arena, entry, "volume", r->volume);
    entry = field(arena, entry, "number", r->number);
    entry = field(arena, entry, "pages", r->pages);
    if (r->year) entry = field(arena, entry, "year", gb_arena_printf(arena, "%u", r->year));
    entry = field(arena, entry, "doi", r->doi);
    entry = field(arena, entry, "url", r->url);
    entry = field(arena, entry, "note", note_of(arena, r, translated));
    return gb_arena_printf(arena, "%s\n}\n", entry);
}
