#!/bin/sh
# Fetches NVIDIA's CCCL (CUB, Thrust, libcu++: headers alone) from PyPI into a folder, for the baselines on the
# newest CUB, and touches nothing else. No root is needed. The folder gets its name when all is in it.
# Usage: scripts/cccl.sh FOLDER   (scripts/setup.sh --cccl)
# Environment: CCCL_VERSION, another version than the one below (its checksum is then not known here and not
# checked); PYPI, another index than https://pypi.org.
set -u
folder=$1
known=13.3.5.0.6 # CUB 3.5.0
known_sha256=d5230098fa2df5021e1a00c0c4eee41797671a91119d31e892463e5ccf3ee326
version=${CCCL_VERSION:-$known}
header=$folder/include/cub/version.cuh
if [ -e "$header" ]; then exit 0; fi

refuse() {
    echo "setup.sh: CCCL was not fetched: $1."
    shift
    for line; do echo "    $line"; done
    echo "    Everything else can be built without it; what it is for are the variants *-latest, the newest CUB as a"
    echo "    second baseline. A CCCL that is somewhere else will do, too: make CCCL=FOLDER (include/cub is in it)."
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }
for tool in curl unzip sha256sum; do
    have $tool || refuse "there is no $tool here" "Install it and run this again."
done

part=$folder.part
rm -rf "$part" # of a fetch that was interrupted
mkdir -p "$part" || refuse "$part cannot be written"
trap 'rm -rf "$part"' EXIT
trap 'exit 130' INT TERM HUP
index=${PYPI:-https://pypi.org}/simple/nvidia-cuda-cccl/
curl -fsSL --retry 3 "$index" -o "$part/index.html" 2>"$part/log" ||
    refuse "$index did not answer ($(tail -n 1 "$part/log"))"
# The wheels of a version differ in the machine that they are for: the headers are the same.
wheel=$(grep -oE "href=\"[^\"]*nvidia_cuda_cccl-$version-[^\"]*x86_64\.whl" "$part/index.html" | head -n 1 | cut -d '"' -f 2)
[ -n "$wheel" ] || refuse "$index has no version $version"
curl -fsSL --retry 3 "$wheel" -o "$part/cccl.whl" 2>"$part/log" ||
    refuse "$wheel could not be fetched ($(tail -n 1 "$part/log"))"
sum=$(sha256sum "$part/cccl.whl" | cut -d ' ' -f 1)
[ "$version" != $known ] || [ "$sum" = $known_sha256 ] ||
    refuse "what came is not version $version: its SHA-256 is $sum" "$known_sha256 was expected."
unzip -q "$part/cccl.whl" -d "$part/wheel" 2>"$part/log" || refuse "the wheel is damaged"
headers=$(find "$part/wheel" -path '*/cub/version.cuh' | head -n 1)
[ -n "$headers" ] || refuse "the wheel has no cub/version.cuh"
mkdir "$part/whole"
mv "${headers%/cub/version.cuh}" "$part/whole/include" || refuse "$folder cannot be written"
# Its licence (Apache 2.0 with LLVM's exception, and others) stays beside it.
find "$part/wheel" -iname 'license*' -type f -exec cp {} "$part/whole/LICENSE" \; -quit
rm -rf "$folder"
mv "$part/whole" "$folder" || refuse "$folder cannot be written"
echo "setup.sh: CCCL $version is in $folder: make builds the *-latest baselines with it"
