#!/bin/bash
# Runs test programs and scripts that print TAP, some at a time, and adds up: one line a program,
# the output of those that failed, at the end the ten that took longest, how long those of each folder took,
# what failed in a few lines, and as the last line "N passed, N failed".
#
# A program that dies, hangs, prints no result or fewer than it planned counts as one failure more.
# Who is interrupted, hung up or terminated ends all that the tests began, whatever session it went to, and removes
# their temporary folders: they lie in one of the runner's, TMPDIR.
#
# Usage: tests/harness/run.sh PROGRAM... [--alone PROGRAM...]   (the latter one after the other, at the end)
# Environment: TEST_JOBS (as many as there are cores), TEST_TIMEOUT in seconds (600).
set -u
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 2)}
limit=${TEST_TIMEOUT:-600}
export CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=C
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
export TEST_RUN=$folder TMPDIR=$folder/t # all that a test begins knows the first, unless it forgets everything
mkdir "$TMPDIR" || exit 1

# What the tests have begun and still runs: who knows this run, and their descendants.
# In a shell of its own, for what looks must not find itself.
begun()
(
    unset TEST_RUN
    {
        grep -lszxF "TEST_RUN=$folder" /proc/[0-9]*/environ | sed 's|/proc/\([0-9]*\)/.*|known \1|'
        cat /proc/[0-9]*/status 2>/dev/null | awk '/^State:/ { state = $2 } /^Pid:/ { pid = $2 } /^PPid:/ && state !~ /[ZX]/ { print pid, $2 }'
    } | awk '$1 == "known" { known[$2] = 1; next } { parent[$1] = $2 }
        END {
            do {
                grown = 0
                for (pid in parent) if (!known[pid] && known[parent[pid]]) known[pid] = grown = 1
            } while (grown)
            for (pid in known) if (known[pid] && pid in parent) print pid
        }'
)

# stop SIGNAL: ends them, those that do not listen by force, then this by the same signal.
stop()
{
    local end signal=TERM pids
    trap '' INT TERM HUP
    # shellcheck disable=SC2046 # they are several
    kill -KILL $(jobs -p) 2>/dev/null # nobody is told of tests that end now
    end=$((SECONDS + 10))
    pids=$(begun)
    while [ -n "$pids" ] && [ $SECONDS -lt $end ]; do
        # shellcheck disable=SC2086
        kill -$signal $pids 2>/dev/null
        sleep 0.2
        [ $SECONDS -lt $((end - 8)) ] || signal=KILL
        pids=$(begun)
    done
    [ -z "$pids" ] || echo "still running: $pids" >&2
    rm -rf "$folder"
    trap - EXIT "$1"
    kill -"$1" $$
}
for signal in INT TERM HUP; do
    # shellcheck disable=SC2064 # the signal's name is this one
    trap "stop $signal" $signal
done

# run_one NUMBER PROGRAM: leaves "passed failed skipped" in $folder/NUMBER, prints one line.
run_one()
{
    local output=$folder/$1.out name start status=0
    name=$(basename "$2")
    start=$(date +%s%N)
    case $2 in
    *.sh) timeout --kill-after=10 "$limit" bash "$2" </dev/null >"$output" 2>&1 || status=$? ;;
    *) timeout --kill-after=10 "$limit" "$2" </dev/null >"$output" 2>&1 || status=$? ;;
    esac
    local seconds=$((($(date +%s%N) - start) / 10000000))

    # cmocka 1.1.5 calls a skipped test "not ok N # SKIP", later ones and TAP say "ok N # SKIP".
    local passed failed skipped planned extra=0 why=
    skipped=$(grep -acE '^(not )?ok\b.*# SKIP' "$output")
    passed=$(grep -aE '^ok\b' "$output" | grep -acv '# SKIP')
    failed=$(grep -aE '^not ok\b' "$output" | grep -acv '# SKIP')
    planned=$(sed -nE 's/^1\.\.([0-9]+).*/\1/p' "$output" | awk '{ n += $1 } END { print n + 0 }')
    if [ $status = 124 ] || [ $status = 137 ]; then
        extra=1 why="still running after $limit s"
    elif ! grep -aqE '^1\.\.[0-9]' "$output"; then
        extra=1 why="ended without its plan (exit status $status)"
    elif [ $((passed + failed + skipped)) = 0 ] && ! grep -aq '^1\.\.0' "$output"; then
        extra=1 why="printed no result (exit status $status)"
    elif [ $((passed + failed + skipped)) -lt "$planned" ]; then
        extra=1 why="ended after $((passed + failed + skipped)) of $planned tests (exit status $status)"
    elif [ $status != 0 ] && [ "$failed" = 0 ]; then
        extra=1 why="exit status $status"
    fi
    echo "$passed $((failed + extra)) $skipped" >"$folder/$1"
    echo "$seconds $name $(basename "$(dirname "$2")")" >>"$folder/times"

    local line
    line=$(printf '%-28s %4d passed %3d failed %3d skipped %4d.%02d s' "$name" "$passed" \
        $((failed + extra)) "$skipped" $((seconds / 100)) $((seconds % 100)))
    [ -z "$why" ] || line="$line  $why"
    if [ $((failed + extra)) -gt 0 ]; then
        echo "failed: $name${why:+: $why}" >"$folder/$1.failed"
        awk '/^ok/ { shown = 0 } /^not ok/ { shown = /# SKIP/ ? 0 : 8 }
            shown-- > 0 { print "    | " substr($0, 1, 400) }' "$output" | head -n 40 >>"$folder/$1.failed"
        line="$line"$'\n'"$(tail -n 200 "$output" | sed 's/^/    | /')"
    fi
    printf '%s\n' "$line"
}

number=0
for program; do
    if [ "$program" = --alone ]; then
        wait
        jobs=1
        continue
    fi
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    number=$((number + 1))
    run_one $number "$program" &
done
wait

passed=0 failed=0 skipped=0
for ((i = 1; i <= number; i++)); do
    counts="0 1 0"
    [ ! -s "$folder/$i" ] || counts=$(cat "$folder/$i")
    read -r p f s <<<"$counts"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
if [ $number -gt 10 ]; then
    echo "the ten slowest, of ${SECONDS} s in all:"
    sort -rn "$folder/times" | head -n 10 | awk '{ printf "%8.2f s  %s\n", $1 / 100, $2 }'
    echo "seconds by folder, one test beside another:"
    awk '{ all[$3] += $1 } END { for (f in all) printf "%8.2f s  %s\n", all[f] / 100, f }' "$folder/times" | sort -rn
fi
cat "$folder"/*.failed 2>/dev/null
[ $number -gt 0 ] || { echo "no test programs were given" >&2; failed=1; }
if [ $skipped -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ $failed = 0 ]
