/* What is said of a generation's points: what they share, where some differ, what is left out. */
#include "bench/generations/words.h"

#include <string.h>

/* ---- lists ------------------------------------------------------------------------------------
 */

/* Whether a list "a, b" has a name; *at: where. */
static const char *find_name(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ',')) return at;
    return NULL;
}

static void append(gb_arena *arena, const char **text, const char *part)
{
    *text = gb_arena_printf(arena, "%s%s%s", *text, **text ? ", " : "", part);
}

void gb_generation_name(gb_arena *arena, const char **list, const char *name)
{
    if (!find_name(*list, name)) append(arena, list, name);
}

static bool has_point(const gb_generation *found, const char *label)
{
    for (size_t p = 0; p < found->point_count; p++)
        if (strcmp(found->devices[found->points[p].device].label, label) == 0) return true;
    return false;
}

void gb_generation_drop_names(gb_arena *arena, const char **list, const gb_generation *found)
{
    const char *kept = "";
    for (size_t d = 0; d < found->device_count; d++)
        if (find_name(*list, found->devices[d].label) && !has_point(found, found->devices[d].label))
            gb_generation_name(arena, &kept, found->devices[d].label);
    *list = kept;
}

/* ---- what is left open ------------------------------------------------------------------------
 */

/* An axis, or "cache", in which points may differ. */
typedef struct open_dimension {
    const char *name;
    const char *usual; /* the value that most points have */
    bool differs;
} open_dimension;

typedef struct words {
    gb_arena *arena;
    gb_generation *found;
    const gb_table_layout *layout;
    open_dimension open[GB_MAX_AXES + 2];
    size_t open_count;
} words;

/* "" where the point says nothing of it. */
static const char *value_at(const gb_generation_point *point, const char *name)
{
    if (strcmp(name, "cache") == 0) {
        const char *said = point->printed ? point->row->said_cache : point->row->cache;
        return said ? said : "";
    }
    const int axis = gb_result_axis(point->set, name);
    const char *value = axis < 0 ? "" : point->row->axis[axis];
    return strcmp(value, gb_any) == 0 ? "" : value;
}

/* "n 64M", "cold cache", "best n" */
static const char *text_of(const words *w, const char *name, const char *value)
{
    const bool after = strcmp(name, "cache") == 0 || strcmp(value, gb_best) == 0;
    value = gb_axis_shown(w->arena, value);
    return after ? gb_arena_printf(w->arena, "%s %s", value, name)
                 : gb_arena_printf(w->arena, "%s %s", name, value);
}

static size_t count_at(const words *w, const char *name, const char *value)
{
    size_t count = 0;
    for (size_t p = 0; p < w->found->point_count; p++)
        count += strcmp(value_at(&w->found->points[p], name), value) == 0;
    return count;
}

static void add_open(words *w, const char *name)
{
    for (size_t i = 0; i < w->open_count; i++)
        if (strcmp(w->open[i].name, name) == 0) return;
    open_dimension dimension = {.name = name, .usual = ""};
    for (size_t p = 0; p < w->found->point_count; p++) {
        const char *value = value_at(&w->found->points[p], name);
        if (!*value) continue;
        dimension.differs |= *dimension.usual && strcmp(dimension.usual, value) != 0;
        if (!*dimension.usual || count_at(w, name, value) > count_at(w, name, dimension.usual))
            dimension.usual = value;
    }
    if (w->open_count < sizeof w->open / sizeof *w->open) w->open[w->open_count++] = dimension;
}

static void find_open(words *w)
{
    const gb_generation_query *query = w->found->query;
    if (query->near_axis) add_open(w, query->near_axis);
    for (size_t i = 0; i < w->layout->where.count; i++)
        if (strchr(w->layout->where.items[i].value, '|'))
            add_open(w, w->layout->where.items[i].name);
    for (size_t l = 0; l < query->line_count; l++)
        for (size_t i = 0; i < query->lines[l].at.count; i++)
            if (strchr(query->lines[l].at.items[i].value, '|'))
                add_open(w, query->lines[l].at.items[i].name);
    add_open(w, "cache");
}

static bool is_open(const words *w, const char *name)
{
    for (size_t i = 0; i < w->open_count; i++)
        if (strcmp(w->open[i].name, name) == 0) return true;
    return false;
}

/* ---- sentences --------------------------------------------------------------------------------
 */

/* The value that the points have of an axis in which none differs. */
static const char *common_value(const words *w, const char *axis)
{
    const char *value = "";
    for (size_t p = 0; p < w->found->point_count && !*value; p++)
        value = value_at(&w->found->points[p], axis);
    return value;
}

/* Whether a version has an axis at a value of its own. */
static bool is_lines_own(const words *w, const char *axis)
{
    for (size_t l = 0; l < w->found->query->line_count; l++)
        if (gb_choice_find(&w->found->query->lines[l].at, axis)) return true;
    return false;
}

static void put_held(words *w)
{
    const char *text = "";
    for (size_t i = 0; i < w->open_count; i++)
        if (*w->open[i].usual)
            append(w->arena, &text, text_of(w, w->open[i].name, w->open[i].usual));
    for (size_t i = 0; i < w->layout->where.count; i++) {
        const char *name = w->layout->where.items[i].name, *value = common_value(w, name);
        if (!is_open(w, name) && !is_lines_own(w, name) && *value)
            append(w->arena, &text, text_of(w, name, value));
    }
    for (size_t i = 0; i < w->layout->best_axis_count; i++)
        if (!is_lines_own(w, w->layout->best_axes[i]))
            append(w->arena, &text, text_of(w, w->layout->best_axes[i], gb_best));
    w->found->held = text;
}

static const char *differences_of(const words *w, const gb_generation_point *point)
{
    const char *text = "";
    for (size_t i = 0; i < w->open_count; i++) {
        const char *value = value_at(point, w->open[i].name);
        if (*value && strcmp(value, w->open[i].usual) != 0)
            append(w->arena, &text, text_of(w, w->open[i].name, value));
    }
    return text;
}

/* Whether all points of the same version, or of the same device, differ in the same. */
static bool is_shared(const gb_generation *found, const gb_generation_point *point, bool by_line)
{
    size_t count = 0;
    for (size_t p = 0; p < found->point_count; p++) {
        const gb_generation_point *other = &found->points[p];
        if (by_line ? other->line != point->line : other->device != point->device) continue;
        if (strcmp(other->differences, point->differences) != 0) return false;
        count++;
    }
    return count > 1 || !by_line;
}

/* "CUB (cold cache)", "RTX 5080 (n 32Mi)", "CUB on RTX 5080 (n 32Mi)" */
static const char *difference_text(const words *w, const gb_generation_point *point)
{
    const gb_generation *found = w->found;
    const char *line = found->query->lines[point->line].label;
    const char *device = found->devices[point->device].label;
    const char *of = is_shared(found, point, true) ? line
                     : is_shared(found, point, false)
                         ? device
                         : gb_arena_printf(w->arena, "%s on %s", line, device);
    return gb_arena_printf(w->arena, "%s (%s)", of, point->differences);
}

/* Each difference once. */
static void put_differences(words *w)
{
    gb_generation *found = w->found;
    const char *all = "";
    for (size_t p = 0; p < found->point_count; p++)
        found->points[p].differences = differences_of(w, &found->points[p]);
    for (size_t p = 0; p < found->point_count; p++) {
        const char *of = difference_text(w, &found->points[p]);
        if (*found->points[p].differences && !strstr(all, of)) append(w->arena, &all, of);
    }
    found->differing = *all ? gb_arena_printf(w->arena, "Differing: %s.", all) : "";
}

/* The devices with a rate that cannot be divided by something, of which no data sheet is known. */
static const char *without(const words *w, unsigned per)
{
    const gb_generation *found = w->found;
    const char *names = "";
    for (size_t p = 0; p < found->point_count; p++) {
        const gb_generation_point *point = &found->points[p];
        const double value = per == GB_PER_BANDWIDTH ? point->per_bandwidth : point->per_sm_cycle;
        if (!found->query->lines[point->line].over && !(value > 0))
            gb_generation_name(w->arena, &names, found->devices[point->device].label);
    }
    return names;
}

static void put_unnormalised(words *w)
{
    static const struct {
        unsigned per;
        const char *what;
    } kinds[] = {{GB_PER_BANDWIDTH, "bandwidth"}, {GB_PER_SM_CYCLE, "multiprocessors or clock"}};
    const char *text = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *names = w->found->query->per & kinds[i].per ? without(w, kinds[i].per) : "";
        if (*names)
            text = gb_arena_printf(w->arena, "%s%sNo data sheet here states the %s of: %s.", text,
                                   *text ? " " : "", kinds[i].what, names);
    }
    w->found->unnormalised = text;
}

static void put_unit(words *w)
{
    for (size_t p = w->found->point_count; p-- > 0;) {
        const gb_generation_point *point = &w->found->points[p];
        const char *unit = point->row->unit;
        const size_t length = strcspn(unit, "/");
        if (!w->found->query->lines[point->line].over && *unit)
            w->found->unit = gb_arena_strndup(w->arena, unit, length);
    }
}

static void put_left_out(words *w, const char *too_far, const char *lacking)
{
    const char *text = "";
    if (*too_far)
        text =
            gb_arena_printf(w->arena, "Left out, for their %s is more than %d times another: %s.",
                            w->found->query->near_axis, GB_GENERATION_FACTOR, too_far);
    if (*lacking)
        text =
            gb_arena_printf(w->arena, "%s%sLeft out, for an axis is missing in their results: %s.",
                            text, *text ? " " : "", lacking);
    w->found->left_out = text;
}

void gb_generation_put_words(gb_arena *arena, gb_generation *found, const gb_table_layout *layout,
                             const char *too_far, const char *lacking)
{
    words w = {.arena = arena, .found = found, .layout = layout};
    find_open(&w);
    put_held(&w);
    put_differences(&w);
    put_unnormalised(&w);
    put_unit(&w);
    put_left_out(&w, too_far, lacking);
}
