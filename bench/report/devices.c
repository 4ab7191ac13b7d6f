/* The devices: what is known of each. */
#include "bench/report/sections.h"

#include <string.h>

static const gb_result_row *first_row(const gb_side *side)
{
    for (size_t s = 0; s < side->results->set_count; s++) {
        const gb_result_set *set = &side->results->sets[s];
        for (size_t k = 0; k < set->row_count && gb_report_shows(set); k++)
            if (strcmp(set->rows[k].device, side->device) == 0) return &set->rows[k];
    }
    return NULL;
}

static void put_device(gb_report *r, const gb_side *side, const gb_result_row *row)
{
    gb_arena *arena = &r->sides.arena;
    const gb_run_facts *run = gb_side_run(&r->sides, row);
    gb_report_put(r, "<h3>", side->label, "</h3>\n<dl class=\"facts\">\n");
    gb_report_put_fact(r, "results", side->path);
    gb_report_put_fact(r, "back-end", row->backend);
    gb_report_put_fact(r, "CUDA Toolkit", run->toolkit);
    gb_report_put_fact(r, "driver", run->driver);
    if (run->sms > 0)
        gb_report_put_fact(r, "multiprocessors", gb_arena_printf(arena, "%g", run->sms));
    if (run->copy_bytes_per_s > 0)
        gb_report_put_fact(
            r, "copy, measured",
            gb_arena_printf(arena, "%.0f GB/s read and written", run->copy_bytes_per_s * 1e-9));
    gb_report_put_fact(r, "host", run->host);
    fputs("</dl>\n", r->file);
}

void gb_report_put_devices(gb_report *r, const gb_report_plan *plan)
{
    fputs("<section id=\"devices\"><h2>Devices</h2>\n", r->file);
    for (size_t i = 0; i < plan->side_count; i++) {
        const gb_result_row *row = first_row(plan->sides[i]);
        if (row) put_device(r, plan->sides[i], row);
    }
    fputs("</section>\n", r->file);
}
