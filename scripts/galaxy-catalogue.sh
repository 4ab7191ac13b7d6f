#!/bin/sh
# Galaxies as they cluster: the 1 235 904 of a mock catalogue in a cube of 420 Mpc/h (LasDamas; brighter than -19 in
# red), which Corrfunc's tests come with (Sinha and Garrison 2020, MIT licence), as x,y,z for
# dist=file:build/galaxies.csv.
#
# The file is of Fortran's kind: records with their length in bytes before and behind, little-endian, of 5
# integers (of which the second is the number of galaxies), 9 floats, a float, then all x, all y, all z.
set -u

release=corrfunc-2.5.3
url=https://files.pythonhosted.org/packages/17/ee/153e1326a77f592bad0f776068945921448295915d4c3017d67804596433/$release.tar.gz
hash=32836235e2389f55f028664231f0d6f5716ac0d4226c620c0bbac9407dc225a1

usage() {
    cat <<'EOT'
usage: scripts/galaxy-catalogue.sh [--from FILE] [OUT]
  OUT          the CSV to write (default: build/galaxies.csv)
  --from FILE  take the galaxies from there (gals_Mr19.ff); without it from the source package of
               Corrfunc 2.5.3 on PyPI (92 MB), which curl or wget downloads into
               build/galaxy-catalogue, and of which that file is unpacked there
EOT
}

out=build/galaxies.csv file=
while [ $# -gt 0 ]; do
    case $1 in
    --from)
        [ $# -gt 1 ] || { echo "galaxy-catalogue.sh: --from takes a file" >&2; exit 2; }
        file=$2
        shift
        ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "galaxy-catalogue.sh: unknown option '$1'" >&2; usage >&2; exit 2 ;;
    *) out=$1 ;;
    esac
    shift
done

say() { echo "galaxy-catalogue.sh: $*" >&2; }

# download URL FILE
download() {
    if command -v curl >/dev/null; then curl -fsSL -o "$2" "$1"; else wget -q -O "$2" "$1"; fi
}

# Downloads the package and unpacks the file; prints its path.
fetch() {
    place=build/galaxy-catalogue
    if [ ! -e $place/gals_Mr19.ff ]; then
        mkdir -p $place || return 1
        if ! download "$url" $place/package.tar.gz; then
            say "$url cannot be had here: there is neither curl nor wget, or no network. Get gals_Mr19.ff elsewhere" \
                "(theory/tests/data in Corrfunc's sources) and name it with --from"
            return 1
        fi
        if [ "$(sha256sum <$place/package.tar.gz | cut -c1-64)" != $hash ]; then
            say "$url is not what it was: its SHA-256 is another one"
            return 1
        fi
        tar -xzf $place/package.tar.gz -O $release/theory/tests/data/gals_Mr19.ff >$place/new &&
            mv $place/new $place/gals_Mr19.ff || return 1
        rm -f $place/package.tar.gz
    fi
    echo $place/gals_Mr19.ff
}

# number OFFSET: a little-endian integer of the file; nothing behind its end.
number() { od -An -v -td4 -N4 -j"$1" --endian=little "$file" 2>/dev/null | tr -d ' '; }

# column OFFSET: a line a number of a record of floats.
column() { od -An -v -tf4 -w4 -j"$1" -N$((4 * count)) --endian=little "$file" | tr -d ' '; }

[ -n "$file" ] || file=$(fetch) || exit 1
[ -r "$file" ] || { say "$file: cannot be read"; exit 1; }
count=$(number 8) size=$(wc -c <"$file")
if [ "$(number 0)" != 20 ] || [ "$(number 28)" != 36 ] || [ "$(number 72)" != 4 ] || [ "${count:-0}" -lt 1 ]; then
    say "$file: is no catalogue of this kind (records of 20, 36 and 4 bytes come first)"
    exit 1
fi
record=$((4 * count + 8)) first=84
if [ "$size" -lt $((first + 3 * record)) ] || [ "$(number $first)" != $((4 * count)) ]; then
    say "$file: is damaged: $size bytes, of which three records of $count floats begin at $first"
    exit 1
fi

mkdir -p "$(dirname "$out")" && columns=$(mktemp -d) || exit 1
trap 'rm -rf "$columns"' EXIT
for i in 0 1 2; do column $((first + i * record + 4)) >"$columns/$i" || exit 1; done
if ! { echo x,y,z && paste -d, "$columns/0" "$columns/1" "$columns/2"; } >"$out.new" || ! sync "$out.new" || ! mv -f "$out.new" "$out"; then
    rm -f "$out.new"
    say "$out cannot be written"
    exit 1
fi
echo "$count galaxies"
echo "$out"
