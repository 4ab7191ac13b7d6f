# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'a list of variants is one point' is_first_at 'if (first) return first == row;' 'if (first) return true;' test_claims
guard 'a P1000 is no P100' is_device '!isalnum((unsigned char)at[length])' 'true' test_claims
guard 'cold caches are another matter' 'claims*points:is_meant' 'strcmp(row->cache, f->cache) != 0' 'false' test_claims
guard 'devices are judged apart' 'claims*points:is_meant' 'strcmp(row->device, f->device) != 0' 'false' test_claims
guard 'one sample is no evidence' interval_of 'if (p->why || p->mean_count < 2) return false;' 'if (p->mean_count < 2) return false;' test_claims
guard 'blocks that begin as fast as they can are no evidence' look_for_artefact \
    'if (gb_row_begins_blocks(a) && gb_row_begins_blocks(b))' 'if (false)' test_claims
guard 'one at that limit is' look_for_artefact \
    'if (gb_row_begins_blocks(a) && gb_row_begins_blocks(b))' 'if (gb_row_begins_blocks(a) || gb_row_begins_blocks(b))' test_claims
guard 'an interval that is too narrow is widened' gb_cost_of_row 'half *= 2;' '' test_claims
guard 'runs differ by more than samples' interval_of \
    'fmin(ratio.lo, p->value / (1 + p->noise))' 'ratio.lo' test_claims
guard 'a point of many is held to more' evidence_at 'alpha / (double)tests' 'alpha' test_claims
guard 'a share has an interval' decide_most 'if (lo > 0.5) return GB_CLAIM_HOLDS;' \
    'if (2 * r->holding > n) return GB_CLAIM_HOLDS;' test_claims
guard 'what is unsure counts against both' decide_most 'n - r->failing, n, alpha' 'r->holding, n, alpha' test_claims
guard 'a trend has a p value' evidence_at 'p_of_trend(p, wants_up) <= tail / 2' 'p->value > 0' test_claims
guard 'pairs that may be of either order are of none' find_trend 'least += order > 0 ? 1 : -1;' 'least += order >= 0 ? 1 : -1;' test_claims
guard 'a series is judged whole' claims/points:series_of \
    's->rows[s->count++] = &f->set->rows[i];' 'if (s->count < 256) s->rows[s->count++] = &f->set->rows[i];' test_claims
guard 'devices are held against one another along the axis of the claim' find_devices \
    'f->claim->along ? gb_result_axis(f->set, f->claim->along) : -1' 'gb_result_axis(f->set, "radius")' test_claims
guard 'what is not decided is not refuted' decide_each \
    'if ((all ? r->holding : r->failing) == n)' 'if (true)' test_claims
guard 'what a paper says of another device is not judged here' 'claims*judge:by_class' \
    'gb_claim_names_device(claim->device, model) ? verdict' 'true ? verdict' test_claims
guard 'a construction that fails is a mistake' 'claims*judge:by_class' \
    'verdict == GB_CLAIM_HOLDS ? GB_CLAIM_BY_CONSTRUCTION : verdict' 'GB_CLAIM_BY_CONSTRUCTION' test_claims
guard 'the best over an axis is one row' 'claims*points:is_meant' \
    'if (over >= 0 && strcmp(row->axis[over], gb_best) != 0) return false;' '' test_claims
guard 'times of the simt device say nothing' gb_claim_test 'result.set->simt && !statuses' 'false' claims.sh
guard 'a speed-up is over the baseline' 'claims*points:measure' \
    'm.row->rate / (m.over ? m.over->rate : 1)' '(m.over ? m.over->rate : 1) / m.row->rate' test_claims
guard 'axes of terms exist' 'claims*read:read_where' 'if (!has_axis(r, claim->where.items[i].name))' 'if (false)' test_claims_mistakes
guard 'a trend is up or down' read_condition 'c->value != 0 ||' '' test_claims_mistakes
guard 'a width is not negative' read_condition 'c->within < 0' 'false' test_claims_mistakes
guard 'markup in names is text' gb_html_text 'fputs("&lt;", file);' 'fputs("<", file);' report.sh
guard 'quotes in names end no attribute' gb_html_text 'fputs("&quot;", file);' 'fputs("\"", file);' report.sh
guard 'an SVG is one' gb_svg_read 'if (text && !good)' 'if (false)' report.sh
guard 'rows come back byte for byte' put_base64 'i + 2 < count ? digits[block & 63]' 'i + 3 < count ? digits[block & 63]' report.sh
guard 'experiments stand with one paper' add_section '!paper || first_about(r, primitive) == paper' 'true' report.sh
guard 'a paper has a section without a title' gb_papers_load 'return take_papers(arena, papers, error);' 'papers->count = 0; return take_papers(arena, papers, error);' report.sh
guard 'titles are in their order' take_paper 'papers->items[at] = paper;' 'papers->items[from] = paper;' report.sh
guard 'a page is replaced whole or not at all' report:make \
    'bool good = !figures || gb_report_draw(arena, paths, count, &drawings, error);' 'bool good = !figures || gb_report_draw(arena, paths, count, &drawings, error) || true;' report.sh
if command -v chromium >/dev/null; then
    guard 'blanks of a block are filled' 'report.js:*' 'if (cell.textContent ===' 'if (false && cell.textContent ===' report_browser.sh
    guard 'a blank number is nobody else'"'"'s' 'claims*print:STUBS' 'STUBS = 3' 'STUBS = 4' report_browser.sh
    guard 'numbers before words' 'report.js:*' 'if (kind(a) !== kind(b)) return' 'if (false) return' report_browser.sh
    guard 'Enter sorts' 'report.js:*' "event.key === 'Enter'" "event.key === 'Tab'" report_browser.sh
    guard 'units count' 'report.js:*' '(units[found[2]] || 1)' '1' report_browser.sh
fi
