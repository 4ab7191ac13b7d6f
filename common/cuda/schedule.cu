/* Schedules of the simt device on request; a GPU has its own. */
#include "common/cuda/backend.cuh"
#include "common/cuda/limit.cuh"

#if defined(__CUDACC__)

gb_status gb_backend_schedule(gb_backend *, const gb_schedule *schedule, gb_error *error)
{
    if (!schedule) return GB_OK;
    return gb_fail(error, GB_UNSUPPORTED,
                   "a GPU schedules as it likes: only the simt device takes a schedule");
}
void gb_backend_begin_schedule(gb_backend *) {}
void gb_backend_end_schedule(gb_backend *) {}

#else

/* One device, one configuration. */
static simt::configuration environment;
static gb_schedule wanted;
static bool has_environment, has_schedule;

static void keep_environment()
{
    if (!has_environment) environment = simt::config;
    has_environment = true;
}

/* What lies outside the schedule has as many blocks at once, but as the environment says and in
 * parallel: only the variant is explored. */
static void rest()
{
    simt::config = environment;
    if (has_schedule) simt::config.workers = wanted.resident;
    if (has_schedule) simt::config.resident = 0;
    simt::reseed(environment.seed);
}

gb_status gb_backend_schedule(gb_backend *, const gb_schedule *schedule, gb_error *error)
{
    if (schedule && !simt::hooked && gb_schedule_needs_hooks(schedule))
        return gb_fail(
            error, GB_UNSUPPORTED,
            "this worker leaves threads at atomics alone, in sequentially consistent memory; for "
            "volatile, plain and weak build and use gpubench-simt-hooks (make simt-hooks, check "
            "--hooks)");
    keep_environment();
    has_schedule = schedule != NULL;
    if (schedule) wanted = *schedule;
    rest();
    return GB_OK;
}

void gb_schedule_workers(unsigned workers)
{
    static unsigned usual;
    static bool has_usual;
    keep_environment();
    if (!has_usual) usual = environment.workers;
    has_usual = true;
    environment.workers = workers ? workers : usual;
    rest();
}

void gb_backend_begin_schedule(gb_backend *)
{
    if (!has_schedule) return;
    static_assert((int)simt::by_priority == (int)GB_POLICY_PRIORITY &&
                      (int)simt::unfair == (int)GB_POLICY_UNFAIR &&
                      (int)simt::random_order == (int)GB_POLICY_RANDOM,
                  "policies have the same order");
    simt::config.policy = static_cast<simt::policy>(wanted.policy);
    simt::config.preempt_atomic = wanted.preempt_atomic;
    simt::config.preempt_volatile = wanted.preempt_volatile;
    simt::config.preempt_plain = wanted.preempt_plain;
    simt::config.weak = wanted.weak;
    simt::config.resident = wanted.resident;
    simt::config.explored = true;
    simt::reseed(wanted.seed);
}

void gb_backend_end_schedule(gb_backend *)
{
    if (has_schedule) rest();
}

#endif
