/* What another program prints. */
#include "bench/util/capture.h"

#include "bench/util/child.h"
#include "bench/util/clock.h"
#include "common/text/limits.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Room for more behind what there is. */
static void make_room(char **text, size_t used, size_t *capacity)
{
    if (*capacity - used > 4096) return;
    *capacity = 2 * *capacity + 8192;
    *text = realloc(*text, *capacity);
    if (!*text) gb_memory_gone("gpubench", *capacity);
}

bool gb_capture(char *const argv[], double limit_s, size_t most, char **text)
{
    gb_child child;
    gb_error error;
    char words[128];
    size_t used = 0, capacity = 0;
    bool ended = false;
    *text = NULL;
    make_room(text, 0, &capacity);
    **text = '\0';
    if (!gb_child_start(&child, argv, &error)) return false;
    for (double deadline = gb_now() + limit_s; !ended && used <= most && gb_now() < deadline;) {
        struct pollfd wait = {child.out, POLLIN, 0};
        if (poll(&wait, 1, 100) <= 0) continue;
        make_room(text, used, &capacity);
        const ssize_t got = read(child.out, *text + used, capacity - used - 1);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        ended = got <= 0;
        if (got > 0) used += (size_t)got;
    }
    (*text)[used] = '\0';
    return gb_child_end(&child, 0.5, words, sizeof words) && ended;
}
