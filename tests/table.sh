#!/bin/bash
# gpubench table as a command: formats, choices, what goes to stdout and what to stderr, mistakes.
# shellcheck source=tests/lib_command.sh
. "$(dirname "$0")/lib_command.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
published=$root/results/published/multipartition-table1.csv
cd "$root" || exit 1

check "text is the default" prints "32M  GPU multisplit" "$gpubench" table "$fixture"
check "stdout is the golden table" cmp "$scratch/out" tests/golden/multipartition.txt
check "what is not shown is said on stderr" warns "dist binomial (--dist all)"
check "Markdown" prints "|---|---|---|---:|" "$gpubench" table "$fixture" --format markdown
check "LaTeX" prints "\\begin{tabular}{lllrrrrrrr}" "$gpubench" table "$fixture" --format latex
check "--no-published" prints "Multipartition" "$gpubench" table "$fixture" --no-published
check "--no-published leaves the paper out" hides "(paper)"
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

mkdir "$scratch/empty"
check "a folder without results" refuses "the folder $scratch/empty holds no result file (*.csv)" "$gpubench" table "$scratch/empty"
sed 's/,cuda,fixture,/,cuda,second,/' "$fixture" >"$scratch/second.csv"
check "results of two devices stand together" prints "Measured on fixture, second:" "$gpubench" table "$fixture" "$scratch/second.csv"
sed 's/,throttled,/,autocorrelated,/' "$fixture" >"$scratch/sticky.csv"
check "times that resemble those before are marked" \
    prints "resembled those before (their interval is then too" "$gpubench" table "$scratch/sticky.csv"

sed 's/,throttled,/,autocorrelated;redone,/' "$fixture" >"$scratch/both.csv"
check "and so is what was done anew, in one note" \
    prints "or the work was done anew" "$gpubench" table "$scratch/both.csv"

check "without a layout one row a point is printed, and said" \
    prints "throughput of each point" env GPUBENCH_SHARE="$scratch" "$gpubench" table "$fixture"
check "... on stderr" warns "no layout plots/multipartition.table.json"

check "no results" refuses "name at least one result file" "$gpubench" table
check "no such file" refuses "/no/such.csv" "$gpubench" table /no/such.csv
check "no such layout" refuses "plots/nothing.table.json" "$gpubench" table "$fixture" --table nothing
check "no such format" refuses "text, markdown and latex" "$gpubench" table "$fixture" --format html
check "no such axis" refuses "did you mean --bins" "$gpubench" table "$fixture" --bin 64
check "no such value" refuses "there is: uniform, binomial" "$gpubench" table "$fixture" --dist zipf
check "no such paper" refuses "results/published/nothing.csv" "$gpubench" table "$fixture" --published nothing.csv
check "samples are no results" refuses "is no result file" "$gpubench" table "$scratch/folder/multipartition.samples.csv"
finish
