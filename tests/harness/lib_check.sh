# shellcheck shell=bash
# Sourced by the tests that run `gpubench check`.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root" || exit 1

judged()
{
    cat "$scratch/judged"
    [ "$(grep -cE '^passed .*: [1-9][0-9]* ok' "$scratch/judged")" -ge 9 ]
}

# passes NAME COMMAND...: the check succeeds, and really ran something.
passes()
{
    local name=$1
    shift
    # shellcheck disable=SC2016 # it is the inner shell's to expand
    check "$name" bash -o pipefail -c '"$@" | tee "$0"' "$scratch/judged" "$@"
    check "$name: all nine variants that run here were judged" judged
}
