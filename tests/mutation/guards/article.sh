# shellcheck shell=bash
# What goes into a paper: text escaped, widths and heights kept, each part with its names and notes.
guard 'an underscore is text' latex_text:forms '{"_", "\\_", 400}' '{"_", "_", 400}' test_latex
guard 'a blank is as wide as between words' 'latex_text*:widths' '354, 295, 531, 885, 531, 885, 826' '295, 295, 531, 885, 531, 885, 826' test_latex
guard 'what is too wide for a column is a page' 'latex.c:fits' 'return false;' 'return true;' test_latex
guard 'what is too high goes on in a further float' rows_end 'trial.high + takes > GB_LATEX_HIGH' 'false' test_latex
guard 'a float has the notes that it has marks of' 'latex.c:note_row' 'w->noted[i] |= marks[i];' 'w->noted[i] = true;' test_latex
