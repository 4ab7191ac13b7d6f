#!/bin/bash
# test: fast 4
# Programs that are started with stdin, stdout or stderr closed: no file of theirs gets that number, so that
# nothing that is printed lies in one.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
export GPUBENCH_SHARE=$root LC_ALL=C

cat >three.json <<'END'
{"schema": 1, "name": "t", "primitive": "multipartition", "variants": ["cpu"],
 "axes": {"n": [1024, 2048, 4096], "bins": [8]}, "measure": {"samples": 3, "warmup": 1}}
END

# closed WHICH COMMAND...: with those of stdin (0), stdout (1) and stderr (2) closed; the others lead to
# /dev/null, what stdout says to ./stdout.
closed()
{
    (
        exec </dev/null >stdout 2>/dev/null
        case $1 in *0*) exec <&- ;; esac
        case $1 in *1*) exec >&- ;; esac
        case $1 in *2*) exec 2>&- ;; esac
        exec "${@:2}"
    )
}

# run_closed WHICH: three rows and their samples, a meta file, nothing else; a summary that nobody could read
# is told of by the exit status.
run_closed()
{
    local status=0 expected=0
    case $1 in *1*) expected=1 ;; esac
    rm -rf out
    closed "$1" "$gpubench" run three.json --device simt --out out || status=$?
    echo "exit status $status"
    ls out
    cat out/t.csv
    [ $status = $expected ] && [ "$(echo out/*)" = 'out/t.csv out/t.meta.json out/t.samples.csv' ] &&
        [ "$(wc -l <out/t.csv)" = 4 ] && [ "$(cut -d, -f1 out/t.csv | sort | uniq -c | xargs)" = '3 1 1 schema' ] &&
        "$gpubench" table out && python3 -m json.tool out/t.meta.json >/dev/null
}
for which in 0 1 2 01 02 12 012; do
    check "rows are rows with $which closed" run_closed $which
done

# as_open WHICH FILE COMMAND...: writes the same file as with nothing closed.
as_open()
{
    local which=$1 file=$2
    shift 2
    "$@" >/dev/null 2>&1 && mv "$file" open && { closed "$which" "$@" || true; } && cmp "$file" open
}
check 'a dump is a table with all closed' as_open 012 slice.csv \
    "$gpubench" dump octree slice --device simt --variant cpu --case n=500 --out slice.csv
check 'a report is a page with all closed' as_open 012 out/report.html "$gpubench" report out --no-figures
if command -v gnuplot >/dev/null; then
    check 'a figure is one with all closed' as_open 012 multipartition-bins.svg \
        "$gpubench" plot "$root/results/published/multipartition-table1.csv" --figure multipartition-bins --format svg --out .
else
    skip 'a figure is one with all closed' 'there is no gnuplot'
fi

# answers STATUS WHICH: a worker that cannot be heard or asked says so by its status, soon.
answers()
{
    local status=0
    closed "$2" timeout 60 "$BUILD/gpubench-simt" "${@:3}" || status=$?
    echo "exit status $status"
    [ $status = "$1" ]
}
check 'a worker without stdin ends' answers 1 0
check 'a worker without stdin, stdout and stderr ends' answers 1 012
check 'a worker that cannot describe itself says so' answers 1 1 --describe

finish
