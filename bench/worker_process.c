/* Talking to a worker: requests out, answers in, its log beside them, a deadline over everything.
 * One poll serves all three pipes, so a worker that floods its log or stops reading cannot make
 * the driver wait for longer than the limit. */
#include "bench/worker_process.h"

#include "bench/interrupt.h"
#include "bench/worker_child.h"
#include "common/json.h"
#include "common/text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_LIMIT = 64 << 20, LOG_LINES = 20, LOG_WIDTH = 240, READ_SIZE = 64 << 10 };
/* How long a request in flight may go on after a Ctrl-C, and a worker after its pipes closed. */
static const double interrupt_grace_s = 1.0, end_grace_s = 0.5, quit_grace_s = 2.0;

struct gb_worker {
    gb_child child;
    char *command;
    char *buffer; /* stdout not consumed yet */
    size_t used, capacity;
    char log[LOG_LINES][LOG_WIDTH]; /* a ring of the last lines of stderr */
    unsigned long log_count;        /* lines ever completed */
    char log_line[LOG_WIDTH];       /* the line being received */
    size_t log_used;
    bool verbose;
    double wait_s;
    unsigned long requests;
};

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
        worker->verbose = verbose && *verbose && strcmp(verbose, "0") != 0;
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

double gb_worker_wait_s(const gb_worker *worker)
{
    return worker->wait_s;
}

unsigned long gb_worker_requests(const gb_worker *worker)
{
    return worker->requests;
}

/* ---- the worker's log ----------------------------------------------------------------------- */

static void end_log_line(gb_worker *worker)
{
    worker->log_line[worker->log_used] = 0;
    worker->log_used = 0;
    gb_text_tame(worker->log_line);
    strcpy(worker->log[worker->log_count++ % LOG_LINES], worker->log_line);
    if (worker->verbose) fprintf(stderr, "worker: %s\n", worker->log_line);
}

/* Reads what stderr holds now; false at its end. */
static bool read_log(gb_worker *worker)
{
    char bytes[READ_SIZE];
    ssize_t got = read(worker->child.err, bytes, sizeof bytes);
    for (ssize_t i = 0; i < got; i++) {
        if (bytes[i] == '\n')
            end_log_line(worker);
        else if (worker->log_used + 1 < LOG_WIDTH)
            worker->log_line[worker->log_used++] = bytes[i];
    }
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Appends to text as many of the last lines of the log as fit. */
static void append_log(gb_worker *worker, char *text, size_t capacity)
{
    if (worker->log_used) end_log_line(worker);
    size_t used = strlen(text), room = capacity - used - 1, need = 0;
    unsigned long first = worker->log_count;
    unsigned long oldest = first > LOG_LINES ? first - LOG_LINES : 0;
    const char *intro = "; the worker's log ends: ";
    if (room < strlen(intro)) return;
    room -= strlen(intro);
    while (first > oldest) {
        size_t length = strlen(worker->log[(first - 1) % LOG_LINES]) + 3;
        if (need + length > room) break;
        need += length;
        first--;
    }
    if (first == worker->log_count) return;
    strcat(text, intro);
    for (unsigned long i = first; i < worker->log_count; i++) {
        if (i > first) strcat(text, " | ");
        strcat(text, worker->log[i % LOG_LINES]);
    }
}

/* ---- failures ------------------------------------------------------------------------------- */

/* The command's name in a request, for messages. */
static const char *request_name(const cJSON *request)
{
    const cJSON *cmd = cJSON_GetObjectItemCaseSensitive(request, "cmd");
    return cJSON_IsString(cmd) ? cmd->valuestring : "?";
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
    snprintf(text, sizeof text, "%s (worker %s)", sentence, words);
    append_log(worker, text, sizeof text);
    gb_fail(error, status, "%s", text);
    return NULL;
}

/* The first 80 characters of a line, unprintable ones as '.'. */
static const char *excerpt(const char *line, size_t length, char quoted[84])
{
    size_t shown = length < 80 ? length : 80;
    for (size_t i = 0; i < shown; i++)
        quoted[i] = line[i] >= 32 && line[i] < 127 ? line[i] : '.';
    strcpy(quoted + shown, length > shown ? "..." : "");
    return quoted;
}

static cJSON *fail_line(gb_worker *worker, gb_error *error, const char *what, const char *cmd,
                        const char *line, size_t length)
{
    char quoted[84], text[256];
    snprintf(text, sizeof text, "the answer to `%.20s` %s: '%s'", cmd, what,
             excerpt(line, length, quoted));
    return fail(worker, 0, GB_CRASHED, error, text);
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Parses one line as the answer to request; kills the worker if it is not one. */
static cJSON *parse_answer(gb_worker *worker, const cJSON *request, char *line, size_t length,
                           gb_error *error)
{
    const char *cmd = request_name(request);
    line[length] = 0;
    const char *at, *why;
    cJSON *answer = gb_json_parse(line, length, &at, &why);
    if (!cJSON_IsObject(answer)) {
        cJSON_Delete(answer);
        char what[64];
        snprintf(what, sizeof what, why ? "has %s" : "is not a JSON object", why);
        return fail_line(worker, error, what, cmd, line, length);
    }
    const cJSON *echo = cJSON_GetObjectItemCaseSensitive(answer, "cmd");
    const cJSON *ok = cJSON_GetObjectItemCaseSensitive(answer, "ok");
    const cJSON *job = cJSON_GetObjectItemCaseSensitive(request, "job");
    const cJSON *job_echo = cJSON_GetObjectItemCaseSensitive(answer, "job");
    const char *what = NULL;
    if (!cJSON_IsString(echo) || strcmp(echo->valuestring, cmd) != 0)
        what = "is one to another request";
    else if (!cJSON_IsBool(ok))
        what = "lacks \"ok\"";
    else if (job && (!cJSON_IsNumber(job_echo) || job_echo->valuedouble != job->valuedouble))
        what = "is about another job";
    if (what) {
        cJSON_Delete(answer);
        return fail_line(worker, error, what, cmd, line, length);
    }
    if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "fatal"))) {
        char words[128];
        gb_child_end(&worker->child, quit_grace_s, words, sizeof words);
    }
    return answer;
}

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

/* The exchange of one request: what is still to send, how far stdout was searched. */
typedef struct exchange {
    const char *send;
    size_t send_left;
    size_t searched;
    double deadline, limit_s;
    bool interrupted;
} exchange;

/* Waits for any pipe and serves it once. Returns false and *error when the exchange is over. */
static bool serve(gb_worker *worker, exchange *x, const char *cmd, gb_error *error)
{
    char sentence[128];
    double now = gb_now();
    if (gb_interrupted && !x->interrupted) {
        x->interrupted = true;
        if (x->deadline > now + interrupt_grace_s) x->deadline = now + interrupt_grace_s;
    }
    if (now >= x->deadline) {
        if (x->interrupted)
            snprintf(sentence, sizeof sentence, "`%.20s` was abandoned: interrupted", cmd);
        else
            snprintf(sentence, sizeof sentence, "no answer to `%.20s` within %.3g s", cmd,
                     x->limit_s);
        fail(worker, 0, GB_TIMEOUT, error, sentence);
        return false;
    }
    /* A signal between the check above and poll is noticed a second later. */
    double left_ms = (x->deadline - now) * 1e3 + 1;
    struct pollfd wait[3] = {{worker->child.out, POLLIN, 0},
                             {worker->child.err, POLLIN, 0},
                             {x->send_left ? worker->child.in : -1, POLLOUT, 0}};
    if (poll(wait, 3, left_ms > 1000 ? 1000 : (int)left_ms) <= 0) return true;
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
    if (wait[0].revents || closed) {
        int got = wait[0].revents ? read_answer(worker) : 0;
        if (got <= 0) {
            snprintf(sentence, sizeof sentence,
                     got ? "out of memory for the answer to `%.20s`"
                         : "the worker ended at `%.20s`",
                     cmd);
            fail(worker, got ? 0 : end_grace_s, GB_CRASHED, error, sentence);
            return false;
        }
    }
    return true;
}

/* True if stdout holds bytes that nobody asked for. */
static bool spoke_unasked(gb_worker *worker)
{
    struct pollfd wait = {worker->child.out, POLLIN, 0};
    if (worker->used == 0 && poll(&wait, 1, 0) > 0 && (wait.revents & POLLIN)) read_answer(worker);
    return worker->used > 0;
}

static cJSON *ask(gb_worker *worker, const cJSON *request, const char *text, double limit_s,
                  gb_error *error)
{
    const char *cmd = request_name(request);
    if (spoke_unasked(worker)) {
        const char *end = memchr(worker->buffer, '\n', worker->used);
        return fail_line(worker, error, "was there before anybody asked", cmd, worker->buffer,
                         end ? (size_t)(end - worker->buffer) : worker->used);
    }
    exchange x = {text, strlen(text), 0, gb_now() + limit_s, limit_s, false};
    for (;;) {
        if (!serve(worker, &x, cmd, error)) return NULL;
        if (worker->used == x.searched) continue;
        char *end = memchr(worker->buffer + x.searched, '\n', worker->used - x.searched);
        x.searched = worker->used;
        size_t length = end ? (size_t)(end - worker->buffer) : worker->used;
        if (length > ANSWER_LIMIT)
            return fail_line(worker, error, "is longer than 64 MiB", cmd, worker->buffer, 80);
        if (!end) continue;
        cJSON *answer = parse_answer(worker, request, worker->buffer, length, error);
        worker->used -= length + 1;
        memmove(worker->buffer, end + 1, worker->used);
        return answer;
    }
}

cJSON *gb_worker_ask(gb_worker *worker, const cJSON *request, double limit_s, gb_error *error)
{
    if (!gb_worker_alive(worker)) {
        gb_fail(error, GB_CRASHED, "the worker '%.200s' is not running any more", worker->command);
        return NULL;
    }
    char *text = cJSON_PrintUnformatted(request);
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (!line) {
        cJSON_free(text);
        gb_fail(error, GB_CRASHED, "out of memory for a request");
        return NULL;
    }
    strcpy(line + length, "\n");
    worker->requests++;
    double begun = gb_now();
    cJSON *answer = ask(worker, request, line, limit_s, error);
    worker->wait_s += gb_now() - begun;
    free(line);
    return answer;
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
    free(worker->buffer);
    free(worker->command);
    free(worker);
}
