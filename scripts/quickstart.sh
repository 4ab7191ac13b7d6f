#!/bin/bash
# Runs the Multipartition experiment on this machine, prints its table and draws its figure.
# Usage: scripts/quickstart.sh BUILD DEVICE
set -eu
cd "$(dirname "$0")/.."
build=$1 device=$2
gpubench=$build/gpubench
config=configs/multipartition.json
# Beside the build, so that a first try never replaces results that are kept under results/.
out=$build/quickstart

"$gpubench" run $config --device "$device" --out "$out"
echo
"$gpubench" table "$out"
"$gpubench" plot "$out"
echo
printf "results  %s\n" "$out"/*.csv
printf "figure   %s\n" "$out"/*.svg
