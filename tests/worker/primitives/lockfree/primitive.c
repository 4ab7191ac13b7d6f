/* The lock-free containers as the worker sees them: one axis and seven variants. */
#include "tests/worker/primitives/lockfree/lockfree.h"

static const char *const nasty[] = {"1", "33", "256", NULL};

static const gb_axis axes[] = {{.name = "n",
                                .type = GB_AXIS_SIZE,
                                .help = "how many threads",
                                .fallback = "256",
                                .min = 1,
                                .max = 4096,
                                .nasty = nasty}};

static const gb_variant *const variants[] = {
    &lockfree_push,     &lockfree_stack,  &lockfree_untagged, &lockfree_spin_lock,
    &lockfree_unlocked, &lockfree_nobody, &lockfree_moody,    NULL};

static gb_work work(const gb_params *params)
{
    uint64_t n = params->value[0].size;
    return (gb_work){.items = n, .bytes = 4 * n, .footprint = 4 * n};
}

const gb_primitive gb_primitive_lockfree = {
    .name = "lockfree",
    .title = "Containers without locks",
    .unit = "elements",
    .axes = axes,
    .axis_count = 1,
    .variants = variants,
    .work = work,
    .open = lockfree_open,
    .close = lockfree_close,
    .poison = lockfree_poison,
    .check = lockfree_check,
};
