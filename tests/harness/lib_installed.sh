# shellcheck shell=bash
# Sourced by the tests of what other programs get: it is installed below $prefix, and examples are built as they are there,
# on the simt device.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
check "installs" "$tree/scripts/install.sh" "$BUILD" "$prefix"
# shellcheck disable=SC2034 # for who sources this
examples=$prefix/share/gpubench/examples
cd "$scratch" || exit 1

# The library's objects are those of the simt worker; the headers are the installed ones.
simt="-std=c++17 -fno-strict-aliasing -O1 -Wall -Wno-unknown-pragmas -Werror -pthread -DGB_ARCH=900 -I$prefix/include"
$CXX --version | grep -q clang || simt="$simt -fno-extern-tls-init"
link() # link SOURCE PROGRAM OBJECT...
{
    # shellcheck disable=SC2086 # flags
    "$CXX" $simt -I"$tree" -x c++ -c "$1" -o "$2.o" &&
        "$CXX" -pthread "$2.o" "${@:3}" -Wl,--start-group "$BUILD/libsimt.a" "$BUILD/libworker.a" "$BUILD/libdriver.a" \
            -Wl,--end-group -o "$2" -lcjson -lm -ldl
}
# says PROGRAM PATTERN: it succeeds, and a line is like that.
says() { ./"$1" >out 2>&1; local status=$?; cat out; [ $status = 0 ] && grep -qE "$2" out; }
