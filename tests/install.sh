#!/bin/bash
# What `make install` copies runs from any folder and finds its plots and published numbers.
. "$(dirname "$0")/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
unset MAKEFLAGS MAKELEVEL
cd "$tree" || exit 1
check "make install PREFIX=" make BUILD=build NVCC= PREFIX="$prefix" install
check "make install DESTDIR= PREFIX=" make BUILD=build NVCC= DESTDIR="$scratch/stage" PREFIX=/usr install
check "goes below DESTDIR" test -x "$scratch/stage/usr/bin/gpubench"
rm -rf "$tree"
mkdir "$scratch/elsewhere" && cd "$scratch/elsewhere" || exit 1

config=$prefix/share/gpubench/configs/multipartition.json
check "runs a config" "$prefix/bin/gpubench" run "$config" --device simt --filter 'bins == 40' --out out
check "finds the published numbers" sh -c "'$prefix/bin/gpubench' list published | grep multipartition-table1"
check "lists the installed configs" sh -c "'$prefix/bin/gpubench' list configs | grep multipartition"
check "draws with the installed plots" "$prefix/bin/gpubench" plot out
check "wrote a figure" test -s out/multipartition-bins.svg
finish
