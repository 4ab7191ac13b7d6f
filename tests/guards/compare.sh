# shellcheck shell=bash
# shellcheck disable=SC2016 # these are lines of C
# ---- comparing --------------------------------------------------------------------------------------
guard 'ties are corrected for' common/stats_two.c 'ties += t * t * t - t;' '' test_stats_two
guard 'many tests are one family' common/stats_two.c '* (double)(count - i);' '* 1;' test_stats_two
guard 'adjusted values ascend' common/stats_two.c 'if (adjusted < least) adjusted = least;' '' test_stats_two
guard 'the divisor is unsure, too' common/stats_two.c 'of_below = ratio * ratio * below->variance;' 'of_below = 0;' test_stats_two
guard 'a row has one partner' bench/compare_join.c 'if (!row || taken[row - of_b->rows]) continue;' 'if (!row) continue;' compare.sh
guard 'what failed is no partner' bench/compare_join.c 'return row->status == GB_OK && (row->rate > 0 || row->time_s > 0);' 'return true;' compare.sh
guard 'simt stays apart' bench/compare_join.c 'if (of_a->simt == of_b->simt) match = of_b;' 'match = of_b;' compare.sh
guard 'small differences do not matter' bench/compare_judge.c 'if (sure && r->lo > 1 && r->value >= above) return GB_FASTER;' 'if (sure && r->lo > 1) return GB_FASTER;' compare.sh
guard 'chance is ruled out' bench/compare_judge.c 'const bool sure = !pair->tested || pair->p_holm < j->how->alpha;' 'const bool sure = true;' compare.sh
guard 'noise counts' bench/compare_judge.c 'if (noise && noise->floor > effect) effect = noise->floor;' '' compare.sh
guard 'a noisy variant has a class of its own' bench/noise.c 'if (h->class.floor <= own_class * usual_floor(&variants, h)) continue;' 'continue;' test_noise
guard 'so many samples as the row says' bench/samples_file.c 'return g->count == row->samples ? file->values + g->first : NULL;' 'return file->values + g->first;' test_noise
