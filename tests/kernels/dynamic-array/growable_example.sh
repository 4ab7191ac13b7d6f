#!/bin/bash
# test: thorough turns 45
# The example of the growable array is built from what `make install` installs and runs on the simt
# device. (For GPUs: tests/delivery/library.sh.)
. "$(dirname "$0")/../../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
for header in growable.h growable.cuh growable_bulk.cuh growable_ordered.cuh look_back.cuh tile.cuh; do
    check "installs $header" test -s "$prefix/include/gpubench/$header"
done
example=$prefix/share/gpubench/examples/growable_example.cu
cd "$scratch" || exit 1

# The headers are the installed ones; the library's sources and the stand-in for CUDA are the tree's.
simt="-std=c++17 -fno-strict-aliasing -O1 -pthread -DGB_ARCH=900 -I$prefix/include -I$tree"
$CXX --version | grep -q clang || simt="$simt -fno-extern-tls-init"
objects=""
library=("$tree"/kernels/dynamic-array/growable/{array,pool,memory}.cu)
for source in "${library[@]}" "$tree"/common/simt/*.cpp "$example"; do
    object=$(basename "$source").o
    # shellcheck disable=SC2086 # flags
    check "compiles $(basename "$source")" "$CXX" $simt -x c++ -c "$source" -o "$object"
    objects="$objects $object"
done
for name in error limits text; do
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -I"$tree" -c "$tree/common/text/$name.c" -o "$name.o"
    objects="$objects $name.o"
done
# shellcheck disable=SC2086
check "links" "$CXX" -pthread $objects -lm -ldl -o example
run_example() { ./example >out 2>&1; local status=$?; cat out; [ $status = 0 ] && grep -q "$1" out; }
check "runs out of memory and goes on" run_example '333334 elements, 0 without memory, their sum is right'
check "says what had no memory" grep -qE '333334 elements, [1-9][0-9]* of them without memory' out

# A header as a user would include it: in two files of one program.
printf '#include <gpubench/growable.h>\n#include <gpubench/growable_ordered.cuh>\nint other() { return 0; }\n' >other.cu
# shellcheck disable=SC2086
check "the headers go into any number of files" "$CXX" $simt -Wall -Wextra -Wno-unknown-pragmas -Werror -x c++ -c other.cu -o other.o
finish
