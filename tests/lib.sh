# shellcheck shell=bash
# Sourced by the shell tests: TAP results, a folder that is removed at the end, a copy of the tree.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
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

# The files of the tree that git would keep, committed or not (all but what was built, without git).
source_files()
{
    git ls-files --cached --others --exclude-standard 2>/dev/null | while read -r file; do
        [ ! -e "$file" ] || echo "./$file"
    done | grep . || find . -type f ! -path './bundle/*' ! -path './.git/*'
}

# copy_tree FOLDER: a copy of the sources with what is already built from them.
copy_tree()
{
    mkdir -p "$1" && (cd "$root" && source_files | grep -vF "./${BUILD#"$root"/}/" | tar -cf - -T -) | tar -xf - -C "$1" || return 1
    [ -d "$BUILD" ] || return 0
    # what was built knows its headers by the folder's old name
    cp -a "$BUILD" "$1/build" && find "$1/build" -name '*.d' -exec sed -i "s|$BUILD/|build/|g" {} +
}
