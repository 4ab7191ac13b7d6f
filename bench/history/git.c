/* The order and the subjects of commits. */
#include "bench/history/history.h"
#include "bench/util/capture.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>

static const double limit_s = 20;
enum { MOST_BYTES = 64 << 20 };

/* A commit that some run was at. */
typedef struct known {
    const char *hash, *subject;
    long long time;
    long order;
    bool there; /* the repository has it */
} known;

typedef struct asker {
    gb_arena *arena;
    known *items;
    size_t count, capacity;
} asker;

static known *find(const asker *a, const char *hash)
{
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i].hash, hash) == 0) return &a->items[i];
    return NULL;
}

/* All commits, once; returns how many runs have none. */
static size_t collect(asker *a, const gb_history *history)
{
    size_t without = 0;
    for (size_t i = 0; i < history->count; i++)
        for (size_t r = 0; r < history->series[i].count; r++) {
            const char *hash = history->series[i].runs[r].facts->source.hash;
            without += !*hash;
            /* what comes from a file becomes an argument: nothing but a hash does */
            if (!*hash || hash[strspn(hash, "0123456789abcdef")] || find(a, hash)) continue;
            a->items = gb_arena_grow(a->arena, a->items, a->count, &a->capacity, sizeof *a->items);
            a->items[a->count++] = (known){.hash = hash, .subject = "", .order = -1};
        }
    return without;
}

/* Runs `git -C folder log OPTIONS COMMITS END...`; what it prints, NULL: it failed. */
static char *git_log(const asker *a, const char *folder, const char *const *options,
                     const char *const *end)
{
    enum { MOST_OPTIONS = 16 };
    const char **argv = gb_arena_alloc(a->arena, (a->count + MOST_OPTIONS) * sizeof *argv);
    size_t at = 0;
    argv[at++] = "git";
    argv[at++] = "-C";
    argv[at++] = folder;
    argv[at++] = "log";
    while (*options)
        argv[at++] = *options++;
    for (size_t i = 0; i < a->count; i++)
        argv[at++] = a->items[i].hash;
    while (*end)
        argv[at++] = *end++;
    char *text;
    if (gb_capture((char *const *)argv, limit_s, MOST_BYTES, &text)) return text;
    free(text);
    return NULL;
}

/* Calls take for each line "HASH REST" whose commit is one of ours, with its number. */
static void each_line(asker *a, char *text, void (*take)(asker *a, known *k, char *rest, long line))
{
    char *state, *line = strtok_r(text, "\n", &state);
    for (long number = 0; line; line = strtok_r(NULL, "\n", &state), number++) {
        char *blank = strchr(line, ' ');
        if (blank) *blank++ = '\0';
        known *k = find(a, line);
        if (k) take(a, k, blank ? blank : line + strlen(line), number);
    }
}

static void take_facts(asker *a, known *k, char *rest, long line)
{
    (void)line;
    char *subject;
    k->there = true;
    k->time = strtoll(rest, &subject, 10);
    k->subject = gb_arena_strdup(a->arena, subject + (*subject == ' '));
    gb_text_tame((char *)k->subject);
}

static void take_order(asker *a, known *k, char *rest, long line)
{
    (void)a;
    (void)rest;
    k->order = line;
}

/* The commit that a repository lacks; NULL: it has them all. */
static const known *read_facts(asker *a, const char *folder)
{
    static const char *const options[] = {"--no-walk=unsorted", "--ignore-missing",
                                          "--format=%H %ct %s", NULL};
    static const char *const nothing[] = {NULL};
    char *text = git_log(a, folder, options, nothing);
    if (text) each_line(a, text, take_facts);
    free(text);
    for (size_t i = 0; i < a->count; i++)
        if (!a->items[i].there) return &a->items[i];
    return NULL;
}

/* Parents before children; false: not all were among what git listed. */
static bool list_order(asker *a, const char *folder, const char *const *end)
{
    static const char *const options[] = {"--topo-order", "--reverse", "--format=%H", NULL};
    char *text = git_log(a, folder, options, end);
    if (text) each_line(a, text, take_order);
    free(text);
    bool all = true;
    for (size_t i = 0; i < a->count; i++)
        all &= a->items[i].order >= 0;
    return all;
}

/* The parents of the oldest need not be listed; but clocks differ, and what seems to be the oldest
 * may have others before it: then all are. */
static bool read_order(asker *a, const char *folder)
{
    static const char *const nothing[] = {NULL};
    const known *oldest = &a->items[0];
    for (size_t i = 1; i < a->count; i++)
        if (a->items[i].time < oldest->time) oldest = &a->items[i];
    const char *const end[] = {"--not", gb_arena_printf(a->arena, "%s^@", oldest->hash), NULL};
    if (list_order(a, folder, end)) return true;
    for (size_t i = 0; i < a->count; i++)
        a->items[i].order = -1;
    return list_order(a, folder, nothing);
}

static void tell_runs(const asker *a, gb_history *history)
{
    for (size_t i = 0; i < history->count; i++)
        for (size_t r = 0; r < history->series[i].count; r++) {
            gb_history_run *run = &history->series[i].runs[r];
            const known *k = find(a, run->facts->source.hash);
            if (k) run->subject = k->subject;
            if (k) run->order = k->order;
        }
}

void gb_history_ask_git(gb_history *history, const char *folder)
{
    asker a = {.arena = &history->sides.arena};
    const size_t without = collect(&a, history);
    history->no_git = "";
    if (a.count == 0) return;
    const known *lacking = read_facts(&a, folder);
    if (lacking) {
        folder = ".";
        lacking = read_facts(&a, folder);
    }
    if (lacking)
        history->no_git =
            gb_arena_printf(a.arena, "commit %.12s is in no repository here", lacking->hash);
    else if (without)
        history->no_git = "some runs were at no commit";
    else if (!read_order(&a, folder))
        history->no_git = "git does not tell the order of the commits";
    else
        history->by_commit = true;
    tell_runs(&a, history);
}
