#!/bin/bash
# Copies the programs, configs, plots and published numbers under a prefix, and what other programs
# take from the project: headers and, where nvcc has built them, libraries.
# Usage: scripts/install.sh BUILD PREFIX   (make install PREFIX=...)
set -eu
cd "$(dirname "$0")/.."
build=$1 prefix=$2
share=$prefix/share/gpubench

install -d "$prefix/bin" "$prefix/include/gpubench" "$share/examples" "$share/configs" "$share/plots" "$share/results/published"
for program in "$build"/gpubench "$build"/gpubench-simt "$build"/gpubench-cuda "$build"/gpubench-cuda11 "$build"/gpubench-opencl; do
    [ ! -e "$program" ] || install -m 755 "$program" "$prefix/bin/"
done
install -m 644 configs/*.json "$share/configs/"
find plots -type f -exec install -m 644 {} "$share/plots/" \;
find results/published -type f -exec install -m 644 {} "$share/results/published/" \;
headers=kernels/dynamic-array
install -m 644 $headers/growable.h $headers/growable.cuh $headers/growable_bulk.cuh $headers/growable_ordered.cuh \
    $headers/look_back.cuh $headers/tile.cuh "$prefix/include/gpubench/"
install -m 644 kernels/multipartition/multipartition.h "$prefix/include/gpubench/"
install -m 644 kernels/*/example/*_example.c* "$share/examples/"
for library in "$build"/libgpubench_*.a; do
    [ -e "$library" ] || continue
    install -d "$prefix/lib"
    install -m 644 "$library" "$prefix/lib/"
done
echo "installed in $prefix/bin, configs in $share/configs"
