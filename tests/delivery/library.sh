#!/bin/bash
# test: thorough turns 50
# The library of the primitives as `make install` brings it: what it defines is what its headers declare, and other
# programs find it by pkg-config and by CMake. Its examples are built here for GPUs, and run where there is one; what they
# do is tested on the simt device: radix_sort_library.sh, multipartition_library.sh, octree_library.sh, growable_example.sh.
. "$(dirname "$0")/../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
examples=$prefix/share/gpubench/examples
cd "$scratch" || exit 1

for header in multipartition octree sort; do
    printf '#include <gpubench/%s.h>\nint other(void) { return 0; }\n' $header >other.c
    check "$header.h is C, and needs nothing else" "$CC" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -c other.c
done
# What the headers declare, without their comments.
declared()
{
    local header
    for header in growable multipartition octree sort; do
        "$CC" -fpreprocessed -E -P "$prefix/include/gpubench/$header.h" 2>/dev/null
    done | grep -oE '\b(gb_growable|gb_octree|mp|rs)_[a-z0-9_]+\(' | tr -d '(' | LC_ALL=C sort -u
}
declared >names
check "the list of its names is what its headers declare" diff names <(grep -v '^#' "$tree/scripts/sdk/libgpubench.names")

nvcc=${NVCC-$(command -v nvcc)}
if [ -z "$nvcc" ] || [ ! -e "$prefix/lib/libgpubench.a" ]; then
    skip "the library" "it is built with nvcc"
    finish
    exit
fi
defined() { diff names <(nm "$@" | awk 'NF { print $NF }' | grep -vE ':$|^GPUBENCH_' | sed 's/@.*//' | LC_ALL=C sort); }
check "the shared library defines these alone" defined -D --defined-only "$prefix/lib/libgpubench.so"
check "the static one does" defined -g --defined-only "$prefix/lib/libgpubench.a"
version=$(sed -nE 's/^.define GB_VERSION "(.*)"/\1/p' "$tree/bench/util/version.h")
major=libgpubench.so.${version%%.*}
check "its name has the major version" sh -c "objdump -p '$prefix/lib/libgpubench.so' | grep -E 'SONAME +$major\$'"
check "by which it is found" test "$(readlink -f "$prefix/lib/$major")" = "$(readlink -f "$prefix/lib/libgpubench.so.$version")"

# A program without a GPU says so, with one it is right.
says()
{
    LD_LIBRARY_PATH=$prefix/lib ./"$1" >out 2>&1
    local status=$?
    cat out
    if nvidia-smi >/dev/null 2>&1; then [ $status = 0 ] && grep -qE "$2" out; else grep -qE 'CUDA driver|CUDA-capable' out; fi
}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
cuda=("$nvcc" -std=c++17)
[ -z "${NVCCFLAGS-}" ] || read -ra cuda <<<"${cuda[*]} $NVCCFLAGS"
by_pkg_config() # by_pkg_config COMPILER EXAMPLE PROGRAM
{
    local flags
    read -ra flags < <(pkg-config --cflags --libs gpubench) && $1 "$examples/$2" -o "$3" "${flags[@]}"
}
statically() # the same with the static library
{
    local flags
    read -ra flags < <(pkg-config --static --cflags --libs gpubench | sed "s|-lgpubench |$prefix/lib/libgpubench.a |") &&
        "$CC" "$examples/$1" -o "$2" "${flags[@]}"
}
if command -v pkg-config >/dev/null; then
    check "pkg-config has its version" pkg-config --exact-version="$version" gpubench
    check "sort_example.c with it" by_pkg_config "$CC" sort_example.c sorts
    check "runs" says sorts ', 0 wrong'
    check "multipartition_example.c, statically" statically multipartition_example.c partitions
    check "runs" says partitions ', 0 wrong'
    check "octree_example.c" by_pkg_config "$CC" octree_example.c octrees
    check "runs" says octrees ', 0 wrong'
    check "growable_example.cu" by_pkg_config "${cuda[*]}" growable_example.cu grows
    check "runs" says grows 'their sum is right'
    check "multipartition_function_example.cu" by_pkg_config "${cuda[*]} -Xcompiler -Wall,-Wextra,-Werror" \
        multipartition_function_example.cu decades
    check "runs" says decades 'in 8 decades, 0 wrong'
    check "sort_cub_example.cu" by_pkg_config "${cuda[*]}" sort_cub_example.cu cub
    check "runs" says cub 'double with 8 bytes, n = 300007, descending: the same'
    for graph in sort multipartition; do
        check "${graph}_graph_example.cu" by_pkg_config "${cuda[*]}" ${graph}_graph_example.cu graph
        check "each is captured" says graph right
    done
else
    skip "with pkg-config" "there is none here"
fi

by_cmake()
{
    mkdir cmake && cat >cmake/CMakeLists.txt <<END || exit 1
cmake_minimum_required(VERSION 3.18)
project(mine LANGUAGES C CXX CUDA)
find_package(gpubench $version REQUIRED)
add_executable(shared $examples/multipartition_example.c)
target_link_libraries(shared PRIVATE gpubench::gpubench)
add_executable(static $examples/sort_example.c)
target_link_libraries(static PRIVATE gpubench::gpubench_static)
add_executable(function $examples/multipartition_function_example.cu)
target_link_libraries(function PRIVATE gpubench::gpubench)
END
    CUDAFLAGS=${NVCCFLAGS-} cmake -S cmake -B cmake -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_STANDARD=17 \
        -DCMAKE_CUDA_ARCHITECTURES="$(sed -n 's/ /;/g; s/^architectures=//p' "$prefix/lib/pkgconfig/gpubench.pc")" &&
        cmake --build cmake && mv cmake/shared cmake_shared && mv cmake/static cmake_static && mv cmake/function cmake_function
}
if command -v cmake >/dev/null; then
    check "examples with CMake" by_cmake
    check "with the shared library" says cmake_shared ', 0 wrong'
    check "with the static one" says cmake_static ', 0 wrong'
    check "by a function of a program's own" says cmake_function 'in 8 decades, 0 wrong'
else
    skip "with CMake" "there is none here"
fi
finish
