/* The children of a test's process, by /proc. */
#ifndef GB_TESTS_HARNESS_CHILDREN_H
#define GB_TESTS_HARNESS_CHILDREN_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

/* The process's state (R, S, D, Z, ...) and its parent; 0: there is none. */
static inline char state_of(pid_t pid, pid_t *parent)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d (%*[^)]) %c %d", &state, parent) != 2) state = 0;
    if (file) fclose(file);
    return state;
}

/* The next child of the process in /proc, open as processes, and its state (R, S, D, Z, ...); 0:
 * there is none (yet, or any more). */
static inline pid_t next_child(DIR *processes, pid_t parent, char *state)
{
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        pid_t above, pid = atoi(entry->d_name);
        if (pid > 0 && (*state = state_of(pid, &above)) != 0 && above == parent) return pid;
    }
    return 0;
}

/* Until each child of this process has ended or waits for something: what it does of itself is
 * done. A minute at most. */
static inline void settle(void)
{
    bool busy = true;
    for (int i = 0; i < 6000 && busy; i++) {
        char state;
        usleep(10000);
        DIR *processes = opendir("/proc");
        busy = false;
        while (next_child(processes, getpid(), &state) != 0)
            busy = busy || (state != 'S' && state != 'Z');
        if (processes) closedir(processes);
    }
}

#endif
