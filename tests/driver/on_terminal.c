/* on_terminal COLUMNS LINES COMMAND...: runs a command whose stdin and stdout are a terminal of
 * that size, and copies what it writes there to stdout, lines ending in line feeds alone. Its
 * stderr stays what it is. Exit status: the command's; 125 where there is no terminal to be had. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_TERMINAL = 125, NOT_STARTED = 127 };

static _Noreturn void become(int terminal, char **command)
{
    setsid();
    ioctl(terminal, TIOCSCTTY, 0);
    if (dup2(terminal, STDIN_FILENO) >= 0 && dup2(terminal, STDOUT_FILENO) >= 0)
        execvp(command[0], command);
    _exit(NOT_STARTED);
}

/* Until everybody has closed the terminal. */
static void copy(int from)
{
    char text[4096];
    for (ssize_t got; (got = read(from, text, sizeof text)) > 0 || (got < 0 && errno == EINTR);) {
        for (ssize_t i = 0; i < got; i++)
            if (text[i] != '\r') putchar(text[i]);
        fflush(stdout); /* somebody may wait for it */
    }
}

int main(int argc, char **argv)
{
    if (argc < 4) return NO_TERMINAL;
    const struct winsize size = {.ws_col = (unsigned short)strtoul(argv[1], NULL, 10),
                                 .ws_row = (unsigned short)strtoul(argv[2], NULL, 10)};
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return NO_TERMINAL;
    const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    if (terminal < 0 || ioctl(terminal, TIOCSWINSZ, &size) != 0) return NO_TERMINAL;
    const pid_t child = fork();
    if (child == 0) {
        close(master);
        become(terminal, argv + 3);
    }
    close(terminal);
    copy(master);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
