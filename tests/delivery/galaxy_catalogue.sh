#!/bin/bash
# test: fast
# scripts/galaxy-catalogue.sh on a made-up file in the format of Corrfunc's: places, what is refused; nothing is downloaded.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
convert="$root/scripts/galaxy-catalogue.sh"

# words NUMBER...: 32-bit little-endian integers.
words()
{
    local number i
    for number; do
        for ((i = 0; i < 4; i++)); do printf '%b' "\\x$(printf '%02x' $((number >> 8 * i & 255)))"; done
    done
}
# catalogue N: its head; then N numbers a coordinate, whose bits are given: 1 is 0x3f800000.
one=$((0x3f800000)) half=$((0x3f000000)) two=$((0x40000000)) less=$((0xc0490fdb))
head_of() { words 20 420 "$1" 0 0 0 20 36 0 0 0 0 0 0 0 0 0 36 4 0 4; }
coordinate() { words $((4 * $#)) "$@" $((4 * $#)); }
{ head_of 3; coordinate $one $two $less; coordinate $half $half $one; coordinate 0 $one $two; coordinate 0 0 0; } >made.ff

convert_made() { "$convert" --from made.ff galaxies.csv | tee out; }
check "made" convert_made
check "says how many" grep -qx '3 galaxies' out
printf 'x,y,z\n1,0.5,0\n2,0.5,1\n-3.1415927,1,2\n' >wanted
check "places" diff galaxies.csv wanted
check "in another locale" env LC_ALL=de_DE.UTF-8 "$convert" --from made.ff again.csv
check "the same" cmp galaxies.csv again.csv
octree_of_them()
{
    "$BUILD/gpubench" check octree --worker "'$BUILD/gpubench-simt'" --variant cpu --case n=3,dist=file:galaxies.csv | grep -x "passed octree/cpu: 1 ok"
}
check "an octree of them" octree_of_them

# refuses STATUS TEXT COMMAND...
refuses()
{
    local wanted=$1 text=$2 status=0
    shift 2
    "$@" >out 2>err || status=$?
    cat out err
    [ $status = "$wanted" ] && grep -qF -- "$text" err
}
head -c 130 made.ff >damaged.ff
check "less than it says" refuses 1 "is damaged: 130 bytes" "$convert" --from damaged.ff none.csv
echo "a text" >text.ff
check "another file" refuses 1 "is no catalogue of this kind" "$convert" --from text.ff none.csv
check "no file" refuses 1 "none.ff: cannot be read" "$convert" --from none.ff none.csv
check "an option that there is not" refuses 2 "unknown option '--to'" "$convert" --to x
check "nothing is left of them" test ! -e none.csv
mkdir broken && printf '#!/bin/sh\nexit 1\n' >broken/sync && chmod +x broken/sync && echo before >kept.csv
check "a disk that fails" refuses 1 "kept.csv cannot be written" env PATH="$scratch/broken:$PATH" "$convert" --from made.ff kept.csv
check "... leaves what was there" test "$(cat kept*)" = before
check "help" sh -c "'$convert' --help | grep -q '^usage: scripts/galaxy-catalogue.sh'"
finish
