# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'a list of variants is one point' bench/claims_points.c 'if (first) return first == row;' 'if (first) return true;' test_claims
guard 'a P1000 is no P100' bench/claims_points.c '!isalnum((unsigned char)at[length])' 'true' test_claims
guard 'cold caches are another matter' bench/claims_points.c 'strcmp(row->cache, f->cache) != 0' 'false' test_claims
guard 'devices are judged apart' bench/claims_points.c 'strcmp(row->device, f->device) != 0' 'false' test_claims
guard 'one sample is no evidence' bench/claims_judge.c 'if (p->why || p->mean_count < 2) return false;' 'if (p->mean_count < 2) return false;' test_claims
guard 'blocks that begin as fast as they can are no evidence' bench/claims_points.c \
    'if (is_bound_by_blocks(a) && is_bound_by_blocks(b))' 'if (false)' test_claims
guard 'one at that limit is' bench/claims_points.c \
    'if (is_bound_by_blocks(a) && is_bound_by_blocks(b))' 'if (is_bound_by_blocks(a) || is_bound_by_blocks(b))' test_claims
guard 'an interval that is too narrow is widened' bench/row_ratio.c 'half *= 2;' '' test_claims
guard 'runs differ by more than samples' bench/claims_judge.c \
    'fmin(ratio.lo, p->value / (1 + p->noise))' 'ratio.lo' test_claims
guard 'a point of many is held to more' bench/claims_judge.c 'alpha / (double)tests' 'alpha' test_claims
guard 'a share has an interval' bench/claims_judge.c 'if (lo > 0.5) return GB_CLAIM_HOLDS;' \
    'if (2 * r->holding > n) return GB_CLAIM_HOLDS;' test_claims
guard 'what is unsure counts against both' bench/claims_judge.c 'n - r->failing, n, alpha' 'r->holding, n, alpha' test_claims
guard 'a trend has a p value' bench/claims_judge.c 'p_of_trend(p, wants_up) <= tail / 2' 'p->value > 0' test_claims
guard 'pairs that may be of either order are of none' bench/claims_points.c 'least += order > 0 ? 1 : -1;' 'least += order >= 0 ? 1 : -1;' test_claims
guard 'a series is judged whole' bench/claims_points.c \
    's->rows[s->count++] = &f->set->rows[i];' 'if (s->count < 256) s->rows[s->count++] = &f->set->rows[i];' test_claims
guard 'devices are held against one another along the axis of the claim' bench/claims_points.c \
    'f->claim->along ? gb_result_axis(f->set, f->claim->along) : -1' 'gb_result_axis(f->set, "radius")' test_claims
guard 'what is not decided is not refuted' bench/claims_judge.c \
    'if ((all ? r->holding : r->failing) == n)' 'if (true)' test_claims
guard 'what a paper says of another device is not judged here' bench/claims_judge.c \
    'gb_claim_names_device(claim->device, device) ? verdict' 'true ? verdict' test_claims
guard 'a construction that fails is a mistake' bench/claims_judge.c \
    'verdict == GB_CLAIM_HOLDS ? GB_CLAIM_BY_CONSTRUCTION : verdict' 'GB_CLAIM_BY_CONSTRUCTION' test_claims
guard 'the best over an axis is one row' bench/claims_points.c \
    'if (over >= 0 && strcmp(row->axis[over], gb_best) != 0) return false;' '' test_claims
guard 'times of the simt device say nothing' bench/claims_judge.c 'result.set->simt && !statuses' 'false' claims.sh
guard 'a speed-up is over the baseline' bench/claims_points.c \
    'm.row->rate / (m.over ? m.over->rate : 1)' '(m.over ? m.over->rate : 1) / m.row->rate' test_claims
guard 'axes of terms exist' bench/claims_read.c 'if (!has_axis(r, claim->where.items[i].name))' 'if (false)' test_claims_mistakes
guard 'a trend is up or down' bench/claims_read.c 'c->value != 0 ||' '' test_claims_mistakes
guard 'a width is not negative' bench/claims_read.c 'c->within < 0' 'false' test_claims_mistakes
guard 'markup in names is text' bench/html.c 'fputs("&lt;", file);' 'fputs("<", file);' report.sh
guard 'quotes in names end no attribute' bench/html.c 'fputs("&quot;", file);' 'fputs("\"", file);' report.sh
guard 'ids of figures are there once' bench/html.c 'if (!takes(at, " id=\"gnuplot_")) return false;' 'return false;' report.sh
guard 'an SVG is one' bench/html.c 'if (text && !begin)' 'if (false)' report.sh
guard 'rows come back byte for byte' bench/html.c 'i + 2 < count ? digits[block & 63]' 'i + 3 < count ? digits[block & 63]' report.sh
guard 'links lead to sections that are there' bench/report_page.c \
    'const bool has = has_primitive(r, paper->primitive) && has_link(paper);' 'const bool has = has_link(paper);' report.sh
guard 'a paper takes no place of a section' bench/report_page.c \
    'if (strcmp(own_ids[i], paper->name) == 0) return false;' '' report.sh
guard 'a name that is no id is none' bench/report_page.c 'return !gb_name_mistake(paper->name);' 'return true;' report.sh
guard 'experiments stand with one paper' bench/report_page.c 'first_about(r, paper->primitive) == paper && ' '' report.sh
guard 'a paper has a section without a title' bench/papers.c 'return take_titles(arena, papers, error);' 'papers->count = 0; return take_titles(arena, papers, error);' report.sh
guard 'titles are in their order' bench/papers.c 'papers->items[at] = paper;' 'papers->items[from] = paper;' report.sh
guard 'a page is replaced whole or not at all' bench/report.c \
    'bool good = !figures || draw(arena, paths, count, folder, error);' 'bool good = !figures || draw(arena, paths, count, folder, error) || true;' report.sh
if command -v chromium >/dev/null; then
    guard 'blanks of a block are filled' plots/report.js 'if (cell.textContent ===' 'if (false && cell.textContent ===' report_browser.sh
    guard 'a blank number is nobody else'"'"'s' bench/claims_print.c 'STUBS = 3' 'STUBS = 4' report_browser.sh
    guard 'numbers before words' plots/report.js 'if (kind(a) !== kind(b)) return' 'if (false) return' report_browser.sh
    guard 'Enter sorts' plots/report.js "event.key === 'Enter'" "event.key === 'Tab'" report_browser.sh
    guard 'units count' plots/report.js '(units[found[2]] || 1)' '1' report_browser.sh
fi
