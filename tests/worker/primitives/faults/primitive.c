/* The primitive `faults` as the worker sees it. */
#include "tests/worker/primitives/faults/faults.h"

static const char *const nasty[] = {"1", "33", NULL};

static const gb_axis axes[] = {{.name = "n",
                                .type = GB_AXIS_SIZE,
                                .help = "how many elements",
                                .fallback = "100k",
                                .min = 1,
                                .max = 1 << 24,
                                .nasty = nasty}};

static const gb_variant *const variants[] = {&faults_good,
                                             &faults_endless,
                                             &faults_endless_late,
                                             &faults_illegal_address,
                                             &faults_misaligned,
                                             &faults_trap,
                                             &faults_assert,
                                             &faults_stack_overflow,
                                             &faults_too_many_threads,
                                             &faults_too_much_shared,
                                             &faults_async,
                                             &faults_poison_context,
                                             &faults_heap_good,
                                             &faults_heap_counted,
                                             &faults_heap_null,
                                             &faults_memory_taken,
                                             &faults_memory_leaked,
                                             &faults_memory_kept,
                                             &faults_host_endless,
                                             &faults_host_crash,
                                             &faults_host_exit,
                                             &faults_host_abort,
                                             &faults_wrong,
                                             NULL};

static gb_work work(const gb_params *params)
{
    uint64_t n = params->value[0].size;
    return (gb_work){.items = n, .bytes = 8 * n, .flops = 0, .footprint = 8 * n};
}

const gb_primitive gb_primitive_faults = {
    .name = "faults",
    .title = "Faults: out = 2 in + 1, or not",
    .unit = "elements",
    .axes = axes,
    .axis_count = 1,
    .variants = variants,
    .work = work,
    .open = faults_open,
    .close = faults_close,
    .poison = faults_poison,
    .check = faults_check,
};
