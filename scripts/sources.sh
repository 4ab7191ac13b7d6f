#!/bin/sh
# Lists the sources of one kind, one a line: c (C, C++, CUDA and OpenCL), sh (shell scripts), py (Python), json (configs).
set -eu
cd "$(dirname "$0")/.."

shell_scripts() {
    find .ci scripts tests -type f | while read -r file; do
        case $file in
        *.sh) echo "$file" ;;
        *) ! head -n 1 "$file" | grep -qE '^#!.*(/| )(ba)?sh( |$)' || echo "$file" ;;
        esac
    done
}

case ${1:-} in
c) find bench common examples kernels tests -path 'examples/*/build' -prune -o \( -name '*.c' -o -name '*.h' \
    -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.cl' \) -print ;;
sh) shell_scripts ;;
py) find common examples kernels tests -name '*.py' -o -name 'gpubench-python-*' ;;
json) find configs -name '*.json' ;;
*)
    echo "usage: scripts/sources.sh c|sh|py|json" >&2
    exit 2
    ;;
esac | LC_ALL=C sort
