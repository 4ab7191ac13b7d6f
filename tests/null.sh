#!/bin/bash
# The instrument measured by itself, as a user does it on the simt device: the config, its table and
# figures, the check, and what `gpubench info` says.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench

# rows PATTERN: how many rows of the result file match.
rows() { grep -cE -- "$1" out/null.csv; }

runs()
{
    "$gpubench" run "$root/configs/null.json" --device simt --out out || return 1
    # 5 points of 8 variants: 6 do without axes, 2 spin at 2 lengths, 2 copy 2 sizes
    [ "$(wc -l <out/null.csv)" = 41 ] && [ "$(rows ',device,ok,')" = 14 ] &&
        [ "$(rows ',device,unsupported,')" = 26 ]
}
check "the quick config runs: every row is ok or has no meaning" runs
# A spin of 1 ms cannot take less, by whatever clock: no sample may be shorter.
never_short()
{
    awk -F, '$2 ~ /ns=1000000;/ { seen++; if ($NF < 1e-3 * 0.999) short++ }
             END { print seen, short + 0; exit !(seen == 10 && short == 0) }' out/null.samples.csv
}
check "no sample of a spin is shorter than the spin" never_short
rated()
{
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
             $at["status"] == "ok" && $at["unit"] == "ns or bytes or runs" {
                 seen++
                 want = $at["ns"] > 0 ? $at["ns"] : $at["bytes"] > 0 ? $at["bytes"] : 1
                 if ($at["items"] != want || $at["rate"] <= 0) bad++
                 if ($at["ns"] > 0 && $at["rate"] > 1.001e9) bad++
             }
             END { print seen, bad + 0; exit !(seen == 14 && !bad) }' out/null.csv
}
check "rates are ns, bytes or runs a second, and a spin has 10^9 at most" rated
tabled() { "$gpubench" table out >table.txt && cat table.txt && grep -q "spin, host's clock" table.txt; }
check "its table" tabled
if command -v gnuplot >/dev/null; then
    drawn()
    {
        "$gpubench" plot out --format svg && grep -q '0.5 %' out/null-timer.svg &&
            grep -q 'cudaMemcpyAsync' out/null-copy.svg
    }
    check "its figures" drawn
else
    skip "its figures" "gnuplot is not installed"
fi
finish
