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
# The kernels of two steps, at three radii, have a ring, an exchange and all the edges.
mapfile -t others < <(all_but 2)

# plants NAME FILE OLD NEW CASES: cases of test_stencil_fused fail; FILE is one of the stencils'.
plants() { plant_in "$1" "kernels/stencil/$2" "$3" "$4" test_stencil_fused "$5" "${others[@]}"; }
