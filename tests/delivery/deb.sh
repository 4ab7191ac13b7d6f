#!/bin/bash
# test: thorough 21
# The package that `make deb` makes: what it says of itself is so, and what it holds runs from where it was unpacked.
. "$(dirname "$0")/../harness/lib.sh"
for tool in dpkg-deb dpkg-shlibdeps make; do
    command -v $tool >/dev/null || { skip "the package" "there is no $tool here"; finish; exit; }
done
tree=$scratch/tree
copy_tree "$tree" || exit 1
unset MAKEFLAGS MAKELEVEL
cd "$tree" || exit 1
rm -rf build/gpubench-cuda* build/libgpubench.* build/libgpubench_worker_cuda.a build/*.deb
version=$(sed -nE 's/^.define GB_VERSION "(.*)"/\1/p' bench/util/version.h)
architecture=$(dpkg --print-architecture)
package=$scratch/gpubench_${version}_$architecture.deb

check "make deb" make BUILD=build NVCC= deb
check "its name says version and architecture" mv "build/$(basename "$package")" "$package"
# A full disk, of which dpkg-deb says nothing.
mkdir "$scratch/fake" && cat >"$scratch/fake/dpkg-deb" <<'END'
#!/bin/sh
case $1 in
--build) printf '!<arch>\ndebian-binary' >"$4" ;;
*) exec /usr/bin/dpkg-deb "$@" ;;
esac
END
chmod +x "$scratch/fake/dpkg-deb"
half_a_package()
{
    echo before >"build/$(basename "$package")"
    ! PATH=$scratch/fake:$PATH scripts/deb.sh build "$version" && grep -qx before "build/$(basename "$package")" &&
        [ "$(find build -name '*.deb*' | wc -l)" = 1 ]
}
check "half a package is none" half_a_package
cd "$scratch" && rm -rf "$tree" || exit 1
field() { dpkg-deb -f "$package" "$1"; }
says() { field "$1" | tee /dev/stderr | grep -qE -- "$2"; }
check "package" says Package '^gpubench$'
check "version" says Version "^$version\$"
check "architecture" says Architecture "^$architecture\$"
check "description" says Description '^[a-z].{20,70}$'
check "recommends gnuplot" says Recommends 'gnuplot-nox'
check "depends on cJSON" says Depends 'libcjson1 \(>= [0-9.]+'
check "and on a version of libc6" says Depends 'libc6 \(>= 2\.[0-9]+\)'
# The C++ library is part of the programs.
check "and not on libstdc++" sh -c "! dpkg-deb -f '$package' Depends | grep -E 'stdc|gcc'"

mkdir root
check "unpacks" dpkg-deb -x "$package" root
dpkg-deb -e "$package" control
check "sums of its files are right" sh -c "cd root && md5sum --quiet -c ../control/md5sums"
check "of all of them" test "$(find root -type f | wc -l)" = "$(wc -l <control/md5sums)"
check "everything is root's" sh -c "! dpkg-deb -c '$package' | grep -v ' root/root '"
check "and for all to read" sh -c "! dpkg-deb -c '$package' | grep -vE '^(d|-)rw.r[-x][-x]r[-x][-x]'"
check "its size is about what it says" test "$(($(field Installed-Size) * 10 / $(du -sk root | cut -f 1)))" -ge 9

gpubench=$PWD/root/usr/bin/gpubench
newest=$(for program in root/usr/bin/*; do objdump -T "$program"; done | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
libc=$(field Depends | sed -nE 's/.*libc6 \(>= ([0-9.]+)\).*/\1/p')
check "libc6 is as new as the programs need" dpkg --compare-versions "$libc" ge "${newest#GLIBC_}"
check "programs are stripped" sh -c "! objdump -h '$gpubench' | grep debug_info"
check "no list for make uninstall" test ! -e root/usr/share/gpubench/installed
check "the licence where Debian has it" grep -q "MIT License" root/usr/share/doc/gpubench/copyright
check "zsh's completion where Debian has it" test -s root/usr/share/zsh/vendor-completions/_gpubench
check "and what it asks" test -s root/usr/share/zsh/vendor-completions/../../bash-completion/completions/gpubench
check "the page, compressed" sh -c "gzip -dc root/usr/share/man/man1/gpubench.1.gz | grep -q '^.TH GPUBENCH 1'"
if command -v man >/dev/null; then
    check "man finds it" sh -c "man -M '$PWD/root/usr/share/man' -w gpubench | grep gpubench.1.gz"
else
    skip "man finds it" "man is not installed"
fi

mkdir elsewhere && cd elsewhere || exit 1
run() { env -i HOME="$scratch" PATH=/usr/bin:/bin "$gpubench" "$@"; }
configs() { run list configs | grep "multipartition.json"; }
published() { run list published | grep "multipartition-table1.csv"; }
check "says its version" sh -c "'$gpubench' --version | grep -F 'gpubench $version '"
check "finds its configs" configs
check "finds its published numbers" published
check "measures on the CPU" run run ../root/usr/share/gpubench/configs/multipartition.json --device simt --filter 'bins == 40' --out out
check "prints the table" run table out
check "with the layout that it holds" sh -c "'$gpubench' table out | grep -F 'as Table 1 of the paper'"
finish
