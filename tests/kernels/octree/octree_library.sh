#!/bin/bash
# test: thorough turns 40
# The octrees as other programs take them: the example is built from what `make install` installs and run, on the
# simt device. (For GPUs: tests/delivery/library.sh. What the library builds and finds, and says of mistakes:
# test_octree_library.cu.)
. "$(dirname "$0")/../../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
check "installs octree.h" test -s "$prefix/include/gpubench/octree.h"
cd "$scratch" || exit 1

# The library's objects are those of the simt worker; the header is the installed one.
simt="-std=c++17 -fno-strict-aliasing -O1 -Wall -Wno-unknown-pragmas -Werror -pthread -DGB_ARCH=900 -I$prefix/include -I$tree"
$CXX --version | grep -q clang || simt="$simt -fno-extern-tls-init"
link() # link SOURCE PROGRAM
{
    # shellcheck disable=SC2086 # flags
    "$CXX" $simt -x c++ -c "$1" -o "$2.o" &&
        "$CXX" -pthread "$2.o" -Wl,--start-group "$BUILD/libsimt.a" "$BUILD/libworker.a" "$BUILD/libdriver.a" \
            -Wl,--end-group -o "$2" -lcjson -lm -ldl
}
says() { ./"$1" >out 2>&1; local status=$?; cat out; [ $status = 0 ] && grep -qE "$2" out; }
check "the example in C builds" link "$prefix/share/gpubench/examples/octree_example.c" example
check "the example in C runs" says example '^100000 bodies around \(0\.[45].., 0\.[45].., 0\.[45]..\), 4 nearest of 20 looked at, 0 wrong$'
finish
