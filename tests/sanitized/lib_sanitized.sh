# shellcheck shell=bash
# Sourced by the tests of what `make sanitized` builds, without optimisation, under sanitizers: unit tests, and every
# variant of every primitive at a small size.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../harness/lib.sh"
cd "$root" || exit 1
export SIMT_WORKERS=2 CMOCKA_MESSAGE_OUTPUT=TAP
# What a sanitizer says ends the program, with a status that nothing else has.
# Signals stay the tests' own: they let workers die of them.
export ASAN_OPTIONS=exitcode=66:handle_segv=0:handle_abort=0:allocator_may_return_null=1
export TEST_PATIENCE=${TEST_PATIENCE:-5} # these builds are slow on purpose
export UBSAN_OPTIONS=print_stacktrace=1:exitcode=66 TSAN_OPTIONS=exitcode=66:halt_on_error=1

# unit_test PROGRAM: it passes, and no sanitizer has anything to say.
unit_test()
{
    local said status=0
    said=$("$1" 2>&1) || status=$?
    [ $status = 0 ] && ! grep -q '^not ok' <<<"$said" && return
    tail -n 60 <<<"$said"
    return 1
}

# has_axis PRIMITIVE NAME [WORD]: and WORD is one of the axis's values.
has_axis()
{
    "$BUILD/gpubench" list primitives --device simt 2>/dev/null |
        awk -v name="$1" -v axis="$2" -v word="${3:-}" 'NF == 1 { on = $1 == name } on && $1 == axis && $0 "," ~ word "," { found = 1 }
            END { exit !found }'
}

# variants WORKER PRIMITIVE CASES OPTION...: all of them pass at a small size, and some did run. CASES: `few`
# where the sanitizer or the schedules take long, else `quick`.
variants()
{
    local cases=(--quick) case said status=0 box=x=70,y=19,z=12,steps=3
    if has_axis "$2" n; then
        cases=(--case=n=300)
        # several tiles and granules at the same time
        ! has_axis "$2" granule || cases+=("--case=n=20011,granule=1Ki")
        # the other one of the partitions that sanitized.mk has
        ! has_axis "$2" bins || ! has_axis "$2" payload u128 || cases+=("--case=n=300,type=u64,payload=u128")
    elif [ "$3" = few ] && has_axis "$2" fused; then
        cases=("--case=$box,radius=1" "--case=$box,radius=4" "--case=$box,radius=2,fused=2")
    fi
    for case in "${cases[@]}"; do
        said=$("$BUILD/gpubench" check "$2" --worker "$1" --device simt "$case" "${@:4}" 2>&1) || status=$?
        echo "$said"
        grep -qE '^passed .*: [1-9][0-9]* ok' <<<"$said" || status=1
    done
    [ $status = 0 ]
}

# start NAME COMMAND...: two at a time; what came of them is checked at the end.
names=()
start()
{
    names+=("$1")
    local file=$scratch/outcome${#names[@]}
    while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
    { "${@:2}" >"$file" 2>&1 && touch "$file.passed"; } &
}

outcome()
{
    cat "$1"
    [ -e "$1.passed" ]
}

# outcomes: waits, and makes checks of what came of all that was started.
outcomes()
{
    local i
    wait
    for ((i = 1; i <= ${#names[@]}; i++)); do check "${names[i - 1]}" outcome "$scratch/outcome$i"; done
}

# Those that are made from a config have nothing to check without one.
# shellcheck disable=SC2034 # for asan.sh and tsan.sh
mapfile -t primitives < <(grep -L '\.provide =' kernels/*/primitive.c | cut -d / -f 2)
