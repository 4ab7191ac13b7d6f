#!/bin/bash
# test: fast 5
# Bodies from files through the commands: what a file holds reaches the octree, one that cannot be read is a
# mistake before anything runs or a row that failed, and a path may have any name.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

config() # FILE: of two bodies from it.
{
    printf '{"schema":1,"name":"bodies","primitive":"octree","variants":["cpu","morton"],
        "axes":{"n":[2],"dist":["file:%s"]},"measure":{"samples":1,"warmup":0}}' "$1" >bodies.json
}
runs() { "$gpubench" run bodies.json --device simt --out out "$@"; }
status() # STATUS TEXT COMMAND...
{
    local status=$1 text=$2 code
    shift 2
    "$@" >said 2>&1
    code=$?
    cat said
    [ $code = "$status" ] && grep -qF -- "$text" said
}

# The dump holds the body that lies in the plane through the middle.
printf 'name,mag,x,y,z\n"Alpha, A",9,1,2,3\n"Beta, B",8,4,5,6\n' >stars.csv
dumps() { "$gpubench" dump octree slice --device simt --variant cpu --case "$1" >dump.csv && grep -q ',body,4,5,' dump.csv; }
check "quoted names with commas" dumps n=2,dist=file:stars.csv

# ---- files that cannot be read -------------------------------------------------------------------

printf 'x,y,z\n1,5,2,5,3,5\n4,5,5,5,6,5\n' >bad.csv
config bad.csv
check "decimal commas are no coordinates" status 2 'bodies.json: bad.csv:2: 6 fields instead of 3 (are these decimal commas?' runs
check "nothing was begun" test ! -e out
check "nor would the plan be" status 2 'bad.csv:2: 6 fields' runs --dry-run
check "nor dumped" status 2 '--case: bad.csv:2: 6 fields' \
    "$gpubench" dump octree slice --device simt --variant cpu --case n=2,dist=file:bad.csv
config stars.csv
check "more than it holds" status 2 "stars.csv: holds 2 bodies, n asks for 3: choose n up to 2" \
    "$gpubench" check octree --device simt --case n=3,dist=file:stars.csv

# A worker that loses the file between the plan and the run.
cat >loses.sh <<END
#!/bin/bash
while IFS= read -r line; do
    [[ \$line != *'"cmd":"open"'* ]] || rm -f '$scratch/stars.csv'
    printf '%s\n' "\$line"
done | '$BUILD/gpubench-simt'
END
chmod +x loses.sh
check "a file that is gone when the run reads it has failed" \
    status 1 "bodies on simt: 2 no_input" "$gpubench" run bodies.json --worker ./loses.sh --out gone
check "and its rows say so" test "$(grep -c ',no_input,stars.csv: cannot be opened: No such file' gone/bodies.csv)" = 2
check "in tables, too" status 0 input "$gpubench" table gone/bodies.csv
printf 'x,y,z\n1,2,3\n4,5,6\n' >stars.csv
check "--resume --retry measures them again" status 0 "2 ok" \
    "$gpubench" run bodies.json --device simt --out gone --resume --retry

# ---- paths -----------------------------------------------------------------------------------------

odd="a dir/ä, \"b\" 'c'; d=1 &&.csv"
long=$(printf 'long/%.0s' {1..200})end.csv # 1007 bytes
mkdir -p "a dir" "$(dirname "$long")"
cp stars.csv "$odd"
cp stars.csv "$long"
json=${odd//\"/\\\"}
config "$json"
check "a path with blanks, commas, quotes and letters of other languages" status 0 "2 ok" runs
check "is one field of CSV" grep -qF ',"file:a dir/ä, ""b"" '\''c'\''; d=1 &&.csv",' out/bodies.csv
check "resumes: its rows and samples are found again" status 0 "2 rows were there already" runs --resume
case_of() { printf 'n=2,dist="file:%s"' "${1//\"/\"\"}"; }
check "in quotes a case has it" dumps "$(case_of "$odd")"
check "a table has it" status 0 "b" "$gpubench" table out/bodies.csv --dist "\"file:${odd//\"/\"\"}\""
check "and a filter" status 0 "2 ok" runs --filter "dist == \"file:${odd//\"/\"\"}\"" --out filtered
check "another one passes nothing" status 2 "" runs --filter "dist == 'file:other, file.csv'" --out filtered-out
config "$long"
check "a path of a thousand bytes" status 0 "2 ok" runs --out far
check "resumes" status 0 "2 rows were there already" runs --out far --resume
finish
