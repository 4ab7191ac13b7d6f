#!/bin/bash
# test: thorough 10
# scripts/profile.sh with a stand-in for ncu and the worker for the CPU: which runs it has profiled, how it puts their
# counters together, what it says when it cannot; and the figure of what it writes.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
export BUILD NCU=$root/tests/fixtures/ncu.sh FAKE_NCU_LOG=$scratch/ncu.log SIMT_WORKERS=2
cat >p.json <<'END'
{"schema":1, "name":"small", "primitive":"stencil", "variants":["base","planes","cpu"],
 "axes":{"x":[32],"y":[9],"z":[7],"radius":[1,2],"block":["32x4x1","auto"],"steps":[2]},
 "measure":{"samples":3,"warmup":1,"cache":["warm","cold"]}}
END
profile() { "$root/scripts/profile.sh" p.json --device simt --worker "'$BUILD/gpubench-simt'" --full "$@"; }
# refuses_with STATUS TEXT COMMAND...
refuses_with()
{
    local expected=$1 text=$2 status=0
    shift 2
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    cat "$scratch/out" "$scratch/err"
    [ "$status" = "$expected" ] && [ ! -s "$scratch/out" ] && grep -qF -- "$text" "$scratch/err"
}
# cells VARIANT RADIUS BLOCK CACHE COLUMN...: of its lines, with blanks between.
cells()
{
    awk -F, -v want="$1,$2,$3,$4" -v list="${*:5}" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(list, name, " "); next }
        $at["variant"] "," $at["radius"] "," $at["block"] "," $at["cache"] == want {
            line = ""
            for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[name[i]]
            print line }' made/small-profile.csv
}

check "a profile" prints "made/small-profile.csv" profile --out made
check "ncu begins where the worker says, and leaves the clocks alone" \
    test "$(sort -u ncu.log | grep -cE '^--(profile-from-start off|clock-control none|target-processes all|print-units base|page raw)$')" = 5
check "it leaves the caches alone for warm rows" grep -qx -- "--cache-control none" ncu.log
check "... and empties them for cold ones" grep -qx -- "--cache-control all" ncu.log
check "what it warns of is passed on" warns "==WARNING== a warning of the profiler"
check "a line for each row" test "$(grep -c ',warm,device,ok,,,' made/small-profile.csv)" = 6
check "... in both modes" test "$(grep -c ',cold,device,ok,,,' made/small-profile.csv)" = 6
# 32 * 9 * 7 cells in two steps are 4032 items. Of 200 + 200 + 100 sectors in the L1 50 + 100 + 0 hit.
check "all kernels of a run" test "$(cells base 1 32x4x1 warm kernel launches items l1_hit_rate l2_hit_rate \
    dram_read_bytes_per_item dram_write_bytes_per_item time_s | head -n 1)" = " 3 4032 0.3  12.1905 6.09524 8.0005e-06"
check "one of them" test "$(cells base 1 32x4x1 warm kernel launches l1_hit_rate l2_hit_rate time_s | sed -n 2p)" = \
    "one 1 0.25 0.25 2e-06"
check "launches of one kernel add up, and what ncu did not count is blank" \
    test "$(cells base 1 32x4x1 warm kernel launches l1_hit_rate l2_hit_rate | sed -n 3p)" = "one_cell 2 0.333333 "
check "what runs on the CPU says so" test "$(cells cpu 2 auto cold status reason)" = \
    "unsupported it runs on the CPU: a profiler of GPUs sees nothing"
check "so does what the point does not support" test "$(cells planes 1 32x4x1 warm status)" = unsupported
copied() { eval "set -- $(sed -n 's/^profile: next: //p' "$scratch/err")" && [ "$2 $3" = "plot it's made/small-profile.csv" ]; }
check "what is next can be copied, whatever the folder is called" \
    prints "it's made/small-profile.csv" profile --out "it's made" --filter 'variant == cpu && radius == 1'
check "... into a shell" copied

plots()
{
    GPUBENCH_SHARE=$root "$gpubench" plot made/small-profile.csv --out figures --format svg --x 32 --y 9 --z 7 2>err || { cat err; return 1; }
    [ ! -s err ] && [ "$(cd figures && echo *)" = "small-profile-planes.svg small-profile.svg" ] && grep -qF "L1 hit rate" figures/small-profile.svg
}
if command -v gnuplot >/dev/null; then check "plot draws it, and no figure of rates" plots; else skip "plot draws it" "no gnuplot"; fi
check "no figure of a profile from rates" refuses "--figure stencil-profile" env GPUBENCH_SHARE="$root" "$gpubench" plot \
    "$root/tests/fixtures/stencil-fixture.csv" --out figures --figure stencil-profile
check "table says where profiles go" refuses "small is a profile: \`gpubench plot\` draws it" "$gpubench" table made/small-profile.csv

check "a filter, and again" prints "made/small-profile.csv" profile --out made --filter 'radius == 2 && variant == base && block == auto'
check "... has the row" test "$(cells base 2 auto warm kernel | wc -l)" = 3
check "... and no other" test "$(cells base 1 auto warm kernel | wc -l)" = 0
check "the earlier file is kept" grep -q ",base,simt,simt,32,9,7,1,auto," made/small-profile.csv.old
sed -i 's/"cpu"\]/"cpu"], "baseline": "base"/' p.json
check "the folder of the device" prints "results/simt/profile/small-profile.csv" profile --filter 'variant == base && radius == 1'

check "no rows left" refuses_with 2 "radius == 7" profile --filter 'radius == 7'
check "no config" refuses_with 2 "which config?" "$root/scripts/profile.sh"
check "no such option" refuses_with 2 "--samples is no option" profile --samples 3
check "a value is missing" refuses_with 2 "--out takes a value" profile --out
check "no ncu" refuses_with 3 "apt-get install" env NCU=/no/such/ncu "$root/scripts/profile.sh" p.json
check "no permission" refuses_with 3 "NVreg_RestrictProfilingToAdminUsers=0" env FAKE_NCU=permission "$root/scripts/profile.sh" \
    p.json --device simt --worker "'$BUILD/gpubench-simt'" --out made
check "ncu fails" refuses_with 1 "==ERROR== Failed to find metric" env FAKE_NCU=silent "$root/scripts/profile.sh" \
    p.json --device simt --worker "'$BUILD/gpubench-simt'" --out made
check "a counter is missing" refuses_with 1 "ncu counted no lts__t_sectors_lookup_hit.sum" env FAKE_NCU=metric \
    "$root/scripts/profile.sh" p.json --device simt --worker "'$BUILD/gpubench-simt'" --out made
check "an unknown unit" refuses_with 1 "in 'fortnight', a unit that is not known" env FAKE_NCU=units \
    "$root/scripts/profile.sh" p.json --device simt --worker "'$BUILD/gpubench-simt'" --out made

dies()
{
    local status=0
    FAKE_NCU=dies "$root/scripts/profile.sh" p.json --device simt --worker "'$BUILD/gpubench-simt'" --full --out died \
        --filter 'variant == base && radius == 1' >out 2>err || status=$?
    cat out err
    cp died/small-profile.csv made/small-profile.csv
    [ $status = 1 ] && [ "$(cells base 1 32x4x1 warm status kernel | head -n 1)" = "ok " ] &&
        [ "$(cells base 1 auto warm status reason)" = "crashed the worker gave no answer" ]
}
check "a worker that dies leaves the rows before" dies
finish
