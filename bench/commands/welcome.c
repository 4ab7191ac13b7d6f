/* `gpubench` alone, in a terminal: which devices there are, what to run on them, what there is
 * already. Nothing is measured and no device is selected, so that it disturbs nobody. */
#include "bench/commands/welcome.h"

#include "bench/util/progress.h"
#include "bench/util/version.h"
#include "bench/util/wrap.h"
#include "common/text/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONFIGS = 10, MOST_FOLDERS = 3 };

/* For a worker that hangs, as one whose GPU does; an answer takes a tenth of a second. Who has set
 * a limit knows better. */
static const char limit_s[] = "4";

typedef struct welcome {
    gb_arena arena;
    gb_asked asked;
    gb_error mistake; /* of the environment, which names workers that are not there */
    gb_offer *offers;
    size_t offer_count;
    const gb_offer *best; /* what `run` takes; NULL: there is none */
    gb_welcome_results *results;
    size_t result_count;
} welcome;

static void ask_workers(welcome *w)
{
    gb_executables found;
    setenv("GPUBENCH_WORKER_LIMIT_S", limit_s, 0);
    if (!gb_executables_find(&found, NULL, NULL, "", &w->mistake)) w->mistake.status = GB_WRONG;
    for (size_t i = 0; i < found.count; i++)
        (void)gb_asked_index(&w->asked, &found.list[i]);
    gb_executables_free(&found);
    w->offers = gb_offers(w->asked.list, w->asked.count, &w->offer_count);
    static const char *const backends[] = {"cuda", "simt"}; /* as --device auto */
    for (size_t b = 0; b < 2 && !w->best; b++)
        for (size_t i = 0; i < w->offer_count && !w->best; i++)
            if (w->offers[i].device->usable &&
                strcmp(w->offers[i].catalogue->backend, backends[b]) == 0)
                w->best = &w->offers[i];
}

static bool is_simt(const gb_offer *offer)
{
    return strcmp(offer->catalogue->backend, "simt") == 0;
}

/* ---- devices --------------------------------------------------------------------------------- */

static void print_device(const gb_offer *offer)
{
    const gb_catalogue_device *device = offer->device;
    if (is_simt(offer))
        gb_put_line(stdout, 2, "simt: the CUDA kernels on this CPU; right answers, no GPU's times");
    else if (!device->usable)
        gb_put_line(stdout, 2, "%s: cannot be used: %s", device->name, offer->why);
    else if (strcmp(offer->catalogue->backend, "cuda") != 0)
        gb_put_line(stdout, 2, "%s (--device %s)", device->name, offer->catalogue->backend);
    else if (offer->index >= 0)
        gb_put_line(stdout, 2, "%s (--device %d)", device->name, offer->index);
    else
        gb_put_line(stdout, 2, "%s (--device %s)", device->name, device->uuid);
}

/* What each worker without a device has to say, once. */
static void print_silent(const welcome *w)
{
    const char *said = "";
    for (size_t i = 0; i < w->asked.count; i++) {
        const gb_described *worker = &w->asked.list[i];
        const char *why = worker->catalogue ? worker->catalogue->reason : worker->error.text;
        char name[200];
        if (!*why || strcmp(why, said) == 0) continue;
        said = why;
        gb_worker_short_name(worker->command, name, sizeof name);
        if (worker->error.status == GB_TIMEOUT)
            gb_put_line(stdout, 2, "%s: no answer within %.3g s; `gpubench info` waits longer",
                        name, gb_worker_limit_s());
        else
            gb_put_line(stdout, 2, "%s: %s", name, why);
    }
}

static void print_devices(const welcome *w)
{
    if (w->offer_count) puts("Devices:");
    for (size_t i = 0; i < w->offer_count; i++)
        print_device(&w->offers[i]);
    if (w->mistake.status != GB_OK) {
        gb_put_line(stdout, 0, "%s", w->mistake.text);
    } else if (w->asked.count == 0) {
        gb_error error;
        gb_worker_refuse_none(NULL, "", &error);
        gb_put_line(stdout, 0, "There is %s", error.text);
    }
    print_silent(w);
}

/* ---- what to run ----------------------------------------------------------------------------- */

/* Its blanks are none at which a line is broken. */
static const char *unbroken(gb_arena *arena, const char *text)
{
    const char *whole = "";
    for (size_t length; *text; text += length + strspn(text + length, " ")) {
        length = strcspn(text, " ");
        whole =
            gb_arena_printf(arena, "%s%s%.*s", whole, *whole ? "\u00a0" : "", (int)length, text);
    }
    return whole;
}

/* "octree 8 s, stencil 1 min 20 s" */
static const char *configs_text(welcome *w, const gb_welcome_config *configs, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count && i < MOST_CONFIGS; i++) {
        char time[32];
        const char *item = configs[i].name;
        if (configs[i].seconds >= 0)
            item = gb_arena_printf(&w->arena, "%s %s", item,
                                   configs[i].seconds < 1 ? "1 s"
                                                          : gb_duration(configs[i].seconds, time));
        text = gb_arena_printf(&w->arena, "%s%s%s", text, i ? ", " : "", unbroken(&w->arena, item));
    }
    return text;
}

/* Whose times these are. */
static const char *times_text(welcome *w, const gb_welcome_config *configs, size_t count)
{
    const char *other = NULL;
    bool own = false;
    for (size_t i = 0; i < count; i++) {
        if (configs[i].device) other = configs[i].device;
        own |= configs[i].seconds >= 0 && !configs[i].device;
    }
    if (other)
        return gb_arena_printf(&w->arena, ", and about how long%s on %s", own ? " here or" : "",
                               other);
    if (!own) return "";
    return is_simt(w->best) ? ", small, and roughly how long" : ", and about how long";
}

/* The quickest config of all; NULL: there is none. */
static const char *print_configs(welcome *w)
{
    size_t count, others;
    if (!w->best) return NULL;
    const gb_welcome_config *configs = gb_welcome_configs(
        &w->arena, w->best, w->asked.list[w->best->worker].running, &count, &others);
    if (count == 0) return NULL;
    gb_put_line(stdout, 0, "Experiments on %s%s:", w->best->device->name,
                times_text(w, configs, count));
    gb_put_line(stdout, 2, "%s%s", configs_text(w, configs, count),
                others ? gb_arena_printf(&w->arena, "; %zu more: gpubench list configs", others)
                       : "");
    return configs[0].name;
}

static void print_results(welcome *w)
{
    const char *text = "";
    for (size_t i = 0; i < w->result_count && i < MOST_FOLDERS; i++)
        text = gb_arena_printf(&w->arena, "%s%s%s (%zu)", text, i ? ", " : "", w->results[i].folder,
                               w->results[i].experiments);
    if (w->result_count > MOST_FOLDERS)
        text = gb_arena_printf(&w->arena, "%s and %zu more", text, w->result_count - MOST_FOLDERS);
    if (w->result_count)
        gb_put_line(stdout, 0, "Results here, with how many experiments: %s", text);
}

/* ---- what to do ------------------------------------------------------------------------------ */

static void print_command(const char *command, const char *what)
{
    enum { WIDTH = 42 };
    char first[WIDTH + 3];
    if (strlen(command) > WIDTH) {
        printf("  %s\n", command);
        gb_put_wrapped(stdout, "      ", what, 6, gb_page_columns(stdout, SIZE_MAX));
        return;
    }
    snprintf(first, sizeof first, "  %-*s", WIDTH, command);
    gb_put_wrapped(stdout, first, what, WIDTH + 2, gb_page_columns(stdout, SIZE_MAX));
}

/* Whether results are of a device that is here. */
static bool is_here(const welcome *w, const gb_welcome_results *results)
{
    const char *slug = results->folder + strlen("results/");
    for (size_t i = 0; i < w->offer_count; i++)
        if (w->offers[i].device->usable && strcmp(w->offers[i].device->slug, slug) == 0)
            return true;
    return false;
}

/* Results that stand beside the papers' numbers: of a GPU, best of this one. */
static const gb_welcome_results *of_a_gpu(const welcome *w)
{
    const gb_welcome_results *found = NULL;
    for (size_t i = 0; i < w->result_count; i++) {
        if (w->results[i].simt) continue;
        if (!found || is_here(w, &w->results[i])) found = &w->results[i];
    }
    return found;
}

static void print_commands(welcome *w, const char *config)
{
    const gb_welcome_results *gpu = of_a_gpu(w);
    if (config)
        print_command(gb_arena_printf(&w->arena, "gpubench run %s", config),
                      "measure it, every answer verified");
    for (size_t i = 0; i < w->result_count; i++)
        if (w->results[i].broken_off && is_here(w, &w->results[i]))
            print_command(gb_arena_printf(&w->arena, "gpubench run %s --resume --out %s",
                                          w->results[i].broken_off, w->results[i].folder),
                          "go on where it ended");
    print_command("gpubench new primitive NAME", "your own kernel, ready to build");
    if (gpu)
        print_command(gb_arena_printf(&w->arena, "gpubench compare %s published", gpu->folder),
                      "against the papers' numbers");
    print_command("gpubench --help", "all commands");
}

void gb_welcome(void)
{
    welcome w = {0};
    ask_workers(&w);
    w.results = gb_welcome_find_results(&w.arena, &w.result_count);
    printf("gpubench %s measures GPU kernels, and verifies every answer.\n", GB_VERSION);
    print_devices(&w);
    const char *config = print_configs(&w);
    print_results(&w);
    puts("Next:");
    print_commands(&w, config);
    free(w.offers);
    gb_asked_free(&w.asked);
    gb_arena_free(&w.arena);
}
