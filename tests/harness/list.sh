#!/bin/bash
# Lists tests in the order in which they are best begun: the longest first, but a few short ones between any two that
# take ten seconds or more, so that there is news early; at the end, behind the word --alone, those that nothing
# else may run beside.
#
# A test is a file test_*.c or test_*.cu in a folder of tests/, or a script there that says so; either may say
# in a comment line of its own, among its first ten,
#
#     # test: CLASS [alone] [turns] [unsanitized] [SECONDS]
#
# CLASS: fast (all of them together take minutes: make check-fast), long (make check, too) or thorough (make
# check-all alone); a file that does not say is fast. SECONDS: how long it takes, about; else 1. Those that say
# "turns" may take turns: with TEST_TURN=K/N in the environment an Nth of them is listed, the Kth (0 to N - 1), and
# each Nth takes about as long.
#
# Usage: tests/harness/list.sh CLASSES PATTERN [PROGRAM...] [--long PROGRAM...] [--alone PROGRAM...]
# CLASSES: "fast long thorough" or some of these. PATTERN, as the shell has them, is for the name without
# test_ and ending, for the path below tests/, or for one of its folders; '*' is every test. PROGRAM...: what is
# built by rules of its own: first the fast ones, then long ones, then long ones that are alone.
set -u
cd "$(dirname "$0")/../.." || exit 1
classes=$1 pattern=$2
shift 2
found=$(mktemp) || exit 1
trap 'rm -f "$found"' EXIT

# matches PATH: whether a test, named by its path below tests/ without an ending, is meant.
matches()
{
    local name=${1##*/} folders=/${1%/*}/
    # shellcheck disable=SC2053,SC2254 # patterns are what these are
    case ${name#test_} in $pattern) return 0 ;; esac
    # shellcheck disable=SC2254
    case $name in $pattern) return 0 ;; esac
    # shellcheck disable=SC2254
    case $1 in $pattern) return 0 ;; esac
    # shellcheck disable=SC2254
    case $folders in */$pattern/*) return 0 ;; esac
    return 1
}

# All: SECONDS CLASS TOGETHER|ALONE ALWAYS|TURNS PATH.
# shellcheck disable=SC2016 # it is awk that expands them
all()
{
    find tests -path tests/fuzz -prune -o -path tests/fixtures -prune -o -path tests/worker/toy -prune -o -type f \
        \( -name 'test_*.c' -o -name 'test_*.cu' -o -name '*.sh' \) -print0 | LC_ALL=C sort -z |
        xargs -0 awk '
            function put() {
                if (file == "" || (file ~ /\.sh$/ && said == "")) return
                n = split(said, word, " ")
                class = "fast"; together = "together"; turns = "always"; seconds = 1
                for (i = 1; i <= n; i++)
                    if (word[i] == "alone") together = "alone"
                    else if (word[i] == "turns") turns = "turns"
                    else if (word[i] == "unsanitized") continue # for tests/sanitized/sanitized.mk
                    else if (word[i] ~ /^[0-9]+$/) seconds = word[i]
                    else if (word[i] ~ /^(fast|long|thorough)$/) class = word[i]
                    else print "tests/harness/list.sh: " file ": test: what is " word[i] "?" >"/dev/stderr"
                print seconds, class, together, turns, file
            }
            FNR == 1 { put(); file = FILENAME; said = "" }
            FNR > 10 { nextfile }
            sub(/^(#|\/\*|\/\/) test: /, "") { sub(/ *\*\/ *$/, ""); said = $0 == "" ? "fast" : $0 }
            END { put() }'
    local said="1 fast together always"
    for program; do
        case $program in
        --long) said="20 long together always" ;;
        --alone) said="20 long alone always" ;;
        *) echo "$said $program" ;;
        esac
    done
}

# mixed: of lines SECONDS PATH, longest first, the paths.
mixed()
{
    awk '$1 >= 10 { long[n++] = $2; next } { short[m++] = $2 }
        END {
            most = n && m / n > 4 ? int((m + n - 1) / n) : 4
            for (i = 0; i < n; i++) {
                print long[i]
                for (k = 0; k < most && s < m; k++) print short[s++]
            }
            while (s < m) print short[s++]
        }'
}

# in_turn: of lines as above, longest first, those whose turn it is.
in_turn()
{
    awk -v turn="${TEST_TURN:-0/1}" '
        BEGIN { split(turn, of, "/") }
        $4 == "always" { print; next }
        {
            least = 0 # the turn that has least to do so far
            for (i = 1; i < of[2]; i++) if (sum[i] + 0 < sum[least] + 0) least = i
            sum[least] += $1
            if (least == of[1]) print
        }'
}

# meant TOGETHER|ALONE: of lines as above SECONDS and PATH of those of them that are meant.
meant()
{
    local seconds class together path name
    while read -r seconds class together _ path; do
        case " $classes " in *" $class "*) ;; *) continue ;; esac
        name=${path#*tests/}
        matches "${name%.*}" || continue
        [ "$together" != "$1" ] || echo "$seconds $path"
    done
}

case ${TEST_TURN:-0/1} in
[0-9]/[1-9]) ;;
*) echo "tests/harness/list.sh: TEST_TURN=$TEST_TURN: not K/N, two digits" >&2 && exit 1 ;;
esac
all "$@" | sort -s -k1,1nr | in_turn >"$found"
meant together <"$found" | mixed
alone=$(meant alone <"$found" | cut -d ' ' -f 2)
[ -z "$alone" ] || printf '%s\n' --alone "$alone"
