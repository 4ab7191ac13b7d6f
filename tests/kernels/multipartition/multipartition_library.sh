#!/bin/bash
# test: thorough 9
# The partition as other programs take it: its example is built from what `make install` installs and
# runs, on the simt device, and by nvcc where there is one; where there is a GPU each method is captured
# into a graph, too. (What the library says of mistakes: test_multipartition_library.cu.)
. "$(dirname "$0")/../../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
check "installs multipartition.h" test -s "$prefix/include/gpubench/multipartition.h"
example=$prefix/share/gpubench/examples/multipartition_example.c
cd "$scratch" || exit 1

# The library's objects are those of the simt worker; the header is the installed one.
simt="-std=c++17 -fno-strict-aliasing -O1 -pthread -DGB_ARCH=900 -I$prefix/include/gpubench -I$tree"
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

printf '#include "multipartition.h"\nint other(void) { return MP_OK; }\n' >other.c
check "the header is C, and needs nothing else" "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror \
    -I"$prefix/include/gpubench" -c other.c -o other.o

library=$prefix/lib/libgpubench_multipartition.a
nvcc=${NVCC-$(command -v nvcc)}
if [ -n "$nvcc" ] && [ -e "$library" ]; then
    with_library() { "$nvcc" -std=c++17 -cudart static -I"$prefix/include/gpubench" -o "$2" "$1" "$library"; }
    check "nvcc builds the example" with_library "$example" cuda_example
    check "nvcc builds the capture into a graph" with_library "$(dirname "$example")/multipartition_graph_example.cu" cuda_graph
    if nvidia-smi >/dev/null 2>&1; then
        check "the example runs on the GPU" says cuda_example ', 0 wrong'
        check "each method is captured into a graph" says cuda_graph right
    fi
fi
finish
