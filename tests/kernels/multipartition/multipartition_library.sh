#!/bin/bash
# test: thorough turns 20
# The partition as other programs take it: its examples are built from what `make install` installs and
# run, on the simt device. (For GPUs: tests/delivery/library.sh. What the library says of mistakes:
# test_multipartition_library.cu; functions of a program's own: test_multipartition_function.cu.)
. "$(dirname "$0")/../../harness/lib_installed.sh"
check "the example in C builds" link "$examples/multipartition_example.c" example
check "the example in C runs" says example '1000000 keys in 100 bins by method [1-9] .*, 0 wrong'
check "the choice is from a GPU that was measured" grep -q 'measured on: [^)]' out

# The headers alone, in two files of one program, beside those of the other primitives.
printf '%s\n' '#include <gpubench/sort.hpp>' '#include <gpubench/multipartition.hpp>' '#include <gpubench/growable_bulk.cuh>' \
    'cudaError_t other(void *t, size_t &b, unsigned *k, uint64_t *o)' \
    '{ return gpubench::DeviceMultipartition::PartitionKeys(t, b, k, k + 8, o, 8, 2, gpubench::ByRange{}); }' >other.cu
# shellcheck disable=SC2086 # flags
check "the headers need nothing else" "$CXX" $simt -Wextra -x c++ -c other.cu -o other.o
check "the example in C++ builds" link "$examples/multipartition_function_example.cu" function other.o
check "the example in C++ runs" says function '1000000 measurements in 8 decades, 0 wrong'
finish
