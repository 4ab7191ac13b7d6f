#!/bin/bash
# Fills the results section of README.md, between its markers, from the committed CSV files: one
# table a folder of results/ that was measured on a GPU.
# Usage: scripts/update-readme.sh [BUILD]   (after make)
set -eu
cd "$(dirname "$0")/.."
gpubench=${1:-build}/gpubench
section=$(mktemp)
trap 'rm -f "$section" README.md.new' EXIT

for folder in results/*/; do
    folder=${folder%/}
    case $folder in
    results/published | results/simt) continue ;;
    esac
    ls "$folder"/*.csv >/dev/null 2>&1 || continue
    echo "From \`$folder/\` (\`build/gpubench table $folder --format markdown\`):"
    echo
    "$gpubench" table "$folder" --format markdown
    echo
done >"$section"
[ -s "$section" ] || { echo "update-readme: no folder of results/ has measured results" >&2; exit 1; }

awk -v section="$section" '
    /<!-- results:end -->/ { while ((getline line < section) > 0) print line; inside = 0 }
    !inside { print }
    /<!-- results:begin -->/ { inside = 1 }
' README.md >README.md.new
grep -q '<!-- results:end -->' README.md.new || { echo "update-readme: README.md has lost its markers" >&2; exit 1; }
cat README.md.new >README.md
