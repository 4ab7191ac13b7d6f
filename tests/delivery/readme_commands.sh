#!/bin/bash
# test: thorough 77
# Every command in the sh blocks of the README and of docs/use.md is run here, in a copy of the tree on the CPU, or is named
# below with the reason why not. A command that fails, or that nobody thought of, fails the test.
. "$(dirname "$0")/../harness/lib.sh"
tree=$scratch/tree
copy_tree "$tree" gpubench-cuda || exit 1
unset BUILD MAKEFLAGS MAKELEVEL
cd "$tree" || exit 1
# Without a GPU's worker "auto" is the CPU, whose inputs are the configs' quick ones.
export NVCC=

why_not_run()
{
    case $1 in
    "make check") echo "it is what runs this test" ;;
    "build/gpubench check --device simt --quick") echo "tests/kernels/check_quick.sh runs it" ;;
    "build/gpubench tune --quick") echo "tests/driver/tune.sh does, and not into the cache of who runs this" ;;
    "make reproduce-all") echo "tests/delivery/reproduce_all.sh runs it" ;;
    *) return 1 ;;
    esac
}

# Each once; docs/use.md goes on where the README ends.
mapfile -t commands < <(awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF && !seen[$0]++' README.md docs/use.md)
check "the README has commands" test ${#commands[@]} -gt 5
for command in "${commands[@]}"; do
    if reason=$(why_not_run "$command"); then
        skip "$command" "$reason"
    else
        check "$command" bash -c "$command"
    fi
done

links() { grep -oE '\]\([^)#:]+\)' README.md | sed -E 's/^\]\((.*)\)$/\1/'; }
for target in $(links); do
    check "the README's link leads somewhere: $target" test -e "$target"
done
# shellcheck disable=SC2016
named() { grep -ohE '`[a-z-]+\.json`' README.md docs/configs.md | tr -d '`' | sort -u; }
for config in $(named); do
    check "the documents' config exists: $config" test -e "configs/$config"
done
for config in "$root"/configs/*.json; do
    check "the documents tell of ${config#"$root/"}" grep -qF "\`$(basename "$config")\`" docs/configs.md
done
finish
