#!/bin/bash
# test: thorough turns 90
# The sorts as other programs take them: the examples are built from what `make install` installs and run, on
# the simt device. (For GPUs: tests/delivery/library.sh. What the library says of mistakes, and of NaNs and zeros:
# test_radix_sort_library.cu.)
. "$(dirname "$0")/../../harness/lib_installed.sh"
check "installs sort.h and sort.hpp" test -s "$prefix/include/gpubench/sort.h" -a -s "$prefix/include/gpubench/sort.hpp"
says_python() { python3 "$examples/sort_example.py" >out 2>&1; local status=$?; cat out; [ $status = 0 ] && grep -qE "$1" out; }
check "the example in C builds" link "$examples/sort_example.c" example
check "the example in C runs" says example '1000000 floats from .* down to .*, 0 wrong'
check "the example with CUB's signatures builds" link "$examples/sort_cub_example.cu" cub_example
check "the example with CUB's signatures runs" says cub_example 'double with 8 bytes, n = 300007, descending: the same'

# The example in Python, in front of a shared library of the same sources for the simt device.
shared()
{
    local sort=$tree/kernels/radix-sort segments=$tree/kernels/segmented-sort common=$tree/common source
    printf '#include "common/simt/simt.h"\nextern "C" void *device_memory(size_t bytes)\n{\n    void *at;\n    return cudaMalloc(&at, bytes) == cudaSuccess ? at : NULL;\n}\n' >memory.cu
    mkdir -p pic
    for source in "$PWD/memory.cu" "$sort"/{library,hybrid,onesweep,small}/*.cu "$segments"/segmented/*.cu \
        {"$sort","$segments"}/{problem,check}.cu "$common"/simt/*.cpp; do
        # shellcheck disable=SC2086 # flags
        echo $simt -I"$tree" -fPIC -x c++ -c "$source" -o "pic/$(basename "$(dirname "$source")")_$(basename "$source").o"
    done | xargs -P 4 -L 1 "$CXX" || return 1
    for source in "$sort"/{axes,oracle,shape}.c "$segments"/{axes,lengths,oracle}.c "$common"/{distributions,gpubench}.c "$common"/text/{error,text,limits}.c "$common/worker/memory.c"; do
        "$CC" -std=c11 -D_GNU_SOURCE -O1 -fPIC -I"$tree" -c "$source" -o "pic/$(basename "$(dirname "$source")")_$(basename "$source").o" || return 1
    done
    "$CXX" -shared -pthread -Wl,-z,defs pic/*.o -o sort_on_simt.so -ldl
}
check "a shared library for the simt device builds" shared
check "the example in Python sorts on it" python3 "$tree/tests/kernels/radix-sort/sort_on_simt.py" "$examples/sort_example.py" ./sort_on_simt.so
check "... and runs where torch is installed, or says that it is not" says_python '^skipped: torch|as torch.sort'
finish
