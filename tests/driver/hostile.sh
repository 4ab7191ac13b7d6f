#!/bin/bash
# test: fast 4
# Input that means harm, as files and workers bring it: it ends in a message and an exit status,
# soon and in little memory; nothing is written outside the output folder, nothing is executed, and
# no control character reaches the terminal or a result file.
# shellcheck disable=SC2016
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
fixtures=$root/tests/fixtures
mkdir "$scratch/work" && cd "$scratch/work" || exit 1
export GPUBENCH_SHARE=$root LC_ALL=C

# limited COMMAND...: with 1 GB of address space, 256 kB of stack and a minute.
limited() { (ulimit -v 1000000 -s 256 && exec timeout 60 "$@"); }

# Bytes that mean something to a terminal: all control characters but the line feed, and C1 in UTF-8.
raw_bytes() { LC_ALL=C grep -anP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' "$@"; }

# ends STATUS TEXT COMMAND...: its exit status, a part of what it says, and that this can be shown.
ends()
{
    local expected=$1 text=$2 status=0
    shift 2
    limited "$@" >"$scratch/said" 2>&1 </dev/null || status=$?
    head -c 2000 "$scratch/said"
    echo "exit status $status"
    [ $status = "$expected" ] && grep -qF -- "$text" "$scratch/said" && ! raw_bytes "$scratch/said"
}

# untouched: nothing was executed, and nothing written but what the test itself made.
untouched()
{
    find "$scratch" -name 'pwned*'
    ls -A "$scratch" "$scratch/work"
    [ -z "$(find "$scratch" -name 'pwned*')" ] && [ "$(ls -A "$scratch/work")" = "$1" ]
}

worker="'$fixtures/worker.sh'"
run() { ends "$1" "$2" "$gpubench" run --worker "$worker" "${@:3}"; }

# ---- names ----------------------------------------------------------------------------------------

config() { printf '{"schema":1,"name":"%s","primitive":"multipartition","variants":["cpu"],"axes":{"n":[1]}}' "$1" >config.json; }

long=$(printf 'x%.0s' $(seq 300))
named()
{
    local name
    for name in ../pwned /tmp/pwned a/b '' . .. .hidden -rf 'a\u0000b' 'a\u001b[31mb' 'a\nb' 'a b' \
        "$long" '$(touch pwned)' '\u202eb' $'\xff' 'x.samples'; do
        config "$name"
        run 2 'config.json:' config.json || { echo "name: $name"; return 1; }
    done
}
check "a config's name cannot leave the output folder" named
check "and nothing was written" untouched config.json
config good
check "no output folder of no name" run 2 "--out: a folder's name" config.json --out ''
check "none of a name that would be cut" run 2 "--out: a folder's name" config.json --out "$long$long$long$long"

described()
{
    local edit
    for edit in '"slug": "simt"/"slug": "..\/..\/pwned"' '"slug": "simt"/"slug": "\/pwned"' \
        '"slug": "simt"/"slug": "-rf"' '"slug": "simt"/"slug": ""' "\"slug\": \"simt\"/\"slug\": \"$long\"" \
        '"simt on 2 cores"/"\\u001b[2Jx"' '"simt on 2 cores"/"\\u009b2Jx"' '"simt on 2 cores"/"a\\nb"' \
        '"name": "n"/"name": "status"' '"name": "n"/"name": "a,b"' '"name": "n"/"name": "variant"' \
        '"name": "cpu"/"name": "..\/cpu"' '"name": "multipartition", "title"/"name": "a\/b", "title"' \
        '"backend": "simt"/"backend": "..\/x"' '"zipf"/"zi,pf"' '"unit": "keys"/"unit": "\\u0007"' \
        '"driver": ""/"driver": "\\u0000"'; do
        ends 3 'the ' "$gpubench" run --worker "$worker 's/$edit/'" config.json ||
            { echo "description: $edit"; return 1; }
    done
}
check "a worker cannot name folders, files and columns as it likes" described
check "and nothing was written" untouched config.json

# ---- what a worker says ---------------------------------------------------------------------------

# $( ) and the rest reach the worker as words.
words()
{
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >"%s/words"\n' "$scratch" >"$scratch/teller" && chmod +x "$scratch/teller"
    local given='$(touch pwned) `touch pwned` ; touch pwned && touch pwned > pwned | touch pwned * ~ $HOME'
    ends 3 'the worker' "$gpubench" run --worker "$scratch/teller $given" config.json || return 1
    tr ' ' '\n' <<<"$given" | cmp - "$scratch/words"
}
check "--worker is split without a shell" words
check "and nothing was executed" untouched config.json

said()
{
    limited "$gpubench" run --worker "'$fixtures/hostile_worker.sh'" --verbose --out out config.json >said.out 2>said.err </dev/null
    local status=$?
    cat said.out said.err out/good.csv
    # one point, refused, in one line
    [ $status = 0 ] && [ "$(wc -l <out/good.csv)" = 2 ] && grep -q 'second line' out/good.csv &&
        grep -q '^worker: log ?\[31m line?$' said.err && ! raw_bytes said.out said.err out/good.csv &&
        "$gpubench" table out/good.csv --table plain >table.out && ! raw_bytes table.out
}
check "a worker's reasons and log are shown and written without what they hide" said
rm -rf said.out said.err table.out out

# ---- figures and tables ---------------------------------------------------------------------------

evil='`touch pwned`'"'.system('touch pwned').'"'\" . system("touch pwned") . "@gb_title 1`touch pwned`7'
fixture=$fixtures/multipartition-fixture.csv
# hostile_csv FROM TO: the fixture with a name replaced, quoted as CSV wants it.
hostile_csv() { FROM=$1 TO="\"${2//\"/\"\"}\"" awk 'BEGIN { f = ENVIRON["FROM"]; t = ENVIRON["TO"] }
    { while (i = index($0, "," f ",")) $0 = substr($0, 1, i) t substr($0, i + length(f) + 1); print }' "$fixture"; }

if command -v gnuplot >/dev/null; then
    device=$(awk -F, 'NR == 2 { print $7 }' "$fixture")
    drawn()
    {
        hostile_csv "$device" "$evil" >evil.csv
        grep -qF 'touch pwned' evil.csv || return 1
        "$gpubench" plot evil.csv --format svg --out figures || return 1
        # the name is in the figure as it is: gnuplot read it as text
        grep -qF '`touch pwned`' figures/*.svg && grep -qF '@gb_title 1`' figures/*.svg
    }
    check "a device's name is drawn" drawn
    check "and not executed" untouched "$(printf 'config.json\nevil.csv\nfigures')"
    rm -rf figures evil.csv
    # names along x are labels of tics
    named()
    {
        fixture=$root/results/nvidia-h200/radix-sort-modern.csv hostile_csv zipf "$evil" >evil.csv
        "$gpubench" plot evil.csv --figure radix-sort-dists --format svg --out figures || return 1
        grep -qF '`touch pwned`' figures/*.svg && grep -qF "'.system(" figures/*.svg
    }
    check "names along x are drawn" named
    check "and not executed" untouched "$(printf 'config.json\nevil.csv\nfigures')"
    rm -rf figures evil.csv
    # gnuplot takes "|command" and "<command" for files
    folders()
    {
        "$gpubench" plot "$fixture" --format svg --figure multipartition-bins --out '|touch pwned #' --keep-data &&
            "$gpubench" plot "$fixture" --format svg --figure multipartition-bins --out '<touch pwned #' --keep-data &&
            [ -s '|touch pwned #/multipartition-bins.svg' ] && [ -s '<touch pwned #/multipartition-bins.svg' ]
    }
    check "folders that look like commands are folders" folders
    check "and not executed" untouched "$(printf '%s\n' '<touch pwned #' config.json '|touch pwned #' | LC_ALL=C sort)"
    rm -rf '|touch pwned #' '<touch pwned #'
else
    skip "figures of hostile names" "gnuplot is not installed"
fi

escaped()
{
    hostile_csv cub-label-sort '[a](b) <script> |x| & $y$ _z_ \cmd{q} %' >evil.csv
    "$gpubench" table evil.csv --format markdown >evil.md && "$gpubench" table evil.csv --format latex >evil.tex || return 1
    grep -F '\[a\](b) \<script\> \|x\| \& \$y\$ \_z\_ \\cmd{q} %' evil.md &&
        grep -F '[a](b) $<$script$>$ $|$x$|$ \& \$y\$ \_z\_ \textbackslash{}cmd\{q\}\,\%' evil.tex
}
check "what Markdown and LaTeX take for their own is escaped" escaped
rm -f evil.*

# ---- JSON -----------------------------------------------------------------------------------------

head -c 100000 /dev/zero | tr '\0' '[' >deep.json
head -c 100000000 /dev/zero | tr '\0' '[' >huge.json
{ printf '[0' && yes ',[]' | head -n 4000000 | tr -d '\n' && printf ']'; } >many.json
check "a config nested 100000 deep" run 2 'deep.json:1:65: found more than 64 levels' deep.json
check "a config of 100 MB" run 2 'huge.json: more than 16 MiB' huge.json
check "a config of 4000000 values" run 2 'many.json:1:3000000: found more than 2000000 values' many.json

# An answer may be as long as the request allows; without "seq" none is believed.
head -c 50000 deep.json >deeper.json
answered()
{
    printf '#!/bin/sh\nread -r request\ncat "%s"\necho\ncat >/dev/null\n' "$PWD/$1" >"$scratch/teller"
    ends 3 "$2" "$gpubench" run --worker "$scratch/teller" config.json
}
check "a worker's answer nested 50000 deep" answered deeper.json 'the answer to `describe` has more than 64 levels'
check "one nested 100000 deep" answered deep.json 'the answer to `describe` holds more values than it can need'
check "one of 100 MB" answered huge.json 'the answer to `describe` is longer than it can need to be'
rm -f deeper.json

laid_out() { ends 2 "$2" "$gpubench" table "$fixture" --table "./$1"; }
check "a table layout nested 100000 deep" laid_out deep.json 'deep.json:1:65: found more than 64 levels'
check "one of 100 MB" laid_out huge.json 'huge.json: more than 1 MiB'
{ printf '{"schema":1,"title":"t","unit":"u","columns":"bins","rows":["n"],"sizes":[1' && yes ,1 | head -n 1000 | tr -d '\n' && printf ']}'; } >list.json
check "one of long lists" laid_out list.json 'list.json:1:74: $.sizes: has more than 1000 entries'
rm -f list.json

# A run of the simt device, then its meta file is replaced.
sed 's/"cpu"/"multipartition"/; s/"n":\[1\]/"n":[1,2]/' config.json >real.json
real() { ends "$1" "$2" "$gpubench" run real.json --worker "'$BUILD/tests/driver/fake_worker'" --out out "${@:3}"; }
printf '{"schema":1,"name":"real","primitive":"fake","variants":["good"],"axes":{"n":[1,2]},"measure":{"samples":2}}' >real.json
check "a run to resume" real 0 '2 ok'
resumed() { cp "$1" out/real.meta.json && real 1 "$2" --resume && cmp "$1" out/real.meta.json; }
check "a meta file nested 100000 deep" resumed deep.json 'real.meta.json: found more than 64 levels'
check "one of 100 MB" resumed huge.json 'real.meta.json: more than 64 MiB'
check "one of 4000000 values" resumed many.json 'real.meta.json: found more than 2000000 values'
aside()
{
    sed -i '2s/^1,[^,]*,/1,..\/..\/pwned,/' out/real.csv && grep -q pwned out/real.csv || return 1
    real 0 'kept the earlier results as out/real.unreadable-' && sed -i "2s/^1,[^,]*,/1,\x1b[31m,/" out/real.csv &&
        real 0 'kept the earlier results as out/real.unreadable-'
}
check "a run whose name would leave the folder is moved aside under another" aside
rm -rf deep.json many.json out real.json

odd()
{
    mkfifo pipe && mkdir folder && : >empty
    printf '\377\376{' >broken
    printf '{"schema":1,"name":"good"\0}' >nul
    run 2 'folder: is a folder, not a config' folder && run 2 'pipe: is a pipe that nobody writes to' pipe &&
        run 2 '/dev/zero: is a device, not a config' /dev/zero && run 2 'empty:1:1: the file ends' empty &&
        run 2 'broken:1:1: JSON syntax error' broken && run 2 'nul:1:26: found a NUL character' nul &&
        run 2 'there is no config none: no such file' none && run 2 './none: cannot be opened' ./none
}
check "what is no file of text is no config" odd
rm -rf pipe folder empty broken nul

# ---- CSV ------------------------------------------------------------------------------------------

table() { ends 2 "$1" "$gpubench" table bad.csv; }
head -n 3 "$fixture" >good.csv
tr '[' 'x' <huge.json >bad.csv
check "a CSV file of one line of 100 MB" table 'bad.csv:1: a row of more than 1 MiB'
rm -f huge.json
{ cat good.csv && printf '1,"never closed\n1,2\n3,4\n'; } >bad.csv
check "a quote that never closes" table 'bad.csv:4: a quote that is never closed'
{ cat good.csv && printf '1,a\0b,c\n' && tail -n 1 "$fixture"; } >bad.csv
check "a NUL" table 'bad.csv:4: a NUL byte'
{ cat good.csv && printf '1,2,3\n' && tail -n 1 "$fixture"; } >bad.csv
check "a row of other columns" table 'bad.csv:4: 3 fields instead of'
sed '1s/variant/device/' good.csv >bad.csv
check "two columns of one name" table "bad.csv:1: two columns are called 'device'"
sed '2s/^1,/7,/' good.csv >bad.csv
check "another schema" table "schema '7'"
awk 'BEGIN { for (i = 0; i < 500000; i++) printf ","; print "" }' >bad.csv
check "half a million columns" table 'bad.csv:1: more than 1000 fields'
experiment()
{
    awk -F, -v OFS=, 'NR > 1 { $3 = "../../pwned" } { print }' good.csv >bad.csv
    table "column experiment: '../../pwned' is not the name" &&
        ends 2 "is not the name" "$gpubench" plot bad.csv --format svg --out figures
}
check "an experiment that would leave the folder of the figures" experiment
finish
