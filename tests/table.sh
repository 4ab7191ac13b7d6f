#!/bin/bash
# gpubench table as a command: formats, choices, what goes to stdout and what to stderr, mistakes.
# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
published=$root/results/published/multipartition-table1.csv
cd "$root" || exit 1

# prints TEXT COMMAND...: exit status 0 and the text on stdout.
prints()
{
    local text=$1
    shift
    "$@" >"$scratch/out" 2>"$scratch/err"
    local status=$?
    cat "$scratch/out" "$scratch/err"
    [ $status = 0 ] && grep -qF -- "$text" "$scratch/out"
}

hides() { ! grep -qF -- "$1" "$scratch/out"; }
warns() { grep -qF -- "$1" "$scratch/err"; }

# refuses TEXT COMMAND...: exit status 2, the text on stderr, nothing on stdout.
refuses()
{
    local text=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    cat "$scratch/out" "$scratch/err"
    [ "$status" = 2 ] && [ ! -s "$scratch/out" ] && grep -qF -- "$text" "$scratch/err"
}

check "text is the default" prints "32M  GPU multisplit" "$gpubench" table "$fixture"
check "stdout is the golden table" cmp "$scratch/out" tests/golden/multipartition.txt
check "what is not shown is said on stderr" warns "dist binomial (--dist all)"
check "Markdown" prints "|---|---|---|---:|" "$gpubench" table "$fixture" --format markdown
check "LaTeX" prints "\\begin{tabular}{lllrrrrrrr}" "$gpubench" table "$fixture" --format latex
check "--no-paper" prints "Multipartition" "$gpubench" table "$fixture" --no-paper
check "--no-paper leaves the paper out" hides "(paper)"
check "an axis is chosen by its name" prints "32M" "$gpubench" table "$fixture" --n 32M --bins=64,256
check "and its other values are left out" hides "8M"
check "all values of an axis" prints "dist binomial" "$gpubench" table "$fixture" --dist all
check "--table plain" prints "cub-label-sort" "$gpubench" table "$fixture" --table plain
check "published numbers alone" prints "1.83" "$gpubench" table "$published"
check "published numbers named with measured ones stand beside them" \
    prints "RTX A4500 (paper)" "$gpubench" table "$fixture" "$published"
check "and not by themselves" hides "Printed by the paper"

mkdir "$scratch/folder" && cp "$fixture" "$scratch/folder/multipartition.csv"
echo "run_id,point,variant,index,time_s" >"$scratch/folder/multipartition.samples.csv"
check "a folder, without its samples" prints "32M" "$gpubench" table "$scratch/folder"

check "without a layout one row a point is printed, and said" \
    prints "throughput of each point" env GPUBENCH_SHARE="$scratch" "$gpubench" table "$fixture"
check "... on stderr" warns "no layout plots/multipartition.table.json"

check "no results" refuses "name at least one result file" "$gpubench" table
check "no such file" refuses "/no/such.csv" "$gpubench" table /no/such.csv
check "no such layout" refuses "plots/nothing.table.json" "$gpubench" table "$fixture" --table nothing
check "no such format" refuses "text, markdown and latex" "$gpubench" table "$fixture" --format html
check "no such axis" refuses "did you mean --bins" "$gpubench" table "$fixture" --bin 64
check "no such value" refuses "there is: uniform, binomial" "$gpubench" table "$fixture" --dist zipf
check "no such paper" refuses "results/published/nothing.csv" "$gpubench" table "$fixture" --paper nothing.csv
check "samples are no results" refuses "is no result file" "$gpubench" table "$scratch/folder/multipartition.samples.csv"
finish
