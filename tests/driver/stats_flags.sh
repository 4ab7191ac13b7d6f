#!/bin/bash
# test: fast
# From a worker's times to the user's eyes: each flag is in the result file, its warning names a remedy,
# tables mark the value, and the meta file says how wide an interval should be. Result files from
# before a flag existed are read as ever.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench

cat >flags.json <<'E2'
{"schema":1,"name":"flags","primitive":"fake",
 "variants":["good","noisy","drifting","stepping","sticky","throttled","hiccup"],
 "axes":{"n":["1k"]},"measure":{"samples":100,"warmup":0,
 "order":"sequential"}}
E2
"$gpubench" run --worker "'$BUILD/tests/driver/fake_worker'" --out results flags.json >out 2>err
status=$?
csv=results/flags.csv

# flags VARIANT: what its row says.
flags()
{
    awk -F, -v variant="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["variant"] == variant { print $at["flags"] }' "$csv"
}

# A working set of 8 kB does not fit into the fake's cache of 4 kB: nothing is cache-resident.
all_flags()
{
    local variant want
    [ "$status" = 0 ] || return 1
    while read -r variant want; do
        echo "$variant: found '$(flags "$variant")', expected '$want'"
        [ "$(flags "$variant")" = "$want" ] || return 1
    done <<'E2'
good
noisy unstable;autocorrelated
drifting unstable;drift;autocorrelated
stepping unstable;drift;autocorrelated
sticky autocorrelated
throttled throttled
hiccup outliers
E2
}
check "each kind of times has its flags, and good ones none" all_flags

# 512 elements have 4096 bytes of input and output: as many as that cache has. One more does not fit.
resident()
{
    cat >small.json <<'E2'
{"schema":1,"name":"small","primitive":"fake","variants":["good"],"axes":{"n":[511,512,513]},
 "measure":{"samples":20,"warmup":0}}
E2
    "$gpubench" run --worker "'$BUILD/tests/driver/fake_worker'" --out results small.json || return 1
    [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["n"] ":" $at["flags"] }' results/small.csv | sort | paste -sd' ')" = \
        "511:cache-resident 512:cache-resident 513:" ]
}
check "what fits in the last cache is flagged" resident

# warns WHAT REMEDY: one line has both.
warns() { grep -E "^warning: [0-9]+ of 7 rows $1.*: .*$2" err; }
check "unstable: more samples or locked clocks" warns 'are unstable' '--samples auto.*nvidia-smi -lgc'
check "drift: warm up, lock the clocks" warns 'drift' 'measure.warmup.*nvidia-smi -lgc'
check "outliers: what else runs" warns 'have outliers' 'something else uses the device'
check "autocorrelated: by how much, and what to do" \
    warns 'are autocorrelated .*should be up to [0-9.]+ times as wide' 'nvidia-smi -lgc.*interleaved'
check "throttled: cool, power, clocks" warns 'were throttled \(power-cap\)' 'power limit'

one_warning_a_flag() { [ "$(grep -c '^warning: ' err)" = 5 ]; }
check "and no other warning" one_warning_a_flag

meta_says_how_wide()
{
    grep -c ci95_widening results/flags.meta.json
    [ "$(tr -d ' \t\n' <results/flags.meta.json | grep -o '"ci95_widening":[1-9][0-9.]*' | wc -l)" = 4 ]
}
check "the meta file says how wide their intervals should be" meta_says_how_wide

marked_table()
{
    "$gpubench" table "$csv" --format markdown >table.md || return 1
    cat table.md
    # | n | good | noisy | drifting | stepping | sticky | ...
    grep -q 'resembled those before' table.md &&
        awk -F'|' '$2 ~ /1000/ { good = $3 !~ /\*/ && $7 ~ /\*/ } END { exit !good }' table.md
}
check "a table marks what is flagged and says why" marked_table

nothing_but_numbers()
{
    ! grep -iE '(^|[,:;])-?(nan|inf)' "$csv" results/flags.samples.csv results/flags.meta.json
}
check "no file holds anything that is no number" nothing_but_numbers

older_files()
{
    # As written before this flag: the same rows without its word.
    sed -E 's/;?autocorrelated//' "$csv" >older.csv
    "$gpubench" table older.csv --format markdown >older.md || return 1
    ! grep -q 'resembled' older.md && grep -q 'the times drifted' older.md
}
check "files from before the flag are read as ever" older_files
check "so are flags that are not known yet" bash -c \
    "sed 's/autocorrelated/moonstruck/' '$csv' >newer.csv && '$gpubench' table newer.csv >/dev/null"
finish
