#!/bin/bash
# Mistakes planted in the out-of-core sort's waits and threads: its unit tests find each (lib_planted.sh).
primitive=radix-sort unit_tests="test_radix_sort_overlap test_radix_sort_out_of_core"
. "$(dirname "$0")/lib_planted.sh"

# The overlap test has the sources of the sort itself compiled in: the archive can stay as it is.
overlap() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_overlap 'streams*' -o build/libsimt.a; }
threads() { plant_in "$1" "kernels/radix-sort/$2" "$3" "$4" test_radix_sort_out_of_core 'slices*'; }

overlap "a piece comes in over what has not left as it was" out_of_core_in.cu \
    'if (out->as_they_are) GB_TRY' 'if (false) GB_TRY'
overlap "a piece comes in over what is not sorted yet" out_of_core_in.cu \
    'GB_TRY(cudaStreamWaitEvent(o->in, out->sorted, 0), error);' ';'
overlap "a piece is packed over what has not left" out_of_core.cu \
    'GB_TRY(cudaStreamWaitEvent(o->compute, out->done, 0), error);' ';'
threads "threads do not wait for the records" unpackers.c \
    'if (await_records(u, place, (uint32_t)(left >> 32)))' ''
threads "numbers of the sort before count" unpackers.c \
    'u->arrived[s] = 0;' ';'
threads "a seat is free when one part is done" unpackers.c \
    'at->undone--;' 'at->undone = 0;'
finish
