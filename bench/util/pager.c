/* A pager for output that is longer than the screen: stdout goes to a file in memory, which is
 * copied to the terminal or handed to the pager as its stdin when it is known how long it is. So
 * there is no pipe that a user who quits would break, and the exit status is that of the command.
 */
#include "bench/util/pager.h"

#include "bench/util/terminal.h"
#include "bench/util/wrap.h"
#include "common/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int terminal = -1; /* where stdout led before; -1: nothing is kept */

/* The pager's command; "" for none. */
static const char *pager(void)
{
    static const char *const variables[] = {"GPUBENCH_PAGER", "PAGER"};
    for (size_t i = 0; i < 2; i++) {
        const char *said = getenv(variables[i]);
        if (said) return strcmp(said, "cat") == 0 ? "" : said;
    }
    return "command -v less >/dev/null || exit 127; exec less"; /* or nothing, and no complaint */
}

static void put_back(void)
{
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    terminal = -1;
    gb_terminal_behind(STDOUT_FILENO, -1);
}

void gb_pager_begin(void)
{
    if (terminal >= 0 || !gb_is_terminal(stdout) || !*pager()) return;
    const int kept = memfd_create("gpubench output", MFD_CLOEXEC);
    if (kept < 0) return; /* without a pager, then */
    fflush(stdout);
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (terminal >= 0 && dup2(kept, STDOUT_FILENO) >= 0) {
        gb_terminal_behind(STDOUT_FILENO, terminal);
        atexit(gb_pager_end); /* also where the program ends for lack of memory */
    } else if (terminal >= 0) {
        close(terminal);
        terminal = -1;
    }
    close(kept);
}

/* Whether a text takes more lines of the terminal than there are, less that of the prompt. */
static bool is_longer_than_screen(const char *text, size_t size)
{
    const size_t lines = gb_terminal_lines(stdout), columns = gb_terminal_columns(stdout);
    size_t taken = 0;
    if (lines == 0) return false;
    for (const char *at = text, *end = text + size; at < end && taken < lines;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        const size_t bytes = (size_t)((feed ? feed : end) - at);
        const size_t width = gb_text_columns_of(at, bytes);
        taken += columns && width > columns ? (width + columns - 1) / columns : 1;
        at += bytes + 1;
    }
    return taken >= lines;
}

static bool write_all(int fd, const char *text, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, text, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        text += written;
        size -= (size_t)written;
    }
    return true;
}

/* Runs the pager on the kept text. False if it could not be started. */
static bool run_pager(int kept)
{
    enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127 };
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
    int status = 0;
    /* a Ctrl-C within the pager is for the pager */
    sigaction(SIGINT, &ignore, &interrupt);
    sigaction(SIGQUIT, &ignore, &quit);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        signal(SIGQUIT, SIG_DFL);
        setenv("LESS", "FRX", 0);
        if (lseek(kept, 0, SEEK_SET) == 0 && dup2(kept, STDIN_FILENO) >= 0 &&
            dup2(terminal, STDOUT_FILENO) >= 0)
            execl("/bin/sh", "sh", "-c", pager(), (char *)NULL);
        _exit(NOT_FOUND);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return child > 0 && code != NOT_FOUND && code != NOT_EXECUTABLE;
}

void gb_pager_end(void)
{
    if (terminal < 0) return;
    fflush(stdout);
    const off_t size = lseek(STDOUT_FILENO, 0, SEEK_END);
    void *text =
        size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, STDOUT_FILENO, 0) : MAP_FAILED;
    const bool kept = text != MAP_FAILED;
    if (kept && !(is_longer_than_screen(text, (size_t)size) && run_pager(STDOUT_FILENO)))
        (void)write_all(terminal, text, (size_t)size);
    if (kept) munmap(text, (size_t)size);
    put_back();
}

static bool take(void *to, const char *option, const char *argument, gb_error *error)
{
    (void)to, (void)option, (void)argument, (void)error;
    gb_pager_end();
    return true;
}

gb_option gb_option_no_pager(void)
{
    return gb_option_special("no-pager", NULL,
                             "never show the output in a pager (see GPUBENCH_PAGER)", take, NULL);
}
