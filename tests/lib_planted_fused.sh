# shellcheck shell=bash
# Sourced by the tests that plant mistakes in the stencils tma and temporal: their unit tests find each.
primitive=stencil unit_tests="test_stencil_fused test_stencil_fused_plans"
export SIMT_TIMEOUT=2 # seconds after which threads that wait for ever are a failure
. "$(dirname "${BASH_SOURCE[0]}")/lib_planted.sh"

# The kernels of two steps a sweep, at three radii, have a ring, an exchange and all the edges: the
# others stay as they are.
others=()
for steps in 1 3 4; do others+=(-o "build/simt/kernels/stencil/fused_$steps.cu.o"); done

# plants NAME FILE OLD NEW CASES: cases of test_stencil_fused fail; FILE is one of the stencils'.
plants() { plant_in "$1" "kernels/stencil/$2" "$3" "$4" test_stencil_fused "$5" "${others[@]}"; }
