#!/bin/bash
# test: fast
# gpubench table as a command: formats, choices, what goes to stdout and what to stderr, mistakes.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
published=$root/results/published/multipartition-table1.csv
cd "$root" || exit 1

check "text is the default" prints "32M  GPU multisplit" "$gpubench" table "$fixture"
check "stdout is the golden table" cmp "$scratch/out" tests/fixtures/golden/multipartition.txt
check "what is not shown is said on stderr" warns "dist binomial (--dist all)"
check "Markdown" prints "|---|---|---|---:|" "$gpubench" table "$fixture" --format markdown
check "LaTeX" prints "\\label{tab:multipartition-fixture}" "$gpubench" table "$fixture" --format latex
check "... as wide as asked for" prints "\\begin{table}" "$gpubench" table "$fixture" --no-published --format latex --paper-width column
check "... or across the page" prints "\\begin{table*}" "$gpubench" table "$published" --format latex --paper-width page
check "... which text is not" refuses "--paper-width is for a paper: add --format latex" "$gpubench" table "$fixture" --paper-width page
check "--no-published" prints "Multipartition" "$gpubench" table "$fixture" --no-published
check "--no-published leaves the paper out" hides "(paper)"
check "an axis is chosen by its name" prints "32M" "$gpubench" table "$fixture" --n 32M --bins=64,256
check "and its other values are left out" hides "8M"
check "variants are chosen by their names" prints "Multipartition " "$gpubench" table "$fixture" --n 32M --variant multipartition,large
check "... with the ratios that are theirs" grep -qF "Speed-up" "$scratch/out"
check "... and no others" test "$(grep -cE 'GPU multisplit +|buffer-per-warp' "$scratch/out")$(grep -c '^ *large' "$scratch/out")" = 02
check "... nor their values of axes" hides "cub-label-sort" "$gpubench" table "$fixture" --table plain --variant large
check "no such variant" refuses "did you mean \"multipartition\"?" "$gpubench" table "$fixture" --variant large,mutlipartition
check "all values of an axis" prints "dist binomial" "$gpubench" table "$fixture" --dist all
check "--table plain" prints "cub-label-sort" "$gpubench" table "$fixture" --table plain
check "published numbers alone" prints "1.83" "$gpubench" table "$published"
check "published numbers named with measured ones stand beside them" \
    prints "RTX A4500 (paper)" "$gpubench" table "$fixture" "$published"
check "and not by themselves" hides "Printed by the paper"

check "data sheets are no results" refuses "what data sheets say of GPUs, which are no results" "$gpubench" table "$root/results/published/gpus.csv"
check "a folder that has some is read without them" prints "Printed by the paper" "$gpubench" table "$root/results/published" --dist uniform
mkdir "$scratch/folder" && cp "$fixture" "$scratch/folder/multipartition.csv"
echo "run_id,point,variant,index,time_s" >"$scratch/folder/multipartition.samples.csv"
check "a folder, without its samples" prints "32M" "$gpubench" table "$scratch/folder"

mkdir "$scratch/empty"
check "a folder without results" refuses "the folder $scratch/empty holds no result file (*.csv)" "$gpubench" table "$scratch/empty"
mkdir -p "$scratch/above/none" "$scratch/above/one/aa/first" "$scratch/above/deep/two"
echo "device,memory_bytes_per_s" >"$scratch/above/none/gpus.csv"
for folder in one one/aa/first deep/two; do cp "$fixture" "$scratch/above/$folder/multipartition.csv"; done
for command in table claims standings audit report plot compare; do
    check "$command of a folder of folders names those that hold results" \
        refuses "name what does below it: $scratch/above/deep/two and $scratch/above/one" "$gpubench" $command "$scratch/above"
done
check "... not what lies below these" test "$(grep -c first "$scratch/err")" = 0
sed 's/,cuda,fixture,/,cuda,second,/' "$fixture" >"$scratch/second.csv"
check "results of two devices stand together" prints "Measured on fixture, second:" "$gpubench" table "$fixture" "$scratch/second.csv"
sed 's/,throttled,/,autocorrelated,/' "$fixture" >"$scratch/sticky.csv"
check "times that resemble those before are marked" \
    prints "resembled those before (their interval is then too" "$gpubench" table "$scratch/sticky.csv"

sed 's/,throttled,/,autocorrelated;redone,/' "$fixture" >"$scratch/both.csv"
check "and so is what was done anew, in one note" \
    prints "or the work was done anew" "$gpubench" table "$scratch/both.csv"
sed 's/,throttled,/,ungated,/' "$fixture" >"$scratch/ungated.csv"
check "and what has the host's launching in its time" \
    prints "host's launching is in the time (ungated)" "$gpubench" table "$scratch/ungated.csv"

noise=$scratch/noise.csv
printf '%s\n' "schema,device,scope,kind,primitive,variant,decade,rows,difference_median,difference_p99,difference_max" \
    "1,device A,device,gpu,,,-5,40,0.0094,0.1127,0.2" "1,device A,device,gpu,p,loud,0,27,0.3,1.034,1.034" \
    "1,device B,host-to-host,cpu,,,-9,41,0.5,0.6,0.7" >"$noise"
check "what equal runs differ by" prints "How far apart equal runs may be found on device A" "$gpubench" table "$noise" --format markdown
check "... by their time" grep -qxF '| 10 to 100 µs | device | gpu | 40 | 0.94 % | 11 % | 20 % |' "$scratch/out"
check "... and those that are noisier" grep -qxF '| loud, any time | device | gpu | 27 | 30 % | 103 % | 103 % |' "$scratch/out"
check "... of each device" grep -qxF '| 10^-9 to 10^-8 s | host-to-host | cpu | 41 | 50 % | 60 % | 70 % |' "$scratch/out"
check "... each by itself" test "$(grep -c '^| mean time' "$scratch/out")$(grep -c '^| .* % |$' "$scratch/out")" = 23
check "... behind results" prints "runs may be found on device A" "$gpubench" table "$fixture" "$noise"
echo "a,b" >"$noise"
check "no such file" refuses "it is no noise.csv" "$gpubench" table "$noise"

check "without a layout one row a point is printed, and said" \
    prints "throughput of each point" env GPUBENCH_SHARE="$scratch" "$gpubench" table "$fixture"
check "... on stderr" warns "no layout plots/multipartition.table.json"

check "no results" refuses "name at least one result file" "$gpubench" table
check "no such file" refuses "/no/such.csv" "$gpubench" table /no/such.csv
# a measured rate over a printed one of another device
echo "one,1,ok,,100" | measured "$scratch/e.csv" n
echo "best,1,rate,40" | printed "$scratch/paper.csv"
cat >"$scratch/over.json" <<'END'
{"schema":1,"title":"t","scale":1,"unit":"items/s","rows":["n"],"columns":"variant","variants":[],"further_variants":false,
 "ratios":[{"label":"over B","of":"one","over":"best","printed_for":"device B"},
           {"label":"over C","of":"one","over":"best","printed_for":"device C"}]}
END
check "the ratio to what a paper prints for a device" prints "| 1 | 2.5 |" \
    "$gpubench" table "$scratch/e.csv" "$scratch/paper.csv" --table "$scratch/over.json" --format markdown
check "... is left out where it prints nothing" hides "over C"
# of several variants the fastest that was right
printf '%s\n' slow,1,ok,,100 fast,1,ok,,200 bad,1,wrong,off,0 | measured "$scratch/several.csv" n
cat >"$scratch/several.json" <<'END'
{"schema":1,"title":"t","scale":1,"unit":"items/s","rows":["n"],"columns":"variant","further_variants":false,"ratios":[],
 "variants":[{"name":"slow;fast","label":"a"},{"name":"fast;slow","label":"b"},{"name":"bad;slow","label":"c"},{"name":"slow;bad","label":"d"}]}
END
check "of several variants the fastest is shown, and one that was right before one that was not" prints "| 1 | 200 | 200 | 100 | 100 |" \
    "$gpubench" table "$scratch/several.csv" --table "$scratch/several.json" --format markdown
# ---- how sure ---------------------------------------------------------------------------------------

side "$scratch/sure.csv" <<'END'
wild 1 warm device ok 100 9 4
steady 1 warm device ok 200 0.0003 9
loose 1 warm device ok 100 0.1 9
single 1 warm device ok 100 0 1
END
cat >"$scratch/sure.json" <<'END'
{"schema":1,"title":"t","scale":1e6,"unit":"M/s","rows":["n"],"columns":"variant","variants":[{"name":"wild"},{"name":"loose"}],
 "further_variants":false,"ranges":true,"ratios":[{"label":"w","of":"wild","over":"steady"},{"label":"l","of":"loose","over":"steady"},
 {"label":"s","of":"single","over":"steady"},{"label":"a","of":"steady","over":"loose"}]}
END
check "an interval that would reach 0 is unstable, the others decide the digits" \
    prints "| 1 | 10.0 unstable | 10.0 ±6.7% | 2.0 unstable | 2.00 ±0.15 | 2.0 (n = 1) | 0.500 ±0.034 |" \
    "$gpubench" table "$scratch/sure.csv" --table "$scratch/sure.json" --format markdown
check "... which is said" grep -qF "unstable: the samples scatter so much" "$scratch/out"
check "... a range has them, too" grep -qF "l, device A: 2.00 ±0.15 to 2.00 ±0.15." "$scratch/out"
# as programs have them: a record a cell
record() { grep -xF -- "$1" "$scratch/out"; }
check "CSV has a record a cell" prints "experiment,device,source,label,variant,over,quantity,unit,n,best,value,ci95_lo,ci95_hi,samples,cache,scope,status,flags,note" \
    "$gpubench" table "$scratch/sure.csv" --table "$scratch/sure.json" --format csv
check "... with its interval, in SI units" record "sure,device A,measured,loose,loose,,rate,items/s,1,,10000000,9375000,10714285.7,9,warm,device,ok,,"
check "... and without one that cannot be" record "sure,device A,measured,wild,wild,,rate,items/s,1,,10000000,,,4,warm,device,ok,,unstable"
check "... of a ratio, too" record "sure,device A,measured,w,wild,steady,ratio,1,1,,2,,,4,warm,device,ok,,unstable"
check "... which has one where it can be" grep -qE '^sure,device A,measured,l,loose,steady,ratio,1,1,,2,1\.8[0-9]*,2\.1[0-9]*,9,' "$scratch/out"
check "... nothing else" test "$(wc -l <"$scratch/out")" = 7
check "what is printed stands beside, with its source" prints "multipartition,NVIDIA RTX A4500,published,Speed-up,multipartition,multisplit,ratio,1,32000000,256,uniform,max,none,u32,,1.83,,," \
    "$gpubench" table "$fixture" --n 32M --bins 256 --format csv
check "... what could not run, with its reason" prints ",unsupported,,multisplit as published handles powers of two" "$gpubench" table "$fixture" --n 32M --bins 40 --format csv
check "two experiments have the axes of both" prints ",unit,n,bins,dist,function,payload,type,best,value," "$gpubench" table "$fixture" "$scratch/sure.csv" --format csv
check "... blank where one has none" grep -q '^sure,device A,measured,loose,loose,,rate,items/s,1,,,,,,,1' "$scratch/out"
check "JSON has the same" prints '"label":	"loose",' "$gpubench" table "$scratch/sure.csv" --table "$scratch/sure.json" --format json
check "... a record a cell" test "$(grep -c '"quantity":' "$scratch/out")" = 6
check "... with axes of its own" sh -c "tr -d '\n\t' <'$scratch/out' | grep -qF '\"axes\":{\"n\":\"1\"},\"value\":10000000,\"ci95_lo\":9375000,'"
sed 's/"scale":1e6/"quantity":"time","scale":1e-6/' "$scratch/sure.json" >"$scratch/time.json"
check "times are as unsure as rates" prints "| 1 | 100 unstable | 100 ±6.7% |" \
    "$gpubench" table "$scratch/sure.csv" --table "$scratch/time.json" --format markdown
check "no such layout" refuses "plots/nothing.table.json" "$gpubench" table "$fixture" --table nothing
check "no such format" refuses "text, markdown, latex, csv and json" "$gpubench" table "$fixture" --format html
check "--help has the formats" prints "--format text|markdown|latex|csv|json " "$gpubench" table --help
check "no such axis" refuses "did you mean --bins" "$gpubench" table "$fixture" --bin 64
# an axis of the last of many experiments is known, too
for i in $(seq 10 20); do
    measured "$scratch/axes$i.csv" "a$i,b$i,c$i,d$i,granule$i" <<<"v,1,1,1,1,1,ok,,1"
done
check "... nor is its nearest lost among many" refuses "did you mean --granule20" "$gpubench" table "$scratch"/axes*.csv --granle20 1
check "no such value" refuses "there is: uniform, binomial" "$gpubench" table "$fixture" --dist zipf
check "no such paper" refuses "results/published/nothing.csv" "$gpubench" table "$fixture" --published nothing.csv
check "samples are no results" refuses "is no result file" "$gpubench" table "$scratch/folder/multipartition.samples.csv"
finish
