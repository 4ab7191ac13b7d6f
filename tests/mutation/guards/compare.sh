# shellcheck shell=bash
# Guards of gpubench compare: what it finds, what it pairs, what it says of both.

# ---- statistics
guard 'exact ranks count pairs' make_tails 'of[v] = (v >= j ? of[v - j] : 0) + fewer[v];' 'of[v] = (v >= i ? of[v - i] : 0) + fewer[v];' test_stats_two
guard 'the exact test is two-sided' gb_mann_whitney 'return 2 * tail < 1 ? 2 * tail : 1;' 'return tail;' test_stats_two
guard 'kept tails are those of these sizes' 'stats*two:exact_tail' 'if ((last.a != a || last.b != b) &&' 'if (last.a != a &&' test_stats_two
guard 'ties count by half' gb_mann_whitney '(double)below + (double)equal / 2' '(double)below + (double)equal' test_stats_two
guard 'ties make the variance smaller' gb_mann_whitney '(both + 1 - ties / (both * (both - 1)))' '(both + 1)' test_stats_two
guard 'the approximation is corrected for continuity' gb_mann_whitney '(fabs(u - m * n / 2) - 0.5)' '(fabs(u - m * n / 2))' test_stats_two
guard 'a ratio is as unsure as both' gb_ratio_of_means_at 'ratio * ratio * below->variance' '0 * below->variance' test_stats_two
guard 'degrees of freedom are those of both' df_of 'parts += variances[i] / sum * (variances[i] / sum) / df[i];' 'parts += i == 0 ? variances[i] / sum * (variances[i] / sum) / df[i] : 0;' test_stats_two
guard "Fieller's interval is not symmetric" gb_ratio_of_means_at 'result.hi = (ratio + root) / (1 - g);' 'result.hi = ratio + root;' test_stats_two
guard 'no interval where nothing is sure' gb_ratio_of_means_at 'if (!(g < 1)) return checked(result);' '' test_stats_two
guard 'Holm steps down' gb_holm '(double)(count - i);' '(double)count;' test_stats_two
guard 'Holm keeps the order' gb_holm 'if (adjusted < least) adjusted = least;' '' test_stats_two

# ---- which rows belong together
guard 'axes meet by their names' key_in 'key.axis[a] = row->axis[gb_result_axis(from, to->axes[a])];' 'key.axis[a] = row->axis[a];' compare.sh
guard "a partner's samples are found by its own axes" 'compare*judge:measure_pair' 'gb_side_samples(j->sides, pair->set_b, b)' 'gb_side_samples(j->sides, pair->set, b)' compare.sh
guard 'a row has one partner' 'compare*join:find_other' 'if (!row || taken[row - of_b->rows] || !is_chosen(j, of_b, row)) continue;' 'if (!row || !is_chosen(j, of_b, row)) continue;' compare.sh
guard 'what was not chosen is no partner' 'compare*join:find_other' 'if (!row || taken[row - of_b->rows] || !is_chosen(j, of_b, row)) continue;' 'if (!row || taken[row - of_b->rows]) continue;' compare.sh
guard 'the CPU stand-in meets no GPU' join_measured_sides 'if (of_a->simt == of_b->simt) match = of_b;' 'match = of_b;' compare.sh
guard 'what broke counts' 'compare*join:add_pair' 'c->broken += has_value(a) && b->status != GB_UNSUPPORTED;' '' compare.sh
guard 'what is unsupported broke nothing' 'compare*join:add_pair' 'c->broken += has_value(a) && b->status != GB_UNSUPPORTED;' 'c->broken += has_value(a);' compare.sh
guard "a paper's best is that of its variants" 'compare*join:is_at' 'return strcmp(printed->variant, gb_best) == 0 && gb_text_lists(printed->baseline, row->variant);' 'return strcmp(printed->variant, gb_best) == 0;' compare.sh
guard 'speed-ups are no rates' join_printed 'if (strcmp(printed->quantity, "speedup") == 0) {' 'if (false) {' compare.sh

# ---- verdicts
guard 'FASTER has to be sure' 'compare*judge:verdict_of' 'if (sure && r->lo > 1 && r->value >= above) return GB_FASTER;' 'if (r->value >= above) return GB_FASTER;' compare.sh
guard 'SLOWER has to pass the corrected test' 'compare*judge:verdict_of' 'const bool sure = !pair->tested || pair->p_holm < j->how->alpha;' 'const bool sure = true;' compare.sh
guard 'a difference has to matter' 'compare*judge:verdict_of' 'if (sure && r->hi < 1 && r->value <= below) return GB_SLOWER;' 'if (sure && r->hi < 1) return GB_SLOWER;' compare.sh
guard 'a lack of evidence is not the SAME' 'compare*judge:verdict_of' 'return r->lo >= below && r->hi <= above ? GB_SAME : GB_UNCLEAR;' 'return GB_SAME;' compare.sh
guard "either device's noise counts" effect_of 'const gb_result_row *rows[] = {pair->a, pair->b};' 'const gb_result_row *rows[] = {pair->a, pair->a};' compare.sh
guard 'a view divides what is tested' 'compare*judge:measure_pair' 'scaled[i] = of_b[i] / factor;' 'scaled[i] = of_b[i];' compare.sh
guard 'a clock is no change of clocks when read again' smallest_clock_change 'smallest_clock_change = 0.02;' 'smallest_clock_change = 0.001;' compare.sh
guard 'what a data sheet says is told' view_factor 'j->c->said_by |= (of_a ? 1u : 0u) | (of_b ? 2u : 0u);' '' compare.sh

# ---- noise
guard 'a variant has its own noise' gb_noise_find 'if (is_variant(c, row)) return c;' '' test_noise
guard "... and nobody else's" gb_noise_find 'if (!*c->variant && (!best ||' 'if ((!best ||' test_noise
guard 'the nearest decade' gb_noise_find 'abs(c->decade - decade) < abs(best->decade - decade)' 'abs(c->decade - decade) > abs(best->decade - decade)' test_noise
guard 'a noisy variant stands apart' own_class 'own_class = 3;' 'own_class = 300;' test_noise
guard '... and out of the others' gb_noise_make 'if (!apart) add_to(&others,' 'add_to(&others,' test_noise
guard 'a floor is what 99 % stay below' noise:settle 'h->class.floor = gb_sorted_quantile(h->differences, count, 0.99);' 'h->class.floor = gb_sorted_quantile(h->differences, count, 0.9);' test_noise
guard 'noise of another schema is not taken' rows/noise:take_row 'if (strcmp(gb_csv_field(csv, row, "schema"), "1") != 0) {' 'if (false) {' test_noise
guard 'pairs with few samples are not counted' equal_runs:print 'if (!has_enough_samples(pair)) {' 'if (false) {' compare.sh

# ---- samples
guard 'a gap in the samples' rows/samples:take_line 'if (number != (double)last->count) {' 'if (false) {' test_samples_file
guard 'the last of duplicates' make_index 'i + 1; /* the last counts */' '*slot_of(file, file->groups[i].begin, file->groups[i].length) ? *slot_of(file, file->groups[i].begin, file->groups[i].length) : i + 1;' test_samples_file
guard 'all samples or none' gb_samples_of 'g->count == row->samples &&' '' test_samples_file
guard 'digits beyond those of a double' parse_seconds 'seen <= 15 && behind <= 15' 'seen <= 19 && behind <= 15' test_samples_file
guard 'all experiments of a paper are looked through' join_printed 'sets[count++] = derived;' 'if (count < 64) sets[count++] = derived;' compare.sh
guard 'words of --format are those of the table' gb_exporter_option '&exporters->name, sizeof *exporters' '&exporters[1].name, sizeof *exporters' test_exporter
