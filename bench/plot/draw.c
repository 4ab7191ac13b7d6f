/* Drawing a figure, and believing it only when it is whole. */
#include "bench/plot/draw.h"

#include "bench/plot/gnuplot.h"
#include "bench/util/replace.h"
#include "common/text/file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FIGURE = 1 << 30 };

static const struct {
    const char *format, *begin, *end;
    size_t begin_size, end_size;
} frames[] = {
#define FRAME(format, begin, end)                              \
    {                                                          \
        format, begin, end, sizeof(begin) - 1, sizeof(end) - 1 \
    }
    FRAME("svg", "<?xml", "</svg>"),
    FRAME("pdf", "%PDF-", "%%EOF"),
    FRAME("eps", "%!PS", "%%EOF"),
    FRAME("png", "\x89PNG\r\n\x1a\n", "IEND\xae\x42\x60\x82"),
#undef FRAME
};

/* Pages of so many lines each, at least one. */
static bool has_pages(int lines, const char *text)
{
    int count = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        count++;
    return count > 0 && lines > 0 && count % lines == 0;
}

bool gb_plot_is_whole(const char *format, int lines, const char *text, size_t size)
{
    if (strcmp(format, "dumb") == 0) return has_pages(lines, text);
    while (size > 0 && strchr(" \t\r\n", text[size - 1]) && text[size - 1])
        size--;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        if (strcmp(frames[i].format, format) != 0) continue;
        return size >= frames[i].begin_size + frames[i].end_size &&
               memcmp(text, frames[i].begin, frames[i].begin_size) == 0 &&
               memcmp(text + size - frames[i].end_size, frames[i].end, frames[i].end_size) == 0;
    }
    return false;
}

/* Whether the script found that the figure does not fit on the screen, which it writes into a file
 * beside what it would draw. */
static bool is_unfit(gb_arena *arena, const char *drawn, gb_error *error)
{
    enum { MOST_REASON = 1 << 10 };
    const char *path = gb_arena_printf(arena, "%s.unfit", drawn);
    size_t size;
    if (access(path, F_OK) != 0) return false;
    char *text = gb_file_read(path, "a reason", MOST_REASON, &size, GB_CRASHED, error);
    unlink(path);
    if (!text) return true;
    text[strcspn(text, "\n")] = '\0';
    gb_fail(error, GB_UNSUPPORTED, "%s", text);
    free(text);
    return true;
}

/* Reads what gnuplot drew and puts it in place. */
static bool take(const gb_plot_target *target, const char *script, const char *drawn,
                 gb_error *error)
{
    size_t size;
    if (access(drawn, F_OK) != 0) {
        gb_fail(error, GB_CRASHED,
                "gnuplot ended well and drew nothing: %s is to end with `eval gb_draw`", script);
        return false;
    }
    char *text = gb_file_read(drawn, "a figure", MOST_FIGURE, &size, GB_CRASHED, error);
    if (!text) return false;
    bool good = gb_plot_is_whole(target->format, target->lines, text, size);
    if (!good)
        gb_fail(
            error, GB_CRASHED,
            "gnuplot left %s cut, after %zu bytes, and said nothing: is that disk full? (TMPDIR "
            "names another place)",
            drawn, size);
    good = good && gb_files_replace(target->output, text, size, error);
    free(text);
    return good;
}

bool gb_plot_draw(gb_arena *arena, const char *folder, const char *script,
                  const gb_plot_target *target, gb_error *error)
{
    const char *drawn = gb_arena_printf(arena, "%s/drawn.%s", folder, target->format);
    const char *data = gb_arena_printf(arena, "%s/drawn.gp", folder);
    const char *text = gb_arena_printf(
        arena, "load %s\ngb_output = %s\n",
        gb_gnuplot_text(arena,
                        gb_gnuplot_path(arena, gb_arena_printf(arena, "%s/data.gp", folder))),
        gb_gnuplot_text(arena, gb_gnuplot_path(arena, drawn)));
    const bool good = gb_files_replace(data, text, strlen(text), error) &&
                      gb_gnuplot(arena, script, data, error) && !is_unfit(arena, drawn, error) &&
                      take(target, script, drawn, error);
    unlink(drawn);
    unlink(data);
    return good;
}
