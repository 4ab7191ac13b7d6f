/* Which rows the plan of a config asks for. */
#include "bench/measure/wanted.h"

#include "bench/measure/runner.h"

#include <stdlib.h>

size_t gb_wanted_rows(const gb_config *config, const gb_output *output, size_t point,
                      gb_scope scope, gb_task *tasks, size_t *present)
{
    const gb_params *params = &config->points[point];
    size_t count = 0;
    for (unsigned cold = 0; cold < 2; cold++) {
        if (!(cold ? config->measure.cold : config->measure.warm)) continue;
        for (unsigned i = 0; i < config->variant_count; i++) {
            unsigned variant = config->variants[i];
            /* what runs on the CPU has its data there, and what moves its own as well: of two
             * scopes it has the other one only */
            if (config->measure.both_scopes && scope == GB_SCOPE_DEVICE &&
                (config->primitive->variants[variant].host ||
                 config->primitive->variants[variant].own_transfers))
                continue;
            if (!gb_filter_passes(config->filter, params, (int)variant)) continue;
            if (output && gb_output_has(output, params, variant, cold, scope)) {
                ++*present;
                continue;
            }
            if (tasks)
                tasks[count] = (gb_task){
                    .sampling = gb_config_sampling(config, params, variant),
                    .row = {
                        .point = params, .variant = variant, .cold = cold != 0, .scope = scope}};
            count++;
        }
    }
    return count;
}

size_t gb_wanted_count(const gb_config *config, const gb_output *output, size_t point,
                       size_t *present)
{
    size_t count = 0;
    for (unsigned s = 0; s < gb_scope_count(&config->measure); s++)
        count +=
            gb_wanted_rows(config, output, point, gb_scope_at(&config->measure, s), NULL, present);
    return count;
}

size_t gb_run_rows_left(const gb_config *config, const gb_output *output)
{
    size_t count = 0, present = 0;
    for (size_t i = 0; i < config->point_count; i++)
        count += gb_wanted_count(config, output, i, &present);
    return count;
}

bool gb_run_rows_of(const gb_config *config, size_t point, gb_row *rows, size_t *count)
{
    gb_task *tasks = calloc(2 * (size_t)config->variant_count, sizeof *tasks);
    size_t present = 0;
    *count = 0;
    for (unsigned s = 0; tasks && s < gb_scope_count(&config->measure); s++) {
        size_t part =
            gb_wanted_rows(config, NULL, point, gb_scope_at(&config->measure, s), tasks, &present);
        for (size_t i = 0; i < part; i++)
            rows[(*count)++] = tasks[i].row;
    }
    const bool ok = tasks != NULL;
    free(tasks);
    return ok;
}
