/* Reading meta files for what views show of a run. */
#include "bench/rows/run_facts.h"

#include "bench/rows/paths.h"
#include "common/protocol/under.h"
#include "common/text/file.h"
#include "common/text/json.h"
#include "common/text/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_META = 64 << 20 };

char *gb_beside_result(gb_arena *arena, const char *csv, const char *ending)
{
    const size_t length = strlen(csv);
    const size_t stem = length > 4 && gb_text_ends(csv, ".csv") ? length - 4 : length;
    return gb_arena_printf(arena, "%.*s%s", (int)stem, csv, ending);
}

static const cJSON *item_in(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_in(gb_arena *arena, const cJSON *object, const char *name)
{
    const char *found = cJSON_GetStringValue(item_in(object, name));
    if (!found) return "";
    char *text = gb_arena_strdup(arena, found);
    gb_text_tame(text);
    return text;
}

static double number_in(const cJSON *object, const char *name)
{
    const cJSON *item = item_in(object, name);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? item->valuedouble : 0;
}

/* The host that the worker said it stands on, else the driver's. */
static const char *node_in(gb_arena *arena, const cJSON *meta)
{
    const char *node = text_in(arena, item_in(meta, "worker"), "host");
    return *node ? node : text_in(arena, item_in(meta, "host"), "name");
}

/* Where the run was, unless it was at several places. */
static void read_place(gb_arena *arena, const cJSON *meta, gb_run_facts *run)
{
    run->node = node_in(arena, meta);
    run->uuid = text_in(arena, item_in(meta, "device"), "uuid");
    const cJSON *earlier;
    cJSON_ArrayForEach(earlier, item_in(meta, "previous"))
    {
        if (strcmp(run->node, node_in(arena, earlier)) != 0) run->node = "";
        if (strcmp(run->uuid, text_in(arena, item_in(earlier, "device"), "uuid")) != 0)
            run->uuid = "";
    }
}

static gb_commit commit_in(gb_arena *arena, const cJSON *git)
{
    return (gb_commit){text_in(arena, git, "commit"), cJSON_IsTrue(item_in(git, "dirty"))};
}

/* What the sources were: those of the config's folder are said where they are no part of gpubench.
 */
static void read_commits(gb_arena *arena, const cJSON *meta, gb_commit *source, gb_commit *program)
{
    *program = commit_in(arena, item_in(meta, "git"));
    *source = commit_in(arena, item_in(item_in(meta, "config"), "git"));
    if (!*source->hash) *source = *program;
}

static bool is_other(const gb_commit *a, const gb_commit *b)
{
    return strcmp(a->hash, b->hash) != 0 || a->dirty || b->dirty;
}

/* How many rows, and what they cost in all. */
static void read_course(gb_arena *arena, const cJSON *meta, gb_run_facts *run)
{
    const cJSON *item;
    run->run_id = text_in(arena, meta, "run_id");
    run->state = text_in(arena, meta, "state");
    run->quick = cJSON_IsTrue(item_in(meta, "quick"));
    run->wall_s = number_in(item_in(meta, "cost"), "wall_s");
    cJSON_ArrayForEach(item, item_in(meta, "rows"))
    {
        run->rows += item->valuedouble;
    }
    read_commits(arena, meta, &run->source, &run->program);
    cJSON_ArrayForEach(item, item_in(meta, "previous"))
    {
        gb_commit source, program;
        read_commits(arena, item, &source, &program);
        run->several |= is_other(&source, &run->source) || is_other(&program, &run->program);
        run->wall_s += number_in(item_in(item, "cost"), "wall_s");
    }
}

/* How many multiprocessors kernels had. */
static double sms_in(gb_arena *arena, const cJSON *meta)
{
    gb_under under;
    const bool limited =
        gb_under_parse(text_in(arena, meta, "under"), &under) && under.multiprocessors;
    return limited ? under.multiprocessors : number_in(item_in(meta, "device"), "sms");
}

/* A number of a pair of GPUs, if it is the worst so far. */
static void keep_worst(double found, bool longest, double *worst)
{
    if (found > 0 && (*worst == 0 || (longest ? found > *worst : found < *worst))) *worst = found;
}

static void read_links(const cJSON *meta, gb_run_facts *run)
{
    const cJSON *pair;
    cJSON_ArrayForEach(pair, item_in(item_in(meta, "links"), "pairs"))
    {
        const double store_s = number_in(pair, "store_s");
        keep_worst(number_in(pair, "copy_bytes_per_s"), false, &run->link_bytes_per_s);
        keep_worst(number_in(pair, "both_bytes_per_s"), false, &run->link_both_bytes_per_s);
        keep_worst(store_s > 0 ? store_s : number_in(pair, "copy_s"), true, &run->link_s);
    }
}

static void take(gb_arena *arena, const cJSON *meta, gb_run_facts *run)
{
    const cJSON *worker = item_in(meta, "worker"), *git = item_in(meta, "git"),
                *host = item_in(meta, "host"), *device = item_in(meta, "device");
    run->toolkit = text_in(arena, worker, "toolkit");
    run->driver = text_in(arena, worker, "driver");
    run->config = text_in(arena, item_in(meta, "config"), "path");
    run->title = text_in(arena, item_in(item_in(meta, "config"), "content"), "title");
    run->version =
        gb_arena_printf(arena, "%s%s", text_in(arena, git, "commit"),
                        cJSON_IsTrue(item_in(git, "dirty")) ? ", with uncommitted changes" : "");
    run->host =
        gb_arena_printf(arena, "%s, %s", text_in(arena, host, "cpu"), text_in(arena, host, "os"));
    run->started = text_in(arena, meta, "started_utc");
    run->ended = text_in(arena, meta, "ended_utc");
    run->sms = sms_in(arena, meta);
    run->l2_bytes = number_in(device, "l2_bytes");
    run->copy_bytes_per_s = number_in(item_in(meta, "ceilings"), "copy_bytes_per_s");
    run->launch_s = number_in(item_in(meta, "ceilings"), "launch_s");
    read_links(meta, run);
    read_place(arena, meta, run);
    read_course(arena, meta, run);
}

gb_run_facts gb_run_facts_read(gb_arena *arena, const char *csv)
{
    gb_run_facts run = {.csv = csv,
                        .toolkit = "",
                        .driver = "",
                        .config = "",
                        .title = "",
                        .version = "",
                        .host = "",
                        .started = "",
                        .ended = "",
                        .node = "",
                        .uuid = "",
                        .run_id = "",
                        .state = "",
                        .source = {.hash = ""},
                        .program = {.hash = ""}};
    const char *path = gb_beside_result(arena, csv, ".meta.json"), *at, *why;
    gb_error error;
    size_t length;
    if (access(path, F_OK) != 0) return run;
    char *text = gb_file_read(path, "a meta file", MOST_META, &length, GB_WRONG, &error);
    cJSON *meta = text ? gb_json_parse(text, length, &at, &why) : NULL;
    free(text);
    if (meta) take(arena, meta, &run);
    cJSON_Delete(meta);
    return run;
}

/* The folder plots beside a config that a path names from this folder, "" or with a slash at its
 * end; NULL where the config or plots is not there. */
static const char *plots_from(gb_arena *arena, const char *folder, const char *config)
{
    struct stat info;
    const char *path = gb_arena_printf(arena, "%s%s", folder, config), *slash = strrchr(path, '/');
    const char *plots =
        gb_arena_printf(arena, "%.*splots", (int)(slash ? slash + 1 - path : 0), path);
    if (access(path, R_OK) != 0 || stat(plots, &info) != 0 || !S_ISDIR(info.st_mode)) return NULL;
    return plots;
}

const char *gb_plots_beside_config(gb_arena *arena, const char *csv)
{
    enum { UPWARDS = 5 }; /* as far as a run's folder usually lies above that of its results */
    const char *config = gb_run_facts_read(arena, csv).config;
    const char *plots = *config ? plots_from(arena, "", config) : NULL;
    const char *folder = gb_arena_printf(arena, "%s/", gb_result_folder(arena, csv));
    for (int up = 0; *config && *config != '/' && !plots && up <= UPWARDS; up++) {
        plots = plots_from(arena, folder, config);
        folder = gb_arena_printf(arena, "%s../", folder);
    }
    return plots;
}
