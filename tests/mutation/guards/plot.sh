# shellcheck shell=bash
# Guards of figures: see tests/mutation/guards.sh.

guard 'no figure of a call replaces another' gb_plot_names_tell_apart 'if (size > 1) name_group(arena, group, size);' '' plot_mistakes.sh
guard 'text in an SVG is no markup' '*' 'size gb_wide,gb_high noenhanced' 'size gb_wide,gb_high enhanced' plot_text.sh
guard 'a label of a tic is no format' data:quoted "strchr(\"'%\", *at)" "strchr(\"'\", *at)" plot_text.sh
guard 'a default figure is drawn where nothing else is' gb_plot_is_needless '!f->items[i].fallback && f->items[i].drawn' 'false' plot_default.sh
guard 'axes that follow another are not held' default:follow 'if (*value && strcmp(*value, c->rows[i]->axis[axis]) != 0) return false;' 'return false;' plot_default.sh
guard 'letters are no two alike' '*' 'set linetype gb_k pt (gb_k < 12 ? gb_k : gb_k + 1)' 'set linetype gb_k pt 1' plot_terminal.sh
guard 'a figure in characters is as large as the screen' gb_plot_screen 'if (columns == 0) columns = COLUMNS;' 'columns = COLUMNS;' plot_terminal.sh
guard 'what does not fit on it is said' gb_plot_draw '!is_unfit(arena, drawn, error) &&' '' plot_terminal.sh
guard 'what could be drawn in a file needs no default' draw_figures 'f->drawn = true;' 'f->drawn = false;' plot_terminal.sh
guard 'no form feed reaches the terminal' take_feed 'if (feed) memmove(feed, feed + 1, strlen(feed));' '' plot_terminal.sh
