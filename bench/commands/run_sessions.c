/* The sessions of a run. */
#include "bench/commands/run_sessions.h"

#include "common/text/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gb_session *find(const gb_run_sessions *sessions, const gb_worker_choice *choice)
{
    const char *command = sessions->asked.list[choice->worker].command;
    for (size_t i = 0; i < sessions->count; i++) {
        gb_session *session = sessions->list[i];
        if (strcmp(session->command, command) == 0 && session->device == choice->device &&
            gb_under_same(&session->under, &choice->under))
            return session;
    }
    return NULL;
}

static gb_session *add(gb_run_sessions *sessions, const gb_worker_choice *choice)
{
    gb_session *session = calloc(1, sizeof *session);
    const size_t size = (sessions->count + 1) * sizeof *sessions->list;
    sessions->list = session ? realloc(sessions->list, size) : NULL;
    if (!sessions->list) gb_memory_gone("gpubench run", size);
    gb_session_take(session, &sessions->asked, choice);
    return sessions->list[sessions->count++] = session;
}

/* What was said of another config is not said again. */
static void say(gb_run_sessions *sessions, const char *note)
{
    if (!*note || (sessions->said && strstr(sessions->said, note))) return;
    const size_t used = sessions->said ? strlen(sessions->said) : 0, size = used + strlen(note) + 1;
    sessions->said = realloc(sessions->said, size);
    if (!sessions->said) gb_memory_gone("gpubench run", size);
    memcpy(sessions->said + used, note, size - used);
    fputs(note, stderr);
}

gb_session *gb_run_session_for(gb_run_sessions *sessions, const gb_wish *wish, bool *lacking,
                               gb_error *error)
{
    gb_worker_choice choice;
    const bool found = gb_worker_choose(&sessions->asked, wish, &choice, error);
    *lacking = choice.lacking;
    if (!found) return NULL;
    say(sessions, choice.note);
    gb_session *session = find(sessions, &choice);
    return session ? session : add(sessions, &choice);
}

void gb_run_sessions_settle(gb_run_sessions *sessions)
{
    gb_asked_rest(&sessions->asked);
}

bool gb_run_session_wake(gb_run_sessions *sessions, gb_session *session, gb_error *error)
{
    for (size_t i = 0; i < sessions->count; i++)
        if (sessions->list[i] != session) gb_session_rest(sessions->list[i]);
    return gb_session_wake(session, error);
}

void gb_run_sessions_rest(gb_run_sessions *sessions)
{
    for (size_t i = 0; i < sessions->count; i++)
        gb_session_rest(sessions->list[i]);
}

void gb_run_sessions_free(gb_run_sessions *sessions)
{
    for (size_t i = 0; i < sessions->count; i++) {
        gb_session_close(sessions->list[i]);
        free(sessions->list[i]);
    }
    free(sessions->list);
    free(sessions->said);
    gb_asked_free(&sessions->asked);
    *sessions = (gb_run_sessions){0};
}
