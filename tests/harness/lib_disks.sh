# shellcheck shell=bash
# Sourced after lib.sh by tests that mount disks of memory, small ones or such that are read only: a check is a
# function that runs in a mount namespace of its own, as `bash TEST --namespace FOLDER FUNCTION`.

disks_test=$(realpath "$0")

# In the namespace: to be called when the functions are there, before any check.
if_in_namespace()
{
    [ "${1:-}" = --namespace ] || return 0
    rm -rf "$scratch" && trap - EXIT && scratch=$2
    cd "$scratch" || exit 1
    "$3"
    exit
}

# namespace FUNCTION NAME
namespace()
{
    local how
    for how in -m -Urm; do
        unshare $how mount -t tmpfs none "$scratch" 2>/dev/null || continue
        # shellcheck disable=SC2086
        check "$2" unshare $how bash "$disks_test" --namespace "$scratch" "$1"
        return
    done
    skip "$2" "mounting needs root or user namespaces, and neither is allowed here"
}
