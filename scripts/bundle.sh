#!/bin/bash
# Gathers programs, the libraries they need, configs, plots and published numbers in a folder that
# runs on a host with nothing installed but the GPU's driver, and makes sure that nothing is missing.
# Usage: scripts/bundle.sh FOLDER VERSION PROGRAM...   (make bundle)
set -eu
cd "$(dirname "$0")/.."
final=$1 bundle=$1.new version=$2
shift 2
export LC_ALL=C

fail()
{
    echo "bundle: $*" >&2
    exit 1
}

# Put together beside, so that a bundle is a whole one, and the last one stays until then.
trap 'rm -rf "$bundle"' EXIT
rm -rf "$bundle"
mkdir -p "$bundle/lib" "$bundle/results"
cp "$@" "$bundle/"
cp -r configs plots "$bundle/"
cp -r results/published "$bundle/results/"
mkdir "$bundle/scripts"
cp -r scripts/profile.sh scripts/profile.awk scripts/old-code.sh scripts/card.sh scripts/lib.sh scripts/reproduce.sh scripts/scaling.sh scripts/faults.sh scripts/star-catalogue.sh scripts/slurm "$bundle/scripts/"
mkdir "$bundle/docs"
cp docs/*.md "$bundle/docs/"
cp README.md LICENSE "$bundle/"
echo "gpubench $version" >"$bundle/VERSION"
# The bundle is no repository: results that it measures name the commit by this line.
if commit=$(git rev-parse HEAD 2>/dev/null); then
    state=clean
    [ -z "$(git status --porcelain --untracked-files=no)" ] || state=dirty
    echo "commit $commit $state" >>"$bundle/VERSION"
fi

# carry PROGRAM LIBRARY LICENCE...: copies a library of the program's (libcjson.so.1) and the licences
# that are there.
carry()
{
    local program=$1 library=$2 found
    shift 2
    found=$(ldd "$bundle/$program" | awk -v name="$library" '$1 == name { print $3 }')
    [ -f "$found" ] || fail "ldd does not say where $library is"
    cp -L "$found" "$bundle/lib/$library"
    for copyright; do
        [ ! -f "$copyright" ] || cp "$copyright" "$bundle/lib/${library%%.*}.copyright"
    done
}
carry gpubench libcjson.so.1 /usr/share/doc/libcjson1/copyright /usr/share/licenses/cjson/LICENSE
# The loader alone: OpenCL itself comes with the GPU's driver.
[ ! -e "$bundle/gpubench-opencl" ] || carry gpubench-opencl libOpenCL.so.1 \
    /usr/share/doc/ocl-icd-libopencl1/copyright /usr/share/licenses/ocl-icd/COPYING

# Whatever else is needed must be part of every Linux with glibc.
newest=
for program; do
    program=$bundle/$(basename "$program")
    strip --strip-debug "$program"
    needed=$(env -i PATH="$PATH" ldd "$program") || fail "ldd $program: $needed"
    strangers=$(echo "$needed" | grep -vE 'linux-vdso|ld-linux|lib(c|m|dl|rt|pthread)\.so' |
        grep -vF "$bundle/lib/") || true
    [ -z "$strangers" ] || fail "$program needs what a bare host may lack:"$'\n'"$strangers"
    newest=$(printf '%s\n' "$newest" "$(objdump -T "$program" "$bundle"/lib/*.so.1 |
        grep -oE 'GLIBC_[0-9.]+' | sort -V | tail -n 1)" | sort -V | tail -n 1)
done

find "$bundle" -type f -exec sync {} + || fail "the disk does not take it"
rm -rf "$final"
mv "$bundle" "$final"
bundle=$final
trap - EXIT

echo "$bundle/: $(basename -a "$@" | tr '\n' ' ')($(du -sh "$bundle" | cut -f1)); needs glibc ${newest#GLIBC_} or newer"
if [ ! -e "$bundle/gpubench-cuda" ]; then
    if [ -e "$bundle/gpubench-cuda11" ]; then
        echo "Its only worker for GPUs is the one for those before Turing: nvcc was not found."
    else
        echo "It has no worker for GPUs: nvcc was not found."
    fi
fi
