#!/bin/bash
# Prints the manual page: docs/gpubench.1.in with what the program says of itself, its commands, their
# options, examples and exit statuses, in place of the lines @NAME@.
# Usage: scripts/manual.sh GPUBENCH   (make build/gpubench.1)
set -eu
gpubench=$(realpath "$1")
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

fail()
{
    echo "manual.sh: $*" >&2
    exit 1
}

# part NAME [COMMAND]: that part of the help text. Nothing there: the text is laid out otherwise than
# manual.awk thinks, and a page without it would be wrong.
part()
{
    local help text
    help=$("$gpubench" "${@:2}" --help) || fail "gpubench ${2:+$2 }--help fails"
    text=$(awk -v part="$1" -f scripts/manual.awk <<<"$help")
    [ -n "$text" ] || fail "gpubench ${2:+$2 }--help has nothing for '$1'"
    printf '%s\n' "$text"
}

names=$(part names)
version=$("$gpubench" --version | awk '{ print $2 }')
date=$(git log -1 --format=%cs 2>/dev/null) || date=$(date -r docs/gpubench.1.in +%F)
while IFS= read -r line; do
    case $line in
    @synopsis@) for name in $names; do part usage "$name" && echo .br; done ;;
    @sections@) for name in $names; do part section "$name"; done ;;
    @*@) line=${line//@/} && part "$line" ;;
    *)
        line=${line//@version@/$version}
        printf '%s\n' "${line//@date@/$date}"
        ;;
    esac
done <docs/gpubench.1.in
