#!/bin/bash
# test: thorough turns 30
# The packages that `make deb` makes: what they say of themselves is so, no file is in two, and what they hold runs from
# where it was unpacked.
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
dev=$scratch/libgpubench-dev_${version}_$architecture.deb
shared=libgpubench${version%%.*}

check "make deb" make BUILD=build NVCC= deb
check "its names say version and architecture" mv "build/$(basename "$package")" "build/$(basename "$dev")" "$scratch"
check "without nvcc there are no others" test -z "$(find build -name '*.deb')"
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
# As with nvcc: some libraries of these names.
with_libraries()
{
    local names="void *malloc(unsigned long); void *a(void) { return malloc(1); }" so=build/libgpubench.so.$version
    echo "$names" | $CC -shared -Wl,-soname,"libgpubench.so.${version%%.*}" -x c - -lm -o "$so" &&
        echo "$names" | $CC -c -x c - -o a.o && ar rcs build/libgpubench.a a.o &&
        sed -i 's|^GB_SDK_CUDA := .*|GB_SDK_CUDA := 13.0|; s|^GB_SDK_NVCC := .*|GB_SDK_NVCC := /usr/bin/nvcc|' build/sdk.mk &&
        rm "build/$(basename "$package")" && DPKG_DEB_COMPRESSOR_TYPE=gzip DPKG_DEB_COMPRESSOR_LEVEL=1 scripts/deb.sh build "$version" &&
        mkdir "$scratch/nvcc" && mv build/*.deb "$scratch/nvcc"
}
check "with the library there are three" with_libraries
cd "$scratch" && rm -rf "$tree" || exit 1
field() { dpkg-deb -f "$package" "$1"; }
says() { field "$1" | tee /dev/stderr | grep -qE -- "$2"; }
check "package" says Package '^gpubench$'
check "version" says Version "^$version\$"
check "architecture" says Architecture "^$architecture\$"
check "description" says Description '^[a-z].{20,70}$'
check "recommends gnuplot" says Recommends 'gnuplot-nox'
check "and what kernels are built with, of the same version" says Recommends "libgpubench-dev \\(= ${version//./[.]}\\)"
check "depends on cJSON" says Depends 'libcjson1 \(>= [0-9.]+'
check "and on a version of libc6" says Depends 'libc6 \(>= 2\.[0-9]+\)'
# The C++ library is part of the programs.
check "and not on libstdc++" sh -c "! dpkg-deb -f '$package' Depends | grep -E 'stdc|gcc'"

mkdir root
check "unpacks" dpkg-deb -x "$package" root
dpkg-deb -e "$package" control
check "sums of its files are right" sh -c "cd root && md5sum --quiet -c ../control/md5sums"
check "of all of them" test "$(find root -type f | wc -l)" = "$(wc -l <control/md5sums)"
modes() { dpkg-deb -c "$package" && dpkg-deb -c "$dev" && for one in nvcc/*; do dpkg-deb -c "$one"; done; }
modes >listed
check "everything is root's" sh -c "! grep -v ' root/root ' listed"
check "and for all to read" sh -c "! grep -vE '^(d|-)rw.r[-x][-x]r[-x][-x]|^lrwxrwxrwx' listed"
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

# The other packages.
files_of() { dpkg-deb --fsys-tarfile "$1" | tar -t | grep -v '/$'; }
in_two() { for one in "$@"; do files_of "$one"; done | LC_ALL=C sort | uniq -d | tee /dev/stderr | grep -q .; }
of_nvcc() { dpkg-deb -f nvcc/"$1"_* "$2" | tee /dev/stderr | grep -qE -- "$3"; }
holds() { files_of nvcc/"$1"_* | tee /dev/stderr | grep -qxE -- "$2"; }
not_in_two() { ! in_two "$package" "$dev" && ! in_two nvcc/*; }
exact="\\(= ${version//./[.]}\\)"
check "no file is in two" not_in_two
check "the library is a package of its own" holds "$shared" "./usr/lib/libgpubench.so.$version"
check "with the name that programs ask for" holds "$shared" "./usr/lib/libgpubench.so.${version%%.*}"
check "and nothing of the programs" test "$(files_of nvcc/"$shared"_* | grep -cv '/usr/lib/libgpubench.so\|/copyright$')" = 0
check "on what it depends" of_nvcc "$shared" Depends 'libc6'
check "headers and libraries are of the same version" of_nvcc libgpubench-dev Depends "^$shared $exact, libcjson-dev\$"
check "they have the name that the linker looks for" holds libgpubench-dev './usr/lib/libgpubench.so'
for file in lib/libgpubench.a lib/pkgconfig/gpubench.pc include/gpubench/sort.h include/gpubench/multipartition.hpp lib/cmake/gpubench/gpubenchConfig.cmake; do
    check "... and $file" holds libgpubench-dev "./usr/$file"
done
check "programs have none of them" sh -c "! dpkg-deb -c '$package' | grep -E 'usr/(include|lib)/|/(sdk|examples)/'"
# dpkg itself, in a system that has nothing else.
dpkg_installs()
{
    mkdir -p system/var/lib/dpkg/info system/var/lib/dpkg/updates && touch system/var/lib/dpkg/status system/var/lib/dpkg/available &&
        dpkg --root="$PWD/system" --log=/dev/null --force-depends -i nvcc/*.deb &&
        test "$(readlink -f system/usr/lib/libgpubench.so)" = "$PWD/system/usr/lib/libgpubench.so.$version"
}
if [ "$(id -u)" = 0 ]; then check "dpkg installs them" dpkg_installs; else skip "dpkg installs them" "it has to be root"; fi

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
lacks() { ! run new primitive saxpy >said 2>&1 && cat said && grep -q "package libgpubench-dev" said; }
check "says which package a kernel of one's own takes" lacks
check "with which there are two" dpkg-deb -x "$dev" ../root
check "it can be written" run new primitive saxpy
finish
