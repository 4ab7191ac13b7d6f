#!/bin/bash
# test: thorough turns 156
# What a newcomer does: `make reproduce-all`, here on the CPU at quick size, interrupted and gone on with; then
# every table, figure and claim and the report are there.
. "$(dirname "$0")/../harness/lib.sh"
tree=$scratch/tree
copy_tree "$tree" cuda gpubench-cuda corpus || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
cd "$tree" || exit 1
rm -rf results/simt build/reproduce-*
export NVCC='' NVCC11=''

reproduce() { timeout --foreground 400 make --no-print-directory reproduce-all DEVICE=simt OPENCL= >"$scratch/said" 2>&1; }
state=build/reproduce-all.state

# As Ctrl-C in the midst of it: the third config is under way. Job control gives it a process group of its own, in
# which, other than in the background of a script, an interrupt is not ignored.
set -m
make --no-print-directory reproduce-all DEVICE=simt OPENCL= >"$scratch/first" 2>&1 &
make_pid=$!
set +m
for ((i = 0; i < 3000; i++)); do
    [ "$(grep -c '^begun' $state 2>/dev/null)" -ge 3 ] 2>/dev/null && break
    kill -0 $make_pid 2>/dev/null || break
    sleep 0.1
done
kill -INT -- -$make_pid 2>/dev/null
wait $make_pid
interrupted=$?
check "it can be interrupted" test $interrupted != 0 -a -e $state
check "and says how to go on" grep -q "stopped in configs/.*; the same command goes on" "$scratch/first"
done_before=$(grep -c '^done' $state)
check "what is done by then is known" test "$done_before" -ge 1
spent_before=$(awk '$1 == "spent" { print $2 }' $state)
check "and how long it took" test "$spent_before" -ge 0

# cpu: how many seconds the commands before took of the processors, as $cpu_s. What they take by the clock is a matter of
# what else runs.
cpu()
{
    times >"$scratch/times"
    cpu_s=$(awk -F'[ms ]' 'END { printf "%d", 60 * $1 + $2 + 60 * $4 + $5 }' "$scratch/times")
}
cpu
began=$SECONDS began_cpu=$cpu_s
reproduce
took=$((SECONDS - began))
cpu
took_cpu=$((cpu_s - began_cpu))
said() { cat "$scratch/said"; grep -qF -- "$1" "$scratch/said"; }
check "it goes on where it ended" said "going on where the last run ended"
first=$(grep -LE '"reproduce": *false' configs/*.json | head -n 1)
check "what was done is not done again" sh -c "! grep -qxF '== $first' '$scratch/said'"
check "it ends with where everything is" said "per folder: tables.txt, claims.txt, audit.txt, report.html"
check "and how many rows the audit found" said "rows slower than they should be: 0"
check "and in under 3 minutes of a processor ($took_cpu s)" test "$took_cpu" -gt 0 -a "$took_cpu" -lt 180
total=$(sed -n 's/^reproduced in \([0-9]*\) s;.*/\1/p' "$scratch/said")
check "it counts the time before, too ($spent_before s of $total)" test "$total" -gt "$spent_before" \
    -a "$total" -le $((spent_before + took))
check "nothing is left of its state" test ! -e $state
mapfile -t wanted < <(grep -LE '"reproduce": *false' configs/*.json)
mapfile -t others < <(grep -lE '"reproduce": *false' configs/*.json)
for config in "${wanted[@]}"; do
    name=$(basename "$config" .json)
    check "$name has rows" test "$(wc -l <"results/simt/$name.csv")" -gt 1
    check "... each once" sh -c "cut -d, -f5-18 'results/simt/$name.csv' | sort | uniq -d | wc -l | grep -qx 0"
done
for config in "${others[@]}"; do
    check "$(basename "$config") is not part of it" test ! -e "results/simt/$(basename "$config" .json).csv"
done
check "there are tables" grep -q "Measured on simt" results/simt/tables.txt
check "figures" test -s results/simt/multipartition-bins.svg
check "claims" grep -q "HOLDS" results/simt/claims.txt
check "none of speed is tested by times of the CPU" grep -q "times of the simt device say nothing" results/simt/claims.txt
check "an audit, which times of the CPU say nothing to" grep -q "rows of the simt device are left out" results/simt/audit.txt
check "a report" grep -q "<title>gpubench: simt</title>" results/simt/report.html
check "of all five papers" test "$(grep -cE '<section id="(multipartition|stencil|radix-sort|dynamic-array|octree)"' results/simt/report.html)" = 5
finish
