/* gpubench team: several workers, a process a device, that answer as one. */
#include "bench/worker/team.h"
#include "bench/commands/commands.h"
#include "bench/util/interrupt.h"
#include "bench/util/options.h"
#include "common/text/json.h"
#include "common/text/limits.h"
#include "common/text/text.h"

#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t longest_line = (size_t)64 << 20;
enum { READ_SIZE = 64 << 10, LOOK_MS = 200 };

static const gb_command_help help = {
    .usage = "team --ranks N [options] -- WORKER [ARGS]",
    .summary =
        "Starts N workers, one process a GPU, and answers for all of them as one worker whose\n"
        "device is N GPUs. It is meant for --worker of other commands, and speaks the\n"
        "workers' protocol on standard input and output. docs/multi-gpu.md tells how members\n"
        "find each other, on one host and on several.\n",
    .examples =
        "  gpubench run configs/radix-sort-multi.json --worker 'gpubench team --ranks 2 -- "
        "gpubench-cuda'\n"
        "  gpubench team --hosts node1,node2 --ranks 16 --launch 'ssh -o BatchMode=yes {host}' \\\n"
        "      -- /opt/gpubench/gpubench-cuda\n"};

/* ---- requests in, answers out ---------------------------------------------------------------- */

/* Requests that have been read, or begun to be. */
typedef struct input {
    char *buffer;
    size_t used, capacity, searched;
} input;

static bool reader_gone(void)
{
    struct pollfd out = {STDOUT_FILENO, 0, 0};
    return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLNVAL));
}

static bool read_more(input *in)
{
    if (in->capacity - in->used < READ_SIZE + 1) {
        in->capacity = 2 * in->capacity + 2 * READ_SIZE;
        in->buffer = realloc(in->buffer, in->capacity);
        if (!in->buffer) gb_memory_gone("gpubench team", in->capacity);
    }
    const ssize_t got = read(STDIN_FILENO, in->buffer + in->used, READ_SIZE);
    if (got > 0) in->used += (size_t)got;
    return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* The length of the next line, which stands at the buffer's begin without its line feed; false at
 * the end of the input, or when somebody asked for an end. */
static bool next_line(input *in, size_t *length)
{
    for (;;) {
        char *end = in->used > in->searched
                        ? memchr(in->buffer + in->searched, '\n', in->used - in->searched)
                        : NULL;
        in->searched = in->used;
        if (end) {
            *length = (size_t)(end - in->buffer);
            return true;
        }
        struct pollfd from = {STDIN_FILENO, POLLIN, 0};
        const int ready = in->used > longest_line ? 0 : poll(&from, 1, LOOK_MS);
        if (gb_interrupted || reader_gone() || in->used > longest_line) return false;
        if (ready > 0 && !read_more(in)) return false;
    }
}

static void drop_line(input *in, size_t length)
{
    in->used -= length + 1;
    memmove(in->buffer, in->buffer + length + 1, in->used);
    in->searched = 0;
}

static bool write_answer(const cJSON *answer)
{
    char *text = cJSON_PrintUnformatted(answer);
    const bool written =
        text && fputs(text, stdout) >= 0 && putchar('\n') != EOF && fflush(stdout) == 0;
    cJSON_free(text);
    return written;
}

/* A line as a request; NULL, with the answer that refuses it, if it is none. */
static cJSON *read_request(char *line, size_t length, cJSON **answer)
{
    const char *at, *why;
    line[length] = '\0';
    cJSON *request = gb_json_parse(line, length, &at, &why);
    if (cJSON_IsObject(request) && cJSON_IsString(cJSON_GetObjectItemCaseSensitive(request, "cmd")))
        return request;
    *answer = gb_members_begin_answer(cJSON_IsObject(request) ? request : NULL);
    gb_members_refuse(*answer, "protocol",
                      "a request is one JSON object, like {\"cmd\":\"describe\"}");
    cJSON_Delete(request);
    return NULL;
}

/* Answers until the end of the input; false if answers do not get through. */
static bool serve(gb_members *team)
{
    input in = {NULL, 0, 0, 0};
    size_t length;
    bool good = true;
    while (good && !gb_members_are_over(team) && next_line(&in, &length)) {
        cJSON *answer = NULL, *request = read_request(in.buffer, length, &answer);
        if (request) answer = gb_members_answer(team, request, reader_gone);
        cJSON_Delete(request);
        drop_line(&in, length);
        if (!answer) break;
        good = write_answer(answer);
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "fatal"))) good = false;
        cJSON_Delete(answer);
    }
    free(in.buffer);
    return good && !reader_gone();
}

/* ---- the command line ------------------------------------------------------------------------ */

static unsigned count_hosts(const char *hosts)
{
    unsigned count = 1;
    for (const char *c = hosts; *c; c++)
        count += *c == ',';
    return count;
}

/* What is wrong with a plan before anything is started; NULL: nothing. */
static const char *mistake_of(const gb_team_plan *plan, bool has_worker)
{
    if (!has_worker) return "which worker? Its command stands behind --";
    if (!plan->ranks) return "--ranks says how many members it has (or --hosts, one on each)";
    if (plan->hosts &&
        (*plan->hosts == ',' || strstr(plan->hosts, ",,") ||
         (*plan->hosts && plan->hosts[strlen(plan->hosts) - 1] == ',') || !*plan->hosts))
        return "--hosts has an empty name";
    if (plan->hosts && (!plan->launch || !strstr(plan->launch, "{host}")))
        return "--hosts says where, and --launch how to get there, by its {host}";
    if (plan->launch && strstr(plan->launch, "{host}") && !plan->hosts)
        return "--launch has {host}: --hosts names them";
    return NULL;
}

static int run_team(const gb_team_plan *plan)
{
    gb_error error = {GB_OK, ""};
    signal(SIGPIPE, SIG_IGN);
    gb_interrupt_install();
    gb_members *team = gb_members_start(plan, &error);
    if (!team) {
        fprintf(stderr, "gpubench team: %s\n", error.text);
        return error.status == GB_WRONG ? GB_EXIT_USAGE : GB_EXIT_NO_DEVICE;
    }
    if (isatty(STDIN_FILENO))
        fputs("gpubench team: waiting for requests (docs/protocol.md)\n", stderr);
    const bool good = serve(team);
    gb_members_stop(team, !good || gb_interrupted);
    if (gb_interrupted) return 128 + gb_interrupted; /* as a process that the signal ended */
    return good ? GB_EXIT_OK : GB_EXIT_FAILED;
}

int gb_command_team(int argc, char **argv)
{
    uint64_t ranks = 0;
    gb_team_plan plan = {.ranks = 0};
    const gb_option options[] = {
        gb_option_size("ranks", "N", "members, one process and one GPU each (default: one a host)",
                       &ranks, 1, GB_MOST_DEVICES),
        gb_option_text("launch", "COMMAND",
                       "what stands before the worker's command: srun, ssh, ...; {rank} and {host}",
                       &plan.launch),
        gb_option_text("hosts", "A,B,...", "names for {host}: ranks fill one after the other",
                       &plan.hosts),
        gb_option_verbose("show the workers' log"),
        {0}};
    int status;
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    if (!ranks && plan.hosts && count_hosts(plan.hosts) <= GB_MOST_DEVICES)
        ranks = count_hosts(plan.hosts);
    plan.ranks = (unsigned)ranks;
    plan.worker = argv + optind;
    const char *mistake = mistake_of(&plan, optind < argc);
    if (!mistake) return run_team(&plan);
    fprintf(stderr, "gpubench team: %s; --help says more\n", mistake);
    return GB_EXIT_USAGE;
}
