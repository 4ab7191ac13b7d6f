/* Writing the files of a figure. */
#include "bench/plot/writer.h"

#include "bench/plot/gnuplot.h"
#include "common/text/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void refuse(gb_plot_writer *w, const char *path, int reason)
{
    char limit[GB_LIMIT_TEXT];
    gb_fail(w->error, GB_WRONG, "cannot write %s: %s%s", path, strerror(reason),
            gb_limit_behind(reason, limit));
}

FILE *gb_plot_create(gb_plot_writer *w, const char *path)
{
    /* Kept data lies in a folder that others may have put something into: no link or device is
     * written through. */
    const int fd =
        open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    struct stat info;
    FILE *file = NULL;
    errno = fd >= 0 ? EINVAL : errno;
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) file = fdopen(fd, "w");
    if (fd >= 0 && !file) close(fd);
    if (!file) refuse(w, path, errno);
    return file;
}

bool gb_plot_finish(gb_plot_writer *w, FILE *file, const char *path)
{
    bool ok = !ferror(file);
    ok = fclose(file) == 0 && ok;
    if (!ok) refuse(w, path, errno);
    return ok;
}

void gb_plot_put_text(gb_plot_writer *w, const char *name, const char *text)
{
    fprintf(w->gp, "%s = %s\n", name, gb_gnuplot_text(w->b.arena, text));
}

void gb_plot_put_path(gb_plot_writer *w, const char *name, const char *path)
{
    gb_plot_put_text(w, name, gb_gnuplot_path(w->b.arena, path));
}

const char *gb_plot_element(gb_plot_writer *w, const char *array, size_t number)
{
    return gb_arena_printf(w->b.arena, "%s[%zu]", array, number);
}

void gb_plot_assume(gb_plot_writer *w, const char *text)
{
    if (!text || !*text || strstr(w->assumed, text)) return;
    w->assumed = gb_arena_printf(w->b.arena, "%s%s%s", w->assumed, *w->assumed ? "; " : "", text);
}

void gb_plot_put_target(gb_plot_writer *w, const gb_plot_target *target, const char *subtitle,
                        const char *note)
{
    gb_plot_put_text(w, "gb_format", target->format);
    gb_plot_put_path(w, "gb_output", target->output);
    gb_plot_put_path(w, "gb_common", target->common);
    fprintf(w->gp, "gb_columns = %d\ngb_lines = %d\ngb_colour = %d\n", target->columns,
            target->lines, target->colour);
    fprintf(w->gp, "gb_print_wide = %g\n", target->print_wide);
    fprintf(w->gp, "gb_titled = %d\n", !target->untitled && target->print_wide == 0);
    gb_plot_put_text(w, "gb_title", w->script->title);
    gb_plot_put_text(w, "gb_subtitle", subtitle);
    gb_plot_put_text(w, "gb_note", note);
    gb_plot_put_text(w, "gb_many", w->script->many ? w->script->many : "");
}
