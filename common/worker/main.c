/* The worker's executable (gpubench-cuda, gpubench-simt): requests on stdin, answers on stdout, a
 * log for people on stderr. docs/protocol.md says what they mean. */
#include "common/text/descriptors.h"
#include "common/text/limits.h"
#include "common/worker/fresh_process.h"
#include "common/worker/line_reader.h"
#include "common/worker/reader_watch.h"
#include "common/worker/request.h"
#include "common/worker/service.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t longest_line = (size_t)64 << 20;

enum { EXIT_BROKEN = 1, EXIT_USAGE = 2 };

static void print_help(FILE *out, const char *program)
{
    gb_backend_facts facts;
    gb_backend_describe(&facts);
    fprintf(
        out,
        "%s: a worker of gpubench (back-end %s). It owns one device and runs the kernels;\n"
        "`gpubench run` starts it and talks to it. Usage:\n\n"
        "%s\n"
        "    answer requests until end of input or {\"cmd\":\"quit\"}: one JSON object a line on\n"
        "    stdin, answers on stdout (docs/protocol.md), a log on stderr\n"
        "%s --describe\n"
        "    print devices, primitives and variants as indented JSON\n"
        "%s --help\n"
        "    print this\n",
        program, facts.backend, program, program, program);
}

/* Kernels and libraries may print: what they write to stdout goes to stderr, and the stream
 * returned here is the only way to the real stdout. NULL (errno) on failure. */
static FILE *take_stdout(void)
{
    fflush(stdout);
    int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (answers < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return NULL;
    return fdopen(answers, "w");
}

/* What is kept for answers, so that a lack of memory can be told. */
static void *reserve;

/* For cJSON, which would leave out what it has no memory for. */
static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory && reserve) {
        free(reserve);
        reserve = NULL;
        memory = malloc(bytes);
    }
    if (!memory) gb_memory_gone("gpubench worker", bytes);
    return memory;
}

/* One line out; false if the reader is gone. */
static bool write_answer(FILE *out, const cJSON *answer)
{
    char *text = cJSON_PrintUnformatted(answer);
    if (!text) {
        fputs("gpubench worker: no host memory for an answer\n", stderr);
        return false;
    }
    bool written = fputs(text, out) >= 0 && putc('\n', out) != EOF && fflush(out) == 0;
    if (!written) fprintf(stderr, "gpubench worker: cannot answer: %s\n", strerror(errno));
    cJSON_free(text);
    return written;
}

/* Answers until the end of the input; the exit status. */
static int serve(gb_service *service, FILE *out)
{
    gb_line_reader reader;
    if (!gb_line_reader_init(&reader, STDIN_FILENO, longest_line)) {
        fputs("gpubench worker: no host memory\n", stderr);
        return EXIT_BROKEN;
    }
    int status = EXIT_SUCCESS;
    for (bool going = true; going;) {
        char *line;
        size_t length;
        cJSON *answer = NULL;
        switch (gb_line_reader_next(&reader, &line, &length)) {
        case GB_LINE:
            answer = gb_service_answer(service, line, length);
            break;
        case GB_LINE_TOO_LONG:
            answer = cJSON_CreateObject();
            cJSON_AddStringToObject(answer, "cmd", "");
            cJSON_AddTrueToObject(answer, "ok");
            gb_refuse(answer, "protocol", "the line is longer than %zu bytes", longest_line);
            break;
        case GB_LINE_END:
            going = false;
            continue;
        case GB_LINE_FAILED:
            fprintf(stderr, "gpubench worker: cannot read requests: %s\n", strerror(errno));
            status = EXIT_BROKEN;
            going = false;
            continue;
        }
        if (!write_answer(out, answer)) {
            status = EXIT_BROKEN;
            going = false;
        }
        cJSON_Delete(answer);
        /* A lost device may hang whoever tidies up: leave at once. */
        if (service->fatal) _exit(EXIT_BROKEN);
        if (service->quit) going = false;
    }
    gb_line_reader_free(&reader);
    return status;
}

/* Whether what was written to stdout arrived. */
static bool printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    perror("gpubench worker: standard output");
    return false;
}

static int describe_for_people(gb_service *service)
{
    static const char request[] = "{\"cmd\":\"describe\"}";
    cJSON *answer = gb_service_answer(service, request, sizeof request - 1);
    char *text = cJSON_Print(answer);
    if (text) puts(text);
    bool whole = text != NULL;
    cJSON_free(text);
    cJSON_Delete(answer);
    return whole && printed() ? EXIT_SUCCESS : EXIT_BROKEN;
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const char *program = slash ? slash + 1 : argv[0];
    gb_service service = {0};
    if (!gb_descriptors_hold()) {
        fprintf(stderr, "%s: a closed standard descriptor: /dev/null: %s\n", program,
                strerror(errno));
        return EXIT_BROKEN;
    }
    gb_error error;
    if (!gb_limits_begin(&error)) {
        fprintf(stderr, "%s: %s\n", program, error.text);
        return EXIT_BROKEN;
    }
    if (argc > 1 && strcmp(argv[1], GB_FRESH_OPTION) == 0) return gb_fresh_main(argc, argv);
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_help(stdout, program);
        return printed() ? EXIT_SUCCESS : EXIT_BROKEN;
    }
    if (argc == 2 && strcmp(argv[1], "--describe") == 0) {
        int status = describe_for_people(&service);
        gb_service_close(&service);
        return status;
    }
    if (argc > 1) {
        fprintf(stderr, "%s: unknown argument \"%s\"\n\n", program, argv[1]);
        print_help(stderr, program);
        return EXIT_USAGE;
    }

    reserve = malloc(1 << 18);
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = free});
    signal(SIGPIPE, SIG_IGN);
    /* Ctrl-C reaches the whole foreground group; the driver decides when its worker ends. */
    if (isatty(STDIN_FILENO))
        fprintf(stderr, "%s: waiting for requests; see --help\n", program);
    else
        signal(SIGINT, SIG_IGN);
    FILE *out = take_stdout();
    if (!out) {
        fprintf(stderr, "%s: cannot set up stdout: %s\n", program, strerror(errno));
        return EXIT_BROKEN;
    }
    gb_reader_watch(fileno(out));
    int status = serve(&service, out);
    gb_service_close(&service);
    return fclose(out) == 0 ? status : EXIT_BROKEN;
}
