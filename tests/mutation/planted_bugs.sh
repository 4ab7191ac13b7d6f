#!/bin/bash
# test: thorough turns 19
# The mistakes planted in tests/worker/primitives/planted/: `gpubench check` finds each within the number of
# schedules that bugs.txt states, says where it is, and its printed command replays it to the word in
# a fresh process. The sound twins pass.
# Usage: tests/mutation/planted_bugs.sh [--measure]   (measures anew how many schedules are needed under the
# seeds 1 to 20, rewrites the numbers in bugs.txt and the table in docs/simt.md)
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
table=tests/worker/primitives/planted/bugs.txt
doc=docs/simt.md
export SIMT_TIMEOUT=$((30 * ${TEST_PATIENCE:-1})) # no failure here is one by the clock
test_seed=21 # none of those that the numbers were measured with

# explore "VARIANT..." "WORKER OPTION..." SCHEDULES SEED
explore()
{
    local variants options
    read -ra variants <<<"$1"
    read -ra options <<<"$2"
    "$BUILD/gpubench" check planted --worker "'$BUILD/tests/gpubench-${options[0]}'" --device simt \
        "${variants[@]/#/--variant=}" --schedules "$3" --seed "$4" "${options[@]:1}"
}

bugs() { grep -v '^#' "$table" | sed 's/ *| */|/g'; }

# ---- the table ------------------------------------------------------------------------------------

# markdown: bugs.txt as the table of the documentation, with what each mistake is from the worker.
markdown()
{
    "$BUILD/gpubench" list variants --worker "'$BUILD/tests/gpubench-simt'" >"$scratch/variants"
    echo "| mistake | what is wrong | found by | schedules: median | worst | stated |"
    echo "|---|---|---|---|---|---|"
    bugs | while IFS='|' read -r variant worker stated median worst report; do
        # shellcheck disable=SC2016 # no command: Markdown
        printf '| `%s` | %s | %s | %s | %s | %s |\n' "$variant" "$(summary_of "$variant")" \
            "$(found_by "$worker" "$report")" "$median" "$worst" "$stated"
    done
}

summary_of() { sed -nE "s/^planted +$1 +[^ ]+ +[^ ]+ +[^ ]+ +(.*)/\1/p" "$scratch/variants"; }

found_by()
{
    local how=
    case $2 in
    wrong*) how="the checker" ;;
    live-lock*) how="live-lock, the line" ;;
    dead-lock*) how="dead-lock, the line" ;;
    barrier*) how="barrier divergence, the lines" ;;
    calling*) how="the mask, the line" ;;
    index*) how="the array's bounds, the line" ;;
    *dynamic*) how="the red zone" ;;
    store*) how="the red zone, the allocation's line" ;;
    illegal*) how="the fault, the line" ;;
    esac
    case $1 in
    simt) echo "$how" ;;
    *hooks) echo "$how, with \`--hooks\`" ;;
    *) echo "$how, with \`${1#* }\`" ;;
    esac
}

in_document() { sed -n '/^<!-- planted bugs -->$/,/^<!-- end -->$/p' "$doc" | sed '1d;$d'; }

# needed VARIANT WORKER: the first schedules that failed, one a seed, in order.
needed()
{
    local seed
    for seed in $(seq 1 20); do
        explore "$1" "$2" 100000 "$seed" | sed -nE 's/.*fails under schedule ([0-9]+) of.*/\1/p'
    done | sort -n
}

measure()
{
    local variant worker report numbers median worst
    grep '^#' "$table" >"$scratch/table"
    while IFS='|' read -r variant worker _ _ _ report; do
        numbers=$(needed "$variant" "$worker")
        [ "$(wc -l <<<"$numbers")" = 20 ] || { echo "$variant: not found under each seed"; return 1; }
        median=$(sed -n 10p <<<"$numbers") worst=$(sed -n 20p <<<"$numbers")
        echo "$variant | $worker | $((3 * worst)) | $median | $worst | $report" |
            tee -a "$scratch/table"
    done < <(bugs)
    cp "$scratch/table" "$table"
    markdown >"$scratch/markdown"
    sed -i -e "/^<!-- planted bugs -->$/r $scratch/markdown" \
        -e '/^<!-- planted bugs -->$/,/^<!-- end -->$/{/^<!--/!d}' "$doc"
}

# ---- the tests ------------------------------------------------------------------------------------

# The place that a comment marks: FILE:LINE.
place_of() { grep -nF "/* planted: $1 */" tests/worker/primitives/planted/*.cu | cut -d: -f1,2; }

# located VARIANT TEXT: the places in a report's pattern.
located()
{
    local text=${2//\{place\}/$(place_of "$1")}
    text=${text//\{out\}/$(place_of out)}
    echo "${text//\{instruction\}/$(place_of "$1")}"
}

# The report, with what the command in it says instead of that.
told()
{
    local command
    command=$(grep -oE 'addr2line -e [^ ]+ 0x[0-9a-f]+' "$1" | head -1)
    [ -n "$command" ] || { head -1 "$1" && return; }
    head -1 "$1" | sed "s|$command|$($command | sed -e 's|^.*/tests/worker/primitives|tests/worker/primitives|' -e 's/ (discriminator .*//')|"
}

# finds VARIANT WORKER SCHEDULES REPORT
finds()
{
    local status=0
    explore "$1" "$2" "$3" $test_seed >"$scratch/found" || status=$?
    cat "$scratch/found"
    [ $status = 1 ] && told "$scratch/found" | grep -q "$(located "$1" "$4")"
}

# What fails first, but for the number of the schedule and addresses, which differ between processes.
failure()
{
    head -1 "$1" | sed -E -e 's/ \(schedule [0-9]+ of [0-9]+\)$//' -e 's/at 0x[0-9a-f]+/at an address/'
}

replays()
{
    local command status=0
    command=$(sed -n 2p "$scratch/found")
    eval "$command" >"$scratch/replayed" || status=$?
    failure "$scratch/found" >"$scratch/first"
    failure "$scratch/replayed" >"$scratch/second"
    echo "$command"
    [ $status = 1 ] && diff "$scratch/first" "$scratch/second"
}

# says STATUS PATTERN COMMAND...: with this exit status and a line like the pattern.
says()
{
    local status=0
    "${@:3}" >"$scratch/said" || status=$?
    cat "$scratch/said"
    [ $status = "$1" ] && grep -qE -- "$2" "$scratch/said"
}

# No twin fails.
pass() { explore "${twins[*]}" "$1" "$2" $test_seed; }

if [ "${1:-}" = --measure ]; then
    measure
    exit
fi

twins=() hooked_twins=()
while IFS='|' read -r variant worker stated _ _ report; do
    check "$variant: is found within $stated schedules" \
        finds "$variant" "$worker" "$stated" "$report"
    check "$variant: is replayed to the word" replays
    twins+=("$variant-sound")
    [ "$worker" != simt-hooks ] || hooked_twins+=("$variant-sound")
done < <(bugs)
# shellcheck disable=SC2016 # fields of awk
check "three times as many schedules are stated as the worst seed needed" \
    awk -F'|' 'NF != 6 || $5 < 1 || $3 < 3 * $5 { print; bad = 1 } END { exit bad }' <(bugs)
check "every planted mistake is in the table" diff <(bugs | cut -d'|' -f1 | sort) \
    <(sed -nE 's/^ *X\((\w+)\).*/\1/p' tests/worker/primitives/planted/list.cu | tr _ - | sort)
check "no twin fails under 300 schedules" pass simt 300
check "nor where lanes make no progress by themselves" pass "simt --policy unfair" 100
check "nor with a switch at any access" pass simt-hooks 300
check "nor under three times as many as are stated, of those that take hooks" \
    explore "${hooked_twins[*]}" simt-hooks 2100 $test_seed
check "what needs lanes that go on by themselves passes, since Volta has them" \
    says 0 '^passed planted/lock-step-spin: 1 ok under 100 schedules$' explore lock-step-spin simt 100 $test_seed
check "what a fresh worker does right is told apart" says 1 '\(a fresh worker does not fail so' explore moody simt 3 $test_seed
check "every case is explored" says 0 '^passed radix-sort/lsd1: 2 ok under 2 schedules$' \
    "$BUILD/gpubench" check radix-sort --device simt --variant lsd1 --case n=33 --case n=34 --schedules 2
check "the documentation has the table" diff <(markdown) <(in_document)
finish
