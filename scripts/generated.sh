#!/bin/bash
# Fills the generated blocks of the Markdown files: every measured number that a document shows as current is
# printed into it by the program, from the CSV files of results/. A block is
#     <!-- gpubench table $RESULTS/radix-sort.csv --scope device -->
#     ...
#     <!-- end -->
# its first line a command without build/gpubench; what stands between is the command's Markdown.
#     <!-- figure $RESULTS/octree-speedup.svg What it shows -->
# makes an image. $RESULTS is the folder of results/ that the file results/shown names, $DEVICES are those of all
# devices; FOLDER/$RESULTS holds those of a primitive that lies in FOLDER, with its config. In results/README.md the
# blocks are written, too, between "results of every device" and "end of every device". What was not measured on a device
# is left out, and said.
# Usage: scripts/generated.sh [--check] [BUILD [FILE...]]   (make readme; --check changes nothing and fails if it would)
set -eu -o pipefail
cd "$(dirname "$0")/.."
check=no
if [ "${1:-}" = --check ]; then check=yes && shift; fi
gpubench=${1:-build}/gpubench
shift $(($# < 1 ? $# : 1))
read -r shown <results/shown
results=results/$shown
[ -d "$results" ] || { echo "generated: results/shown names $shown, and there is no folder $results" >&2; exit 1; }
new=$(mktemp)
trap 'rm -f "$new" "$new.part" "$new.all" "$new.said"' EXIT

documents()
{
    git ls-files --cached --others --exclude-standard '*.md' 2>/dev/null | grep . ||
        find . -name '*.md' ! -path './build/*' ! -path './bundle/*' -printf '%P\n'
}

# Folders with results of a GPU's worker, the one that is shown first.
devices()
{
    local folder
    echo "$results"
    for folder in results/*/; do
        folder=${folder%/}
        case $folder in "$results" | results/published | results/simt) continue ;; esac
        if compgen -G "$folder/*.meta.json" >/dev/null; then echo "$folder"; fi
    done
}

# fail LINE TEXT: of the file that is being filled.
fail()
{
    echo "generated: $file:$1: $2" >&2
    exit 1
}

# print LINE WORD...: what the command says, as Markdown. What it does not show it says on stderr, for people.
print()
{
    local line=$1 name config
    shift
    case $1 in
    table | standings | claims | project | scaling | list) ;;
    compare) # of old code, of fewer multiprocessors: what was measured on another machine later
        for name in "${@:2}"; do
            case $name in -*) break ;; esac
            [ -e "$name" ] || { echo "Not measured on this device yet: there is no $name." && return; }
        done
        ;;
    *) fail "$line" "\`gpubench $1\`: the commands are table, standings, claims, compare, project, scaling and list" ;;
    esac
    if [ "$1" = table ] && [ ! -e "$2" ]; then
        name=$(basename "$2" .csv)
        if [ "$name" = noise ]; then
            echo "Not measured on this device yet: \`gpubench run CONFIG --aa\`."
            return
        fi
        config=configs/$name.json
        case $2 in */results/*) config=${2%%/results/*}/$name.json ;; esac
        [ -e "$config" ] || fail "$line" "there is neither $2 nor $config"
        echo "Not measured on this device yet: \`gpubench run $config\`."
        return
    fi
    "$gpubench" "$@" --format markdown 2>"$new.said" || fail "$line" "gpubench $*: $(cat "$new.said")"
}

# The path of a file as a link from the document.
link()
{
    local folder=$file
    while [[ $folder = */* ]]; do
        folder=${folder#*/}
        printf '../'
    done
    echo "$1"
}

# fill: a document on stdin, with its blocks filled.
fill()
{
    local line words begun=0 fenced=no number=0
    while IFS= read -r line; do
        number=$((number + 1))
        case $begun:$fenced:$line in
        0:*:'```'*) if [ $fenced = no ]; then fenced=yes; else fenced=no; fi ;;
        0:no:'<!-- end of every device -->') ;;
        0:no:'<!-- gpubench '*' -->' | 0:no:'<!-- figure '*' -->') begun=$number ;;
        0:*) ;;
        *:'<!-- end -->')
            begun=0
            echo "$line"
            continue
            ;;
        *:'<!-- gpubench '* | *:'<!-- figure '*) fail $begun "the block has no <!-- end --> before the next one begins" ;;
        *) continue ;;
        esac
        printf '%s\n' "$line"
        [ $begun = $number ] || continue
        line=${line#<!-- } && line=${line% -->} && line=${line//\$RESULTS/$results}
        line=${line//\$DEVICES/$(devices | tr '\n' ' ')}
        read -r -a words <<<"$line"
        echo
        if [ "${words[0]}" = gpubench ]; then
            print $number "${words[@]:1}"
        elif [ -e "${words[1]}" ]; then
            echo "![${words[*]:2}]($(link "${words[1]}"))"
        else
            echo "generated: $file:$number: ${words[1]} is not there: not drawn" >&2
            echo "*${words[*]:2}: not drawn for this device yet.*"
        fi
        echo
    done
    [ $begun = 0 ] || fail $begun "the block has no <!-- end -->"
}

# ---- results/README.md ---------------------------------------------------------------------------

shown_at_once()
{
    case $1 in
    multipartition) echo "--n 32M" ;;
    radix-sort) echo "--scope host-to-host" ;;
    esac
}

block() { printf '\n<!-- gpubench %s -->\n<!-- end -->\n' "$*"; }

# The name that results of a folder give the device.
device_of()
{
    local csv
    for csv in "$1"/*.csv; do
        case $csv in *.samples.csv | *.retried.csv) continue ;; esac
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "device") at = i }
            NR == 2 && at { print $at; found = 1; exit } END { exit !found }' "$csv" && return
    done
    echo "$1"
}

# The blocks of every device: claims, how ours stands where the page does not begin with it, and every experiment
# that reproduces a paper's table. What is shown at once is chosen above; all of it stands folded below.
every_device()
{
    local folder config name csv
    local -a configs
    mapfile -t configs < <(grep -l '"paper"' configs/*.json)
    for folder in $(devices); do
        printf '\n## %s\n' "$(device_of "$folder")"
        block claims "$folder"
        if [ "$folder" != "$results" ] && compgen -G "$folder/*-modern.csv" >/dev/null; then block standings "$folder"; fi
        for config in "${configs[@]}"; do
            name=$(basename "$config" .json)
            csv=$folder/$name.csv
            [ -e "$csv" ] || continue
            # shellcheck disable=SC2046 # they are words
            block table "$csv" $(shown_at_once "$name")
            # shellcheck disable=SC2046
            print 0 table "$csv" $(shown_at_once "$name") >"$new.part"
            print 0 table "$csv" >"$new.all"
            if cmp -s "$new.part" "$new.all"; then continue; fi
            printf '\n<details><summary>All of it: <code>build/gpubench table %s</code></summary>\n' "$csv"
            block table "$csv"
            printf '\n</details>\n'
        done
    done
    echo
}

# written: a document on stdin, with the blocks of every device where it wants them.
written()
{
    local line inside=no
    while IFS= read -r line; do
        if [ "$line" = '<!-- end of every device -->' ]; then inside=no; fi
        [ $inside = yes ] || printf '%s\n' "$line"
        if [ "$line" = '<!-- results of every device -->' ]; then
            inside=yes
            every_device
        fi
    done
    [ $inside = no ] || fail 1 "'results of every device' has no 'end of every device'"
}

# ---- all documents -------------------------------------------------------------------------------

# Puts what is new in the place of $file, which is there whole, whatever happens to the disk.
replace()
{
    [ -e "$file" ] || : >"$file"
    if ! cp "$new" "$file.new" || ! chmod --reference="$file" "$file.new" || ! sync "$file.new" ||
        ! mv "$file.new" "$file"; then
        rm -f "$file.new"
        echo "generated: $file cannot be written" >&2
        exit 1
    fi
    echo "written: $file"
}

if [ $# = 0 ]; then mapfile -t files < <(documents); else files=("$@"); fi
stale=no
for file in "${files[@]}"; do
    grep -qE '^<!-- (gpubench|figure|results of) ' "$file" || continue
    { written <"$file" | fill; } >"$new"
    if cmp -s "$file" "$new"; then continue; fi
    if [ $check = no ]; then
        replace
        continue
    fi
    diff "$file" "$new" || true
    echo "$file: the blocks are not those of the result files: run make readme" >&2
    stale=yes
done

# ---- docs/references.bib -------------------------------------------------------------------------

if [ $# = 0 ]; then
    file=docs/references.bib
    "$gpubench" list references --format bibtex >"$new"
    if ! cmp -s "$file" "$new"; then
        if [ $check = yes ]; then
            echo "$file: it is not what results/published/papers.json says: run make readme" >&2
            stale=yes
        else
            replace
        fi
    fi
fi
[ $stale = no ]
