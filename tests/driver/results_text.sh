#!/bin/bash
# test: fast 3
# shellcheck disable=SC2016
# Result files as editors, other systems and copying leave them: byte order marks, CR LF, a last row without its
# line end are the same rows; what is torn or missing is said, with how many rows it is about; rows that no reader
# would take are none to resume.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p share/plots share/results/published && export GPUBENCH_SHARE=$scratch/share

side a/e.csv <<END
v 1 warm device ok 100 0.01 30
v 2 warm device ok 200 0.01 30
w 1 warm device ok 300 0.01 30
w 2 warm device ok 400 0.01 30
END
side b/e.csv <<END
v 1 warm device ok 100.4 0.01 30
v 2 warm device ok 210 0.01 30
w 1 warm device ok 301 0.01 30
w 2 warm device ok 390 0.01 30
END
# compared: ./a and ./c, without their names; ./err has what is said of the files.
compared()
{
    "$gpubench" compare a c --format csv --min-effect 0.001 >out 2>said || { cat said; return 1; }
    grep -v 'the noise of device A is not known' said >err
    cut -d, -f3- out
}
rm -rf c && cp -r b c && compared >expected
silent() { cat err && [ ! -s err ]; }
# as_before COMMAND...: the command changes ./c, and the comparison stays what it was, without a word.
as_before()
{
    rm -rf c && cp -r b c && (cd c && "$@") && compared >found && diff expected found && silent
}
check "a comparison of files as they are written" as_before true
check "... by their samples, of which all are there" awk -F, 'NR > 1 && $17 == "" { exit 1 }' expected
marked() { for file in e.csv e.samples.csv; do { printf '\357\273\277'; cat "$file"; } >new && mv new "$file"; done; }
check "a byte order mark" as_before marked
check "CR LF" as_before sed -i 's/$/\r/' e.csv e.samples.csv
check "both" as_before sh -c "sed -i 's/\$/\\r/; 1s/^/\\xef\\xbb\\xbf/' e.csv e.samples.csv"
check "last lines without their ends" as_before sh -c 'for file in e.csv e.samples.csv; do
    truncate -s -1 "$file"; done'

# tells TEXT COMMAND...: the command changes ./c, and the comparison says so.
tells()
{
    local text=$1
    shift
    rm -rf c && cp -r b c && (cd c && "$@") && compared >found && cat err && grep -qF -- "$text" err && [ "$(wc -l <err)" = 1 ]
}
check "a samples file whose last line is cut" tells \
    "note: 1 of 4 rows of c/e.csv have no samples of their mean in c/e.samples.csv; they are compared by their intervals" \
    truncate -s -9 e.samples.csv
check "one that ends in the midst" tells \
    "note: 3 of 4 rows of c/e.csv have no samples of their mean in c/e.samples.csv" \
    sh -c 'head -c 1950 e.samples.csv >new && mv new e.samples.csv'
check "no samples at all" tells "note: 4 of 4 rows of c/e.csv have no samples of their mean in c/e.samples.csv;" rm e.samples.csv
check "samples of another run" tells "note: 1 of 4 rows of c/e.csv have no samples of their mean" \
    sed -i 's/^\(run,n=1,v,warm,5,\).*/\10.5/' e.samples.csv

whole=$(wc -l <b/e.csv)
torn_row()
{
    rm -rf c && cp -r b c && head -c -20 b/e.csv >c/e.csv && compared >found && cat err found &&
        [ "$(grep -c ',a$' found)" = 0 ] && [ "$(grep -c 'w,n=2' found)" = 1 ] && grep 'w,n=2' found | grep -q ',b$'
}
check "a row that is cut within" torn_row
check "... is said" grep -qF "note: c/e.csv:$whole: the last row is torn, and left out" err

# What `gpubench run` writes, whose last column is a time.
cat >one.json <<'END'
{"schema": 1, "name": "one", "primitive": "multipartition", "variants": ["cpu"], "axes": {"n": [1024, 2048], "bins": [8]},
 "measure": {"samples": 3, "warmup": 1}}
END
unset GPUBENCH_SHARE
run() { "$gpubench" run one.json --worker "'$BUILD/gpubench-simt'" --out r; }
resume() { "$gpubench" run one.json --worker "'$BUILD/gpubench-simt'" --out r --resume; }
run >/dev/null 2>&1
cp -r r kept
table() { "$gpubench" table r/one.csv --n all; }
table >expected.table 2>/dev/null
again() { rm -rf r && cp -r kept r && "$@"; }
same_table() { table >found 2>err && diff expected.table found && silent; }
check "a last row without its line end is a row" eval 'again truncate -s -1 r/one.csv && same_table'
check "... which a resume ends" eval 'resume && cmp r/one.csv kept/one.csv'
cut_in_time() { again truncate -s -4 r/one.csv && table >found 2>err && ! diff -q expected.table found >/dev/null && cat err; }
check "one that is cut within its last field is torn" cut_in_time
check "... which is said" grep -qF 'note: r/one.csv:3: the last row is torn, and left out' err
check "... and measured again" eval 'resume 2>err && cat err && [ "$(grep -c ,ok, r/one.csv)" = 2 ]'
check "... which is said, too" grep -qF 'note: the last row of r/one.csv is torn; what it was is measured again' err
check "a resume of files with byte order marks and CR LF" \
    eval 'again sed -i "s/\$/\r/; 1s/^/\xef\xbb\xbf/" r/one.csv r/one.samples.csv && resume 2>err && cat err &&
          ! grep -q "\[" err && [ "$(grep -c ,ok, r/one.csv)" = 2 ]'

# refused_by_both COLUMN VALUE TEXT: in the place of what stands in the first row.
refused_by_both()
{
    again awk -F, -v OFS=, -v column="$1" -v value="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i } NR == 2 { $at = value } { print }' kept/one.csv >new
    mv new r/one.csv
    refuses "r/one.csv: data row 1$3" table && refuses "r/one.csv: data row 1$3" resume &&
        warns "remove the line, or run without --resume (the file is kept)"
}
check "a rate that is none" refused_by_both rate fast ", column rate: 'fast' is not a finite decimal number"
check "not a number" refused_by_both rate nan ", column rate: 'nan' is not a finite decimal number"
check "an infinite time" refused_by_both time_mean_s inf ", column time_mean_s: 'inf' is not a finite decimal number"
check "a time below 0" refused_by_both time_min_s -1 ", column time_min_s: '-1' is below 0"
check "half a sample" refused_by_both samples 2.5 ", column samples: '2.5' is not a whole number"
check "an interval that is upside down" refused_by_both time_ci95_lo_s 1 ", column time_ci95_lo_s: '1' is above the upper end"
check "another schema" refused_by_both schema 2 " has schema '2'; this gpubench reads schema 1"
check "a status that is none" refused_by_both status fine ": unknown status 'fine'"
check "a cache that is none" refused_by_both cache hot ", column cache: 'hot' is neither cold nor warm"
check "a scope that is none" refused_by_both scope world ", column scope: 'world' is neither device nor host-to-host"

packed() { again gzip -c kept/one.csv >new && mv new r/one.csv && refuses "$1" table && refuses "$1" resume; }
check "what gzip made of it" packed "r/one.csv: is compressed by gzip"
wide() { again iconv -t UTF-16 kept/one.samples.csv >new && mv new r/one.samples.csv && refuses "UTF-16" resume; }
check "samples in UTF-16" wide

finish
