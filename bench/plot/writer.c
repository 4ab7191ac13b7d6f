/* Writing the files of a figure. */
#include "bench/plot/writer.h"

#include "bench/plot/gnuplot.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

FILE *gb_plot_create(gb_plot_writer *w, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) gb_fail(w->error, GB_WRONG, "cannot write %s: %s", path, strerror(errno));
    return file;
}

bool gb_plot_finish(gb_plot_writer *w, FILE *file, const char *path)
{
    bool ok = !ferror(file);
    ok = fclose(file) == 0 && ok;
    if (!ok) gb_fail(w->error, GB_WRONG, "cannot write %s: %s", path, strerror(errno));
    return ok;
}

/* name = "text", as gnuplot reads it. It would run what stands between backquotes and expand @name,
 * so those stand there as octal digits, of which it reads as many as follow: hence the new string
 * behind them. */
void gb_plot_put_text(gb_plot_writer *w, const char *name, const char *text)
{
    FILE *file = w->gp;
    fprintf(file, "%s = \"", name);
    for (; *text; text++) {
        if (iscntrl((unsigned char)*text) || *text == '`' || *text == '@')
            fprintf(file, "\\%03o\".\"", (unsigned char)*text);
        else
            fprintf(file, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputs("\"\n", file);
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
    gb_plot_put_text(w, "gb_title", w->script->title);
    gb_plot_put_text(w, "gb_subtitle", subtitle);
    gb_plot_put_text(w, "gb_note", note);
    gb_plot_put_text(w, "gb_many", w->script->many ? w->script->many : "");
}
