# shellcheck shell=bash
# What goes into a paper: text escaped, widths and heights kept, each part with its names and notes.
guard 'an underscore is text' forms '{"_", "\\_", 400}' '{"_", "_", 400}' test_latex
guard 'a power is one exponent' take_superscript 'if (file) fprintf(file, "%d", digit);' 'if (file) fprintf(file, "%d}$$^{", digit);' test_latex
guard 'a blank is as wide as between words' 'latex_text*:widths' '354, 295, 531, 885, 531, 885, 826' '295, 295, 531, 885, 531, 885, 826' test_latex
guard 'an interval with words behind is no number' is_tail 'return is_marks(text);' 'return true;' test_latex
guard 'what is too wide for a column is a page' 'latex.c:fits' 'return false;' 'return true;' test_latex
guard 'a table in parts has each of its columns' last_that_fits '<= most))' '<= 1e9))' test_latex
guard 'what is too high goes on in a further float' rows_end 'trial.high + takes > GB_LATEX_HIGH' 'false' test_latex
guard 'a torn block says its name again' put_first_row 'cells[c] = panel->rows[above - 1][c];' '(void)above;' test_latex
guard 'a float has the notes that it has marks of' 'latex.c:note_row' 'w->noted[i] |= marks[i];' 'w->noted[i] = true;' test_latex
guard 'the width asked for is that of a paper' gb_command_table 'c.format->item != put_latex' 'false' table.sh
