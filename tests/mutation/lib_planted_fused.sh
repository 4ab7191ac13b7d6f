# shellcheck shell=bash
# Sourced by the tests that plant mistakes in the stencils tma and temporal: their unit tests find each.
primitive=stencil unit_tests="test_stencil_fused test_stencil_fused_plans"
export SIMT_TIMEOUT=2 # seconds after which threads that wait for ever are a failure
. "$(dirname "${BASH_SOURCE[0]}")/lib_planted.sh"

# all_but STEPS: the options of make, a line each, by which kernels of other numbers of steps a sweep stay as they are.
all_but()
{
    for steps in 1 2 3 4; do
        [ "$steps" = "$1" ] || printf '%s\n' -o "build/simt/kernels/stencil/fused_$steps.cu.o"
    done
}

# plants_in STEPS PROGRAM NAME PLACE PATTERN NEW CASES: cases of PROGRAM fail where the kernels of that many
# steps have the mistake.
plants_in()
{
    local others
    mapfile -t others < <(all_but "$1")
    plant_in "${@:3:4}" "$2" "$7" "${others[@]}"
}

# plants NAME PLACE PATTERN NEW CASES: of test_stencil_fused, with the kernels of two steps, which, at three
# radii, have a ring, an exchange and all the edges.
plants() { plants_in 2 test_stencil_fused "$@"; }
