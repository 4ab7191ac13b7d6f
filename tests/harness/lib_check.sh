# shellcheck shell=bash
# Sourced by the tests that run `gpubench check`.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$root" || exit 1

# Variants that were judged: not few.
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
    check "$name: not a few variants were judged" judged
}

# Of the last check on the simt device: every variant that runs there was judged, or is known to fail.
each_judged()
{
    "$BUILD/gpubench" list variants --device simt 2>/dev/null | awk -F '  +' '
        NR > 1 && NF < 4 { exit }
        NR > 1 && ($4 ~ /(^|, )simt/ || $4 == "cpu") { print $1 "/" $2 }' | sort >"$scratch/wanted"
    sed -nE 's/^(passed|left out) ([^ ]+): .*/\2/p' "$scratch/judged" | sort >"$scratch/had"
    [ -s "$scratch/wanted" ] && diff "$scratch/wanted" "$scratch/had"
}
