#!/bin/bash
# test: fast
# scripts/star-catalogue.sh on a made-up excerpt in the format of KStars' files: places, what is left out,
# what is refused; nothing is downloaded.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
cd "$scratch" || exit 1
convert="$root/scripts/star-catalogue.sh"

# little BYTES NUMBER...: little-endian numbers.
little()
{
    local bytes=$1 number i
    shift
    for number; do
        for ((i = 0; i < bytes; i++)); do printf '%b' "\\x$(printf '%02x' $((number >> 8 * i & 255)))"; done
    done
}
zeros() { head -c "$1" /dev/zero; }
# field NAME SIZE TYPE SCALE: one of the descriptions at the head.
field() { printf '%s' "$1"; zeros $((10 - ${#1})); little 1 "$2" "$3"; little 4 "$4"; }
# star RA DEC PARALLAX MAGNITUDE: a record.
star() { little 4 "$1" "$2" 0 0 "$3" 0; little 2 "$4" 50; zeros 4; }
head_of()
{
    printf 'KStars Star Data v1.0. To be read using the 32-bit starData structure only.'
    zeros 49
    little 2 19283; little 1 1; little 2 11
    for name in RA Dec dRA dDec parallax HD; do field $name 4 5 10; done
    for name in mag bv_index spec_type; do field $name 2 3 100; done
    for name in flags unused; do field $name 1 0 0; done
    little 4 1 0 330 "$1"; zeros 9 # one triangle, whose records begin at 330
}
mkdir -p made damaged other
# A parsec away along each axis, ten below the plane; two without a distance.
{ head_of 4; star 0 0 10000 -144; star 6000000 0 10000 250; star 12000000 9000000 10000 0; star 0 0 0 0; } >made/namedstars.dat
{ head_of 2; star 3000000 -9000000 1000 800; star 0 0 -50 0; } >made/unnamedstars.dat

# holds LINE X Y Z MAGNITUDE: that line of the CSV, but for what cosines of right angles leave.
holds()
{
    sed -n "$1p" stars.csv | awk -F, -v x="$2" -v y="$3" -v z="$4" -v m="$5" \
        '{ print; d = ($1 - x) ^ 2 + ($2 - y) ^ 2 + ($3 - z) ^ 2; if (NF != 4 || d > 1e-10 || $4 != m) exit 1; seen = 1 } END { exit !seen }'
}
convert_made() { "$convert" --from made stars.csv | tee out; }
check "made" convert_made
check "says how many" grep -qx '4 stars; 2 without a distance were left out' out
check "a header" test "$(head -n 1 stars.csv)" = x,y,z,magnitude
check "along x" holds 2 1 0 0 -1.44
check "along y" holds 3 0 1 0 2.50
check "along z" holds 4 0 0 1 0
check "farther, to the south" holds 5 0 0 -10 8
check "in another locale" env LC_ALL=de_DE.UTF-8 "$convert" --from made again.csv
check "the same" cmp stars.csv again.csv
octree_of_them()
{
    "$BUILD/gpubench" check octree --worker "'$BUILD/gpubench-simt'" --variant cpu --case n=4,dist=file:stars.csv | grep -x "passed octree/cpu: 1 ok"
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
cp made/*.dat damaged
head -c 380 made/namedstars.dat >damaged/namedstars.dat
check "half a record" refuses 1 "is damaged: 380 bytes" "$convert" --from damaged none.csv
head -c 100 made/namedstars.dat >damaged/namedstars.dat
check "half a head" refuses 1 "is no star file of KStars" "$convert" --from damaged none.csv
echo "a text" >damaged/namedstars.dat
check "another file" refuses 1 "is no star file of KStars" "$convert" --from damaged none.csv
check "no file" refuses 1 "other/namedstars.dat: cannot be read" "$convert" --from other none.csv
mkdir broken && printf '#!/bin/sh\nexit 1\n' >broken/sync && chmod +x broken/sync && echo before >kept.csv
check "a disk that fails" refuses 1 "kept.csv cannot be written" env PATH="$scratch/broken:$PATH" "$convert" --from made kept.csv
check "... leaves what was there" test "$(cat kept*)" = before
check "leaves nothing" test ! -e none.csv
check "an unknown option" refuses 2 "unknown option '--to'" "$convert" --to x
check "--from alone" refuses 2 "--from takes a folder" "$convert" --from
if [ -e /usr/share/kstars/unnamedstars.dat ]; then
    skip "no package" "KStars is installed"
else
    mkdir tools && for tool in sh mkdir mktemp rm dirname; do ln -s "$(command -v $tool)" tools; done
    check "no package, no network" refuses 1 "name their folder with --from" env PATH="$scratch/tools" "$convert" none.csv
fi
finish
