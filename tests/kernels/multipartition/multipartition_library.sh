#!/bin/bash
# test: thorough 9
# The partition as other programs take it: its example is built from what `make install` installs and
# runs, on the simt device. (For GPUs: tests/delivery/library.sh. What the library says of mistakes:
# test_multipartition_library.cu.)
. "$(dirname "$0")/../../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
check "installs multipartition.h" test -s "$prefix/include/gpubench/multipartition.h"
example=$prefix/share/gpubench/examples/multipartition_example.c
cd "$scratch" || exit 1

# The library's objects are those of the simt worker; the header is the installed one.
simt="-std=c++17 -fno-strict-aliasing -O1 -pthread -DGB_ARCH=900 -I$prefix/include -I$tree"
$CXX --version | grep -q clang || simt="$simt -fno-extern-tls-init"
link() # link SOURCE PROGRAM
{
    # shellcheck disable=SC2086 # flags
    "$CXX" $simt -x c++ -c "$1" -o "$2.o" &&
        "$CXX" -pthread "$2.o" -Wl,--start-group "$BUILD/libsimt.a" "$BUILD/libworker.a" "$BUILD/libdriver.a" \
            -Wl,--end-group -o "$2" -lcjson -lm -ldl
}
check "the example builds" link "$example" example
says() { ./"$1" >out 2>&1; local status=$?; cat out; [ $status = 0 ] && grep -qE "$2" out; }
check "the example runs" says example '1000000 keys in 100 bins by method [1-9] .*, 0 wrong'
check "the choice is from a GPU that was measured" grep -q 'measured on: [^)]' out
finish
