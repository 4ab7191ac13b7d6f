#!/bin/bash
# Packs what `make install` copies as packages for Debian and its kin, without debhelper: gpubench, the programs; what
# others are built with, libgpubench-dev; and where nvcc has built it, the shared library, libgpubenchMAJOR. What they
# depend on is what dpkg-shlibdeps finds that they need, and each other of the same version.
# Usage: scripts/deb.sh BUILD VERSION   (make deb)
set -eu -o pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1") version=$2
export LC_ALL=C
umask 022

fail()
{
    echo "deb: $*" >&2
    exit 1
}

for tool in dpkg-deb dpkg-shlibdeps; do
    command -v $tool >/dev/null || fail "there is no $tool here; apt-get install dpkg-dev"
done
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
packages=()
trap 'rm -rf "$work"; for package in "${packages[@]}"; do rm -f "$package.new"; done' EXIT
root=$work/gpubench
dev=libgpubench-dev
shared=libgpubench${version%%.*}
scripts/install.sh "$build" "$root/usr" >/dev/null
rm "$root/usr/share/gpubench/installed"

# Where Debian looks for zsh's functions, what it calls a licence, and how it keeps manuals.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
mv "$root/usr/share/doc/gpubench/LICENSE" "$root/usr/share/doc/gpubench/copyright"
gzip -9n "$root"/usr/share/man/man1/*
strip --strip-unneeded "$root"/usr/bin/*
strip --strip-debug "$root"/usr/lib/*.a

# to PACKAGE FILE...: these files and folders, by their paths below the root, are that package's.
to()
{
    local file
    for file in "${@:2}"; do
        mkdir -p "$work/$1/$(dirname "$file")"
        mv "$root/$file" "$work/$1/$file"
    done
    mkdir -p "$work/$1/usr/share/doc/$1"
    cp "$root/usr/share/doc/gpubench/copyright" "$work/$1/usr/share/doc/$1/"
}
mapfile -t libraries < <(cd "$root" && find usr/lib -name 'libgpubench.so.*')
if [ ${#libraries[@]} != 0 ]; then
    strip --strip-unneeded "$(realpath "$root/${libraries[0]}")"
    to "$shared" "${libraries[@]}"
fi
to $dev usr/include usr/lib usr/share/gpubench/sdk usr/share/gpubench/examples

# needs PACKAGE FILE...: what these need, of other packages. (dpkg-shlibdeps reads a source package's description.)
needs()
{
    local found
    found=$(cd "$work" && dpkg-shlibdeps -O "${@:2}" 2>"$work/said") || fail "dpkg-shlibdeps: $(cat "$work/said")"
    found=$(sed -n 's/^shlibs:Depends=//p' <<<"$found")
    [ -n "$found" ] || fail "dpkg-shlibdeps found nothing that $1 needs"
    echo "$found"
}
mkdir "$work/debian"
printf 'Source: gpubench\n\nPackage: gpubench\nArchitecture: any\n' >"$work/debian/control"

whole() { dpkg-deb --build --root-owner-group "$1" "$2" >/dev/null && dpkg-deb --fsys-tarfile "$2" | tar -t >/dev/null && sync "$2"; }
# pack PACKAGE: its further fields and description come in.
pack()
{
    local at=$work/$1 package=$build/$1_${version}_$architecture.deb
    mkdir -p "$at/DEBIAN"
    cat >"$at/DEBIAN/control" <<END
Package: $1
Source: gpubench
Version: $version
Architecture: $architecture
Maintainer: The gpubench authors <gpubench@localhost>
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$at" | cut -f 1)
$(cat)
END
    (cd "$at" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    packages+=("$package")
    whole "$at" "$package.new" || fail "$package cannot be written, or is not whole"
}

depends=$(needs gpubench "$root"/usr/bin/*)
pack gpubench <<END
Section: science
Depends: $depends
Recommends: gnuplot-nox | gnuplot, $dev (= $version)
Description: measures GPU kernels, verified, beside published numbers
 Runs GPU primitives from papers (partitions, radix sort, stencils, a dynamic
 array, octrees) and their baselines with one instrument, verifies every answer,
 and prints the papers' tables and figures with the papers' numbers beside the
 measured ones. Without a GPU the same kernels run on the CPU.
END
of_shared=
if [ ${#libraries[@]} != 0 ]; then
    of_shared="$shared (= $version), "
    mkdir -p "$work/$shared/DEBIAN"
    echo "libgpubench ${version%%.*} $shared (>= $version)" >"$work/$shared/DEBIAN/shlibs"
    echo 'activate-noawait ldconfig' >"$work/$shared/DEBIAN/triggers"
    depends=$(needs "$shared" "$work/$shared"/usr/lib/libgpubench.so.*.*)
    pack "$shared" <<END
Section: libs
Depends: $depends
Description: sorts, partitions and a growing array for GPUs
 The fastest primitives of gpubench as functions for other programs. What is to
 be sorted or partitioned lies in the memory of a GPU, and stays there.
END
fi
# The programs build kernels with what has their own version alone.
pack $dev <<END
Section: libdevel
Depends: ${of_shared}libcjson-dev
Breaks: gpubench (<< $version), gpubench (>> $version)
Suggests: gpubench, pkg-config, cmake
Description: sorts and partitions for GPUs, and kernels of one's own (development)
 Headers, libraries, pkg-config files and a CMake package, for programs that use
 the primitives of gpubench, and for kernels that it is to measure ("gpubench new
 primitive"), with examples.
END
for package in "${packages[@]}"; do
    mv -f "$package.new" "$package"
    echo "$package ($(du -h "$package" | cut -f 1)); depends on $(dpkg-deb -f "$package" Depends)"
done
