/* Reading several pipes at once, line by line. */
#include "bench/util/lanes.h"

#include "bench/util/terminal.h"
#include "common/text/limits.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int look_every_ms = 500;

bool gb_lane_is_progress(const char *line)
{
    if (*line++ != '[') return false;
    const size_t at = strspn(line, "0123456789");
    if (at == 0 || line[at] != '/') return false;
    const size_t of = strspn(line + at + 1, "0123456789");
    return of > 0 && line[at + 1 + of] == ']';
}

/* A name and as much of its latest line as a line of the terminal holds. */
static void put_lane(FILE *block, const gb_lane *lane, size_t columns)
{
    char line[2 * GB_LANE_LINE];
    snprintf(line, sizeof line, "%.200s: %s", lane->name, *lane->latest ? lane->latest : "begins");
    /* One less, so that no terminal goes on in the next line; no letter is cut in two. */
    size_t length = 0;
    for (size_t shown = 0; line[length]; length++) {
        const bool begins = ((unsigned char)line[length] & 0xC0) != 0x80;
        if (begins && ++shown > columns - 1) break;
    }
    fprintf(block, "%.*s\n", (int)length, line);
}

static void show_block(gb_lanes *lanes)
{
    char *text = NULL;
    size_t length, columns = gb_terminal_columns(lanes->to);
    FILE *block = open_memstream(&text, &length);
    if (!block) gb_memory_gone("gpubench run", lanes->count * GB_LANE_LINE);
    for (size_t i = 0; i < lanes->count; i++)
        put_lane(block, &lanes->list[i], columns > 1 ? columns : 80);
    if (fclose(block) != 0) gb_memory_gone("gpubench run", lanes->count * GB_LANE_LINE);
    gb_block_hide(&lanes->block, lanes->to);
    gb_block_take(&lanes->block, text);
    gb_block_show(&lanes->block, lanes->to);
    fflush(lanes->to);
}

/* A line is whole. */
static void say(gb_lanes *lanes, gb_lane *lane)
{
    const bool progress = gb_lane_is_progress(lane->line), terminal = gb_is_terminal(lanes->to);
    if (progress) memcpy(lane->latest, lane->line, sizeof lane->latest);
    if (terminal) gb_block_hide(&lanes->block, lanes->to);
    if (!terminal || !progress) fprintf(lanes->to, "%s: %s\n", lane->name, lane->line);
    fflush(lanes->to);
}

static void take(gb_lanes *lanes, gb_lane *lane, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != '\n') {
            if (lane->used < sizeof lane->line - 1) lane->line[lane->used++] = bytes[i];
            continue;
        }
        lane->line[lane->used] = '\0';
        lane->used = 0;
        say(lanes, lane);
    }
}

/* Reads what is there; at the end what is no whole line counts as one. */
static void read_lane(gb_lanes *lanes, gb_lane *lane)
{
    char bytes[4096];
    const ssize_t got = read(lane->from, bytes, sizeof bytes);
    if (got > 0) take(lanes, lane, bytes, (size_t)got);
    if (got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN))) return;
    if (lane->used) take(lanes, lane, "\n", 1);
    close(lane->from);
    lane->from = -1;
}

/* How many still speak. */
static size_t fill(const gb_lanes *lanes, struct pollfd *wait)
{
    size_t open = 0;
    for (size_t i = 0; i < lanes->count; i++) {
        wait[i] = (struct pollfd){lanes->list[i].from, POLLIN, 0};
        open += lanes->list[i].from >= 0;
    }
    return open;
}

void gb_lanes_show(gb_lanes *lanes, void (*look)(void *context), void *context)
{
    struct pollfd *wait = calloc(lanes->count + 1, sizeof *wait);
    if (!wait) gb_memory_gone("gpubench run", (lanes->count + 1) * sizeof *wait);
    while (fill(lanes, wait) > 0) {
        look(context);
        if (gb_is_terminal(lanes->to)) show_block(lanes);
        if (poll(wait, lanes->count, look_every_ms) <= 0) continue;
        for (size_t i = 0; i < lanes->count; i++)
            if (wait[i].revents) read_lane(lanes, &lanes->list[i]);
    }
    gb_block_hide(&lanes->block, lanes->to);
    gb_block_free(&lanes->block);
    fflush(lanes->to);
    free(wait);
}
