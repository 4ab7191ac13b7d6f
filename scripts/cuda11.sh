#!/bin/sh
# Fetches CUDA 11.8, which compiles for GPUs from Kepler to Volta, and the g++ it takes, out of Debian's
# archive into a folder, and touches nothing else: apt has its lists, its cache and its list of sources
# in there, too. No root is needed. The folder gets its name when all is in it and compiles.
# Usage: scripts/cuda11.sh FOLDER   (scripts/setup.sh --cuda11)
# Environment: OS_RELEASE, a file in the place of /etc/os-release, for the tests.
set -u
folder=$1
[ ! -x "$folder/bin/nvcc" ] || exit 0

# Debian 12 is the release that has CUDA 11.8; its programs run on later ones.
suite=bookworm
packages="nvidia-cuda-toolkit nvidia-cuda-dev libcub-dev libthrust-dev libcu++-dev
    g++-11 gcc-11 cpp-11 libstdc++-11-dev libgcc-11-dev"
megabytes=1500 # the largest package beside what was unpacked

part=$folder.part
log=$part/log

refuse() {
    echo "setup.sh: CUDA 11.8 was not fetched: $1."
    shift
    for line; do echo "    $line"; done
    echo "    Everything else can be built without it; what it is for are GPUs before Turing. A CUDA 11.8 that is"
    echo "    somewhere else will do, too: make CUDA11=FOLDER (the one in which bin/nvcc is)."
    exit 1
}
# What apt said stands above what to do about it.
refuse_with_log() {
    tail -n 12 "$log"
    refuse "$@"
}
have() { command -v "$1" >/dev/null 2>&1; }
about_system() { sed -n "s/^$1=//p" "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d '"' | head -n 1; }

# ---- what this machine is ------------------------------------------------------------------------

system=$(about_system PRETTY_NAME)
id=$(about_system ID)
version=$(about_system VERSION_ID)
[ "$id" != ubuntu ] ||
    refuse "this is ${system:-Ubuntu}, and the packages are Debian's" \
        "Ubuntu's nvidia-cuda-toolkit is another CUDA in each release (11.5 in 22.04, 12.0 in 24.04), and the" \
        "folder is made from Debian's. NVIDIA's runfile installs 11.8 into a folder of its own:" \
        "https://developer.nvidia.com/cuda-11-8-0-download-archive (sh cuda_11.8.0_*.run --toolkit --silent" \
        "--toolkitpath=FOLDER; it takes g++ up to 11: make CUDA11=FOLDER NVCC11FLAGS='-ccbin g++-11')"
[ "$id" = debian ] ||
    refuse "the packages are Debian's, and this is ${system:-no Debian}" \
        "NVIDIA's runfile installs 11.8 anywhere: https://developer.nvidia.com/cuda-11-8-0-download-archive"
case ${version%%.*} in
[0-9] | 1[01])
    refuse "its g++ needs the glibc of Debian 12 or later, and this is $system" \
        "NVIDIA's runfile installs 11.8 here: https://developer.nvidia.com/cuda-11-8-0-download-archive"
    ;;
esac
for tool in apt-get apt-cache apt-config dpkg dpkg-deb tar; do
    have $tool || refuse "there is no $tool here" "Install it and run this again."
done
architecture=$(dpkg --print-architecture)
[ "$architecture" = amd64 ] || refuse "it is fetched for amd64 alone, and this is $architecture"

# ---- apt, with everything in the folder ----------------------------------------------------------

parent=$(dirname "$folder")
mkdir -p "$parent" || refuse "$parent cannot be made"
part=$(cd "$parent" && pwd)/$(basename "$part")
log=$part/log
# Two at a time would take each other's packages: the second waits, and finds it done.
if have flock; then
    exec 9<"$parent" && flock 9
    [ ! -x "$folder/bin/nvcc" ] || exit 0
fi
rm -rf "$part" # of a fetch that was interrupted
mkdir -p "$part/lists/partial" "$part/cache/archives/partial" "$part/debs" "$part/root" ||
    refuse "$part cannot be written"
trap 'rm -rf "$part"' EXIT
trap 'exit 130' INT TERM HUP
free=$(df -Pm "$parent" 2>/dev/null | awk 'NR == 2 { print $4 }')
[ "${free:-$megabytes}" -ge $megabytes ] ||
    refuse "$parent has $free MB free, and it takes $megabytes while it is unpacked (250 later)" \
        "Make room, or name a folder elsewhere: CUDA11=FOLDER scripts/setup.sh --cuda11, and CUDA11=FOLDER to make"

# Of the system's settings those that reach the mirror: proxies, clocks that are off. Its hooks stay
# out, for they are about the system.
: >"$part/status"
{
    apt-config dump | grep -E '^Acquire::(https?|ForceIPv[46]|Check-(Date|Valid-Until)|Retries)\b'
    cat <<EOF
Dir::State "$part";
Dir::State::lists "$part/lists";
Dir::State::status "$part/status";
Dir::Cache "$part/cache";
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
APT::Sandbox::User "";
APT::Architecture "amd64";
APT::Architectures { "amd64"; };
APT::Update::Error-Mode "any";
Acquire::Languages "none";
Acquire::Retries "3";
EOF
} >"$part/apt.conf"
export APT_CONFIG="$part/apt.conf" LC_ALL=C

# Where the system takes its own packages from; Debian's own name for all mirrors if it has no list.
mirrors=$(apt-get -q update --print-uris 2>"$log" |
    sed -nE "s|^'([^']*[^/])/+dists/(stable\|testing\|unstable\|[a-z]+)/(In)?Release'.*|\1|p" | awk '!seen[$0]++')
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e "$keys" ] && signed="[signed-by=$keys] " || signed=
cat >>"$part/apt.conf" <<EOF
Dir::Etc::sourcelist "$part/sources.list";
Dir::Etc::sourceparts "/dev/null";
EOF

# The first of them that has CUDA 11.8 (sources of other packages are no mirrors of Debian).
found="" unread="" lacking="" other=""
for mirror in ${mirrors:-http://deb.debian.org/debian}; do
    echo "deb $signed$mirror $suite main non-free" >"$part/sources.list"
    if ! apt-get -q update >>"$log" 2>&1; then
        unread=$mirror
        continue
    fi
    candidate=$(apt-cache show nvidia-cuda-toolkit 2>>"$log" | sed -n 's/^Version: //p' | head -n 1)
    case $candidate in
    11.8.*) found=$mirror && break ;;
    "") lacking=$mirror ;;
    *) other="$mirror has nvidia-cuda-toolkit $candidate instead of 11.8" ;;
    esac
done
if [ -z "$found" ]; then
    [ -z "$other" ] || refuse "$other"
    [ -z "$lacking" ] || refuse_with_log "$lacking has no section non-free of $suite, in which NVIDIA's packages are" \
        "Name a mirror in /etc/apt/sources.list.d/debian.sources (or /etc/apt/sources.list) that has all of Debian:" \
        "http://deb.debian.org/debian"
    refuse_with_log "apt-get could not read the package lists of $unread (its words are above)" \
        "Is there a network here, and does it need a proxy (http_proxy, or Acquire::http::Proxy of apt)?"
fi

echo "setup.sh: fetching CUDA 11.8 and g++ 11 (0.9 GB) from $found into $folder, and nothing else"
# apt compares each with the checksum in the signed lists.
# shellcheck disable=SC2086
(cd "$part/debs" && apt-get -q download $packages) >"$log" 2>&1 ||
    refuse_with_log "apt-get could not fetch the packages from $found (its words are above)" "Try again."

# ---- unpacking -----------------------------------------------------------------------------------

# unpack PACKAGE PATTERN...: what is wanted of it; the package goes, for the largest has 0.8 GB.
unpack() {
    deb=$(echo "$part/debs/$1"_*.deb)
    shift
    { dpkg-deb --fsys-tarfile "$deb" || echo "dpkg-deb failed on $deb"; } 2>>"$log" |
        tar -x -C "$part/root" --wildcards "$@" 2>>"$log"
    rm -f "$deb"
}
unpack nvidia-cuda-dev './usr/include/*' './usr/lib/*/libcudart_static.a' './usr/lib/*/libcudadevrt.a'
unpack nvidia-cuda-toolkit './usr/bin/*' './usr/lib/nvidia-cuda-toolkit/bin/*' \
    './usr/lib/nvidia-cuda-toolkit/libdevice/*' './usr/share/doc/nvidia-cuda-toolkit/copyright'
for package in libcub-dev libthrust-dev libcu++-dev libstdc++-11-dev libgcc-11-dev g++-11 gcc-11 cpp-11; do
    unpack $package './usr/*'
done

# nvcc looks for its parts and for gcc beside itself, and reads there where the rest is.
(
    cd "$part/root" || exit 1
    mkdir bin
    for tool in ptxas fatbinary cudafe++ nvlink cuobjdump nvdisasm; do mv usr/bin/$tool bin/; done
    mv usr/lib/nvidia-cuda-toolkit/bin/cicc usr/lib/nvidia-cuda-toolkit/bin/crt bin/
    mv usr/lib/nvidia-cuda-toolkit/libdevice .
    mv usr/share/doc/nvidia-cuda-toolkit/copyright .
    ln -s ../usr/bin/gcc-11 bin/gcc
    ln -s ../usr/bin/g++-11 bin/g++
    cat >bin/nvcc.profile <<'EOF'
TOP = $(_HERE_)/..
NVVMIR_LIBRARY_DIR = $(TOP)/libdevice
PATH += $(_HERE_):
INCLUDES += "-isystem" "$(TOP)/usr/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/usr/lib/x86_64-linux-gnu"
EOF
    mv usr/lib/nvidia-cuda-toolkit/bin/nvcc bin/
    gcc=usr/lib/gcc/x86_64-linux-gnu/11
    rm -rf usr/share usr/lib/cuda usr/lib/nvidia-cuda-toolkit $gcc/lto1 $gcc/cc1 $gcc/lib?san* # not needed
    find usr/bin -type f ! -name '*g++-11' ! -name '*gcc-11' ! -name '*cpp-11' -exec rm {} +
) >>"$log" 2>&1 || refuse_with_log "the packages do not hold what they should (the words are above)" "Try again."

# A program is the proof that all is there.
cat >"$part/proof.cu" <<'EOF'
#include <cub/cub.cuh>
__global__ void kernel(int *at) { *at = 1; }
int main() { kernel<<<1, 1>>>(nullptr); return CUB_VERSION == 0; }
EOF
if ! "$part/root/bin/nvcc" -ccbin "$part/root/bin/g++" -std=c++17 -arch=sm_35 -Wno-deprecated-gpu-targets \
    -cudart static -o "$part/proof" "$part/proof.cu" >>"$log" 2>&1; then
    refuse_with_log "what was unpacked does not compile (the words are above)" \
        "A library of the compiler's may be missing: scripts/setup.sh installs g++, which needs the same ones."
fi

mv "$part/root" "$folder" || refuse "$part/root cannot be renamed to $folder"
echo "setup.sh: $folder is ready, under NVIDIA's and the GPL's licences ($folder/copyright): make builds gpubench-cuda11 with it"
