/* The primitive `team` as the worker sees it. */
#include "common/comm/ranks.h"
#include "tests/worker/primitives/team/team.h"

static const char *const nasty[] = {"1", "31", "1000", NULL};

static const gb_axis axes[] = {GB_GPUS_AXIS,
                               {.name = "n",
                                .type = GB_AXIS_SIZE,
                                .help = "words of each GPU",
                                .fallback = "1000",
                                .min = 1,
                                .max = 1 << 20,
                                .nasty = nasty}};

static const gb_variant *const variants[] = {
    &team_copies,    &team_nccl, &team_windows, &team_single,  &team_wrong,
    &team_no_memory, &team_dies, &team_sleeps,  &team_chooses, NULL};

static gb_work work(const gb_params *params)
{
    const uint64_t n = params->value[TEAM_N].size;
    return (gb_work){
        .items = n * params->value[TEAM_GPUS].size, .bytes = 8 * n, .footprint = 8 * n};
}

const gb_primitive gb_primitive_team = {
    .name = "team",
    .title = "Words that go to the next GPU, with the sum of all added",
    .unit = "words",
    .axes = axes,
    .axis_count = 2,
    .variants = variants,
    .work = work,
    .open = team_open,
    .close = team_close,
    .poison = team_poison,
    .check = team_check,
};
