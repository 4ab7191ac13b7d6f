# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'a series may begin with a failure' bench/claims_test.c 'is_begun = true;' 'is_begun = count > 0;' test_claims
guard 'half of the points are not most' bench/claims_test.c \
    '2 * r->holding > r->point_count' '2 * r->holding >= r->point_count' test_claims
guard 'a list of variants is one point' bench/claims_test.c 'if (first) return first == row;' 'if (first) return true;' test_claims
guard 'a P1000 is no P100' bench/claims_test.c '!isalnum((unsigned char)at[length])' 'true' test_claims
guard 'cold caches are another matter' bench/claims_test.c 'strcmp(row->cache, t->cache) != 0' 'false' test_claims
guard 'times of the simt device say nothing' bench/claims_test.c 'result.set->simt && !is_share(claim)' 'false' claims.sh
guard 'a speed-up is over the baseline' bench/claims_test.c \
    'return speedup ? (*row)->rate / (*other)->rate' 'return speedup ? (*other)->rate / (*row)->rate' claims.sh
guard 'devices are judged apart' bench/claims_test.c 'strcmp(row->device, t->device) != 0' 'false' test_claims
guard 'axes of terms exist' bench/claims_read.c 'if (!has_axis(r, term->axis))' 'if (false)' test_claims_mistakes
guard 'order is of numbers' bench/claims_read.c '!is_number(term->values))' 'false)' test_claims_mistakes
guard 'a width is not negative' bench/claims_read.c 'c->within < 0' 'false' test_claims_mistakes
guard 'markup in names is text' bench/html.c 'fputs("&lt;", file);' 'fputs("<", file);' report.sh
guard 'quotes in names end no attribute' bench/html.c 'fputs("&quot;", file);' 'fputs("\"", file);' report.sh
guard 'ids of figures are there once' bench/html.c 'if (!takes(at, " id=\"gnuplot_")) return false;' 'return false;' report.sh
guard 'an SVG is one' bench/html.c 'if (text && !begin)' 'if (false)' report.sh
guard 'rows come back byte for byte' bench/html.c 'i + 2 < count ? digits[block & 63]' 'i + 3 < count ? digits[block & 63]' report.sh
guard 'links lead to sections that are there' bench/report_page.c \
    'const bool has = has_primitive(r, papers[p].primitive);' 'const bool has = true;' report.sh
guard 'a primitive takes no place of a section' bench/report_page.c \
    'put_primitive(r, set->primitive, set->primitive, false)' 'put_primitive(r, set->primitive, set->primitive, true)' report.sh
guard 'a page is replaced whole or not at all' bench/report.c \
    'bool good = !figures || draw(arena, paths, count, folder, error);' 'bool good = !figures || draw(arena, paths, count, folder, error) || true;' report.sh
if command -v chromium >/dev/null; then
    guard 'blanks of a block are filled' plots/report.js 'if (cell.textContent ===' 'if (false && cell.textContent ===' report_browser.sh
    guard 'a blank number is nobody else'"'"'s' bench/claims_print.c 'STUBS = 3' 'STUBS = 4' report_browser.sh
    guard 'numbers before words' plots/report.js 'if (kind(a) !== kind(b)) return' 'if (false) return' report_browser.sh
    guard 'Enter sorts' plots/report.js "event.key === 'Enter'" "event.key === 'Tab'" report_browser.sh
    guard 'units count' plots/report.js '(units[found[2]] || 1)' '1' report_browser.sh
fi
