# shellcheck shell=bash
# Sourced by the shell tests: TAP results, a folder that is removed at the end, a copy of the tree.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
BUILD=${BUILD:-$root/build}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
tests_run=0 not_ok=0

# check NAME COMMAND...: ok if the command succeeds; its output is shown when it does not.
check()
{
    local name=$1
    shift
    tests_run=$((tests_run + 1))
    if "$@" >"$scratch/check.out" 2>&1; then
        echo "ok $tests_run - $name"
    else
        not_ok=$((not_ok + 1))
        echo "not ok $tests_run - $name"
        sed 's/^/# /' "$scratch/check.out"
    fi
}

skip()
{
    tests_run=$((tests_run + 1))
    echo "ok $tests_run - $1 # SKIP $2"
}

finish() { echo "1..$tests_run"; }

# await SECONDS COMMAND...: until it succeeds; false if it does not in time. A machine may stand still for seconds:
# what must happen is given a minute, which costs nothing where it happens.
await()
{
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || { echo "not within the time: $*" >&2; return 1; }
        sleep 0.05
    done
}

# has_lines FILE TEXT COUNT: it has so many lines with this text, at least.
has_lines()
{
    local rows
    rows=$(grep -cs -- "$2" "$1")
    [ "${rows:-0}" -ge "$3" ]
}

# gone PID...: none of them runs. Who has ended may wait for its parent to notice, and init for its turn to be that.
gone()
{
    local pid
    for pid; do
        ! grep -Eqs '^State:[[:space:]]+[^ZX[:space:]]' "/proc/$pid/status" || return 1
    done
}

# columns FILE NAME...: these columns of all rows, with commas between, of a CSV file without quoted commas.
columns()
{
    awk -F, -v names="${*:2}" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? "," : "\n" }' "$1"
}

# The files of the tree that git would keep, committed or not (all but what was built, without git).
source_files()
{
    git ls-files --cached --others --exclude-standard 2>/dev/null | while read -r file; do
        [ ! -e "$file" ] || echo "./$file"
    done | grep . || find . -type f ! -path './bundle/*' ! -path './cuda-11.8/*' ! -path './.git/*'
}

# spoil WHERE PLACE PATTERN NEW: in one of the files and folders WHERE (with blanks between) PATTERN, which stands
# once in the function or what else PLACE names, becomes NEW (planted.awk). $spoilt is the file then and $spoilt_in the
# number of the function in it; mend puts it back. Else prints what is wrong.
spoils=()
spoil()
{
    local name=${2#*:} files kept=$scratch/kept.${#spoils[@]}
    # shellcheck disable=SC2086 # they are several
    if [ "$name" = '*' ]; then
        mapfile -t files < <(find $1 -type f | sort)
    else
        mapfile -t files < <(grep -rlwF -- "$name" $1 | sort)
    fi
    spoilt=$(PLACE=$2 PATTERN=$3 NEW=$4 OUT=$kept.new awk -f "$root/tests/harness/planted_parse.awk" -f "$root/tests/harness/planted.awk" "${files[@]}") ||
        { echo "$spoilt"; return 1; }
    # shellcheck disable=SC2034 # it is for those who source this
    spoilt_in=${spoilt##*$'\n'} spoilt=${spoilt%$'\n'*}
    cp -p "$spoilt" "$kept" && cat "$kept.new" >"$spoilt" || return 1
    spoils+=("$spoilt")
}

# mend: the last file that was spoilt, and is not mended yet, is as it was.
mend()
{
    local last=$((${#spoils[@]} - 1))
    spoilt=${spoils[last]}
    cat "$scratch/kept.$last" >"$spoilt" && unset "spoils[last]"
}

# test_named NAME: where a test is, a script by its path in the tree, a program by its path below the build's folder.
test_named()
{
    local source
    source=$(cd "$root" && find tests \( -name "$1" -o -name "$1.c" -o -name "$1.cu" \) -type f | head -n 1)
    case $source in
    '') echo "tests/$1" ;; # of rules of its own
    *.sh) echo "$source" ;;
    *) echo "${source%.*}" ;;
    esac
}

# copy_tree FOLDER [NAME...]: a copy of the sources with what is already built from them. Not what is large and needs
# nothing made anew: what sanitizers and fuzzers run, and the worker of CUDA 11.8, whose compiler stays behind; nor
# what has one of these names in the build's folder.
export CUDA11=
copy_tree()
{
    local name left_out=()
    mkdir -p "$1" && (cd "$root" && source_files | grep -vF "./${BUILD#"$root"/}/" | tar -cf - -T -) | tar -xf - -C "$1" || return 1
    [ -d "$BUILD" ] || return 0
    for name in asan simt-tsan coverage fuzz cuda11 gpubench-cuda11 old 'gpubench-cuda*-sm_*' "${@:2}"; do left_out+=(! -name "$name"); done
    # what was built knows its headers by the folder's old name
    mkdir "$1/build" && find "$BUILD" -mindepth 1 -maxdepth 1 "${left_out[@]}" -exec cp -a {} "$1/build/" \; &&
        find "$1/build" -name '*.d' -exec sed -i "s|$BUILD/|build/|g" {} +
}
