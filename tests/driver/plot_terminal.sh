#!/bin/bash
# test: fast
# Figures in characters: as large as the screen, panels below one another, a letter and a line of the key for each
# series; and what is said where that cannot be read.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
if ! command -v gnuplot >/dev/null; then
    skip "figures in characters" "gnuplot is not installed"
    finish
    exit
fi
cd "$scratch" || exit 1
mkdir -p share/plots && cp "$root"/plots/{common,default}.gp share/plots
export GPUBENCH_SHARE=$scratch/share LC_ALL=C.UTF-8

# rows VARIANTS BINS: rates of these variants.
rows()
{
    local variant bins n rate=0
    for variant in $1; do
        rate=$((rate + 7))
        for bins in $2; do for n in 1000 100000 10000000; do echo "$variant,$n,$bins,ok,,$((rate * n * bins))"; done; done
    done
}
measured few.csv n,bins < <(rows "partition multisplit" "2 16 256")
measured many.csv n,bins < <(rows "one two three four five six seven" "2")
measured long.csv n,bins < <(rows "$(for variant in one two three four five six seven; do printf '%s-of-long-names-each ' $variant; done)" "2")
measured names.csv dist,n < <(for dist in uniform "a distribution with a long name" zipf sorted; do echo "one,$dist,1,ok,,9"; done)

# fits COLUMNS LINES: no line of `screen` is wider, no panel (they are blank lines apart) higher.
fits()
{
    local wide
    wide=$(while IFS= read -r line; do echo ${#line}; done <screen | sort -n | tail -n 1)
    awk -v most="$2" 'NF { if (++lines > most) over = lines } !NF { lines = 0 } END { if (over) print "a panel of " over " lines"; exit !!over }' screen &&
        { [ "$wide" -le "$1" ] || { echo "a line of $wide"; return 1; }; }
}
axes() { [ "$(grep -c '+-----' screen)" = "$1" ]; }
# key SERIES...: each has a line of its own, with a letter that no other has.
key()
{
    local name letters=
    for name; do
        grep -qE "[A-Z][^A-Za-z]*$name\$" screen || { echo "no key of $name" && cat screen && return 1; }
        letters+=$(sed -nE "s/.*([A-Z])[^A-Za-z]*$name\$/\1/p" screen | head -n 1)
    done
    [ "$(fold -w 1 <<<"$letters" | sort -u | wc -l)" = $# ] || { echo "letters: $letters" && return 1; }
}
# on COLUMNS LINES ARGUMENT...: on a terminal of that size; to `screen` and `err`.
on()
{
    local status=0
    printf '%q ' "$gpubench" plot "${@:3}" --terminal >asked
    TERM=xterm NO_COLOR=${plain-1} GPUBENCH_PAGER=${pager-} script -qec "stty cols $1 rows $2; $(cat asked) 2>err" /dev/null </dev/null >typed || status=$?
    tr -d '\r' <typed >screen
    cat screen err
    return $status
}
piped() { "$gpubench" plot "$@" --terminal >screen 2>err </dev/null; }

check "in a pipe, without a terminal" piped few.csv many.csv
check "... as terminals were: 80 x 24" fits 80 23
check "... a screen for each panel" axes 4
check "... and no colours" sh -c "! grep -q '$(printf '\033\\|\f')' screen"
check "what all share stands above the first alone" test "$(grep -c 'few (p): rate over n' screen)" = 1
check "... each has its name" grep -q '^bins = 256   ' screen
check "each series has a letter" piped many.csv
check "... and a line of the key" key one two three four five six seven
cp share/plots/default.gp kept.gp && echo "# gpubench: assumed that it is so" >>share/plots/default.gp
check "what the foot says" piped many.csv
cp kept.gp share/plots/default.gp
check "... stands behind the key" test "$(tail -n 1 screen)" = "Assumed: that it is so."
check "long names along x" piped names.csv
check "... are cut where they would run together" grep -qE 'uniform +a distributio +zipf' screen
if command -v script >/dev/null; then
    check "on a terminal of 60 x 20" on 60 20 few.csv
    check "... as large as that" fits 60 19
    check "... each series with its line" key partition multisplit
    pager="sed 's/^/paged: /'"
    check "panels that are more than a screen" on 60 20 few.csv
    check "... are shown in the pager" grep -q "^paged: bins = 256" screen
    check "... one that fits is not" eval 'on 60 20 few.csv --bins 2 && ! grep -q "^paged" screen'
    check "... nor with --no-pager" eval 'on 60 20 few.csv --no-pager && ! grep -q "^paged" screen'
    unset pager
    plain=
    check "in colours" on 60 20 few.csv
    check "... each line ends in none" sh -c "! grep '$(printf '\033')' screen | grep -v '$(printf '\033')\[0m\$'"
    check "... and no page begins with a feed" sh -c "! grep -q '$(printf '\f')' screen && grep -q '$(printf '\033')' screen"
    sed -i "s/$(printf '\033')\[[0-9;]*m//g" screen
    check "... with as many lines as without" fits 60 19
    check "... and all panels" axes 3
    unset plain
    check "on a large one" on 160 50 many.csv
    check "... the key is on the right" grep -qE '^ .{90,}A[^ ]*one$' screen
    check "... with a letter each" key one two three four five six seven
    check "more series than a small one has room for" eval '! on 60 16 long.csv'
    check "... are not drawn" test ! -s screen
    check "... which is said" grep -qF "gpubench plot: left out default: 7 series are too many for 60 columns and 15 lines" err
    check "... and how they are" grep -qxF "gpubench plot: in a file: gpubench plot long.csv --figure default" err
    check "... others are drawn" on 60 16 long.csv few.csv
    check "... three panels of them" axes 3
    { echo "# gpubench: title Another of them" && sed 's/^# gpubench: default/# gpubench: x n/' share/plots/default.gp; } >share/plots/p-rate.gp
    check "nothing else stands for what a script would draw" eval '! on 60 16 long.csv'
    check "... neither the default" sh -c '! grep -q "default" err && grep -q "left out p-rate: 7 series" err && ! [ -s screen ]'
    rm share/plots/p-rate.gp
    check "a screen that is too small" eval '! on 40 12 few.csv'
    check "... is told how large it would have to be" \
        grep -qF -- "--terminal: a figure needs 50 columns and 16 lines at least, and this screen has 40 and 12" err
else
    skip "on terminals of other sizes" "there is no script"
fi
finish
