#!/bin/bash
# Packs what `make install` copies as a package for Debian and its kin, without debhelper. What it depends on
# is what dpkg-shlibdeps finds that the programs need.
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
trap 'rm -rf "$work"' EXIT
root=$work/root
scripts/install.sh "$build" "$root/usr" >/dev/null
rm "$root/usr/share/gpubench/installed"

# Where Debian looks for zsh's functions, what it calls a licence, and how it keeps manuals.
mkdir -p "$root/DEBIAN" "$root/usr/share/zsh/vendor-completions"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
mv "$root/usr/share/doc/gpubench/LICENSE" "$root/usr/share/doc/gpubench/copyright"
gzip -9n "$root"/usr/share/man/man1/*
strip --strip-unneeded "$root"/usr/bin/*

# dpkg-shlibdeps reads a source package's description.
mkdir "$work/debian"
printf 'Source: gpubench\n\nPackage: gpubench\nArchitecture: any\n' >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/* 2>"$work/said") || fail "dpkg-shlibdeps: $(cat "$work/said")"
depends=$(sed -n 's/^shlibs:Depends=//p' <<<"$depends")
[ -n "$depends" ] || fail "dpkg-shlibdeps found nothing that the programs need"

cat >"$root/DEBIAN/control" <<END
Package: gpubench
Version: $version
Architecture: $architecture
Maintainer: The gpubench authors <gpubench@localhost>
Section: science
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f 1)
Depends: $depends
Recommends: gnuplot-nox | gnuplot
Description: measures GPU kernels, verified, beside published numbers
 Runs GPU primitives from papers (partitions, radix sort, stencils, a dynamic
 array, octrees) and their baselines with one instrument, verifies every answer,
 and prints the papers' tables and figures with the papers' numbers beside the
 measured ones. Without a GPU the same kernels run on the CPU.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
package=$build/gpubench_${version}_$architecture.deb
whole()
{
    dpkg-deb --build --root-owner-group "$root" "$package.new" >/dev/null &&
        dpkg-deb --fsys-tarfile "$package.new" | tar -t >/dev/null && sync "$package.new"
}
whole || { rm -f "$package.new"; fail "$package cannot be written, or is not whole"; }
mv -f "$package.new" "$package"
echo "$package ($(du -h "$package" | cut -f 1)); depends on $depends"
