#!/bin/bash
# test: fast
# What people read fits their terminal, broken at words, and is shown in a pager where it is longer than the screen.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
cd "$root" || exit 1
gpubench=$BUILD/gpubench
fixture=tests/fixtures/multipartition-fixture.csv
device=results/nvidia-h100-80gb-hbm3
simt=$BUILD/gpubench-simt
export TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8
unset PAGER GPUBENCH_PAGER LESS COLUMNS LINES

# on COLUMNS LINES ARGUMENTS...: what gpubench writes to a terminal of that size, in $scratch/out.
on()
{
    "$BUILD/tests/driver/on_terminal" "$1" "$2" "$gpubench" "${@:3}" >"$scratch/out" 2>"$scratch/err"
}
words() { tr -s ' \n' '\n' <"$1" | sort; }

# ---- width ------------------------------------------------------------------------------------------

# fits COLUMNS ARGUMENTS...: no line is longer.
fits()
{
    on "$1" 24 "${@:2}" --no-pager || { cat "$scratch/err"; return 1; }
    wc -L "$scratch/out"
    [ -s "$scratch/out" ] && [ "$(wc -L <"$scratch/out")" -le "$1" ]
}
# keeps_words COLUMNS ARGUMENTS...: and it has the words that it has elsewhere, each whole.
keeps_words()
{
    fits "$@" || return 1
    "$gpubench" "${@:2}" >"$scratch/piped" 2>/dev/null
    diff <(words "$scratch/piped") <(words "$scratch/out")
}
for columns in 80 60; do
    check "claims in $columns columns" keeps_words $columns claims $device/octree.csv --paper octree --rows
    check "... how many" keeps_words $columns claims $device/octree.csv --counts
    check "standings" keeps_words $columns standings $device/stencil-modern.csv $device/radix-sort-modern.csv
    check "list variants" keeps_words $columns list variants octree --worker "$simt"
    check "list primitives" keeps_words $columns list primitives octree --worker "$simt"
    check "list" fits $columns list --worker "$simt"
    check "table" fits $columns table $fixture
    check "compare" fits $columns compare $device/stencil.csv published
done
check "audit, but for the names of files" keeps_words 100 audit $device/octree.csv --rows
check "info" fits 80 info --worker "'$BUILD/tests/driver/fake_null' few"
check "a table that is wider than the terminal comes in parts" on 60 24 table $fixture --n 32M --no-pager
check "... which all say what the rows are" test "$(grep -c '^n  *version  *device' "$scratch/out")" -gt 3
check "... and together have all columns" test "$(sed -n 's/^n  *version  *device//p' "$scratch/out" | tr -s ' ' '\n' | grep -c '^[0-9]')" = 15
check "a wide terminal is used" fits 200 table $device/multipartition.csv --n 32M
check "... by the grid" test "$(wc -L <"$scratch/out")" -gt 120

# ---- the pager --------------------------------------------------------------------------------------

export GPUBENCH_PAGER="sed s/^/paged:/"
"$gpubench" table $fixture >"$scratch/whole" 2>/dev/null
paged() { on "$@" && grep -q '^paged:' "$scratch/out"; }
plain() { on "$@" && [ -s "$scratch/out" ] && ! grep -q '^paged:' "$scratch/out"; }
check "what is longer than the screen is shown in a pager" paged 120 24 table $fixture
check "... whole" cmp <(sed 's/^paged://' "$scratch/out") "$scratch/whole"
check "what fits is not" plain 120 "$(($(wc -l <"$scratch/whole") + 1))" table $fixture
check "... nor what fills it but for the prompt's line" paged 120 "$(wc -l <"$scratch/whole")" table $fixture
check "--no-pager" plain 120 24 table $fixture --no-pager
GPUBENCH_PAGER='' check "a blank GPUBENCH_PAGER" plain 120 24 table $fixture
GPUBENCH_PAGER='cat' check "cat is no pager" plain 120 24 table $fixture
TERM=dumb check "a terminal that cannot do it" plain 120 24 table $fixture
check "what is no terminal gets no pager" cmp <("$gpubench" table $fixture 2>/dev/null) "$scratch/whole"
GPUBENCH_PAGER="no-such-pager 2>/dev/null" check "without the pager nothing is lost" plain 120 24 table $fixture
check "... at all" cmp "$scratch/out" "$scratch/whole"
GPUBENCH_PAGER="head -n 1" check "who has seen enough" on 120 24 table $fixture
check "... has seen that" test "$(wc -l <"$scratch/out")" = 1
fails() { GPUBENCH_PAGER="head -n 1" on 120 10 compare published $device/stencil.csv --fail-on unclear --rows all; [ $? = 2 ]; }
check "the exit status is the command's" fails
PAGER="sed s/^/paged:/" && export PAGER && unset GPUBENCH_PAGER
check "PAGER counts where GPUBENCH_PAGER does not" paged 120 24 table $fixture
GPUBENCH_PAGER='' check "... and not where it does" plain 120 24 table $fixture
for command in "claims $device/octree.csv" "standings $device/stencil-modern.csv" "audit $device --rows" "list variants --worker '$simt'"; do
    check "$command" eval "paged 120 10 $command"
done
finish
