#!/bin/bash
# test: fast 6
# scripts/setup.sh --cuda11 on machines that are made of stand-ins: where CUDA 11.8 cannot be had it says
# why and what to do, and nothing is left; where it can, apt touches nothing but the folder.
# shellcheck disable=SC2016 # what the stand-ins do is for their own shells
. "$(dirname "$0")/../harness/lib.sh"
unset CUDA11 OS_RELEASE APT_CONFIG

# Removed first: it may be a link to the real one.
command_of() { rm -f "$1"; printf '#!/bin/bash\n%s\n' "$2" >"$1"; chmod +x "$1"; }
# A machine with Debian's tools and all that make needs, as stand-ins: make_host FOLDER
make_host()
{
    local tool
    mkdir -p "$1"
    for tool in sh bash env cat tr sed head tail mktemp rm grep dirname basename mkdir df awk mv ln find \
        tar flock chmod as gcc g++ make kill; do
        ln -sf "$(type -P "$tool")" "$1/$tool"
    done
    ln -sf "$(type -P true)" "$1/gnuplot"
    command_of "$1/id" 'echo 1000'
    command_of "$1/dpkg" 'echo amd64'
    command_of "$1/apt-config" 'echo "Acquire::http::Proxy \"http://proxy.example:3128\";"; echo "APT::Update::Post-Invoke:: \"rm -f /var/cache/apt/archives/*.deb\";"'
    command_of "$1/apt-cache" 'echo "Package: $2"; echo "Version: 11.8.89~11.8.0-5~deb12u1"'
    command_of "$1/apt-get" "$(declare -f packages_of_fake); $fake_apt"
    command_of "$1/dpkg-deb" 'case $2 in
        */nvidia-cuda-dev_*) tar -cf - -C "$FAKE_TREE" . ;;
        *) tar -cf - -C "$FAKE_TREE" --exclude=./usr/lib/x86_64-linux-gnu . ;;
        esac'
}

# What the stand-in for apt-get does: it logs each call with the configuration and the sources it has.
fake_apt='
{ echo "== $*"; cat "$APT_CONFIG" "${APT_CONFIG%/*}/sources.list" 2>/dev/null; } >>"$FAKE_LOG"
case "$*" in
*--print-uris) cat "$FAKE_URIS" ;;
*update) [ -z "${FAKE_UPDATE-}" ] || { echo "$FAKE_UPDATE"; exit 100; } ;;
*download*) eval "${FAKE_DOWNLOAD-}"; packages_of_fake "${@:3}" ;;
esac'
packages_of_fake() { for package; do echo a package >"${package}_1.0_amd64.deb"; done; }
export FAKE_LOG=$scratch/apt.log FAKE_URIS=$scratch/uris FAKE_TREE=$scratch/packed

# What the packages hold: nvcc is a stand-in that compiles anything.
usr=$FAKE_TREE/usr
mkdir -p "$usr/bin" "$usr/include/cub" "$usr/lib/x86_64-linux-gnu" "$usr/lib/gcc/x86_64-linux-gnu/11" \
    "$usr/lib/nvidia-cuda-toolkit/bin/crt" "$usr/lib/nvidia-cuda-toolkit/libdevice" "$usr/share/doc/nvidia-cuda-toolkit"
touch "$usr"/bin/{ptxas,fatbinary,cudafe++,nvlink,cuobjdump,nvdisasm,gcc-11,g++-11} "$usr/include/cub/cub.cuh" \
    "$usr"/lib/x86_64-linux-gnu/lib{cudart_static,cudadevrt,cublas_static}.a "$usr/lib/nvidia-cuda-toolkit/bin/cicc" \
    "$usr/share/doc/nvidia-cuda-toolkit/copyright"
command_of "$usr/lib/nvidia-cuda-toolkit/bin/nvcc" '[ -z "${FAKE_NVCC-}" ] || { echo "$FAKE_NVCC"; exit 1; }'

release() { printf 'PRETTY_NAME="%s"\nID=%s\nVERSION_ID="%s"\n' "$1" "$2" "$3" >"$scratch/os-release"; }
folder=$scratch/place/cuda
# setup VARIABLE=VALUE... -- OPTION...
setup()
{
    local variables=()
    while [ "$1" != -- ]; do variables+=("$1") && shift; done
    shift
    rm -f "$FAKE_LOG"
    env -i PATH="$host" OS_RELEASE="$scratch/os-release" CUDA11="$folder" FAKE_LOG="$FAKE_LOG" FAKE_URIS="$FAKE_URIS" \
        FAKE_TREE="$FAKE_TREE" "${variables[@]}" sh "$root/scripts/setup.sh" "$@" </dev/null >"$scratch/said" 2>&1
}
refuses() { ! setup "$@"; }
says() { cat "$scratch/said"; grep -qF -- "$1" "$scratch/said"; }
logged() { cat "$FAKE_LOG"; grep -qE -- "$1" "$FAKE_LOG"; }
nothing_left() { find "$scratch/place"; [ -z "$(find "$scratch/place" -mindepth 1)" ]; }
mkdir "$scratch/place"
host=$scratch/host
make_host "$host"
echo "'http://mirror.example/debian/dists/bookworm/InRelease' mirror.example_InRelease 0" >"$FAKE_URIS"

release "Ubuntu 24.04 LTS" ubuntu 24.04
check "Ubuntu: it fails" refuses -- --cuda11
check "it says that the packages are Debian's" says "this is Ubuntu 24.04 LTS, and the packages are Debian's"
check "and what to do" says "developer.nvidia.com/cuda-11-8-0-download-archive"
check "and that the rest goes on" says "Everything else can be built without it"
release "Fedora Linux 40" fedora 40
check "Fedora: it fails" refuses -- --cuda11
check "it says why" says "this is Fedora Linux 40"
release "Debian GNU/Linux 11 (bullseye)" debian 11
check "Debian 11: it fails" refuses -- --cuda11
check "it says why" says "the glibc of Debian 12 or later, and this is Debian GNU/Linux 11"
release "Debian GNU/Linux 12 (bookworm)" debian 12

mv "$host/apt-get" "$host/away"
check "without apt: it fails" refuses -- --cuda11
check "it says why" says "there is no apt-get here"
mv "$host/away" "$host/apt-get"
command_of "$host/dpkg" 'echo riscv64'
check "another architecture: it fails" refuses -- --cuda11
check "it says why" says "for amd64 alone, and this is riscv64"
command_of "$host/dpkg" 'echo amd64'
check "none of them called apt-get" test ! -e "$FAKE_LOG"
command_of "$host/df" 'echo header; echo "disk 9000 8000 1000 90% /"'
check "a full disk: it fails" refuses -- --cuda11
check "it says how much it takes" says "has 1000 MB free, and it takes 1500"
ln -sf "$(type -P df)" "$host/df"

check "without network: it fails" refuses FAKE_UPDATE="E: Temporary failure resolving 'mirror.example'" -- --cuda11
check "it shows the words of apt-get" says "E: Temporary failure resolving"
check "and what to do" says "could not read the package lists of http://mirror.example/debian"
check "nothing is left" nothing_left
command_of "$host/apt-cache" 'echo "N: Unable to locate package" >&2; exit 100'
check "without non-free: it fails" refuses -- --cuda11
check "it says so" says "http://mirror.example/debian has no section non-free of bookworm"
check "and what to do" says "/etc/apt/sources.list.d/debian.sources"
command_of "$host/apt-cache" 'echo "Version: 12.4.131~12.4.1-2"'
check "another CUDA: it fails" refuses -- --cuda11
check "it says which" says "has nvidia-cuda-toolkit 12.4.131~12.4.1-2 instead of 11.8"
make_host "$host"
check "a download that fails: it fails" refuses FAKE_DOWNLOAD='echo "E: Hash Sum mismatch"; exit 100' -- --cuda11
check "it shows the words of apt-get" says "E: Hash Sum mismatch"
check "packages that do not compile: it fails" refuses FAKE_NVCC="cc1plus: error while loading" -- --cuda11
check "it shows the compiler's words" says "cc1plus: error while loading"
check "half a package: it fails" refuses FAKE_TREE="$scratch/place" -- --cuda11
check "it says so" says "the packages do not hold what they should"
check "nothing is left of any" nothing_left

check "ended while it fetches: it fails" refuses FAKE_DOWNLOAD='kill -TERM $PPID; sleep 1' -- --cuda11
check "nothing is left" nothing_left
refuses FAKE_DOWNLOAD='echo half >half; kill -KILL $(sed -n "s/^PPid:[^0-9]*//p" /proc/$PPID/status); kill -KILL $PPID' -- --cuda11
check "killed while it fetches: no folder is there" test ! -e "$folder"
check "but a part of one" test -e "$folder.part/debs/half"

check "with --dry-run it says what is missing" refuses -- --cuda11 --dry-run
check "in words" says "missing: CUDA 11.8 in $folder (0.9 GB to fetch)"
check "and fetches nothing" test ! -e "$FAKE_LOG"
check "without --cuda11 it is not asked for" setup -- --dry-run

printf '%s\n' "'https://packages.example/linux/debian/dists/stable/InRelease' x 0" \
    "'http://mirror.example/debian/dists/bookworm-updates/InRelease' x 0" \
    "'http://mirror.example/debian/dists/bookworm/InRelease' x 0" >"$FAKE_URIS"
command_of "$host/apt-cache" 'grep -q mirror.example "${APT_CONFIG%/*}/sources.list" || exit 100
    echo "Version: 11.8.89~11.8.0-5~deb12u1"'
before=$(find "$root" -maxdepth 1 | sort)
check "after all that it fetches" setup -- --cuda11
check "from Debian's mirror, not from the first source" says "(0.9 GB) from http://mirror.example/debian into $folder"
check "the sections it needs" logged '^deb (\[signed-by=.*\] )?http://mirror.example/debian bookworm main non-free$'
check "nvcc is there" test -x "$folder/bin/nvcc"
check "and what it needs" test -d "$folder/libdevice" -a -e "$folder/bin/g++" -a -e "$folder/usr/lib/x86_64-linux-gnu/libcudart_static.a"
check "the libraries of 2 GB are not" test ! -e "$folder/usr/lib/x86_64-linux-gnu/libcublas_static.a"
check "the licence is" test -e "$folder/copyright"
check "the system's proxy is used" logged 'Acquire::http::Proxy "http://proxy.example:3128"'
check "its hooks are not" sh -c "! grep -q Post-Invoke '$FAKE_LOG'"
for place in Dir::State Dir::State::lists Dir::State::status Dir::Cache; do
    check "apt's $place is in the folder" logged "^$place \"$folder.part"
done
check "and its list of sources" logged "^Dir::Etc::sourcelist \"$folder.part/sources.list\""
check "only the folder is left" test "$(ls -A "$scratch/place")" = cuda
check "the tree is as it was" test "$(find "$root" -maxdepth 1 | sort)" = "$before"
check "once more is nothing to do" setup -- --cuda11
check "in silence" test ! -s "$scratch/said"
check "without apt-get" test ! -e "$FAKE_LOG"
check "--dry-run has nothing to say either" setup -- --cuda11 --dry-run

# Where packages are missing, too: each goes on without the other.
rm -rf "$folder" "$host/gnuplot"
check "a missing package and no root: it fails" refuses -- --cuda11
check "it says which" says "apt-get install gnuplot-nox"
check "and fetches CUDA 11.8 all the same" test -x "$folder/bin/nvcc"
rm -rf "$folder"
command_of "$host/id" 'echo 0'
command_of "$host/apt-get" 'case "$*" in *install*) ln -s "$(type -P true)" "${0%/*}/gnuplot" ;; *) echo "E: no network"; exit 100 ;; esac'
ln -sf "$(type -P true)" "$host/true"
check "a missing package and no CUDA 11.8: it fails" refuses -- --cuda11
check "it says why" says "E: no network"
check "and has installed the package" test -e "$host/gnuplot"
finish
