/* Schedules as text: key=value, separated by commas. */
#include "common/protocol/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const policy_names[GB_POLICY_COUNT] = {
    [GB_POLICY_ROUND_ROBIN] = "round-robin",
    [GB_POLICY_RANDOM] = "random",
    [GB_POLICY_UNFAIR] = "unfair",
    [GB_POLICY_PRIORITY] = "priority",
};

const char *gb_policy_name(gb_policy policy)
{
    return policy_names[policy];
}

bool gb_policy_parse(const char *name, gb_policy *policy)
{
    for (int i = 0; i < GB_POLICY_COUNT; i++) {
        if (strcmp(policy_names[i], name) != 0) continue;
        *policy = (gb_policy)i;
        return true;
    }
    return false;
}

const char *gb_schedule_format(const gb_schedule *schedule, char text[GB_SCHEDULE_TEXT])
{
    snprintf(text, GB_SCHEDULE_TEXT,
             "policy=%s,seed=%" PRIu64 ",atomic=%u,volatile=%u,plain=%u,weak=%u,resident=%u",
             gb_policy_name(schedule->policy), schedule->seed, schedule->preempt_atomic,
             schedule->preempt_volatile, schedule->preempt_plain, schedule->weak,
             schedule->resident);
    return text;
}

bool gb_schedule_needs_hooks(const gb_schedule *schedule)
{
    return schedule->preempt_volatile || schedule->preempt_plain || schedule->weak;
}

/* Decimal digits up to most. */
static bool parse_number(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (most - digit) / 10) return false;
        value = 10 * value + digit;
    }
    *number = value;
    return true;
}

/* Reads one "key=value" into its field. */
static bool parse_field(char *field, gb_schedule *schedule, bool *has_policy, gb_error *error)
{
    char *equals = strchr(field, '=');
    if (!equals) {
        gb_fail(error, GB_UNSUPPORTED, "'%.60s' is not KEY=VALUE", field);
        return false;
    }
    *equals = '\0';
    const char *value = equals + 1;
    if (strcmp(field, "policy") == 0) {
        *has_policy = gb_policy_parse(value, &schedule->policy);
        if (!*has_policy)
            gb_fail(error, GB_UNSUPPORTED,
                    "policy '%.60s' is none of round-robin, random, unfair, priority", value);
        return *has_policy;
    }
    uint64_t number = 0;
    struct {
        const char *key;
        uint64_t least, most;
        unsigned *to; /* NULL: the seed */
    } const numbers[] = {
        {"seed", 0, UINT64_MAX, NULL},
        {"atomic", 0, GB_PREEMPT_ALWAYS, &schedule->preempt_atomic},
        {"volatile", 0, GB_PREEMPT_ALWAYS, &schedule->preempt_volatile},
        {"plain", 0, GB_PREEMPT_ALWAYS, &schedule->preempt_plain},
        {"weak", 0, GB_PREEMPT_ALWAYS, &schedule->weak},
        {"resident", 1, GB_MOST_RESIDENT, &schedule->resident},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(field, numbers[i].key) != 0) continue;
        if (!parse_number(value, numbers[i].most, &number) || number < numbers[i].least) {
            gb_fail(error, GB_UNSUPPORTED,
                    "%s '%.60s' is not a number from %" PRIu64 " to %" PRIu64, field, value,
                    numbers[i].least, numbers[i].most);
            return false;
        }
        if (numbers[i].to)
            *numbers[i].to = (unsigned)number;
        else
            schedule->seed = number;
        return true;
    }
    gb_fail(error, GB_UNSUPPORTED,
            "'%.60s' is none of policy, seed, atomic, volatile, plain, weak, resident", field);
    return false;
}

bool gb_schedule_parse(const char *text, gb_schedule *schedule, gb_error *error)
{
    char copy[GB_SCHEDULE_TEXT], *rest = copy, *field;
    bool has_policy = false;
    *schedule = (gb_schedule){.resident = 1};
    if (strlen(text) >= sizeof copy) {
        gb_fail(error, GB_UNSUPPORTED, "it has more than %d characters", GB_SCHEDULE_TEXT - 1);
        return false;
    }
    strcpy(copy, text);
    while ((field = strsep(&rest, ","))) {
        if (!parse_field(field, schedule, &has_policy, error)) return false;
    }
    if (!has_policy)
        gb_fail(error, GB_UNSUPPORTED,
                "it needs a policy: policy=round-robin, random, unfair or priority");
    return has_policy;
}
