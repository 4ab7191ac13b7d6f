/* The instrument's measurement of itself as text and as JSON. */
#include "bench/measure/instrument.h"
#include "bench/util/wrap.h"
#include "common/text/size.h"

#include <math.h>
#include <stdio.h>

static const struct {
    gb_probe_kind kind;
    const char *label, *name;
} shown[] = {
    {GB_PROBE_NOTHING, "nothing, between events", "nothing_s"},
    {GB_PROBE_EMPTY, "an empty kernel", "empty_s"},
    {GB_PROBE_WAITS, "an empty kernel, awaited", "waits_s"},
    {GB_PROBE_HOST, "nothing, by host's clock", "host_s"},
};
enum { SHOWN = sizeof shown / sizeof *shown };

/* "spin of 50 us", "spin of 1 ms, host clock" */
static const char *spin_text(const gb_timer_check *check, char text[64])
{
    bool short_one = check->asked_s < 0.9995e-3;
    snprintf(text, 64, "spin of %g %s%s", check->asked_s * (short_one ? 1e6 : 1e3),
             short_one ? "us" : "ms", check->host_clock ? ", host clock" : "");
    return text;
}

static void print_timer(const gb_timer_check *check)
{
    char label[64], empty[64] = "";
    spin_text(check, label);
    if (check->reason[0]) {
        gb_put_line(stdout, 2, "%-26snot measured: %s", label, check->reason);
        return;
    }
    if (check->less_empty_s != 0)
        snprintf(empty, sizeof empty, " (less an empty kernel %.3f us)", 1e6 * check->less_empty_s);
    gb_put_line(stdout, 2, "%-26serror %+.3f %%: measured %.3f us, less a spin of 0 us %.3f us%s",
                label, 100 * check->error, 1e6 * check->raw_s, 1e6 * check->less_zero_s, empty);
}

static void print_spread(const gb_spread *spread)
{
    if (spread->reason[0]) {
        gb_put_line(stdout, 2, "%-26snot measured: %s", "A/A spread", spread->reason);
        return;
    }
    char bytes[32];
    gb_put_line(stdout, 2,
                "%-26smedian %.3f %%, worst %.3f %% of %u: %s of %s bytes as two jobs, %u samples "
                "each in turns",
                "A/A spread", 100 * spread->median, 100 * spread->worst, spread->repetitions,
                spread->variant, gb_size_format(spread->bytes, bytes, sizeof bytes),
                spread->samples);
    gb_put_line(stdout, 2, "%-26sa difference between variants that is smaller is noise", "");
}

static void warn(const gb_instrument *instrument)
{
    for (int i = 0; i < GB_TIMER_CHECKS; i++) {
        const gb_timer_check *check = &instrument->timer[i];
        char spin[64];
        if (instrument->cpu_times || check->reason[0] || fabs(check->error) <= GB_TIMER_TOLERANCE)
            continue;
        fflush(stdout);
        fprintf(stderr,
                "gpubench info: warning: the timer is %.2g %% off on a %s, more than %g %%: no "
                "time of this device is better than that. Stop what else uses the device or the "
                "host, and ask again.\n",
                100 * fabs(check->error), spin_text(check, spin), 100 * GB_TIMER_TOLERANCE);
    }
}

void gb_instrument_print(const gb_instrument *instrument)
{
    if (instrument->reason[0]) {
        putchar('\n');
        gb_put_line(stdout, 0, "the instrument itself: %s", instrument->reason);
        return;
    }
    putchar('\n');
    gb_put_line(
        stdout, 0, "the instrument itself, medians of %u samples%s", instrument->samples,
        instrument->cpu_times ? " (times of the CPU: it works; they say nothing about a GPU)" : "");
    for (int i = 0; i < SHOWN; i++) {
        const gb_probe *probe = &instrument->probes[shown[i].kind];
        if (probe->reason[0])
            gb_put_line(stdout, 2, "%-26snot measured: %s", shown[i].label, probe->reason);
        else
            printf("  %-26s%.4g us\n", shown[i].label, 1e6 * probe->median_s);
    }
    for (int i = 0; i < GB_TIMER_CHECKS; i++)
        print_timer(&instrument->timer[i]);
    print_spread(&instrument->spread);
    warn(instrument);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static cJSON *timer_json(const gb_timer_check *check)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "clock", check->host_clock ? "host" : "timer");
    cJSON_AddNumberToObject(object, "asked_s", check->asked_s);
    if (check->reason[0]) {
        cJSON_AddStringToObject(object, "reason", check->reason);
        return object;
    }
    cJSON_AddNumberToObject(object, "raw_s", check->raw_s);
    if (check->less_empty_s != 0)
        cJSON_AddNumberToObject(object, "less_empty_s", check->less_empty_s);
    cJSON_AddNumberToObject(object, "less_zero_s", check->less_zero_s);
    cJSON_AddNumberToObject(object, "error", check->error);
    return object;
}

static cJSON *spread_json(const gb_spread *spread)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "variant", spread->variant);
    cJSON_AddNumberToObject(object, "bytes", (double)spread->bytes);
    if (spread->reason[0]) {
        cJSON_AddStringToObject(object, "reason", spread->reason);
        return object;
    }
    cJSON_AddNumberToObject(object, "samples", spread->samples);
    cJSON_AddNumberToObject(object, "repetitions", spread->repetitions);
    cJSON_AddNumberToObject(object, "median", spread->median);
    cJSON_AddNumberToObject(object, "worst", spread->worst);
    return object;
}

cJSON *gb_instrument_json(const gb_instrument *instrument)
{
    cJSON *object = cJSON_CreateObject();
    if (instrument->reason[0]) {
        cJSON_AddStringToObject(object, "reason", instrument->reason);
        return object;
    }
    cJSON_AddBoolToObject(object, "cpu_times", instrument->cpu_times);
    cJSON_AddNumberToObject(object, "samples", instrument->samples);
    for (int i = 0; i < SHOWN; i++) {
        const gb_probe *probe = &instrument->probes[shown[i].kind];
        if (!probe->reason[0]) cJSON_AddNumberToObject(object, shown[i].name, probe->median_s);
    }
    cJSON *timer = cJSON_AddArrayToObject(object, "timer");
    for (int i = 0; i < GB_TIMER_CHECKS; i++)
        cJSON_AddItemToArray(timer, timer_json(&instrument->timer[i]));
    cJSON_AddItemToObject(object, "aa_spread", spread_json(&instrument->spread));
    return object;
}
