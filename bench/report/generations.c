/* Generations of GPUs: each primitive over devices that were measured or that somebody prints, and
 * the claims by the generation of which they were said. */
#include "bench/report/sections.h"

#include "bench/report/html.h"

#include <string.h>

/* ---- figures and values -----------------------------------------------------------------------
 */

static bool put_generation(gb_report *r, gb_report_plan *plan, const gb_report_generation *g)
{
    gb_arena *arena = &r->sides.arena;
    gb_report_put(r, "<h3>", g->title, "</h3>\n");
    for (size_t i = 0; i < r->figure_count; i++)
        if (strcmp(r->figures[i].name, g->name) == 0 &&
            !gb_report_put_figure(r, plan, &r->figures[i], g->title))
            return false;
    const gb_table table = gb_generation_table(arena, &g->found, "");
    fprintf(r->file, "<details><summary>%s, with their sources</summary>\n",
            gb_report_counted(r, g->found.point_count, "value"));
    gb_html_table(arena, r->file, &table, 0);
    fputs("</details>\n", r->file);
    return true;
}

/* ---- claims -----------------------------------------------------------------------------------
 */

/* The generation of a device in results; "" where no data sheet says it. */
static const char *generation_of(const gb_report *r, const char *device)
{
    for (size_t i = 0; i < r->sides.operand_count; i++)
        for (size_t s = 0; s < r->sides.operands[i].set_count; s++) {
            const gb_result_set *set = &r->sides.operands[i].sets[s];
            for (size_t k = 0; k < set->row_count && !set->published; k++) {
                if (strcmp(set->rows[k].device, device) != 0) continue;
                const gb_gpu *gpu = gb_gpu_find(&r->gpus, gb_row_model(&set->rows[k]));
                return gpu && gpu->architecture ? gpu->architecture : "";
            }
        }
    return "";
}

/* "NVIDIA H200 (Hopper)" */
static const char *with_generation(gb_report *r, const char *device)
{
    const char *generation = generation_of(r, device);
    return *generation ? gb_arena_printf(&r->sides.arena, "%s (%s)", device, generation) : device;
}

/* "RTX A4500", "K80;P100", each device once. */
static const char *devices_of(gb_report *r, const char *generation)
{
    const char *text = "";
    for (size_t i = 0; i < r->claims.count; i++) {
        const gb_claim *claim = &r->claims.items[i];
        if (strcmp(claim->generation, generation) != 0 || strstr(text, claim->device)) continue;
        text = gb_arena_printf(&r->sides.arena, "%s%s%s", text, *text ? ", " : "", claim->device);
    }
    return text;
}

static gb_claim_verdict verdict_on(gb_report *r, const gb_claim *claim, const gb_side *side)
{
    return gb_claim_test(&r->sides.arena, claim, side->results, &r->noise, side->device).verdict;
}

/* "measured on NVIDIA H200 (Hopper): 9 HOLDS, 10 FAILS" */
static const char *counted_on(gb_report *r, const char *generation, const gb_side *side)
{
    gb_arena *arena = &r->sides.arena;
    size_t verdicts[GB_CLAIM_VERDICT_COUNT] = {0};
    const char *text = "";
    for (size_t i = 0; i < r->claims.count; i++)
        if (strcmp(r->claims.items[i].generation, generation) == 0)
            verdicts[verdict_on(r, &r->claims.items[i], side)]++;
    for (int v = 0; v < GB_CLAIM_VERDICT_COUNT; v++)
        if (verdicts[v])
            text = gb_arena_printf(arena, "%s%s%zu %s", text, *text ? ", " : "", verdicts[v],
                                   gb_claim_verdict_names[v]);
    return gb_arena_printf(arena, "measured on %s: %s", with_generation(r, side->device), text);
}

/* One row a claim of a generation, one column a device. */
static gb_table claims_table(gb_report *r, const gb_report_plan *plan, const char *generation)
{
    enum { PAPER, CLAIM, SAID_OF, FIXED };
    gb_arena *arena = &r->sides.arena;
    gb_table table = {.title = "", .caption = ""};
    const size_t columns = FIXED + plan->side_count;
    const char *title =
        gb_arena_printf(arena, "Claims said of %s", *generation ? generation : "GPUs not named");
    gb_table_panel *panel = gb_table_add_panel(arena, &table, title, columns, columns);
    panel->head[PAPER] = "paper";
    panel->head[CLAIM] = "claim";
    panel->head[SAID_OF] = "said of";
    for (size_t s = 0; s < plan->side_count; s++)
        panel->head[FIXED + s] = with_generation(r, plan->sides[s]->device);
    for (size_t i = 0; i < r->claims.count; i++) {
        const gb_claim *claim = &r->claims.items[i];
        if (strcmp(claim->generation, generation) != 0) continue;
        const char **cells = gb_table_add_line(arena, panel, false);
        cells[PAPER] = claim->paper;
        cells[CLAIM] = claim->statement;
        cells[SAID_OF] = claim->device;
        for (size_t s = 0; s < plan->side_count; s++)
            cells[FIXED + s] = gb_claim_verdict_names[verdict_on(r, claim, plan->sides[s])];
    }
    return table;
}

static void put_claims_of(gb_report *r, const gb_report_plan *plan, const char *generation)
{
    const char *devices = devices_of(r, generation);
    gb_report_put(r, "<details><summary>Said of ", *generation ? generation : "GPUs not named", "");
    gb_report_put(r, " (", devices, ")");
    for (size_t s = 0; s < plan->side_count; s++)
        gb_report_put(r, "; ", counted_on(r, generation, plan->sides[s]), "");
    fputs("</summary>\n", r->file);
    const gb_table table = claims_table(r, plan, generation);
    gb_html_table(&r->sides.arena, r->file, &table, 0);
    fputs("</details>\n", r->file);
}

static bool is_first_of_generation(const gb_report *r, size_t claim)
{
    for (size_t i = 0; i < claim; i++)
        if (strcmp(r->claims.items[i].generation, r->claims.items[claim].generation) == 0)
            return false;
    return true;
}

/* The generations of claims in the order of data sheets: the first architecture of each counts. */
static double place_of(const gb_report *r, const char *generation)
{
    for (size_t i = 0; i < r->gpus.count; i++) {
        const char *architecture = r->gpus.items[i].architecture;
        if (*architecture && strncmp(generation, architecture, strlen(architecture)) == 0)
            return r->gpus.items[i].compute_capability + 1e-3 * (double)strlen(generation);
    }
    return 1e9;
}

static void put_claims(gb_report *r, const gb_report_plan *plan)
{
    gb_arena *arena = &r->sides.arena;
    const char **order = gb_arena_alloc(arena, (r->claims.count + 1) * sizeof *order);
    size_t count = 0;
    for (size_t i = 0; i < r->claims.count; i++) {
        if (!is_first_of_generation(r, i)) continue;
        const char *generation = r->claims.items[i].generation;
        size_t at = count++;
        for (; at > 0 && place_of(r, order[at - 1]) > place_of(r, generation); at--)
            order[at] = order[at - 1];
        order[at] = generation;
    }
    fputs("<h3>Claims by the generation that they are about</h3>\n"
          "<p>What a paper found on one generation is held against what was measured on another. "
          "Claims marked OTHER GPU can be decided on the device that they name alone.</p>\n",
          r->file);
    for (size_t i = 0; i < count; i++)
        put_claims_of(r, plan, order[i]);
}

bool gb_report_put_generations(gb_report *r, gb_report_plan *plan)
{
    if (!gb_report_has_generations(r)) return true;
    fputs("<section id=\"generations\"><h2>Generations</h2>\n"
          "<p>What newer GPUs bring: of each device the row that stands nearest to one point, as "
          "measured or as papers and others print it; then over the bandwidth of its memory, or "
          "over its multiprocessors and their highest clock (<code>results/published/gpus.csv"
          "</code>). Where a curve over the bandwidth is level, a newer GPU is as much faster as "
          "its memory.</p>\n",
          r->file);
    for (size_t i = 0; i < r->generation_count; i++)
        if (!put_generation(r, plan, &r->generations[i])) return false;
    put_claims(r, plan);
    fputs("</section>\n", r->file);
    return true;
}
