#!/bin/bash
# Fills the results section of README.md, between its markers, from the CSV files of results/: which claims of
# the papers hold on the H200, how our versions stand, and every experiment that reproduces a paper's table, on
# every GPU. What is shown at once is chosen here; what that leaves out stands folded below.
# Usage: scripts/update-readme.sh [--check] [BUILD]   (make readme; --check changes nothing and fails if it would)
set -eu
cd "$(dirname "$0")/.."
check=no
if [ "${1:-}" = --check ]; then check=yes && shift; fi
gpubench=${1:-build}/gpubench
section=$(mktemp)
trap 'rm -f "$section" "$section.readme" "$section.all"' EXIT

shown_at_once()
{
    case $1 in
    multipartition) echo "--n 32M" ;;
    radix-sort) echo "--scope host-to-host" ;;
    esac
}

# table CSV OPTIONS...: as Markdown. What is not shown is said on stderr, for people.
table() { "$gpubench" table "$@" --format markdown 2>/dev/null; }

{
    echo
    "$gpubench" claims results/nvidia-h200 --format markdown
    echo
    "$gpubench" standings results/nvidia-h200 --format markdown
    mapfile -t configs < <(grep -l '"paper"' configs/*.json)
    for config in "${configs[@]}"; do
        name=$(basename "$config" .json)
        for csv in results/*/"$name".csv; do
            case $csv in
            results/published/* | results/simt/* | 'results/*/'*) continue ;;
            esac
            echo
            # shellcheck disable=SC2046
            table "$csv" $(shown_at_once "$name") >"$section.all"
            cat "$section.all"
            if table "$csv" | cmp -s - "$section.all"; then continue; fi
            echo
            echo "<details><summary>All of it: <code>build/gpubench table $csv</code></summary>"
            echo
            table "$csv"
            echo
            echo "</details>"
        done
    done
    echo
} >"$section"

awk -v section="$section" '
    /<!-- results:end -->/ { while ((getline line < section) > 0) print line; inside = 0; ends++ }
    !inside { print }
    /<!-- results:begin -->/ { inside = 1 }
    END { exit ends != 1 }
' README.md >"$section.readme" || { echo "update-readme: README.md has lost its markers" >&2; exit 1; }
if [ $check = yes ]; then
    diff README.md "$section.readme" && exit 0
    echo "README.md: the results section is not that of results/: run make readme" >&2
    exit 1
fi
cat "$section.readme" >README.md
