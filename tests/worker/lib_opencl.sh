# shellcheck shell=bash
# Sourced by the tests of the OpenCL worker instead of lib.sh: PoCL, and no other platform, with a cache
# of its own. Where the worker or PoCL is missing the test ends here, skipped.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../harness/lib.sh"
pocl=/etc/OpenCL/vendors/pocl.icd
if [ ! -x "$BUILD/gpubench-opencl" ]; then
    skip "OpenCL" "gpubench-opencl is not built (opencl-headers and ocl-icd-opencl-dev, then make)"
    finish
    exit 0
fi
if [ ! -e $pocl ]; then
    skip "OpenCL" "there is no PoCL here: $pocl (scripts/setup.sh --check installs it)"
    finish
    exit 0
fi
export OCL_ICD_VENDORS=$pocl POCL_CACHE_DIR=$scratch/pocl-cache
mkdir "$POCL_CACHE_DIR"

# says STATUS TEXT COMMAND...: the exit status, and the text on stdout or stderr.
says()
{
    local status=0
    "${@:3}" >"$scratch/said" 2>&1 || status=$?
    cat "$scratch/said"
    [ "$status" = "$1" ] && grep -qF -- "$2" "$scratch/said"
}
