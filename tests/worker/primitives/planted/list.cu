/* All planted mistakes, each with its twin, as the worker's list of variants; and the moody one. */
#include "tests/worker/primitives/planted/planted.cuh"
#include "tests/worker/primitives/planted/planted.h"

#define ALL_PLANTED(X)          \
    X(lost_update_block)        \
    X(lost_update_grid)         \
    X(lost_update_plain)        \
    X(double_reservation)       \
    X(aba_stack)                \
    X(lock_step_spin)           \
    X(lost_wake_up)             \
    X(flag_not_awaited)         \
    X(flag_before_sum)          \
    X(grid_barrier)             \
    X(fence_of_writer)          \
    X(fence_of_reader)          \
    X(fence_too_early)          \
    X(fence_before_flag)        \
    X(fence_of_block)           \
    X(flag_by_store)            \
    X(volatile_message)         \
    X(barrier_for_fence)        \
    X(last_block)               \
    X(add_by_store)             \
    X(swap_by_store)            \
    X(double_checked)           \
    X(unlock_early)             \
    X(push_before_fill)         \
    X(missing_barrier)          \
    X(missing_second_barrier)   \
    X(missing_syncwarp)         \
    X(divergent_barrier)        \
    X(mask_of_absent_lanes)     \
    X(mask_without_self)        \
    X(mask_before_divergence)   \
    X(shuffle_from_absent_lane) \
    X(shared_static_end)        \
    X(shared_static_neighbour)  \
    X(shared_dynamic_end)       \
    X(shared_dynamic_neighbour) \
    X(global_behind)            \
    X(global_before)            \
    X(global_far)               \
    X(global_read_behind)       \
    X(uninitialised_shared)     \
    X(uninitialised_device)

#define DECLARE(name) extern const gb_planted planted_##name, planted_##name##_sound;
ALL_PLANTED(DECLARE)
extern const gb_planted planted_moody;

#define LIST(name) &planted_##name.variant, &planted_##name##_sound.variant,
const gb_variant *const gb_planted_variants[] = {&planted_moody.variant, ALL_PLANTED(LIST) NULL};
