#!/bin/bash
# Copies the programs, configs, plots and published numbers under a prefix, with the manual, completion,
# documents and scripts, and what other programs take from the project: headers and, where nvcc has built
# them, libraries. What was copied stands in share/gpubench/installed; with --remove it is taken away.
# Usage: scripts/install.sh BUILD PREFIX      (make install PREFIX=...)
#        scripts/install.sh --remove PREFIX   (make uninstall PREFIX=...)
set -eu
cd "$(dirname "$0")/.."

if [ "$1" = --remove ]; then
    cd "$2"
    [ -f share/gpubench/installed ] || { echo "install: nothing is installed in $2" >&2; exit 1; }
    xargs -d '\n' rm -f <share/gpubench/installed
    rm -f share/gpubench/installed
    for folder in share/gpubench share/doc/gpubench include/gpubench lib/cmake/gpubench; do
        [ ! -d $folder ] || find $folder -depth -type d -empty -delete
    done
    exit
fi

build=$1 prefix=$2 installed=()

# put MODE FOLDER FILE...: into that folder of the prefix. Globs that match nothing are left out.
put()
{
    local mode=$1 folder=$2 file
    for file in "${@:3}"; do
        [ -f "$file" ] || continue
        install -D -m "$mode" "$file" "$prefix/$folder/$(basename "$file").new"
        mv -f "$prefix/$folder/$(basename "$file").new" "$prefix/$folder/$(basename "$file")"
        installed+=("$folder/$(basename "$file")")
    done
}

# put_headers FOLDER FILE...: into that folder of include/gpubench. Those of the tree are included by their paths in it,
# which programs need not know: a header's own way to them is written there.
put_headers()
{
    local folder=include/gpubench${1:+/$1} file to
    install -d "$prefix/$folder"
    for file in "${@:2}"; do
        to=$folder/$(basename "$file")
        awk -v here="$1" '/^# *include "(common|kernels)\// {
            before = after = $0; sub(/".*/, "\"", before); sub(/^[^"]*"[^"]*/, "", after)
            path = $0; sub(/^[^"]*"/, "", path); sub(/".*/, "", path)
            sub(/^kernels\/multipartition\/multipartition\.h$/, "multipartition.h", path)
            up = here == "" ? "" : here "/"
            while (up != "" && (at = index(up, "/")) && substr(path, 1, at) == substr(up, 1, at)) {
                path = substr(path, at + 1); up = substr(up, at + 1)
            }
            gsub(/[^\/]+/, "..", up)
            $0 = before up path after
        } { print }' "$file" >"$prefix/$to.new"
        chmod 644 "$prefix/$to.new"
        mv -f "$prefix/$to.new" "$prefix/$to"
        installed+=("$to")
    done
}

# link NAME TARGET: in lib, a name of a library.
link()
{
    ln -sfn "$2" "$prefix/lib/$1"
    installed+=("lib/$1")
}

# put_as FILE AS: where its name there is another. zsh and fish ask bash's completion, which lies elsewhere then.
put_as()
{
    install -d "$prefix/$(dirname "$2")"
    sed 's|/completion\.bash|/../../bash-completion/completions/gpubench|' "$1" >"$prefix/$2"
    chmod 644 "$prefix/$2"
    installed+=("$2")
}

# made FILE AS: a template of the SDK, with what its libraries were built with.
fact() { sed -n "s|^GB_SDK_$1 := ||p" "$build/sdk.mk"; }
made()
{
    local launches wrap nvcc
    read -ra launches <<<"$(fact LAUNCHES)"
    wrap=$(printf -- '-Wl,--wrap=%s ' "${launches[@]}")
    nvcc=$(fact NVCC)
    install -d "$prefix/$(dirname "$2")"
    sed -e "s|@VERSION@|$(fact VERSION)|" -e "s|@SIMT_ARCH@|$(fact SIMT_ARCH)|" -e "s|@CUDA_ARCHS@|$(fact CUDA_ARCHS)|" \
        -e "s|@CUDA@|${nvcc%/bin/nvcc*}|" -e "s|@WRAP@|$wrap|" "$1" >"$prefix/$2"
    chmod 644 "$prefix/$2"
    installed+=("$2")
}

put 755 bin "$build/gpubench" "$build/gpubench-simt" "$build/gpubench-host" "$build/gpubench-simt-hooks" "$build"/gpubench-cuda* "$build/gpubench-opencl"
put 644 share/gpubench/configs configs/*.json
put 644 share/gpubench/plots plots/*
put 644 share/gpubench/results/published results/published/*
put 644 share/gpubench/results/published/elsewhere results/published/elsewhere/*
put 755 share/gpubench/scripts scripts/profile.sh scripts/star-catalogue.sh
put 644 share/gpubench/scripts scripts/profile.awk
put 644 share/gpubench/examples kernels/*/example/*_example.c* kernels/*/example/*_example.py
put 644 share/man/man1 "$build/gpubench.1"
put 644 share/doc/gpubench README.md LICENSE
put 644 share/doc/gpubench/docs docs/*.md
put_as scripts/completion.bash share/bash-completion/completions/gpubench
put_as scripts/completion.zsh share/zsh/site-functions/_gpubench
put_as scripts/completion.fish share/fish/vendor_completions.d/gpubench.fish
growable=kernels/dynamic-array/growable
put_headers '' $growable/growable.h $growable/growable.cuh $growable/growable_bulk.cuh \
    $growable/growable_ordered.cuh $growable/look_back.cuh $growable/tile.cuh kernels/multipartition/multipartition.h \
    kernels/multipartition/partition/multipartition.hpp kernels/octree/library/octree.h kernels/radix-sort/sort.h kernels/radix-sort/sort.hpp
# What functions of a program's own are compiled into.
put_headers kernels/multipartition kernels/multipartition/{bins,experiment}.h \
    kernels/multipartition/{boundaries,counts,dispatch,elements,search,tables}.cuh
put_headers kernels/multipartition/partition kernels/multipartition/partition/{*.cuh,partition.h}
put 644 lib "$build"/libgpubench_*.a
# The primitives' library, where nvcc has built it.
version=$(fact VERSION)
if [ -f "$build/libgpubench.a" ] && [ -n "$(fact CUDA)" ]; then
    put 644 lib "$build/libgpubench.a" "$build/libgpubench.so.$version"
    link "libgpubench.so.${version%%.*}" "libgpubench.so.$version"
    link libgpubench.so "libgpubench.so.${version%%.*}"
    made scripts/sdk/gpubench.pc.in lib/pkgconfig/gpubench.pc
fi
put 644 share/gpubench/python "$build"/gpubench-*.whl # where make wheel has made it

# What kernels outside the tree are built with (docs/sdk.md).
put_headers common common/*.h
for room in text protocol cuda simt; do
    mapfile -t headers < <(find common/$room -name '*.h' -o -name '*.cuh' | LC_ALL=C sort)
    put_headers common/$room "${headers[@]}"
done
for header in backend clock cpu_pool fresh_process registry; do
    put_headers common/worker common/worker/$header.h
done
put 644 share/gpubench/sdk scripts/sdk/primitive.mk "$build/sdk.mk"
put 755 share/gpubench/sdk scripts/sdk/registry.sh
put 644 share/gpubench/sdk/templates scripts/sdk/templates/*
put 644 lib/cmake/gpubench scripts/sdk/gpubenchConfig.cmake
made scripts/sdk/gpubenchConfigVersion.cmake.in lib/cmake/gpubench/gpubenchConfigVersion.cmake
made scripts/sdk/gpubench-simt.pc.in lib/pkgconfig/gpubench-simt.pc
[ ! -f "$build/libgpubench_worker_cuda.a" ] || [ -z "$(fact CUDA)" ] ||
    made scripts/sdk/gpubench-cuda.pc.in lib/pkgconfig/gpubench-cuda.pc
printf '%s\n' "${installed[@]}" >"$prefix/share/gpubench/installed"
echo "installed in $prefix/bin, configs in $prefix/share/gpubench/configs; the manual: man gpubench"
