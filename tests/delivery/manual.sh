#!/bin/bash
# test: fast 2
# The manual page says what the program says: its commands, options, exit statuses, the variables that the
# code reads; it is clean, and what it shows works.
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
gpubench=$BUILD/gpubench page=$scratch/gpubench.1
export GPUBENCH=$gpubench

# plain PAGE: its text without fonts and escapes, all requests but headings left out.
plain()
{
    sed -E -e '/^\.(SH|SS|B|BR|I|IR) /!s/^\..*//' -e 's/^\.(B|BR|I|IR) //' \
        -e "s/\\\\f[BIRP]//g; s/\\\\-/-/g; s/\\\\\(aq/'/g; s/\\\\&//g; s/\\\\e/\\\\/g" "$1"
}
# section NAME PAGE: of a plain page.
section() { awk -v name="$1" '/^\.S[HS] / { inside = index($0, ".SH " name) == 1 || index($0, ".SS " name " ") == 1; next } inside' "$2"; }
# The left halves of a list of a help text.
listed() { sed -nE "/^$1:\$/,/^\$/s/^  ([^ ]+( [^ ]+)*)(  .*|\$)/\1/p"; }

make_page() { scripts/manual.sh "$1" >"$2"; }
check "the page is made" make_page "$gpubench" "$page"
plain "$page" >"$scratch/plain"

for command in $("$gpubench" --help | listed commands | cut -d ' ' -f 1); do
    usage=$("$gpubench" "$command" --help | sed -n 's/^usage: gpubench //p')
    check "$command has a section" grep -qxF ".SS $usage" "$scratch/plain"
    check "$command is in the synopsis" grep -qxF "gpubench $usage" "$scratch/plain"
    "$gpubench" "$command" --help | listed options >"$scratch/options"
    section "$command" "$scratch/plain" | grep '^--' | grep -Fxf "$scratch/options" >"$scratch/found"
    check "with its options as --help has them" diff "$scratch/options" "$scratch/found"
    "$gpubench" "$command" --help | sed -n '/^examples:$/,$s/^  //p' >"$scratch/examples"
    section "$command" "$scratch/plain" | sed -n '/^Examples*:$/,$p' | sed '1d; /^$/d' >"$scratch/found"
    check "and its examples" diff "$scratch/examples" "$scratch/found"
done

statuses() { tr '\n' ' ' | grep -oE '(^|[,:] )[0-9]+ ' | tr -dc '0-9\n'; }
"$gpubench" --help | sed -n '/^exit status: /,$p' | statuses >"$scratch/statuses"
section "EXIT STATUS" "$scratch/plain" | grep -E '^[0-9]+$' >"$scratch/found"
check "exit statuses are those of --help" diff "$scratch/statuses" "$scratch/found"
check "and some" test "$(wc -l <"$scratch/found")" -gt 4

# The code asks through getenv, the simt device through a function of its own.
grep -rhoE --include='*.c' --include='*.cpp' --include='*.cu' '\<(getenv|number)\("[A-Z_]+"' bench common |
    grep -oE '[A-Z_]{2,}' | sort -u >"$scratch/read"
section ENVIRONMENT "$scratch/plain" | grep -xE '[A-Z_]+' | sort -u >"$scratch/documented"
check "the variables are those that the code reads" diff "$scratch/read" "$scratch/documented"
check "and many" test "$(wc -l <"$scratch/read")" -gt 10

section CONFIGS "$scratch/plain" | sed -n '/^{/,/^$/p' >"$scratch/config.json"
check "its config plans" sh -c "'$gpubench' run '$scratch/config.json' --dry-run --full --device simt | grep small"

# ---- how it reads --------------------------------------------------------------------------------------

clean() { "$@" >"$scratch/rendered" 2>"$scratch/warnings" && cat "$scratch/warnings" && [ ! -s "$scratch/warnings" ]; }
if command -v mandoc >/dev/null; then
    check "mandoc finds nothing" mandoc -T lint -W warning "$page"
    render="mandoc -T ascii -O width=80"
else
    skip "mandoc finds nothing" "mandoc is not installed"
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
    check "groff warns of nothing" clean env MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$page"
    check "a line of 80 columns holds all but examples" sh -c "! grep -vE '^ +gpubench ' '$scratch/rendered' | grep -E '.{81}'"
    check "no word is broken" sh -c "! grep -E '[-‐]\$' '$scratch/rendered'"
else
    skip "groff warns of nothing" "man or groff is not installed"
fi

# ---- what is new ---------------------------------------------------------------------------------------

check "a page of a program with more to it" make_page tests/fixtures/gpubench_with_toy.sh "$scratch/toy.1"
plain "$scratch/toy.1" >"$scratch/toy"
for text in '.SS toy [slow|fast] A B... [options]' '--colour red|green [HUE]' '--frobnicate N|much' \
    'plays with toys' "of the toy: it's a \\new one" '.B gpubench does.' 'gpubench toy fast -- a.csv b.csv'; do
    check "shows: $text" grep -qxF -- "$text" "$scratch/toy"
done
[ -z "${render-}" ] || check "and is clean" mandoc -T lint -W warning "$scratch/toy.1"
[ -z "${render-}" ] || check "as text" sh -c "$render '$scratch/toy.1' | sed 's/.\\x08//g' | grep -F \"of the toy: it's a \\\\new one\""

# A help text that is laid out otherwise must not become a page with holes.
printf '#!/bin/sh\n[ "$*" != "table --help" ] || { echo "usage: gpubench table"; exit; }\nexec %s "$@"\n' "'$gpubench'" >"$scratch/odd"
chmod +x "$scratch/odd"
refused() { ! scripts/manual.sh "$1" >"$scratch/odd.1" 2>"$scratch/said" && grep -F "$2" "$scratch/said"; }
check "help that cannot be read is refused" refused "$scratch/odd" "gpubench table --help has nothing for 'section'"
finish
