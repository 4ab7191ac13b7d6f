/* What is drawn of results for which no script is made. */
#include "bench/plot/default.h"

#include "bench/util/quoted.h"
#include "common/text/number.h"

#include <string.h>

/* The rows that the figure is about. */
typedef struct chooser {
    gb_arena *arena;
    gb_result_set *set; /* a copy: axes that follow others have another value there */
    const gb_choices *chosen;
    gb_plot_script *script;
    const gb_result_row **rows;
    size_t count;
} chooser;

/* ---- rows ------------------------------------------------------------------------------------ */

static bool has_value(const gb_result_row *row)
{
    return row->status == GB_OK && (row->rate > 0 || row->time_s > 0);
}

static const gb_choice *choice_of(const chooser *c, const char *name)
{
    for (size_t i = c->chosen->count; i-- > 0;)
        if (strcmp(c->chosen->items[i].name, name) == 0) return &c->chosen->items[i];
    return NULL;
}

static bool is_chosen(const chooser *c, const gb_result_row *row)
{
    for (unsigned a = 0; a < c->set->axis_count; a++) {
        const gb_choice *choice = choice_of(c, c->set->axes[a]);
        if (choice && !gb_choice_allows(c->arena, choice, row->axis[a])) return false;
        /* what a paper prints as the best over an axis, or for all of its values, is no point */
        if (row->axis[a] == gb_best || row->axis[a] == gb_any) return false;
    }
    const struct {
        const char *name, *value;
    } others[] = {{"variant", row->variant}, {"cache", row->cache}, {"scope", row->scope}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const gb_choice *choice = choice_of(c, others[i].name);
        if (choice && !gb_choice_allows(c->arena, choice, others[i].value)) return false;
    }
    return true;
}

typedef const char *field_of(const gb_result_row *row);
static const char *cache_of(const gb_result_row *row)
{
    return row->cache;
}
static const char *scope_of(const gb_result_row *row)
{
    return row->scope;
}

/* Keeps the rows with a value of a field if there are any. */
static void prefer(chooser *c, field_of *field, const char *value)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        kept += strcmp(field(c->rows[i]), value) == 0;
    if (kept == 0) return;
    kept = 0;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(field(c->rows[i]), value) == 0) c->rows[kept++] = c->rows[i];
    c->count = kept;
}

static void find_rows(chooser *c)
{
    c->rows = gb_arena_alloc(c->arena, (c->set->row_count + 1) * sizeof *c->rows);
    for (size_t i = 0; i < c->set->row_count; i++)
        if (has_value(&c->set->rows[i]) && is_chosen(c, &c->set->rows[i]))
            c->rows[c->count++] = &c->set->rows[i];
    if (!choice_of(c, "cache")) prefer(c, cache_of, "warm");
    if (!choice_of(c, "scope")) prefer(c, scope_of, "device");
}

/* ---- axes ------------------------------------------------------------------------------------ */

/* Of the values of an axis that with the most rows; of several the largest number, or the name that
 * comes first. */
static const char *usual_value(const chooser *c, unsigned axis, const char **values, size_t count)
{
    size_t most = 0;
    const char *usual = values[0];
    for (size_t v = 0; v < count; v++) {
        size_t rows = 0;
        for (size_t i = 0; i < c->count; i++)
            rows += strcmp(c->rows[i]->axis[axis], values[v]) == 0;
        double number;
        if (rows < most || (rows == most && !gb_number_parse(values[v], &number))) continue;
        most = rows;
        usual = values[v];
    }
    return usual;
}

/* Looks at the rows with a value alone from then on. */
static void hold(chooser *c, unsigned axis, const char *value)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->rows[i]->axis[axis], value) == 0) c->rows[kept++] = c->rows[i];
    c->count = kept;
}

static size_t place_of(const char *const *values, size_t count, const char *value)
{
    size_t at = 0;
    while (at < count && strcmp(values[at], value) != 0)
        at++;
    return at;
}

/* Whether an axis has one value at each value of another, as the height of a cube has beside its
 * width; such rows have "like WIDTH" there from then on. */
static bool follow(chooser *c, unsigned axis, const char *other)
{
    if (!other || choice_of(c, c->set->axes[axis])) return false;
    const unsigned by = (unsigned)gb_result_axis(c->set, other);
    size_t count;
    const char **values = gb_axis_values(c->arena, c->rows, c->count, by, &count);
    const char **there = gb_arena_alloc(c->arena, (count + 1) * sizeof *there);
    for (size_t i = 0; i < c->count; i++) {
        const char **value = &there[place_of(values, count, c->rows[i]->axis[by])];
        if (*value && strcmp(*value, c->rows[i]->axis[axis]) != 0) return false;
        *value = c->rows[i]->axis[axis];
    }
    const char *like = gb_arena_printf(c->arena, "like %s", other);
    for (size_t i = 0; i < c->set->row_count; i++) {
        gb_result_row *row = &c->set->rows[i];
        const size_t at = place_of(values, count, row->axis[by]);
        if (at < count && strcmp(row->axis[axis], there[at]) == 0) row->axis[axis] = like;
    }
    return true;
}

/* Prefers the value that is left of an axis that is not drawn. */
static void prefer_value(chooser *c, unsigned axis)
{
    const char *value = c->rows[0]->axis[axis];
    const size_t room = 2 * strlen(value) + 4;
    char *quoted = gb_arena_alloc(c->arena, room);
    gb_quoted_write(quoted, room, value, ",|");
    if (strcmp(value, "all") == 0) strcat(quoted, ",");
    gb_choices_add(c->arena, &c->script->layout.where, c->set->axes[axis], quoted);
}

/* Whether values of x have an order and are enough for a curve. */
static bool is_curve(const char *const *values, size_t count)
{
    double number;
    for (size_t i = 0; i < count; i++)
        if (!gb_number_parse(values[i], &number)) return false;
    return count > 2;
}

/* One round of choosing; false: what was held has left one value of what is drawn, for some axes
 * hang on others, and it is to be done again with the rows that are left. */
static bool choose_round(chooser *c)
{
    gb_plot_script *script = c->script;
    const size_t before = c->count;
    script->x = script->panels = NULL;
    for (unsigned a = 0; a < c->set->axis_count; a++) {
        size_t count;
        const char **values = gb_axis_values(c->arena, c->rows, c->count, a, &count);
        if (count < 2) continue;
        if (!script->x)
            script->x = c->set->axes[a];
        else if (follow(c, a, script->x) || follow(c, a, script->panels))
            continue;
        else if (!script->panels)
            script->panels = c->set->axes[a];
        else if (!choice_of(c, c->set->axes[a]))
            hold(c, a, usual_value(c, a, values, count));
    }
    return c->count == before;
}

static void choose_axes(chooser *c)
{
    gb_plot_script *script = c->script;
    while (!choose_round(c))
        ;
    if (!script->x) script->x = c->set->axes[0];
    for (unsigned a = 0; a < c->set->axis_count && c->count > 0; a++) {
        const char *name = c->set->axes[a];
        if (strcmp(name, script->x) != 0 &&
            !(script->panels && strcmp(name, script->panels) == 0) && !choice_of(c, name))
            prefer_value(c, a);
    }
    size_t count;
    const char **values = gb_axis_values(c->arena, c->rows, c->count,
                                         (unsigned)gb_result_axis(c->set, script->x), &count);
    script->categories = !is_curve(values, count);
}

/* ---- variants -------------------------------------------------------------------------------- */

typedef struct contender {
    const char *variant;
    double best; /* its highest rate, or 1 over its shortest time */
    bool kept;
} contender;

static contender *find_contenders(const chooser *c, size_t *count)
{
    contender *all = gb_arena_alloc(c->arena, (c->count + 1) * sizeof *all);
    *count = 0;
    for (size_t i = 0; i < c->count; i++) {
        const gb_result_row *row = c->rows[i];
        const double value = row->rate > 0 ? row->rate : 1 / row->time_s;
        size_t v = 0;
        while (v < *count && strcmp(all[v].variant, row->variant) != 0)
            v++;
        if (v == *count) all[(*count)++] = (contender){.variant = row->variant};
        if (value > all[v].best) all[v].best = value;
    }
    return all;
}

/* Marks the fastest. */
static void keep_fastest(contender *all, size_t count, size_t most)
{
    for (size_t n = 0; n < most; n++) {
        contender *fastest = NULL;
        for (size_t v = 0; v < count; v++)
            if (!all[v].kept && (!fastest || all[v].best > fastest->best)) fastest = &all[v];
        if (fastest) fastest->kept = true;
    }
}

/* Several devices have a panel each. */
static void choose_variants(chooser *c)
{
    gb_table_layout *layout = &c->script->layout;
    const size_t most = GB_PLOT_MOST_SERIES;
    size_t count, left = 0;
    contender *all = find_contenders(c, &count);
    if (count <= most) return;
    keep_fastest(all, count, most);
    layout->variants = gb_arena_alloc(c->arena, most * sizeof *layout->variants);
    layout->further_variants = false;
    const char **names = gb_arena_alloc(c->arena, count * sizeof *names);
    for (size_t v = 0; v < count; v++) {
        if (all[v].kept)
            layout->variants[layout->variant_count++] =
                (gb_layout_variant){.name = all[v].variant, .label = all[v].variant};
        else
            names[left++] = all[v].variant;
    }
    c->script->remark = gb_arena_printf(
        c->arena, "Not drawn, for %d series are the most that are told apart: the slower %s.",
        GB_PLOT_MOST_SERIES, gb_arena_listed(c->arena, names, left));
}

/* ---- title ----------------------------------------------------------------------------------- */

/* "toy: rate over n", "toy-large (toy): time by variant" */
static const char *title_of(const chooser *c)
{
    const gb_result_set *set = c->set;
    const char *what = "time", *name = set->published ? set->primitive : set->experiment;
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i]->rate > 0) what = "rate";
    if (strcmp(name, set->primitive) != 0)
        name = gb_arena_printf(c->arena, "%s (%s)", name, set->primitive);
    const int x = gb_result_axis(set, c->script->x);
    size_t values;
    gb_axis_values(c->arena, c->rows, c->count, (unsigned)x, &values);
    if (values < 2) return gb_arena_printf(c->arena, "%s: %s by variant", name, what);
    return gb_arena_printf(c->arena, "%s: %s over %s", name, what, c->script->x);
}

/* The same rows, to be changed. */
static gb_result_set *copy_of(gb_arena *arena, const gb_result_set *set)
{
    gb_result_set *copy = gb_arena_alloc(arena, sizeof *copy);
    *copy = *set;
    copy->rows = gb_arena_alloc(arena, (set->row_count + 1) * sizeof *copy->rows);
    memcpy(copy->rows, set->rows, set->row_count * sizeof *copy->rows);
    copy->row_capacity = set->row_count + 1;
    return copy;
}

const gb_result_set *gb_plot_default_fill(gb_arena *arena, const gb_result_set *set,
                                          const gb_choices *chosen, gb_plot_script *script)
{
    chooser c = {.arena = arena, .set = copy_of(arena, set), .chosen = chosen, .script = script};
    find_rows(&c);
    choose_axes(&c);
    choose_variants(&c);
    script->title = title_of(&c);
    gb_result_set_index(arena, c.set);
    return c.set;
}
