#!/bin/bash
# The Python package as a wheel, from a copy of common/python: BUILD/gpubench-VERSION-py3-none-any.whl.
# Usage: scripts/wheel.sh BUILD VERSION   (make wheel)
set -eu
cd "$(dirname "$0")/.."
build=$1 version=$2
# Newer versions of setuptools need no wheel.
has_tools()
{
    "$1" -W ignore -c 'import setuptools
if [int(part) for part in setuptools.__version__.split(".")[:2]] < [70, 1]: import wheel' 2>/dev/null
}

# The first Python on PATH need not be the one that Debian's packages are for.
for python in python3 /usr/bin/python3 none; do
    if has_tools "$python"; then break; fi
done
if [ "$python" = none ]; then
    echo "wheel.sh: no Python here has setuptools and wheel: install Debian's python3-setuptools and python3-wheel" \
        "(scripts/setup.sh --check does), or pip install setuptools wheel" >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r common/python "$folder/package"
find "$folder/package" -name '__pycache__' -prune -exec rm -rf {} +
cp LICENSE "$folder/package"
printf 'VERSION = "%s"\n' "$version" >"$folder/package/gpubench/built.py"
# Files in a wheel have the time of the newest source, so that equal sources make equal wheels.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(find common/python -name '*.py' -printf '%T@\n' | sort -n | tail -n 1 | cut -d. -f1)}
export SOURCE_DATE_EPOCH
mkdir -p "$build"
(cd "$folder/package" && "$python" -W ignore -c 'from setuptools import build_meta; build_meta.build_wheel("..")') \
    >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
mv "$folder/gpubench-$version-py3-none-any.whl" "$build/"
