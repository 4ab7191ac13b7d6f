#!/bin/bash
# Puts cJSON into FOLDER for the fuzzers: cjson.c and include/cjson/cJSON.h from the distribution's
# source package (apt checks its signature; the lists it needs stay in FOLDER, nothing of the
# system's apt is touched), or, where that cannot be had, an empty cjson.c. FOLDER/link says what to
# link besides.
# Usage: tests/fuzz/cjson-source.sh FOLDER
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
apt=$folder/apt

# The distribution's own sources, with deb-src for deb.
source_lists()
{
    local file
    for file in /etc/apt/sources.list.d/*.sources; do
        ! grep -qs '^URIs:.*\(debian\|ubuntu\)' "$file" ||
            sed -E 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/$(basename "$file")"
    done
    [ ! -f /etc/apt/sources.list ] || sed -nE 's/^deb(-src)? (.*(debian|ubuntu).*)/deb-src \2/p' \
        /etc/apt/sources.list | sort -u >"$apt/sources.list"
}

apt_get()
{
    apt-get -qq -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/parts" \
        -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root "$@"
}

fetch()
{
    command -v apt-get >/dev/null && command -v dpkg-source >/dev/null || return 1
    rm -rf "$apt"
    mkdir -p "$apt/parts" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/source"
    touch "$apt/sources.list"
    source_lists
    cd "$apt/source" || return 1
    apt_get update && apt_get source cjson || return 1
    local found
    found=$(find . -maxdepth 2 -name cJSON.c | head -n 1)
    [ -n "$found" ] || return 1
    mkdir -p "$folder/include/cjson"
    cp "${found%.c}.h" "$folder/include/cjson/cJSON.h"
    cp "${found%.c}.h" "$folder/cJSON.h"
    cp "$found" "$folder/cjson.c"
}

if fetch >"$folder/cjson.log" 2>&1; then
    : >"$folder/link"
    version=$(sed -nE 's/^#define CJSON_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' "$folder/cJSON.h" | paste -sd.)
    echo "cJSON $version from the distribution's source package: coverage counts in it"
else
    echo "the source package of cJSON cannot be had (see $folder/cjson.log): linked statically, so"
    echo "coverage does not count in it"
    echo "/* cJSON's source could not be had: libcjson.a is linked. */" >"$folder/cjson.c"
    echo "-l:libcjson.a" >"$folder/link"
fi
