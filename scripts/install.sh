#!/bin/bash
# Copies the programs, configs, plots and published numbers under a prefix.
# Usage: scripts/install.sh BUILD PREFIX   (make install PREFIX=...)
set -eu
cd "$(dirname "$0")/.."
build=$1 prefix=$2
share=$prefix/share/gpubench

install -d "$prefix/bin" "$share/configs" "$share/plots" "$share/results/published"
for program in "$build"/gpubench "$build"/gpubench-simt "$build"/gpubench-cuda "$build"/gpubench-opencl; do
    [ ! -e "$program" ] || install -m 755 "$program" "$prefix/bin/"
done
install -m 644 configs/*.json "$share/configs/"
find plots -type f -exec install -m 644 {} "$share/plots/" \;
find results/published -type f -exec install -m 644 {} "$share/results/published/" \;
echo "installed in $prefix/bin, configs in $share/configs"
