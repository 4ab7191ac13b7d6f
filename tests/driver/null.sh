#!/bin/bash
# test: fast 5
# The instrument measured by itself, as a user does it on the simt device: the config, its table and
# figures, the check, and what `gpubench info` says.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root # wherever BUILD is

# rows PATTERN: how many rows of the result file match.
rows() { grep -cE -- "$1" out/null.csv; }

runs()
{
    "$gpubench" run "$root/configs/null.json" --device simt --out out || return 1
    # 5 points of 9 variants: 6 do without axes, 2 spin at 2 lengths, 2 copy 2 sizes and 1 starts as many blocks
    [ "$(wc -l <out/null.csv)" = 46 ] && [ "$(rows ',device,ok,')" = 16 ] &&
        [ "$(rows ',device,unsupported,')" = 29 ]
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
             END { print seen, bad + 0; exit !(seen == 16 && !bad) }' out/null.csv
}
check "rates are ns, bytes or runs a second, and a spin has 10^9 at most" rated
tabled() { "$gpubench" table out >table.txt && cat table.txt && grep -q "spin, host's clock" table.txt; }
check "its table" tabled
# Each part has the rows that its variants can run, and only those.
parted()
{
    awk '/^(Overheads|Spins|Copies|Blocks)/ { part = $1; sub(":", "", part) } /^[0-9]/ { rows[part]++; dashes += / -/ }
        END { print rows["Overheads"], rows["Spins"], rows["Copies"], rows["Blocks"], dashes + 0 }' table.txt >parts.txt
    cat parts.txt
    grep -qx '1 3 2 2 0' parts.txt
}
check "it comes in parts without empty rows" parted
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

# ---- gpubench info --------------------------------------------------------------------------------

# info_says STATUS PATTERN ARGUMENTS...: output in out.txt and err.txt; the pattern (fixed) in either.
info_says()
{
    local want=$1 pattern=$2 got=0
    shift 2
    "$gpubench" info "$@" >out.txt 2>err.txt || got=$?
    cat out.txt err.txt
    [ $got = "$want" ] && cat out.txt err.txt | grep -qF -- "$pattern"
}
check "info shows the instrument on the simt device" info_says 0 "A/A spread" --device simt
check "which measures all of it" sh -c '! grep "not measured" out.txt && grep "spin of 50 us  *error" out.txt'
check "and does not pass its times off as a GPU's" grep -q 'times of the CPU' out.txt
check "nor warns of them" sh -c '! grep warning err.txt'
check "info --json has it" info_says 0 '"aa_spread"' --device simt --json
check "with numbers raw and corrected" sh -c \
    'tr -d "\n\t " <out.txt | grep -qE "\"raw_s\":[0-9.e-]+,\"less_empty_s\":[0-9.e-]+,\"less_zero_s\":[0-9.e-]+,\"error\":-?[0-9.e-]+"'
check "a worker without the primitive: info says so" info_says 0 "this worker has no primitive null" \
    --worker "$root/tests/fixtures/worker.sh"
check "and shows the rest" grep -q 'SM clock' out.txt
check "in JSON as well" info_says 0 '"reason":	"this worker has no primitive null' \
    --worker "$root/tests/fixtures/worker.sh" --json
check "a good timer is not warned of" info_says 0 "error +0.000 %" --worker "'$BUILD/tests/driver/fake_null' plain"
check "by nothing" test ! -s err.txt
check "one that is 2 % off is" info_says 0 "the timer is 2 % off on a spin of 50 us, more than 0.5 %" \
    --worker "'$BUILD/tests/driver/fake_null' stretch"
check "a worker that dies of it: exit status 1" info_says 1 "not measured: the worker ended" \
    --worker "'$BUILD/tests/driver/fake_null' dies"
check "and what was measured before" grep -q 'spin of 1 ms  *error' out.txt
finish
