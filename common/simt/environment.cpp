/* The settings that simt.h describes, read from the environment before main. */
#include "common/simt/environment.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace simt
{
static char problem[512]; /* what is wrong with the environment; "": nothing */

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    if (problem[0]) return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(problem, sizeof problem, format, arguments);
    va_end(arguments);
}

static uint64_t number(const char *name, uint64_t fallback, uint64_t largest)
{
    const char *text = getenv(name);
    if (!text) return fallback;
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (errno || end == text || *end || text[0] == '-' || value > largest) {
        complain("%s=%s is not a number from 0 to %llu; set it to one, or unset it", name, text,
                 (unsigned long long)largest);
        return fallback;
    }
    return value;
}

static simt::policy policy_named(const char *text)
{
    if (!text || !strcmp(text, "round-robin") || !strcmp(text, "0")) return round_robin;
    if (!strcmp(text, "random") || !strcmp(text, "1")) return random_order;
    if (!strcmp(text, "unfair") || !strcmp(text, "2")) return unfair;
    if (!strcmp(text, "priority") || !strcmp(text, "3")) return by_priority;
    complain("SIMT_POLICY=%s is unknown; set it to round-robin, random, unfair or priority", text);
    return round_robin;
}

static configuration read_environment()
{
    const uint64_t host = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    configuration c = {};
    c.workers = (unsigned)number("SIMT_WORKERS", 0, max_workers);
    c.policy = policy_named(getenv("SIMT_POLICY"));
    c.seed = number("SIMT_SEED", 0, UINT64_MAX);
    c.preempt_atomic = (unsigned)number("SIMT_PREEMPT", 0, 1024);
    c.preempt_volatile = (unsigned)number("SIMT_PREEMPT_VOLATILE", c.preempt_atomic, 1024);
    c.preempt_plain = (unsigned)number("SIMT_PREEMPT_PLAIN", 0, 1024);
    c.weak = (unsigned)number("SIMT_WEAK", 0, 1024);
    c.resident = (unsigned)number("SIMT_RESIDENT", 0, max_workers);
    if (c.weak && !c.resident)
        complain("SIMT_WEAK needs blocks that take turns: set SIMT_RESIDENT, too");
    c.timeout_s = (unsigned)number("SIMT_TIMEOUT", 30, 1000000);
    c.poison = number("SIMT_POISON", 1, 1) != 0;
    c.memory = number("SIMT_MEMORY", host / 2, UINT64_MAX);
    c.devices = (unsigned)number("SIMT_DEVICES", 8, max_devices);
    if (!c.devices) complain("SIMT_DEVICES=0: there is one simulated device at least");
    c.peers = number("SIMT_PEERS", 1, 1) != 0;
    c.spin_limit = 4000000;
    return c;
}

configuration config = read_environment();

cudaError_t check_environment()
{
    if (!problem[0]) return cudaSuccess;
    return set_error(cudaErrorInitializationError, "%s", problem);
}
} // namespace simt
