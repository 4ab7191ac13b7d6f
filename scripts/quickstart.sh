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

status=0
"$gpubench" run $config --device "$device" --out "$out" || status=$?
# 1: a point failed, which the table shows. Anything else: there is no result.
[ $status -le 1 ] || exit $status
echo
"$gpubench" table "$out" --no-pager
drawn=$("$gpubench" plot "$out")
echo
echo "results:  $out/multipartition.csv"
echo "figures:  $(grep '\.svg$' <<<"$drawn" | paste -sd' ') (also .pdf and .png)"
exit $status
