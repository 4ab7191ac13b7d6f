#!/bin/bash
# test: fast 8
# What --out names is written whole or not at all, wherever it leads; a figure is believed when it is whole, and
# looks the same whatever gnuplot's user likes.
# shellcheck disable=SC2016
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/harness/lib_disks.sh
. "$(dirname "$0")/../harness/lib_disks.sh"
gpubench=$BUILD/gpubench
results=$root/results/nvidia-h200/null.csv

dump() { "$gpubench" dump --worker "'$BUILD/gpubench-simt'" octree depth --variant cpu --case n=300 --out "$1"; }
# is_table FILE: it holds the table of that dump.
is_table() { cmp "$1" table.csv; }
# nothing_beside FOLDER FILE...: they are all that lies there.
nothing_beside() { (cd "$1" && shift && echo * && [ "$(echo *)" = "$*" ]); }

# On a disk of 64 KB with less than a figure's room.
little_room()
{
    local name=$1 status=0
    mkdir -p small && mount -t tmpfs -o size=64k none small && head -c 60k /dev/zero >small/ballast || return 99
    shift
    "$@" >out 2>err || status=$?
    cat out err
    [ $status = 2 ] && grep -q 'No space left on device\|is that disk full' err && [ ! -s out ] && nothing_beside small ballast
}
real_plot() { unset GPUBENCH_SHARE && "$gpubench" plot "$root/results/published/multipartition-table1.csv" --figure multipartition-table1 "$@"; }
full_figures() { little_room figures real_plot --out small; }
full_temporary() { mkdir -p here; TMPDIR=$scratch/small little_room temporary real_plot --out here && nothing_beside here '*'; }
full_report()
{
    unset GPUBENCH_SHARE
    little_room report "$gpubench" report "$results" --no-figures --out small/page.html
}
full_dump()
{
    local status=0
    mkdir -p small && mount -t tmpfs -o size=64k none small && head -c 60k /dev/zero >small/ballast || return 99
    "$gpubench" dump --worker "'$BUILD/gpubench-simt'" octree slice --variant cpu --case n=3k --out small/t.csv >out 2>err || status=$?
    cat err
    [ $status = 1 ] && grep -q 'small/t.csv: cannot be written: No space left' err && nothing_beside small ballast
}
if_in_namespace "$@"

cd "$scratch" || exit 1
mkdir -p bin share/plots tmp
export GPUBENCH_SHARE=$scratch/share TMPDIR=$scratch/tmp

# fails TEXT COMMAND...: exit status 1, after the work, and the text on stderr.
fails()
{
    local text=$1 status=0
    shift
    "$@" >out 2>err || status=$?
    cat out err
    [ $status = 1 ] && [ ! -s out ] && grep -qF -- "$text" err
}

# ---- what --out leads to --------------------------------------------------------------------------

dump table.csv >/dev/null

a_new_name() { mkdir new && dump new/t.csv && is_table new/t.csv && nothing_beside new t.csv; }
check "a new name becomes the file" a_new_name

a_file()
{
    mkdir old && echo before >old/t.csv && chmod 640 old/t.csv && dump old/t.csv &&
        is_table old/t.csv && [ "$(stat -c %a old/t.csv)" = 640 ] && nothing_beside old t.csv
}
check "a file is replaced and keeps its permissions" a_file

a_link()
{
    mkdir -p links/far && echo before >links/far/t.csv && ln -s far/t.csv links/one && ln -s one links/two &&
        dump links/two && [ -L links/two ] && [ -L links/one ] && is_table links/far/t.csv && nothing_beside links/far t.csv
}
check "a link stays one: what it leads to is written" a_link

a_dangling_link()
{
    ln -s far/new.csv links/three && dump links/three && [ -L links/three ] && is_table links/far/new.csv
}
check "... also to what is not there yet" a_dangling_link
check "links in a circle" refuses "--out: links/a: cannot be written: Too many levels of symbolic links" \
    sh -c "ln -s b links/a && ln -s a links/b && $(declare -f dump); gpubench='$gpubench' BUILD='$BUILD'; dump links/a"

a_pipe()
{
    mkfifo pipe
    timeout 30 cat pipe >piped &
    dump pipe && wait $! && [ -p pipe ] && is_table piped
}
check "a pipe is written to" a_pipe
check "a pipe that nobody reads" fails "pipe: is a pipe that nobody reads: start its reader first" dump pipe
check "... stays one" test -p pipe
check "a folder" refuses "--out: share: is a folder; name a file" dump share

# A node of its own: had the old fault come back, /dev/null itself would be gone.
if mknod null c 1 3 2>/dev/null && : 2>/dev/null >null; then
    check "a device is written to" dump null
    check "... and stays one" test -c null
    check "a report into one" env -u GPUBENCH_SHARE "$gpubench" report "$results" --no-figures --out null
    check "... which stays one" test -c null
else
    skip "a device is written to and stays one" "mknod is not allowed here"
fi

# appended FORM: stdout leads to a file that something stands in already.
appended()
{
    echo before >log
    dump "$1" >>log || return 1
    { echo before && cat table.csv && echo "$1"; } | cmp - log
}
check "/dev/stdout that is appended to a file" appended /dev/stdout
check "/proc/self/fd/1, likewise" appended /proc/self/fd/1
numbered()
{
    echo before >log
    dump /dev/fd/7 7>>log || return 1
    { echo before && cat table.csv; } | cmp - log
}
check "/dev/fd/7, likewise" numbered
check "a stdout that is a pipe" sh -c "$(declare -f dump is_table); gpubench='$gpubench' BUILD='$BUILD'
    dump /dev/stdout | head -n -1 >through && is_table through"

# A run's files: rows that go into a device or a pipe are lost.
cat >one.json <<'END'
{"schema": 1, "name": "one", "primitive": "multipartition", "variants": ["cpu"], "axes": {"n": [1024], "bins": [8]},
 "measure": {"samples": 3, "warmup": 1}}
END
run() { "$gpubench" run one.json --worker "'$BUILD/gpubench-simt'" --out "$@"; }
lock_elsewhere() { mkdir -p locked && echo precious >precious && ln -sf ../precious locked/one.lock; }
check "a lock that is a link" refuses "locked/one.lock: is no plain file" \
    sh -c "$(declare -f run lock_elsewhere); gpubench='$gpubench' BUILD='$BUILD'; lock_elsewhere; run locked"
check "... whose target is as it was" grep -qx precious precious
check "samples that are a pipe" refuses "piped.out/one.samples.csv: is no plain file" \
    sh -c "$(declare -f run); gpubench='$gpubench' BUILD='$BUILD'; run piped.out >/dev/null 2>&1
           rm piped.out/one.samples.csv; mkfifo piped.out/one.samples.csv; run piped.out --resume"

# ---- figures --------------------------------------------------------------------------------------

measured e.csv n <<END
a,1,ok,,2
a,2,ok,,4
END
printf '# gpubench: x n\nload ARG1\n' >share/plots/p-f.gp
touch share/plots/common.gp
# gnuplot_that COMMANDS: what runs instead; $to is the file to draw.
gnuplot_that()
{
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nto=$(sed -n "s/^gb_output = \\"\\(.*\\)\\"$/\\1/p" "$4")\n%s\n' "$1" >bin/gnuplot && chmod +x bin/gnuplot
}
plot() { PATH=$scratch/bin:$PATH "$gpubench" plot e.csv --out figures "$@"; }

# cut_short FORMAT TEXT: gnuplot writes that and says that all is well.
cut_short()
{
    mkdir -p figures && echo before >"figures/e-f.$1" || return 1
    gnuplot_that "printf '$2' >\"\$to\""
    refuses "gnuplot left $TMPDIR/gpubench-plot-" plot --format "$1" && warns "cut, after" &&
        [ "$(cat "figures/e-f.$1")" = before ] && nothing_beside figures "e-f.$1" && nothing_beside tmp '*' && rm -r figures
}
check "an SVG without its end" cut_short svg '<?xml version="1.0"?><svg><path'
check "an SVG without its beginning" cut_short svg 'what stands there, and its end</svg>'
check "an empty PDF" cut_short pdf ''
check "a PDF without its end" cut_short pdf '%%PDF-1.5 and so on'
check "a PNG without its end" cut_short png '\211PNG\r\n\032\nand so on'
check "an EPS without its end" cut_short eps '%%!PS-Adobe-2.0 and so on'
gnuplot_that 'printf "\f 1\n 2\n 3\n" >"$to"'
check "a drawing in characters without its last lines" refuses "cut, after" plot --terminal

# A signal to the driver alone, while gnuplot takes its time.
interrupted()
{
    local status=0
    gnuplot_that 'echo $$ >began; sleep 20 >/dev/null 2>&1; touch survived'
    PATH=$scratch/bin:$PATH "$gpubench" "$@" &
    await 60 test -s began
    kill -TERM $!
    wait $! || status=$?
    echo "exit status $status"
    gone "$(cat began)" && [ ! -e survived ] && rm began && [ $status = 130 ] && nothing_beside tmp '*'
}
check "a plot that is interrupted ends gnuplot and leaves nothing" interrupted plot e.csv --out figures
check "a report, likewise" eval 'GPUBENCH_SHARE=$root interrupted report "$results" --out page.html'

namespace full_dump "a dump to a full disk"
namespace full_report "a report to one"
if command -v gnuplot >/dev/null; then
    namespace full_figures "figures to one"
    namespace full_temporary "figures by way of one"

    # What users have in their homes and shells.
    drawn_by()
    {
        mkdir -p home/.config/gnuplot
        cat >home/.gnuplot
        cp home/.gnuplot home/.config/gnuplot/gnuplotrc
        cp home/.gnuplot home/loaded.gp
        (unset GPUBENCH_SHARE && cd home && HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home/.config GNUTERM=dumb \
            GNUPLOT_LIB=$scratch/home LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 \
            "$gpubench" plot "$root/results/published/multipartition-table1.csv" --figure multipartition-bins --format svg,png \
            --out "$scratch/$1")
    }
    drawn_by plain </dev/null >/dev/null
    as_without()
    {
        drawn_by theirs && cmp plain/multipartition-bins.svg theirs/multipartition-bins.svg &&
            cmp plain/multipartition-bins.png theirs/multipartition-bins.png
    }
    check "a user's separator, scale and key" as_without <<'END'
set datafile separator ","
set logscale y
set key off
set decimalsign ","
END
    check "a user's gnuplot that ends at once" as_without <<<'exit'
else
    skip "figures on full disks, and of users with a .gnuplot" "gnuplot is not installed"
fi

finish
