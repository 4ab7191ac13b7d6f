/* Conditions as text. */
#include "common/protocol/under.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

enum { VALUE_TEXT = 16 };

bool gb_under_is_code(const char *text)
{
    const size_t most = sizeof((gb_under *)0)->code - 1;
    if (strncmp(text, "sm_", 3) != 0 || strlen(text) > most) return false;
    const size_t digits = strspn(text + 3, "0123456789");
    const char *rest = text + 3 + digits;
    return digits > 0 && (!*rest || (islower((unsigned char)*rest) && !rest[1]));
}

static void put_code(const gb_under *under, char text[VALUE_TEXT])
{
    snprintf(text, VALUE_TEXT, "%s", under->code);
}

static bool take_code(gb_under *under, const char *text)
{
    if (!gb_under_is_code(text)) return false;
    snprintf(under->code, sizeof under->code, "%s", text);
    return true;
}

static void put_count(unsigned count, char text[VALUE_TEXT])
{
    *text = '\0';
    if (count) snprintf(text, VALUE_TEXT, "%u", count);
}

static bool take_count(unsigned *count, const char *text)
{
    const size_t length = strlen(text);
    if (length == 0 || length > 9 || *text == '0' || strspn(text, "0123456789") != length)
        return false;
    *count = (unsigned)strtoul(text, NULL, 10);
    return true;
}

static void put_multiprocessors(const gb_under *under, char text[VALUE_TEXT])
{
    put_count(under->multiprocessors, text);
}

static bool take_multiprocessors(gb_under *under, const char *text)
{
    return take_count(&under->multiprocessors, text);
}

static void put_shared(const gb_under *under, char text[VALUE_TEXT])
{
    put_count(under->shared_kib, text);
}

static bool take_shared(gb_under *under, const char *text)
{
    return take_count(&under->shared_kib, text);
}

static void put_gpus(const gb_under *under, char text[VALUE_TEXT])
{
    put_count(under->gpus, text);
}

static bool take_gpus(gb_under *under, const char *text)
{
    return take_count(&under->gpus, text);
}

static void put_ranks(const gb_under *under, char text[VALUE_TEXT])
{
    put_count(under->ranks, text);
}

static bool take_ranks(gb_under *under, const char *text)
{
    return take_count(&under->ranks, text);
}

/* In the order of the texts. */
static const struct {
    const char *name;
    const char *words; /* what stands before the value, and behind it, for people */
    const char *behind, *behind_one;
    void (*put)(const gb_under *under, char text[VALUE_TEXT]); /* "": it is none */
    bool (*take)(gb_under *under, const char *text);
} terms[] = {{"code", "code of ", "", "", put_code, take_code},
             {"multiprocessors", "", " multiprocessors", " multiprocessor", put_multiprocessors,
              take_multiprocessors},
             {"shared-kib", "", " KiB of shared memory a block", " KiB of shared memory a block",
              put_shared, take_shared},
             {"gpus", "", " GPUs", " GPU", put_gpus, take_gpus},
             {"ranks", "", " ranks", " rank", put_ranks, take_ranks}};
enum { TERMS = sizeof terms / sizeof *terms };

/* ---- texts ----------------------------------------------------------------------------------- */

bool gb_under_none(const gb_under *under)
{
    return gb_under_whole(under) && !under->gpus && !under->ranks;
}

bool gb_under_whole(const gb_under *under)
{
    return !*under->code && !under->multiprocessors && !under->shared_kib;
}

bool gb_under_same(const gb_under *a, const gb_under *b)
{
    return strcmp(a->code, b->code) == 0 && a->multiprocessors == b->multiprocessors &&
           a->shared_kib == b->shared_kib && a->gpus == b->gpus && a->ranks == b->ranks;
}

/* The terms that there are, with something between name and value, and between two. */
static char *join(const gb_under *under, bool words, const char *equals, const char *between,
                  char text[GB_UNDER_TEXT])
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < TERMS && used < GB_UNDER_TEXT; i++) {
        char value[VALUE_TEXT];
        terms[i].put(under, value);
        if (!*value) continue;
        const char *behind = strcmp(value, "1") == 0 ? terms[i].behind_one : terms[i].behind;
        used += (size_t)snprintf(text + used, GB_UNDER_TEXT - used, "%s%s%s%s%s",
                                 used ? between : "", words ? terms[i].words : terms[i].name,
                                 words ? "" : equals, value, words ? behind : "");
    }
    return text;
}

char *gb_under_format(const gb_under *under, char text[GB_UNDER_TEXT])
{
    return join(under, false, "=", ";", text);
}

char *gb_under_words(const gb_under *under, char text[GB_UNDER_TEXT])
{
    return join(under, true, "", ", ", text);
}

char *gb_under_folder(const gb_under *under, char text[GB_UNDER_TEXT])
{
    return join(under, false, "-", "-and-", text);
}

/* Takes a term of length bytes. */
static bool take_term(gb_under *under, const char *term, size_t length)
{
    for (size_t i = 0; i < TERMS; i++) {
        const size_t name = strlen(terms[i].name);
        char value[VALUE_TEXT];
        if (length <= name || strncmp(term, terms[i].name, name) != 0 || term[name] != '=')
            continue;
        if (length - name - 1 >= sizeof value) return false;
        snprintf(value, sizeof value, "%.*s", (int)(length - name - 1), term + name + 1);
        return terms[i].take(under, value);
    }
    return false;
}

bool gb_under_parse(const char *text, gb_under *under)
{
    char again[GB_UNDER_TEXT];
    *under = (gb_under){.code = ""};
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ";");
        if (!take_term(under, at, length)) return false;
        at += length + (at[length] == ';');
    }
    /* one text for one set of conditions: rows are held against each other by it */
    return strcmp(gb_under_format(under, again), text) == 0;
}
