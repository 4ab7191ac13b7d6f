#!/bin/bash
# Fills the results section of README.md, between its markers, from the CSV files of results/: every
# experiment that reproduces a paper's table, on every GPU. The part that is shown at once is chosen
# here; all of it stands folded below.
# Usage: scripts/update-readme.sh [BUILD]   (after make)
set -eu
cd "$(dirname "$0")/.."
gpubench=${1:-build}/gpubench
section=$(mktemp)
trap 'rm -f "$section" "$section.readme"' EXIT

shown_at_once()
{
    case $1 in
    multipartition) echo "--n 32M" ;;
    radix-sort) echo "--scope host-to-host" ;;
    esac
}

mapfile -t configs < <(grep -l '"paper"' configs/*.json)
for config in "${configs[@]}"; do
    name=$(basename "$config" .json)
    for csv in results/*/"$name".csv; do
        case $csv in
        results/published/* | results/simt/* | 'results/*/'*) continue ;;
        esac
        echo
        # shellcheck disable=SC2046
        "$gpubench" table "$csv" --format markdown $(shown_at_once "$name")
        echo
        echo "<details><summary>All of it: <code>build/gpubench table $csv</code></summary>"
        echo
        "$gpubench" table "$csv" --format markdown
        echo
        echo "</details>"
        echo
    done
done >"$section"
[ -s "$section" ] || { echo "update-readme: there are no results of a GPU" >&2; exit 1; }

awk -v section="$section" '
    /<!-- results:end -->/ { while ((getline line < section) > 0) print line; inside = 0; ends++ }
    !inside { print }
    /<!-- results:begin -->/ { inside = 1 }
    END { exit ends != 1 }
' README.md >"$section.readme" || { echo "update-readme: README.md has lost its markers" >&2; exit 1; }
cat "$section.readme" >README.md
