# shellcheck shell=bash
# Guards of gpubench compare: what it finds, what it pairs, what it says of both.

# ---- statistics
guard 'exact ranks count pairs' common/stats_two.c 'of[v] = (v >= j ? of[v - j] : 0) + fewer[v];' 'of[v] = (v >= i ? of[v - i] : 0) + fewer[v];' test_stats_two
guard 'the exact test is two-sided' common/stats_two.c 'return 2 * tail < 1 ? 2 * tail : 1;' 'return tail;' test_stats_two
guard 'kept tails are those of these sizes' common/stats_two.c 'if ((last.a != a || last.b != b) &&' 'if (last.a != a &&' test_stats_two
guard 'ties count by half' common/stats_two.c '(double)below + (double)equal / 2' '(double)below + (double)equal' test_stats_two
guard 'ties make the variance smaller' common/stats_two.c '(both + 1 - ties / (both * (both - 1)))' '(both + 1)' test_stats_two
guard 'the approximation is corrected for continuity' common/stats_two.c '(fabs(u - m * n / 2) - 0.5)' '(fabs(u - m * n / 2))' test_stats_two
guard 'a ratio is as unsure as both' common/stats_two.c 'of_below = ratio * ratio * below->variance' 'of_below = 0 * below->variance' test_stats_two
guard 'degrees of freedom are those of both' common/stats_two.c 'parts += of_below / sum * (of_below / sum) / below->df' 'parts += 0' test_stats_two
guard "Fieller's interval is not symmetric" common/stats_two.c 'result.hi = (ratio + root) / (1 - g);' 'result.hi = ratio + root;' test_stats_two
guard 'no interval where nothing is sure' common/stats_two.c 'if (!(g < 1)) return result;' '' test_stats_two
guard 'Holm steps down' common/stats_two.c '(double)(count - i);' '(double)count;' test_stats_two
guard 'Holm keeps the order' common/stats_two.c 'if (adjusted < least) adjusted = least;' '' test_stats_two

# ---- which rows belong together
guard 'axes meet by their names' bench/compare_join.c 'key.axis[a] = row->axis[gb_result_axis(from, to->axes[a])];' 'key.axis[a] = row->axis[a];' compare.sh
guard "a partner's samples are found by its own axes" bench/compare_judge.c 'gb_side_samples(j->sides, pair->set_b, b)' 'gb_side_samples(j->sides, pair->set, b)' compare.sh
guard 'a row has one partner' bench/compare_join.c 'if (!row || taken[row - of_b->rows] || !is_chosen(j, of_b, row)) continue;' 'if (!row || !is_chosen(j, of_b, row)) continue;' compare.sh
guard 'what was not chosen is no partner' bench/compare_join.c 'if (!row || taken[row - of_b->rows] || !is_chosen(j, of_b, row)) continue;' 'if (!row || taken[row - of_b->rows]) continue;' compare.sh
guard 'the CPU stand-in meets no GPU' bench/compare_join.c 'if (of_a->simt == of_b->simt) match = of_b;' 'match = of_b;' compare.sh
guard 'what broke counts' bench/compare_join.c 'c->broken += has_value(a) && b->status != GB_UNSUPPORTED;' '' compare.sh
guard 'what is unsupported broke nothing' bench/compare_join.c 'c->broken += has_value(a) && b->status != GB_UNSUPPORTED;' 'c->broken += has_value(a);' compare.sh
guard "a paper's best is that of its variants" bench/compare_join.c 'return strcmp(printed->variant, gb_best) == 0 && gb_text_lists(printed->baseline, row->variant);' 'return strcmp(printed->variant, gb_best) == 0;' compare.sh
guard 'speed-ups are no rates' bench/compare_join.c 'if (strcmp(printed->quantity, "speedup") == 0) {' 'if (false) {' compare.sh

# ---- verdicts
guard 'FASTER has to be sure' bench/compare_judge.c 'if (sure && r->lo > 1 && r->value >= above) return GB_FASTER;' 'if (r->value >= above) return GB_FASTER;' compare.sh
guard 'SLOWER has to pass the corrected test' bench/compare_judge.c 'const bool sure = !pair->tested || pair->p_holm < j->how->alpha;' 'const bool sure = true;' compare.sh
guard 'a difference has to matter' bench/compare_judge.c 'if (sure && r->hi < 1 && r->value <= below) return GB_SLOWER;' 'if (sure && r->hi < 1) return GB_SLOWER;' compare.sh
guard 'a lack of evidence is not the SAME' bench/compare_judge.c 'return r->lo >= below && r->hi <= above ? GB_SAME : GB_UNCLEAR;' 'return GB_SAME;' compare.sh
guard "either device's noise counts" bench/compare_judge.c 'const gb_result_row *rows[] = {pair->a, pair->b};' 'const gb_result_row *rows[] = {pair->a, pair->a};' compare.sh
guard 'a view divides what is tested' bench/compare_judge.c 'scaled[i] = of_b[i] / factor;' 'scaled[i] = of_b[i];' compare.sh
guard 'a clock is no change of clocks when read again' bench/compare_judge.c 'smallest_clock_change = 0.02;' 'smallest_clock_change = 0.001;' compare.sh
guard 'what a data sheet says is told' bench/compare_judge.c 'j->c->said_by |= (of_a ? 1u : 0u) | (of_b ? 2u : 0u);' '' compare.sh

# ---- noise
guard 'a variant has its own noise' bench/noise.c 'if (is_variant(c, row)) return c;' '' test_noise
guard "... and nobody else's" bench/noise.c 'if (!*c->variant && (!best ||' 'if ((!best ||' test_noise
guard 'the nearest decade' bench/noise.c 'abs(c->decade - decade) < abs(best->decade - decade)' 'abs(c->decade - decade) > abs(best->decade - decade)' test_noise
guard 'a noisy variant stands apart' bench/noise.c 'own_class = 3;' 'own_class = 300;' test_noise
guard '... and out of the others' bench/noise.c 'if (!apart) add_to(&others,' 'add_to(&others,' test_noise
guard 'a floor is what 99 % stay below' bench/noise.c 'h->class.floor = part_below(h->differences, count, 0.99);' 'h->class.floor = part_below(h->differences, count, 0.9);' test_noise
guard 'noise of another schema is not taken' bench/noise.c 'if (strcmp(gb_csv_field(csv, row, "schema"), "1") != 0) {' 'if (false) {' test_noise
guard 'pairs with few samples are not counted' bench/run_aa.c 'if (!has_enough_samples(pair)) {' 'if (false) {' compare.sh

# ---- samples
guard 'a gap in the samples' bench/samples_file.c 'if (number != (double)last->count) {' 'if (false) {' test_samples_file
guard 'the last of duplicates' bench/samples_file.c 'i + 1; /* the last counts */' '*slot_of(file, file->groups[i].begin, file->groups[i].length) ? *slot_of(file, file->groups[i].begin, file->groups[i].length) : i + 1;' test_samples_file
guard 'all samples or none' bench/samples_file.c 'return g->count == row->samples ? file->values + g->first : NULL;' 'return file->values + g->first;' test_samples_file
guard 'digits beyond those of a double' bench/samples_file.c 'seen <= 15 && behind <= 15' 'seen <= 19 && behind <= 15' test_samples_file
guard 'a torn line is none' bench/samples_file.c 'if (!feed) break; /* torn */' 'if (!feed) feed = end;' test_samples_file
guard 'all experiments of a paper are looked through' bench/compare_join.c 'sets[count++] = derived;' 'if (count < 64) sets[count++] = derived;' compare.sh
guard 'words of --format are those of the table' bench/exporter.c '&exporters->name, sizeof *exporters' '&exporters[1].name, sizeof *exporters' test_exporter
