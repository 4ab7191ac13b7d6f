# shellcheck shell=bash
# Sourced by the tests that plant mistakes in the stencils tma and temporal: their unit tests find each.
primitive=stencil
export SIMT_TIMEOUT=2 # seconds after which threads that wait for ever are a failure
. "$(dirname "${BASH_SOURCE[0]}")/lib_planted.sh"

# plants NAME PLACE PATTERN NEW CASES: of test_stencil_fused, those of two steps mostly, which, at three radii, have
# a ring, an exchange and all the edges.
plants() { plant_in "${@:1:4}" test_stencil_fused "$5"; }
