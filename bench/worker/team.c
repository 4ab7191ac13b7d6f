/* Members of a team: starting them, asking those that a request concerns, and what becomes of all
 * when one fails. */
#include "bench/worker/team.h"

#include "bench/util/clock.h"
#include "bench/util/interrupt.h"
#include "bench/worker/answer.h"
#include "bench/worker/process.h"
#include "common/text/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Once a member has refused, or found an output wrong, the others are not waited for any longer:
 * what they wait for may never come. The driver gives a worker that it asks to end two seconds, so
 * a team gives its members less.
 */
static const double straggle_s = 3, quit_s = 2, term_grace_s = 1.5, look_s = 0.1;
/* The driver's own limit ends the team. */
static const double no_limit_s = 1e9;

/* A job that some members have. */
typedef struct team_job {
    double id;
    unsigned members;
    struct team_job *next;
} team_job;

struct gb_members {
    unsigned count;
    gb_worker *member[GB_MOST_DEVICES];
    int device[GB_MOST_DEVICES]; /* its index, as the member numbers it */
    cJSON *description;          /* merged; NULL: nobody has asked yet */
    cJSON *ids; /* by which members find each other; NULL: none yet, or one alone */
    team_job *jobs;
    bool over;
};

/* ---- starting -------------------------------------------------------------------------------- */

static void put(char **text, const char *more, size_t length)
{
    char *longer;
    if (asprintf(&longer, "%s%.*s", *text, (int)length, more) < 0)
        gb_memory_gone("gpubench", length);
    free(*text);
    *text = longer;
}

/* A word so that gb_command_split takes it as it is. */
static void put_word(char **text, const char *word)
{
    put(text, " ", 1);
    if (*word && !strpbrk(word, " \t\n'\"")) {
        put(text, word, strlen(word));
        return;
    }
    put(text, "'", 1);
    for (; *word; word++)
        if (*word == '\'')
            put(text, "'\"'\"'", 5);
        else
            put(text, word, 1);
    put(text, "'", 1);
}

/* The host of a rank: names is a list with commas. False where there is none. */
static bool host_of(const gb_team_plan *plan, unsigned rank, char host[256])
{
    unsigned count = 1, k = 0;
    if (!plan->hosts) return false;
    for (const char *c = plan->hosts; *c; c++)
        count += *c == ',';
    const unsigned wanted = (unsigned)((unsigned long)rank * count / plan->ranks);
    const char *at = plan->hosts;
    for (; k < wanted; k++)
        at += strcspn(at, ",") + 1;
    snprintf(host, 256, "%.*s", (int)strcspn(at, ","), at);
    return *host;
}

/* The launch template with what is the member's filled in. */
static bool put_launch(char **text, const gb_team_plan *plan, unsigned rank, gb_error *error)
{
    char digits[16], host[256];
    const bool has_host = host_of(plan, rank, host);
    snprintf(digits, sizeof digits, "%u", rank);
    for (const char *c = plan->launch ? plan->launch : ""; *c;) {
        const size_t plain = strcspn(c, "{");
        put(text, c, plain);
        c += plain;
        if (!*c) break;
        if (strncmp(c, "{rank}", 6) == 0) {
            put(text, digits, strlen(digits));
            c += 6;
        } else if (strncmp(c, "{host}", 6) == 0) {
            if (!has_host) {
                gb_fail(error, GB_WRONG, "--launch has {host}, and --hosts has none for rank %u",
                        rank);
                return false;
            }
            put(text, host, strlen(host));
            c += 6;
        } else {
            put(text, c++, 1);
        }
    }
    return true;
}

static gb_worker *start_member(const gb_team_plan *plan, unsigned rank, gb_error *error)
{
    char *command = strdup("");
    if (!command) gb_memory_gone("gpubench", 1);
    gb_worker *worker = NULL;
    if (put_launch(&command, plan, rank, error)) {
        for (char *const *word = plan->worker; *word; word++)
            put_word(&command, *word);
        worker = gb_worker_start(command + strspn(command, " "), error);
    }
    free(command);
    return worker;
}

gb_members *gb_members_start(const gb_team_plan *plan, gb_error *error)
{
    gb_members *team = calloc(1, sizeof *team);
    if (!team) gb_memory_gone("gpubench", sizeof *team);
    for (unsigned r = 0; r < plan->ranks; r++) {
        team->member[r] = start_member(plan, r, error);
        if (!team->member[r]) {
            gb_members_stop(team, true);
            return NULL;
        }
        team->count++;
    }
    return team;
}

/* ---- ending ---------------------------------------------------------------------------------- */

static void end_all(gb_members *team)
{
    gb_workers_end(team->member, team->count, term_grace_s);
    team->over = true;
}

/* All at once: what they give up together they may wait for each other in. */
static void quit_all(gb_members *team)
{
    cJSON *quit = cJSON_CreateObject();
    cJSON_AddStringToObject(quit, "cmd", "quit");
    gb_error ignored;
    for (unsigned r = 0; r < team->count; r++)
        if (gb_worker_alive(team->member[r]))
            (void)gb_worker_send(team->member[r], quit, quit_s, &ignored);
    const double end = gb_now() + quit_s;
    for (bool asked = true; asked && !gb_interrupted && gb_now() < end;) {
        asked = false;
        gb_workers_wait(team->member, team->count, look_s);
        for (unsigned r = 0; r < team->count; r++) {
            cJSON *answer = NULL;
            if (!gb_worker_is_asked(team->member[r])) continue;
            (void)gb_worker_receive(team->member[r], &answer, &ignored);
            cJSON_Delete(answer);
            asked = asked || gb_worker_is_asked(team->member[r]);
        }
    }
    cJSON_Delete(quit);
    team->over = true;
}

void gb_members_stop(gb_members *team, bool now)
{
    if (!team) return;
    if (!now && !team->over) quit_all(team);
    if (now || gb_interrupted) end_all(team);
    for (unsigned r = 0; r < team->count; r++)
        gb_worker_stop(team->member[r]);
    for (team_job *next, *job = team->jobs; job; job = next) {
        next = job->next;
        free(job);
    }
    cJSON_Delete(team->description);
    cJSON_Delete(team->ids);
    free(team);
}

bool gb_members_are_over(const gb_members *team)
{
    return team->over;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* What is asked of members 0 to count - 1, and what has come of it. */
typedef struct asking {
    unsigned count;
    cJSON *request[GB_MOST_DEVICES]; /* a member's own */
    cJSON *answer[GB_MOST_DEVICES];  /* NULL: not yet */
    unsigned left;                   /* that have not answered */
    unsigned first;                  /* which one has refused, or said "wrong", before all others;
                                        count: none has */
    double give_up;                  /* when the others are not waited for any longer */
} asking;

static void free_asking(asking *a)
{
    for (unsigned r = 0; r < a->count; r++) {
        cJSON_Delete(a->request[r]);
        cJSON_Delete(a->answer[r]);
    }
}

/* A member that died, or said what makes no sense: the others may wait for it for good. */
static void fail_member(gb_members *team, unsigned rank, const gb_error *why, cJSON *answer)
{
    end_all(team);
    gb_members_refuse(answer, "crashed", "rank %u: %.600s", rank, why->text);
    cJSON_AddTrueToObject(answer, "fatal");
}

static const char *text_of(const cJSON *object, const char *name, const char *otherwise)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : otherwise;
}

static bool is_wrong(const cJSON *answer)
{
    return strcmp(text_of(answer, "verdict", ""), "wrong") == 0;
}

/* Members that say nothing though another has refused, or knows that the output is wrong. */
static void give_up(gb_members *team, const asking *a, cJSON *answer)
{
    const cJSON *said = a->answer[a->first];
    const char *reason = text_of(said, "reason", "it gave no reason");
    unsigned silent = 0;
    while (a->answer[silent])
        silent++;
    const bool stopped = gb_worker_stopped(team->member[silent]);
    char text[600];
    snprintf(text, sizeof text, "rank %u: %.400s; rank %u had not answered %g s later%s", a->first,
             reason, silent, straggle_s, stopped ? ": somebody has stopped it (SIGSTOP)" : "");
    if (is_wrong(said)) {
        cJSON_AddStringToObject(answer, "verdict", "wrong");
        cJSON_AddStringToObject(answer, "reason", text);
        cJSON_AddFalseToObject(answer, "redone");
    } else {
        gb_members_refuse(answer, text_of(said, "status", "crashed"), "%s", text);
    }
    cJSON_AddTrueToObject(answer, "fatal");
    end_all(team);
}

/* Takes what has come; false if a member failed, which *answer then tells. */
static bool receive_all(gb_members *team, asking *a, cJSON *answer)
{
    for (unsigned r = 0; r < a->count; r++) {
        gb_error why = {GB_OK, ""};
        if (a->answer[r]) continue;
        if (!gb_worker_receive(team->member[r], &a->answer[r], &why)) {
            if (!gb_interrupted) fail_member(team, r, &why, answer);
            return false;
        }
        if (!a->answer[r]) continue;
        a->left--;
        const bool ok = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(a->answer[r], "ok"));
        if (a->first < a->count || (ok && !is_wrong(a->answer[r]))) continue;
        a->first = r;
        a->give_up = gb_now() + straggle_s;
    }
    return true;
}

/* True with all answers; false if it is over, which *answer tells unless it was an interrupt. */
static bool ask(gb_members *team, asking *a, cJSON *answer, bool (*reader_gone)(void))
{
    a->left = a->first = a->count;
    for (unsigned r = 0; r < a->count; r++) {
        gb_error why = {GB_OK, ""};
        if (gb_worker_send(team->member[r], a->request[r], no_limit_s, &why)) continue;
        if (!gb_interrupted) fail_member(team, r, &why, answer);
        return false;
    }
    while (a->left > 0) {
        gb_workers_wait(team->member, a->count, look_s);
        if (gb_interrupted || reader_gone()) return false;
        if (!receive_all(team, a, answer)) return false;
        if (a->left > 0 && a->first < a->count && gb_now() > a->give_up) {
            give_up(team, a, answer);
            return false;
        }
    }
    return true;
}

/* ---- requests -------------------------------------------------------------------------------- */

static cJSON *copy_of(const cJSON *request)
{
    cJSON *copy = cJSON_Duplicate(request, true);
    cJSON_DeleteItemFromObjectCaseSensitive(copy, "seq"); /* each worker is asked by its own */
    return copy;
}

/* A merged answer as the one to the driver's request that was begun. */
static cJSON *as_answer_to(cJSON *merged, cJSON *answer)
{
    const cJSON *seq = cJSON_GetObjectItemCaseSensitive(answer, "seq");
    cJSON_DeleteItemFromObjectCaseSensitive(merged, "seq");
    if (seq) cJSON_AddNumberToObject(merged, "seq", seq->valuedouble);
    cJSON_Delete(answer);
    return merged;
}

/* Asks `count` members the same, or each its own where `own` is given; NULL if the team is to end.
 */
static cJSON *forward(gb_members *team, const cJSON *request, unsigned count, bool (*gone)(void))
{
    asking a = {.count = count};
    cJSON *answer = gb_members_begin_answer(request);
    for (unsigned r = 0; r < count; r++)
        a.request[r] = copy_of(request);
    if (ask(team, &a, answer, gone)) {
        cJSON *merged = gb_members_merge(a.answer, count, a.first);
        memset(a.answer, 0, sizeof a.answer);
        answer = as_answer_to(merged, answer);
    }
    free_asking(&a);
    return answer;
}

static cJSON *request_of(const char *cmd)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", cmd);
    return request;
}

/* Asks all what they are, and gives each a device. */
static cJSON *describe(gb_members *team, const cJSON *request, bool (*gone)(void))
{
    asking a = {.count = team->count};
    cJSON *answer = gb_members_begin_answer(request);
    for (unsigned r = 0; r < a.count; r++)
        a.request[r] = copy_of(request);
    if (ask(team, &a, answer, gone)) {
        cJSON *merged = a.first < a.count
                            ? gb_members_merge(a.answer, a.count, a.first)
                            : gb_members_merge_descriptions(a.answer, a.count, team->device);
        memset(a.answer, 0, sizeof a.answer);
        answer = as_answer_to(merged, answer);
        cJSON_Delete(team->description);
        team->description = cJSON_Duplicate(answer, true);
    }
    free_asking(&a);
    return answer;
}

/* Ids for each number of ranks from 2 on; false with the refusal in *answer, or NULL there. */
static bool have_ids(gb_members *team, cJSON **answer, bool (*gone)(void))
{
    if (team->ids || team->count < 2) return true;
    cJSON *request = request_of("team"), *sizes = cJSON_AddArrayToObject(request, "sizes");
    for (unsigned k = 2; k <= team->count; k++)
        cJSON_AddItemToArray(sizes, cJSON_CreateNumber(k));
    cJSON *told = forward(team, request, 1, gone);
    cJSON_Delete(request);
    team->ids = cJSON_DetachItemFromObjectCaseSensitive(told, "ids");
    if (team->ids) {
        cJSON_Delete(told);
        return true;
    }
    const char *status = text_of(told, "status", "unsupported");
    gb_members_refuse(*answer, strcmp(status, "protocol") != 0 ? status : "unsupported",
                      "rank 0 cannot be one of a team: %.500s",
                      text_of(told, "reason", "it does not say why"));
    cJSON_Delete(told);
    return false;
}

static cJSON *select_all(gb_members *team, const cJSON *request, bool (*gone)(void))
{
    cJSON *answer = gb_members_begin_answer(request);
    if (!team->description) {
        cJSON *first = request_of("describe");
        cJSON_Delete(describe(team, first, gone));
        cJSON_Delete(first);
    }
    if (team->over || gb_interrupted || !team->description || !have_ids(team, &answer, gone)) {
        if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "ok")))
            gb_members_refuse(answer, "crashed", "a member has failed before");
        return answer;
    }
    const cJSON *device =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(team->description, "devices"), 0);
    const cJSON *why = cJSON_GetObjectItemCaseSensitive(device, "reason");
    if (!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(device, "usable"))) {
        gb_members_refuse(answer, "unsupported", "%.600s",
                          cJSON_IsString(why) ? why->valuestring : "the team has no device");
        return answer;
    }
    asking a = {.count = team->count};
    for (unsigned r = 0; r < a.count; r++) {
        a.request[r] = copy_of(request);
        cJSON_DeleteItemFromObjectCaseSensitive(a.request[r], "device");
        cJSON_DeleteItemFromObjectCaseSensitive(a.request[r], "devices");
        cJSON_AddNumberToObject(a.request[r], "device", team->device[r]);
        if (a.count < 2) continue;
        cJSON *object = cJSON_AddObjectToObject(a.request[r], "team");
        cJSON_AddNumberToObject(object, "rank", r);
        cJSON_AddNumberToObject(object, "size", a.count);
        cJSON_AddItemToObject(object, "ids", cJSON_Duplicate(team->ids, true));
    }
    if (ask(team, &a, answer, gone)) {
        cJSON *merged = gb_members_merge(a.answer, a.count, a.first);
        memset(a.answer, 0, sizeof a.answer);
        answer = as_answer_to(merged, answer);
    }
    free_asking(&a);
    return answer;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static double job_of(const cJSON *request)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "job");
    return cJSON_IsNumber(item) ? item->valuedouble : -1;
}

/* As many members as the point's `gpus` says, which all of them refuse if it is too many; without
 * it the first one alone. */
static unsigned members_of_point(const gb_members *team, const cJSON *request)
{
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(request, "params");
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(params, "gpus"));
    const unsigned long gpus = text ? strtoul(text, NULL, 10) : 1;
    return gpus < 1 ? 1 : gpus < team->count ? (unsigned)gpus : team->count;
}

static unsigned members_of_job(const gb_members *team, const cJSON *request)
{
    for (const team_job *job = team->jobs; job; job = job->next)
        if (job->id == job_of(request)) return job->members;
    return 1; /* who refuses it */
}

static void note_job(gb_members *team, const cJSON *request, unsigned members)
{
    team_job *job = calloc(1, sizeof *job);
    if (!job) gb_memory_gone("gpubench", sizeof *job);
    *job = (team_job){job_of(request), members, team->jobs};
    team->jobs = job;
}

static void forget_job(gb_members *team, const cJSON *request)
{
    for (team_job **link = &team->jobs; *link; link = &(*link)->next) {
        team_job *job = *link;
        if (job->id != job_of(request)) continue;
        *link = job->next;
        free(job);
        return;
    }
}

/* ---- dispatch -------------------------------------------------------------------------------- */

/* Who is asked. */
typedef enum whom { RANK_0, ALL, JOB } whom;

static const struct {
    const char *cmd;
    whom whom;
} forwarded[] = {{"provide", ALL}, {"links", RANK_0}, {"work", RANK_0}, {"verify", JOB},
                 {"sample", JOB},  {"dump", JOB},     {"profile", JOB}, {"telemetry", ALL},
                 {"close", JOB},   {"tuning", ALL},   {"schedule", ALL}};

static unsigned members_for(const gb_members *team, const char *cmd, const cJSON *request)
{
    if (strcmp(cmd, "open") == 0) return members_of_point(team, request);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
        if (strcmp(forwarded[i].cmd, cmd) != 0) continue;
        if (forwarded[i].whom == JOB) return members_of_job(team, request);
        return forwarded[i].whom == ALL ? team->count : 1;
    }
    return 1; /* who says what there is */
}

static bool is_true(const cJSON *answer, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, name));
}

static cJSON *dispatch(gb_members *team, const char *cmd, const cJSON *request, bool (*gone)(void))
{
    if (strcmp(cmd, "describe") == 0) return describe(team, request, gone);
    if (strcmp(cmd, "select") == 0) return select_all(team, request, gone);
    if (strcmp(cmd, "team") == 0 || strcmp(cmd, "quit") == 0) {
        cJSON *answer = gb_members_begin_answer(request);
        if (*cmd == 't')
            gb_members_refuse(answer, "protocol", "a team is of workers, and of no teams");
        else
            quit_all(team);
        return answer;
    }
    const unsigned count = members_for(team, cmd, request);
    cJSON *answer = forward(team, request, count, gone);
    if (strcmp(cmd, "open") == 0 && is_true(answer, "ok")) note_job(team, request, count);
    if (strcmp(cmd, "close") == 0) forget_job(team, request);
    return answer;
}

cJSON *gb_members_answer(gb_members *team, const cJSON *request, bool (*reader_gone)(void))
{
    cJSON *answer = dispatch(team, gb_request_name(request), request, reader_gone);
    if (is_true(answer, "fatal") && !team->over) end_all(team);
    if (!gb_interrupted && !reader_gone()) return answer;
    cJSON_Delete(answer);
    return NULL;
}
