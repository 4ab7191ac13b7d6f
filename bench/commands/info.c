/* gpubench info: workers, devices, and what the selected device was measured to be able to do. */
#include "bench/commands/info.h"

#include "bench/commands/commands.h"
#include "bench/util/arena.h"
#include "bench/util/columns.h"
#include "bench/util/options.h"
#include "bench/util/pager.h"
#include "bench/util/version.h"
#include "bench/util/wrap.h"
#include "bench/worker/offers.h"
#include "bench/worker/under_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const gb_command_help help = {
    .usage = "info [options]",
    .summary =
        "Shows the workers, the devices, and for each the worker that would be taken and why, "
        "then\n"
        "selects one device, measures its ceilings (memory bandwidth, launch overhead), reads its\n"
        "clocks and temperature, and measures the instrument itself: overheads, the timer's "
        "error,\n"
        "how far equal variants lie apart. Of several devices it measures what passes between "
        "them.\n",
    .examples = "  gpubench info\n"
                "  gpubench info --device 1\n"
                "  gpubench info --device 0,1\n"
                "  gpubench info --worker 'ssh gpu-host /opt/gpubench/gpubench-cuda' --json\n",
};

/* ---- text ----------------------------------------------------------------------------------- */

/* 900 -> "9.0" */
static void format_arch(int arch, char *text, size_t capacity)
{
    if (arch > 0)
        snprintf(text, capacity, "%d.%d", arch / 100, arch / 10 % 10);
    else
        snprintf(text, capacity, "-"); /* a device without a compute capability */
}

/* Bytes in the largest binary unit that leaves at least one; "" if unknown. */
static void format_bytes(uint64_t bytes, char *text, size_t capacity)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
    double amount = (double)bytes;
    unsigned unit = 0;
    for (; amount >= 1024 && unit < 3; unit++)
        amount /= 1024;
    if (bytes == 0)
        snprintf(text, capacity, "%s", "");
    else
        snprintf(text, capacity, "%.*f %s", amount < 10 && unit > 0 ? 1 : 0, amount, units[unit]);
}

/* Of a worker outside: where it lies and what it has. */
static void print_outside(const gb_described *worker)
{
    gb_arena arena = {0};
    char name[256], folder[GB_WORKER_FOLDER];
    const gb_catalogue *catalogue = worker->catalogue;
    const char **names = gb_arena_alloc(&arena, (catalogue->primitive_count + 1) * sizeof *names);
    for (unsigned i = 0; i < catalogue->primitive_count; i++)
        names[i] = catalogue->primitives[i].name;
    const bool other = *catalogue->version && strcmp(catalogue->version, GB_VERSION) != 0;
    gb_put_line(stdout, 0, "%s: of GPUBENCH_WORKERS, in %s%s%s; it has %s",
                gb_worker_short_name(worker->command, name, sizeof name),
                gb_worker_folder_of(worker->command, folder, sizeof folder),
                other ? ", of gpubench " : "", other ? catalogue->version : "",
                gb_arena_listed(&arena, names, catalogue->primitive_count));
    gb_arena_free(&arena);
}

static void print_workers(const gb_described *workers, size_t count)
{
    static const char *const headers[] = {"WORKER",  "BACKEND",       "TOOLKIT",  "DRIVER",
                                          "DEVICES", "ARCHITECTURES", "COMPILER", NULL};
    gb_columns *columns = gb_columns_new(headers);
    for (size_t i = 0; i < count; i++) {
        char name[256];
        gb_worker_short_name(workers[i].command, name, sizeof name);
        const gb_catalogue *catalogue = workers[i].catalogue;
        if (!catalogue) {
            gb_columns_add(columns, (const char *[]){name, "?", "", "", "0", "", "see below"});
            continue;
        }
        char devices[16], architectures[256] = "";
        snprintf(devices, sizeof devices, "%u", catalogue->device_count);
        if (*catalogue->code)
            snprintf(architectures, sizeof architectures, "PTX of %s", catalogue->code);
        for (unsigned j = 0; j < catalogue->architecture_count; j++) {
            size_t used = strlen(architectures);
            char arch[16];
            format_arch(catalogue->architectures[j], arch, sizeof arch);
            snprintf(architectures + used, sizeof architectures - used, "%s%s", j ? " " : "", arch);
        }
        gb_columns_add(columns, (const char *[]){name, catalogue->backend, catalogue->toolkit,
                                                 catalogue->driver, devices, architectures,
                                                 catalogue->compiler});
    }
    gb_columns_print(stdout, columns, 0);
    gb_columns_free(columns);
    for (size_t i = 0; i < count; i++) {
        char name[256];
        gb_worker_short_name(workers[i].command, name, sizeof name);
        const char *reason =
            workers[i].catalogue ? workers[i].catalogue->reason : workers[i].error.text;
        if (*reason) gb_put_line(stdout, 0, "%s: %s", name, reason);
        if (workers[i].catalogue && workers[i].home == GB_HOME_LISTED) print_outside(&workers[i]);
    }
}

/* Those that are taken only for --code. */
static void print_codes(void)
{
    char folder[GB_WORKER_FOLDER], codes[128];
    if (!gb_worker_folder(folder, sizeof folder)) return;
    if (*gb_worker_codes(folder, codes, sizeof codes))
        gb_put_line(stdout, 0, "Not among them: workers of old code, for --code: %s", codes);
}

/* Each device once, with the worker that would be taken. */
static void print_devices(const gb_described *workers, const gb_offer *offers, size_t count)
{
    static const char *const headers[] = {"BACKEND", "INDEX",  "DEVICE", "ARCH", "SMS",    "MEMORY",
                                          "L2",      "SHARED", "SLUG",   "UUID", "WORKER", NULL};
    gb_columns *columns = gb_columns_new(headers);
    for (size_t i = 0; i < count; i++) {
        const gb_catalogue_device *device = offers[i].device;
        char index[16] = "-", arch[16], sms[16], memory[32], l2[32], shared[32], name[256];
        if (offers[i].index >= 0) snprintf(index, sizeof index, "%d", offers[i].index);
        snprintf(sms, sizeof sms, "%d", device->sms);
        format_arch(device->arch, arch, sizeof arch);
        format_bytes(device->memory_bytes, memory, sizeof memory);
        format_bytes(device->l2_bytes, l2, sizeof l2);
        format_bytes(device->shared_optin_bytes ? device->shared_optin_bytes
                                                : device->shared_per_block_bytes,
                     shared, sizeof shared);
        gb_worker_short_name(workers[offers[i].worker].command, name, sizeof name);
        gb_columns_add(columns, (const char *[]){offers[i].catalogue->backend, index, device->name,
                                                 arch, sms, memory, l2, shared, device->slug,
                                                 device->uuid, device->usable ? name : "none"});
    }
    gb_columns_print(stdout, columns, 0);
    gb_columns_free(columns);
}

/* Why that worker, a line a device. */
static void print_reasons(const gb_described *workers, const gb_offer *offers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char name[256];
        const gb_catalogue_device *device = offers[i].device;
        gb_worker_short_name(workers[offers[i].worker].command, name, sizeof name);
        gb_put_line(stdout, 0, "%s (%s): %s: %s", device->name,
                    *device->uuid ? device->uuid : offers[i].catalogue->backend,
                    device->usable ? name : "no worker", offers[i].why);
    }
}

/* Prints "  label  number unit" if the answer has the number. */
static bool print_number(const cJSON *answer, const char *member, const char *label, double scale,
                         const char *unit)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(answer, member);
    if (!cJSON_IsNumber(item)) return false;
    printf("  %-26s%.4g %s\n", label, item->valuedouble * scale, unit);
    return true;
}

/* What variants that choose go by, and how to have it measured where it was not. */
static void print_tuning(const gb_session *session)
{
    const cJSON *said;
    cJSON_ArrayForEach(said, session->tuning)
    {
        const cJSON *table = cJSON_GetObjectItemCaseSensitive(said, "table");
        const char *by = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(said, "by")),
                   *when = cJSON_GetStringValue(
                       cJSON_GetObjectItemCaseSensitive(table, "measured_utc"));
        printf("  %-26s%s%s%s\n", said->string, by ? by : "", when ? ", " : "", when ? when : "");
        if (!table && gb_under_none(&session->under))
            printf("  %-26s`gpubench tune` measures this device, in a minute\n", "");
    }
}

static void print_selected(const gb_session *session, const cJSON *telemetry)
{
    const cJSON *ceilings = cJSON_GetObjectItemCaseSensitive(session->ceilings, "ceilings");
    char device[GB_SESSION_DEVICE];
    printf("\n%s (%s %d), measured just now\n", gb_session_device(session, device),
           session->catalogue->backend, session->device->index);
    bool any = print_number(ceilings, "copy_bytes_per_s", "copy, read + written", 1e-9, "GB/s");
    any |= print_number(ceilings, "read_bytes_per_s", "read", 1e-9, "GB/s");
    any |= print_number(ceilings, "write_bytes_per_s", "write", 1e-9, "GB/s");
    any |= print_number(ceilings, "launch_s", "launch of an empty kernel", 1e6, "us");
    any |= print_number(ceilings, "timer_s", "resolution of the timer", 1e6, "us");
    if (!any) printf("  no ceilings: this back-end measures none\n");

    any = print_number(telemetry, "sm_clock_mhz", "SM clock", 1, "MHz");
    any |= print_number(telemetry, "mem_clock_mhz", "memory clock", 1, "MHz");
    any |= print_number(telemetry, "temperature_c", "temperature", 1, "C");
    any |= print_number(telemetry, "power_w", "power", 1, "W");
    const cJSON *reason, *throttle = cJSON_GetObjectItemCaseSensitive(telemetry, "throttle");
    cJSON_ArrayForEach(reason, throttle)
    {
        if (cJSON_IsString(reason)) printf("  %-26s%s\n", "throttled", reason->valuestring);
    }
    if (!any) printf("  no clocks or temperatures: this back-end has none\n");
    gb_info_print_links(session);
    if (cJSON_GetArraySize(session->tuning)) printf("what auto goes by\n");
    print_tuning(session);
}

/* ---- the command ---------------------------------------------------------------------------- */

static cJSON *ask_telemetry(gb_worker *worker, gb_error *error)
{
    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "cmd", "telemetry");
    cJSON *answer = gb_worker_ask_ok(worker, request, error);
    cJSON_Delete(request);
    return answer;
}

/* What passes between the devices of a set, or the simulated ones. */
static bool measure_links(gb_session *session, gb_error *error)
{
    const bool simt = strcmp(session->catalogue->backend, "simt") == 0;
    return (session->set.size < 2 && !simt) || gb_session_measure_links(session, error);
}

/* Shows everything; the selected device only if there is one. */
static void show(const gb_described *workers, size_t count, const gb_wish *wish,
                 const gb_session *session, const cJSON *telemetry, const gb_instrument *instrument,
                 bool json)
{
    if (json) {
        gb_info_print_json(workers, count, session, telemetry, instrument);
        return;
    }
    size_t offer_count;
    gb_offer *offers = gb_offers(workers, gb_info_own_workers(workers, count), &offer_count);
    print_workers(workers, count);
    if (!wish->worker && !*wish->under.code) print_codes();
    printf("\n");
    print_devices(workers, offers, offer_count);
    printf("\n");
    print_reasons(workers, offers, offer_count);
    free(offers);
    if (!session) return;
    print_selected(session, telemetry);
    gb_instrument_print(instrument);
}

int gb_command_info(int argc, char **argv)
{
    gb_wish wish = {.device = NULL};
    bool json = false;
    int status;
    const gb_option options[] = {
        gb_option_device(&wish.device),
        gb_option_code(&wish.under),
        gb_option_multiprocessors(&wish.under),
        gb_option_shared_kib(&wish.under),
        gb_option_worker(&wish.worker),
        gb_option_flag("json", "one JSON object on stdout, for programs", &json),
        gb_option_no_pager(),
        {0}};
    if (!gb_options_parse(argc, argv, &help, options, &status)) return status;
    if (optind < argc) {
        fprintf(stderr, "gpubench info: found \"%.60s\", but takes options only\n", argv[optind]);
        return GB_EXIT_USAGE;
    }

    gb_error error;
    gb_asked asked;
    if (!gb_asked_all(&asked, wish.worker, &wish.under, &error)) {
        fprintf(stderr, "gpubench info: %s\n", error.text);
        return error.status == GB_WRONG ? GB_EXIT_USAGE : GB_EXIT_NO_DEVICE;
    }
    gb_session session;
    bool opened = gb_session_open(&session, &wish, &error);
    cJSON *telemetry =
        opened && measure_links(&session, &error) ? ask_telemetry(session.worker, &error) : NULL;
    gb_instrument instrument;
    if (opened) gb_instrument_measure(&session, &instrument);
    show(asked.list, asked.count, &wish, opened ? &session : NULL, telemetry, &instrument, json);
    bool complete = opened && telemetry;
    if (!complete) {
        fflush(stdout);
        fprintf(stderr, "gpubench info: %s\n", error.text);
    }
    bool died = complete && !gb_worker_alive(session.worker);
    if (died) {
        fflush(stdout);
        fprintf(stderr, "gpubench info: the worker ended while it was measured: the reasons stand "
                        "above; `gpubench check null` looks closer\n");
    }
    cJSON_Delete(telemetry);
    if (opened) gb_session_close(&session);
    gb_asked_free(&asked);
    if (!complete) return error.status == GB_WRONG ? GB_EXIT_USAGE : GB_EXIT_NO_DEVICE;
    return died ? GB_EXIT_FAILED : GB_EXIT_OK;
}
