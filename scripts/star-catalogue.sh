#!/bin/sh
# Real bodies: the stars of KStars' catalogue (Debian's kstars-data, GPL-2+; positions and parallaxes
# are Hipparcos's) as x,y,z in parsecs, for dist=file:build/stars.csv.
#
# A star at right ascension a and declination d with parallax p, in thousandths of an arc second, is
# 1000/p parsecs away:  x = 1000/p cos d cos a,  y = 1000/p cos d sin a,  z = 1000/p sin d.
# Stars without a parallax above 0 have no distance and are left out; beyond some hundred parsecs
# Hipparcos's errors are as large as the parallaxes, so the far ones are where they may be.
set -u

usage() {
    cat <<'EOT'
usage: scripts/star-catalogue.sh [--from FOLDER] [OUT]
  OUT            the CSV to write (default: build/stars.csv)
  --from FOLDER  take namedstars.dat and unnamedstars.dat from there; without it from
                 /usr/share/kstars, or else from the package kstars-data (79 MB), which apt-get
                 downloads into build/star-catalogue and which is unpacked there, not installed
EOT
}

out=build/stars.csv folder=
while [ $# -gt 0 ]; do
    case $1 in
    --from)
        [ $# -gt 1 ] || { echo "star-catalogue.sh: --from takes a folder" >&2; exit 2; }
        folder=$2
        shift
        ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "star-catalogue.sh: unknown option '$1'" >&2; usage >&2; exit 2 ;;
    *) out=$1 ;;
    esac
    shift
done

say() { echo "star-catalogue.sh: $*" >&2; }

# Downloads and unpacks the package; prints the folder with the files.
fetch() {
    place=build/star-catalogue
    if [ ! -e $place/usr/share/kstars/unnamedstars.dat ]; then
        mkdir -p $place || return 1
        if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null ||
            ! (cd $place && apt-get download kstars-data >apt.log 2>&1 && dpkg-deb -x kstars-data_*.deb .); then
            say "the package kstars-data cannot be had here: there is no apt-get or no network, or its" \
                "lists are old (apt-get update). Get KStars' namedstars.dat and unnamedstars.dat" \
                "elsewhere and name their folder with --from"
            return 1
        fi
        rm -f $place/kstars-data_*.deb
    fi
    echo $place/usr/share/kstars
}

# number FILE OFFSET TYPE: one little-endian number.
number() { od -An -v -t"$3" -N"${3#?}" -j"$2" --endian=little "$1" | tr -d ' '; }

# stars FILE: a line of eight 32-bit numbers a record. The layout, as the file's own head has it: 124
# bytes of text, a mark, how many fields (16 bytes each: name, size, type, scale), the number of
# triangles of the sky, for each of these a number, an offset and a count, then records of 32 bytes.
stars() {
    [ -r "$1" ] || { say "$1: cannot be read"; return 1; }
    fields=$(dd if="$1" bs=1 skip=129 count=176 2>/dev/null | tr -c '[:alpha:]_' ' ' | tr -s ' ')
    case $fields in
    *"RA "*"Dec "*"dRA "*"dDec "*"parallax "*"HD "*"mag "*"bv_index "*) ;;
    *) fields= ;;
    esac
    if [ -z "$fields" ] || [ "$(number "$1" 124 u2)" != 19283 ] || [ "$(number "$1" 127 u2)" != 11 ]; then
        say "$1: is no star file of KStars, version 1.0"
        return 1
    fi
    start=$(number "$1" 313 u4) size=$(wc -c <"$1")
    if [ "$start" -gt "$size" ] || [ $(((size - start) % 32)) != 0 ]; then
        say "$1: is damaged: $size bytes, of which records of 32 bytes begin at $start"
        return 1
    fi
    od -An -v -td4 -w32 -j"$start" --endian=little "$1"
}

[ -n "$folder" ] || { [ ! -e /usr/share/kstars/unnamedstars.dat ] || folder=/usr/share/kstars; }
[ -n "$folder" ] || folder=$(fetch) || exit 1

mkdir -p "$(dirname "$out")" && records=$(mktemp) || exit 1
trap 'rm -f "$records"' EXIT
stars "$folder/namedstars.dat" >"$records" && stars "$folder/unnamedstars.dat" >>"$records" || exit 1
# Right ascension in millionths of an hour, declination in 1e-5 degrees, parallax in tenths of a
# thousandth of an arc second, magnitude in hundredths.
LC_ALL=C awk -v out="$out.new" '
    BEGIN { degree = atan2(0, -1) / 180; print "x,y,z,magnitude" >out }
    $5 <= 0 { far++; next }
    {
        a = $1 * 1e-6 * 15 * degree; d = $2 * 1e-5 * degree; r = 1e4 / $5
        m = $7 % 65536; if (m < 0) m += 65536; if (m > 32767) m -= 65536
        printf "%.7g,%.7g,%.7g,%.2f\n", r * cos(d) * cos(a), r * cos(d) * sin(a), r * sin(d), m / 100 >out
        stars++
    }
    END {
        if (close(out)) exit 1
        printf "%d stars; %d without a distance were left out\n", stars, far
    }' "$records" || { rm -f "$out.new"; say "$out cannot be written"; exit 1; }
if ! sync "$out.new" || ! mv -f "$out.new" "$out"; then
    rm -f "$out.new"
    say "$out cannot be written"
    exit 1
fi
echo "$out"
