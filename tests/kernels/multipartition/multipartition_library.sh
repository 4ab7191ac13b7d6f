#!/bin/bash
# test: thorough turns 20
# The partition as other programs take it: its examples are built from what `make install` installs and
# run, on the simt device. (For GPUs: tests/delivery/library.sh. What the library says of mistakes:
# test_multipartition_library.cu; functions of a program's own: test_multipartition_function.cu.)
. "$(dirname "$0")/../../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
examples=$prefix/share/gpubench/examples
cd "$scratch" || exit 1

# The library's objects are those of the simt worker; the headers are the installed ones.
simt="-std=c++17 -fno-strict-aliasing -O1 -Wall -Wno-unknown-pragmas -Werror -pthread -DGB_ARCH=900 -I$prefix/include"
$CXX --version | grep -q clang || simt="$simt -fno-extern-tls-init"
compile() # compile SOURCE OBJECT
{
    # shellcheck disable=SC2086 # flags
    "$CXX" $simt -I"$tree" -x c++ -c "$1" -o "$2"
}
link() # link PROGRAM OBJECT...
{
    "$CXX" -pthread "${@:2}" -Wl,--start-group "$BUILD/libsimt.a" "$BUILD/libworker.a" "$BUILD/libdriver.a" \
        -Wl,--end-group -o "$1" -lcjson -lm -ldl
}
example() { compile "$examples/$1" "$2.o" && link "$2" "$2.o" "${@:3}"; }
says() { ./"$1" >out 2>&1; local status=$?; cat out; [ $status = 0 ] && grep -qE "$2" out; }
check "the example in C builds" example multipartition_example.c example
check "the example in C runs" says example '1000000 keys in 100 bins by method [1-9] .*, 0 wrong'
check "the choice is from a GPU that was measured" grep -q 'measured on: [^)]' out

# The headers alone, in two files of one program, beside those of the other primitives.
printf '%s\n' '#include <gpubench/sort.hpp>' '#include <gpubench/multipartition.hpp>' '#include <gpubench/growable_bulk.cuh>' \
    'cudaError_t other(void *t, size_t &b, unsigned *k, uint64_t *o)' \
    '{ return gpubench::DeviceMultipartition::PartitionKeys(t, b, k, k + 8, o, 8, 2, gpubench::ByRange{}); }' >other.cu
# shellcheck disable=SC2086 # flags
check "the headers need nothing else" "$CXX" $simt -Wextra -x c++ -c other.cu -o other.o
check "the example in C++ builds" example multipartition_function_example.cu function other.o
check "the example in C++ runs" says function '1000000 measurements in 8 decades, 0 wrong'
finish
