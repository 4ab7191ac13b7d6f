# shellcheck shell=bash
# Guards of what figures draw and say: see tests/mutation/guards.sh.

guard 'speed-ups have intervals' series:put_row 'put_number(file, speedup->hi > 0, speedup->lo);' 'put_number(file, false, 0);' plot_marks.sh
guard 'an interval ends above 0' put_interval 'lo > 0 ? lo : 1e-9 * value' 'lo' plot_marks.sh
guard 'what a script leaves out is not drawn' choose_series 'w->styles[s] = !left && is_drawn(w, s);' 'w->styles[s] = is_drawn(w, s);' plot_marks.sh
guard 'seven series at most' give_styles 'used + next >= most' 'used + next >= 99' plot_marks.sh
guard 'devices have panels' split_devices 'if (count_variants(w) < 2 && slice->device_count <= GB_PLOT_MOST_SERIES) return;' 'return;' plot_marks.sh
guard 'many devices are no colours' split_devices '&& slice->device_count <= GB_PLOT_MOST_SERIES' '' plot_marks.sh
guard 'a variant looks the same on all devices' style_before 'k < series && w->by_device' 'k < 0' plot_marks.sh
guard 'few values are known' gb_plot_keep_drawn_panels 'w->few = most > 0 && most < LEAST_CURVE;' 'w->few = false;' plot_marks.sh
guard 'a panel of few values is left out' least_points 'return LEAST_CURVE;' 'return several;' plot_marks.sh
guard 'hidden curves are known' depth_of 'if (here > depth) depth = here;' '' plot_marks.sh
guard 'sizes of one kind make no jump' is_jump 'return (tens && twos && !high_tens) || (low_twos && high_tens);' 'return true;' plot_marks.sh
guard 'sizes of two kinds make one' is_jump 'high > low * nearest_size' 'true' plot_marks.sh
guard 'what another device has is missing' style_in 'style = w->styles[k];' '' plot_marks.sh
guard 'a gap has its reason' keep_reason 'if (strstr(w->gaps, text) ||' 'if (true ||' plot_marks.sh
guard 'a dump has as many series as are told apart' label_tables 'if (most <= GB_PLOT_MOST_SERIES) return true;' 'return true;' dump.sh
guard 'experiments are in captions' data:subtitle_of 'w->b.set->published ? "" : w->b.set->experiment' '""' plot_marks.sh
