/* Talking to a worker: requests out, answers in, its log beside them, a deadline over everything.
 * One poll serves all three pipes, so a worker that floods its log or stops reading cannot make
 * the driver wait for longer than the limit. */
#include "bench/worker/process.h"

#include "bench/util/child.h"
#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/worker/answer.h"
#include "bench/worker/log.h"
#include "common/text/limits.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { READ_SIZE = 64 << 10 };
/* How long a request in flight may go on after a Ctrl-C, and a worker after its pipes closed. */
static const double interrupt_grace_s = 1.0, end_grace_s = 0.5, quit_grace_s = 2.0;
/* A batch system sends SIGTERM to all processes of a job, one after the other. */
static const double same_signal_s = 0.5;
/* A worker's own children may hold its pipes open when it is dead: so often it is looked at. */
static const double look_every_s = 0.2;
static const double default_limit_s = 60;

/* The exchange of one request: what is still to send, how far stdout was searched. */
typedef struct exchange {
    const cJSON *request; /* NULL: there is none */
    char *line;           /* as it is sent */
    const char *send;
    size_t send_left;
    size_t searched;
    gb_answer_limits limits;
    double begun, deadline, limit_s;
    double look; /* when to see next whether the worker lives */
    bool interrupted;
} exchange;

struct gb_worker {
    gb_child child;
    exchange x;
    char *command;
    char *buffer; /* stdout not consumed yet */
    size_t used, capacity;
    gb_worker_log log;
    bool failed_idle;
    double wait_s;
    unsigned long requests; /* each one's number is its "seq" */
};

double gb_worker_limit_s(void)
{
    const char *text = getenv("GPUBENCH_WORKER_LIMIT_S");
    char *end = NULL;
    double limit_s = text ? strtod(text, &end) : 0;
    return text && end != text && !*end && limit_s > 0 && limit_s < 1e6 ? limit_s : default_limit_s;
}

gb_worker *gb_worker_start(const char *command, gb_error *error)
{
    char **argv = gb_command_split(command, error);
    if (!argv) return NULL;
    gb_worker *worker = calloc(1, sizeof *worker);
    if (worker) worker->command = strdup(command);
    if (!worker || !worker->command) {
        gb_fail(error, GB_OUT_OF_MEMORY, "out of memory");
    } else if (gb_child_start(&worker->child, argv, error)) {
        const char *verbose = getenv("GPUBENCH_VERBOSE");
        worker->log.verbose = verbose && *verbose && strcmp(verbose, "0") != 0;
        free(argv);
        return worker;
    }
    free(argv);
    if (worker) free(worker->command);
    free(worker);
    return NULL;
}

bool gb_worker_alive(const gb_worker *worker)
{
    return worker->child.pid != 0;
}

const char *gb_worker_command(const gb_worker *worker)
{
    return worker->command;
}

bool gb_worker_failed_idle(const gb_worker *worker)
{
    return worker->failed_idle;
}

bool gb_worker_stopped(const gb_worker *worker)
{
    return gb_child_stopped(&worker->child);
}

bool gb_worker_used_up_cpu(const gb_worker *worker)
{
    return worker->child.out_of_time;
}

double gb_worker_wait_s(const gb_worker *worker)
{
    return worker->wait_s;
}

unsigned long gb_worker_requests(const gb_worker *worker)
{
    return worker->requests;
}

/* ---- failures ------------------------------------------------------------------------------- */

/* Reads what stderr holds now; false at its end. */
static bool read_log(gb_worker *worker)
{
    char bytes[8192];
    ssize_t got = read(worker->child.err, bytes, sizeof bytes);
    if (got > 0) gb_worker_log_take(&worker->log, bytes, (size_t)got);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Ends the worker (after wait_s of grace) and makes the error: the sentence, how the worker ended,
 * its last words. Always NULL, for `return fail(...)`. */
static cJSON *fail(gb_worker *worker, double wait_s, gb_status status, gb_error *error,
                   const char *sentence)
{
    char words[128], text[sizeof error->text];
    double deadline = gb_now() + wait_s;
    struct pollfd wait = {worker->child.err, POLLIN, 0};
    while (poll(&wait, 1, wait_s > 0 ? 50 : 0) > 0 && read_log(worker) && gb_now() < deadline) {
    }
    gb_child_end(&worker->child, wait_s, words, sizeof words);
    /* Whoever looks at gb_interrupted next does not blame a variant for the end of the job. */
    deadline = gb_now() + same_signal_s;
    while (worker->child.terminated && !gb_interrupted && gb_now() < deadline)
        poll(NULL, 0, 10);
    if (worker->child.out_of_time) status = GB_TIMEOUT;
    /* The kernel, or the loader, ends a program that does not fit without a word of why. */
    char limit[GB_LIMIT_TEXT] = "";
    if (status == GB_CRASHED && worker->requests == 1) gb_limit_on_memory(limit);
    snprintf(text, sizeof text, "%s (worker %s)%s", sentence, words, limit);
    gb_worker_log_append(&worker->log, text, sizeof text);
    gb_fail(error, status, "%s", text);
    return NULL;
}

/* The same for a line that is no answer. */
static cJSON *fail_line(gb_worker *worker, gb_error *error, const char *what, const char *cmd,
                        const char *line, size_t length)
{
    char quoted[84], text[480];
    gb_line_excerpt(line, length, quoted);
    bool banner = worker->requests == 1 && length > 0 && !strchr("{[", *line);
    snprintf(text, sizeof text, "the answer to `%.20s` %s: '%s'%s", cmd, what, quoted,
             banner ? "; no worker says that: whatever it is started through must print nothing on "
                      "stdout. The banner of a login shell belongs behind [[ $- == *i* ]] in "
                      "~/.bashrc and the like, or on stderr"
                    : "");
    return fail(worker, 0, GB_CRASHED, error, text);
}

/* The same for a worker that ended, or will never answer because it closed a pipe. */
static cJSON *fail_end(gb_worker *worker, gb_error *error, const char *cmd, const char *pipe)
{
    char quoted[84], half[128] = "", text[256];
    double deadline = gb_now() + end_grace_s;
    bool gone = gb_child_gone(&worker->child);
    for (; !gone && gb_now() < deadline; gone = gb_child_gone(&worker->child)) {
        struct pollfd wait = {worker->child.err, POLLIN, 0};
        if (poll(&wait, 1, 5) <= 0 || !read_log(worker)) poll(NULL, 0, 5);
    }
    if (worker->used)
        snprintf(half, sizeof half, " after half an answer, '%s'",
                 gb_line_excerpt(worker->buffer, worker->used, quoted));
    if (gone)
        snprintf(text, sizeof text, "the worker ended at `%.20s`%s", cmd, half);
    else
        snprintf(text, sizeof text, "the worker closed its %s at `%.20s`%s and went on", pipe, cmd,
                 half);
    return fail(worker, 0, GB_CRASHED, error, text);
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Reads what stdout holds now. 1: more is there, 0: end, -1: out of memory. */
static int read_answer(gb_worker *worker)
{
    if (worker->capacity - worker->used < READ_SIZE + 1) {
        size_t capacity = worker->capacity * 2 + 2 * READ_SIZE;
        char *buffer = realloc(worker->buffer, capacity);
        if (!buffer) return -1;
        worker->buffer = buffer;
        worker->capacity = capacity;
    }
    ssize_t got = read(worker->child.out, worker->buffer + worker->used, READ_SIZE);
    if (got > 0) worker->used += (size_t)got;
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* write() without SIGPIPE, whatever the process does about that signal. */
static ssize_t write_quietly(int fd, const char *bytes, size_t count)
{
    sigset_t pipe_signal, old, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    sigprocmask(SIG_BLOCK, &pipe_signal, &old);
    ssize_t sent = write(fd, bytes, count);
    int reason = errno;
    if (sent < 0 && reason == EPIPE && !sigismember(&pending, SIGPIPE)) {
        struct timespec now = {0, 0};
        while (sigtimedwait(&pipe_signal, NULL, &now) < 0 && errno == EINTR) {
        }
    }
    sigprocmask(SIG_SETMASK, &old, NULL);
    errno = reason;
    return sent;
}

/* Waits for any pipe, most_s at most, and serves it once. Returns false and *error when the
 * exchange is over. */
static bool serve(gb_worker *worker, exchange *x, double most_s, const char *cmd, gb_error *error)
{
    char sentence[GB_LIMIT_TEXT + 128];
    double now = gb_now();
    if (gb_interrupted && !x->interrupted) {
        x->interrupted = true;
        if (x->deadline > now + interrupt_grace_s) x->deadline = now + interrupt_grace_s;
    }
    if (now >= x->deadline) {
        if (x->interrupted)
            snprintf(sentence, sizeof sentence, "`%.20s` was abandoned: interrupted", cmd);
        else
            snprintf(sentence, sizeof sentence, "no answer to `%.20s` within %.3g s%s", cmd,
                     x->limit_s,
                     gb_child_stopped(&worker->child) ? ": somebody has stopped it (SIGSTOP)" : "");
        fail(worker, 0, GB_TIMEOUT, error, sentence);
        return false;
    }
    /* A signal between the check above and poll is noticed at the next look. */
    bool gone = now >= x->look && gb_child_gone(&worker->child);
    if (now >= x->look) x->look = now + look_every_s;
    double until = x->deadline < x->look ? x->deadline : x->look;
    if (until > now + most_s) until = now + most_s;
    struct pollfd wait[3] = {{worker->child.out, POLLIN, 0},
                             {worker->child.err, POLLIN, 0},
                             {x->send_left ? worker->child.in : -1, POLLOUT, 0}};
    int ready = poll(wait, 3, gone || most_s == 0 ? 0 : (int)((until - now) * 1e3 + 1));
    if (ready <= 0 && !gone) return true;
    /* At the end of its log a worker may still answer; only then stop listening to it. */
    if (wait[1].revents && !read_log(worker)) {
        close(worker->child.err);
        worker->child.err = -1;
    }
    bool closed = false;
    if (wait[2].revents) {
        ssize_t sent = write_quietly(worker->child.in, x->send, x->send_left);
        if (sent > 0) {
            x->send += sent;
            x->send_left -= (size_t)sent;
        }
        closed = sent < 0 && errno == EPIPE;
    }
    if (!wait[0].revents && !closed && !gone) return true;
    int got = wait[0].revents ? read_answer(worker) : 0;
    if (got > 0) return true;
    if (got < 0) {
        char limit[GB_LIMIT_TEXT];
        snprintf(sentence, sizeof sentence, "gpubench has no memory for the answer to `%.20s`%s",
                 cmd, gb_limit_behind(ENOMEM, limit));
        fail(worker, 0, GB_OUT_OF_MEMORY, error, sentence);
    } else {
        fail_end(worker, error, cmd, closed ? "stdin" : "stdout");
    }
    return false;
}

/* True if the worker can be asked: it lives and has said nothing unasked. What it did before cannot
 * be the fault of this request. */
static bool ready_for(gb_worker *worker, const char *cmd, gb_error *error)
{
    struct pollfd wait[2] = {{worker->child.out, POLLIN, 0}, {worker->child.in, 0, 0}};
    char text[80];
    poll(wait, 2, 0);
    if (worker->used == 0 && (wait[0].revents & POLLIN)) read_answer(worker);
    /* Neither pipe has anything else to tell but that its other end is closed. */
    bool closed = (wait[0].revents & ~POLLIN) || wait[1].revents;
    bool gone = gb_child_gone(&worker->child);
    worker->failed_idle = worker->used > 0 || closed || gone;
    if (!worker->failed_idle) return true;
    if (worker->used > 0) {
        const char *end = memchr(worker->buffer, '\n', worker->used);
        fail_line(worker, error, "was there before anybody asked", cmd, worker->buffer,
                  end ? (size_t)(end - worker->buffer) : worker->used);
    } else {
        snprintf(text, sizeof text, "the worker %s before `%.20s` was asked",
                 gone ? "ended" : "closed a pipe", cmd);
        fail(worker, end_grace_s, GB_CRASHED, error, text);
    }
    return false;
}

/* Believes a line that is the answer, else kills the worker; what is behind it is one line too many
 * and can only come from the same request. */
static cJSON *take_line(gb_worker *worker, const cJSON *request, gb_answer_limits limits,
                        size_t length, gb_error *error)
{
    const char *what = NULL, *cmd = gb_request_name(request);
    cJSON *answer =
        gb_answer_parse(request, worker->requests, limits, worker->buffer, length, &what);
    if (!answer) return fail_line(worker, error, what, cmd, worker->buffer, length);
    worker->used -= length + 1;
    memmove(worker->buffer, worker->buffer + length + 1, worker->used);
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "fatal"))) {
        char words[128];
        gb_child_end(&worker->child, quit_grace_s, words, sizeof words);
    } else if (worker->used > 0) {
        cJSON_Delete(answer);
        return fail_line(worker, error, "has more behind its line", cmd, worker->buffer,
                         worker->used);
    }
    return answer;
}

/* The exchange is over; with it goes what was sent. */
static void end_exchange(gb_worker *worker)
{
    worker->wait_s += gb_now() - worker->x.begun;
    free(worker->x.line);
    worker->x = (exchange){.request = NULL};
}

bool gb_worker_send(gb_worker *worker, const cJSON *request, double limit_s, gb_error *error)
{
    const char *cmd = gb_request_name(request);
    if (!gb_worker_alive(worker)) {
        gb_fail(error, GB_CRASHED, "the worker '%.200s' is not running any more", worker->command);
        return false;
    }
    char *text = cJSON_PrintUnformatted(request), *line = NULL;
    worker->requests++;
    /* First, so that a worker that is a script finds it easily. */
    int size = text ? asprintf(&line, "{\"seq\":%lu,%s\n", worker->requests, text + 1) : -1;
    cJSON_free(text);
    if (size < 0) {
        char limit[GB_LIMIT_TEXT];
        gb_fail(error, GB_OUT_OF_MEMORY, "gpubench has no memory for a request%s",
                gb_limit_behind(ENOMEM, limit));
        return false;
    }
    const double now = gb_now();
    worker->x = (exchange){.request = request,
                           .line = line,
                           .send = line,
                           .send_left = strlen(line),
                           .limits = gb_answer_limits_of(request),
                           .begun = now,
                           .deadline = now + limit_s,
                           .limit_s = limit_s,
                           .look = now + look_every_s};
    if (ready_for(worker, cmd, error)) return true;
    end_exchange(worker);
    return false;
}

/* Serves the pipes once and looks whether the answer is there. */
static bool receive(gb_worker *worker, double most_s, cJSON **answer, gb_error *error)
{
    exchange *x = &worker->x;
    const char *cmd = gb_request_name(x->request);
    *answer = NULL;
    if (!serve(worker, x, most_s, cmd, error)) return false;
    if (worker->used == x->searched) return true;
    char *end = memchr(worker->buffer + x->searched, '\n', worker->used - x->searched);
    x->searched = worker->used;
    size_t length = end ? (size_t)(end - worker->buffer) : worker->used;
    if (length > x->limits.bytes) {
        fail_line(worker, error, "is longer than it can need to be", cmd, worker->buffer, length);
        return false;
    }
    if (end) *answer = take_line(worker, x->request, x->limits, length, error);
    return !end || *answer;
}

bool gb_worker_receive(gb_worker *worker, cJSON **answer, gb_error *error)
{
    const bool good = receive(worker, 0, answer, error);
    if (!good || *answer) end_exchange(worker);
    return good;
}

bool gb_worker_is_asked(const gb_worker *worker)
{
    return worker->x.request != NULL;
}

cJSON *gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s, gb_error *error)
{
    cJSON *answer = NULL;
    if (!gb_worker_send(worker, request, limit_s, error)) return NULL;
    while (receive(worker, look_every_s, &answer, error) && !answer) {
    }
    end_exchange(worker);
    return answer;
}

void gb_workers_wait(gb_worker *const *workers, unsigned count, double wait_s)
{
    struct pollfd *wait = calloc(2 * count + 1, sizeof *wait);
    if (!wait) gb_memory_gone("gpubench", (2 * count + 1) * sizeof *wait);
    for (unsigned i = 0; i < count; i++) {
        const gb_worker *worker = workers[i];
        const bool asked = worker->x.request;
        wait[2 * i] = (struct pollfd){asked ? worker->child.out : -1, POLLIN, 0};
        wait[2 * i + 1] = asked && worker->x.send_left
                              ? (struct pollfd){worker->child.in, POLLOUT, 0}
                              : (struct pollfd){asked ? worker->child.err : -1, POLLIN, 0};
    }
    poll(wait, 2 * count, (int)(wait_s * 1e3 + 1));
    free(wait);
}

void gb_workers_end(gb_worker *const *workers, unsigned count, double grace_s)
{
    gb_child **children = calloc(count + 1, sizeof *children);
    if (!children) gb_memory_gone("gpubench", (count + 1) * sizeof *children);
    for (unsigned i = 0; i < count; i++)
        children[i] = &workers[i]->child;
    gb_children_end(children, count, grace_s);
    free(children);
    for (unsigned i = 0; i < count; i++) {
        char words[128];
        if (gb_worker_alive(workers[i])) gb_child_end(&workers[i]->child, 0, words, sizeof words);
    }
}

void gb_worker_kill(gb_worker *worker)
{
    char words[128];
    gb_child_end(&worker->child, 0, words, sizeof words);
}

void gb_worker_stop(gb_worker *worker)
{
    if (!worker) return;
    char words[128];
    if (gb_worker_alive(worker)) {
        static const char quit[] = "{\"cmd\":\"quit\"}\n";
        /* Should the pipe be full, the closed stdin says the same. */
        if (write_quietly(worker->child.in, quit, sizeof quit - 1) < 0) {
        }
        gb_child_end(&worker->child, quit_grace_s, words, sizeof words);
    }
    free(worker->x.line);
    free(worker->buffer);
    free(worker->command);
    free(worker);
}
