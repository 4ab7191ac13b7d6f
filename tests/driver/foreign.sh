#!/bin/bash
# test: fast 3
# Results of other tools are tables, figures and sides of comparisons as our own are: NVBench's, whose files are
# written after its documented format, since it needs a GPU, and tables of CSV; what we export is read back as it was.
# tests/driver/foreign_tools.sh has the tools that run here.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root
cd "$scratch" || exit 1
nvbench() { "$BUILD/tests/driver/nvbench_file" "$1"; }
is() { [ "$1" = "$2" ] || { echo "found '$1', not '$2'"; return 1; }; }
# verdicts A B...: of each pair, in order, with what stands behind: "fast SLOWER;small SAME"
verdicts()
{
    "$gpubench" compare "$@" --format csv 2>"$scratch/err" | columns /dev/stdin variant verdict | grep -v ',$' | tr ',\n' ' ;'
}
# Of the last comparison: stderr lacks the text.
unsaid() { ! grep -F -- "$1" "$scratch/err"; }
# cells COLUMN RESULTS...: of the table as CSV, with ; between.
cells() { "$gpubench" table "${@:2}" --format csv 2>"$scratch/err" | columns /dev/stdin "$1" | tr '\n' ';'; }

# ---- NVBench ----------------------------------------------------------------------------------------

nvbench base.json <<END
fast n=1024 110 0.01 30
fast n=4096 210 0.01 30
slow n=1024 100 0.01 30
small n=1024 100 0.0001 30
wide n=1024 100 0.2 30
odd n=1024 100 0.01 skip
END
nvbench new.json <<END
fast n=1024 100 0.01 30
fast n=4096 200 0.01 30
slow n=1024 110 0.01 30
small n=1024 100.5 0.0001 30
wide n=1024 103 0.2 30
odd n=1024 100 0.01 skip
END
check "two builds of one benchmark are judged by their samples" is "$(verdicts base.json new.json)" \
    "fast FASTER;fast FASTER;slow SLOWER;small SAME;wide UNCLEAR;"
check "... of which none is said to lack any" unsaid "without samples"
check "... which makes a status" bash -c "'$gpubench' compare base.json new.json --fail-on slower >/dev/null 2>&1; [ \$? = 4 ]"
NVBENCH_DEVICE="NVIDIA H200" nvbench floor.json <<<'small n=1024 100 0.0001 30'
cp -r floor.json again.json
check "... above the noise floor of that GPU" is "$("$gpubench" compare floor.json again.json --noise "$root/results/nvidia-h200/aa/noise.csv" --format csv 2>/dev/null |
    columns /dev/stdin effect)" \
    "$(awk -F, '$2 == "NVIDIA H200" && $4 == "gpu" && $3 == "device" && $7 == -4 && $5 == "" { print $10 }' "$root/results/nvidia-h200/aa/noise.csv")"
check "a table of them" prints "Measured on device A: cold cache, device scope, up to 30 samples" "$gpubench" table base.json
check "... with why a state was skipped" is "$(cells note base.json --variant odd)" "too large;"
check "... with rates of what the states count" is "$(cells value base.json --variant slow | cut -c 1-6)" "100000"
check "two files in one table have their names" prints "device A (base.json), device A (new.json):" "$gpubench" table base.json new.json
check "their axis chooses" is "$(verdicts base.json new.json --n 4096)" "fast FASTER;"
mkdir elsewhere && cp -r base.json base.json-bin elsewhere
check "samples are found beside the file, wherever it is" \
    is "$(cd elsewhere && verdicts base.json ../new.json --variant slow)" "slow SLOWER;"
NVBENCH_KEEP=no nvbench means.json <<END
fast n=1024 110 0.01 30
slow n=1024 100 0.01 30
END
check "means and deviations will do" is "$(verdicts means.json new.json --variant fast,slow --n 1024)" "fast FASTER;slow SLOWER;"
check "... which is said, with what keeps samples" grep -q "means.json has rows without samples.*--jsonbin" err
head -c 116 base.json-bin/1.bin >short && cp -r base.json cut.json && sed -i 's|base.json-bin/1.bin|short|' cut.json
check "a cut file of samples is refused" refuses "cut.json:" "$gpubench" table cut.json
check "... with what it should hold" warns "short has 116 bytes; 30 samples of 4 bytes are said to be in it"
sed 's|base.json-bin/1.bin|gone-bin/1.bin|' base.json >gone.json
check "a missing one is, too" refuses "there is no file of samples gone-bin/1.bin" "$gpubench" compare gone.json new.json
cp base.json-bin/0.bin other.bin && sed 's|base.json-bin/1.bin|other.bin|' base.json >other.json
check "and another run's" refuses "was the file of samples written by another run?" "$gpubench" table other.json

# ---- beside our own ---------------------------------------------------------------------------------

side own/e.csv <<END
fast 1024 cold device ok 110 0.01 30
fast 4096 cold device ok 210 0.01 30
slow 1024 cold device ok 110 0.01 30
END
check "the same variants and axes meet ours" is "$(verdicts own/e.csv base.json)" "fast SAME;fast SAME;slow FASTER;"
check "... whichever is named first" is "$(verdicts base.json own/e.csv --variant slow)" "slow SLOWER;"
check "... and stand in one table" is "$(cells experiment base.json own/e.csv --n 4096 --variant fast)" "e;e;"
check "... in any order" is "$(cells device own/e.csv base.json --n 4096)" "device A (own);device A (base.json);"
axes=bins side own/f.csv <<<'mine 1024 cold device ok 100 0.01 30'
nvbench one.json <<<'their n=1024 100 0.01 30'
cp means.json own/means.json
check "... in one folder, too" is "$(cells device own/means.json own/e.csv --n 1024 --variant fast)" "device A (e);device A (means.json);"
check "a map gives other names" is "$(verdicts own/f.csv one.json --map 'bins=n,variant:=mine')" "mine SAME;"
check "... which are told where nothing meets" refuses "one.json has the axes n and the variants their (--map gives them other names)" \
    "$gpubench" compare own/f.csv one.json
check "... but not one to two" refuses "are both of 'x' with the same axes: which of them counts?" \
    "$gpubench" table base.json --map 'variant:=x'
check "... and says what there is" refuses "nothing there is called 'size'; there is: benchmark, device, n" \
    "$gpubench" table base.json --map n=size
check "a figure of it" prints base/by-n-default.svg "$gpubench" plot base.json --out base --format svg

# ---- exports ----------------------------------------------------------------------------------------

axes=n,dist side own/x.csv <<END
fast 1024,uniform warm device ok 110 0.001 30
fast 1024,uniform cold device ok 120 0.001 30
fast 1024,file:a/b.csv warm host-to-host ok 130 0.001 30
lost 1024,uniform warm device crashed 0 0 0
few 1024,uniform warm device ok 130 0 1
END
for format in nvbench google-benchmark; do
    check "$format: export" prints own/x.$format.json "$gpubench" export own/x.csv --format $format
    check "... read back it is the SAME" is "$(verdicts own/x.csv own/x.$format.json)" "fast SAME;fast SAME;fast SAME;few UNCLEAR;"
    check "... with its values" is "$(cells value own/x.$format.json --cache all --scope all --dist all | sed -E 's/[0-9]\.[0-9]*//g')" \
        "$(cells value own/x.csv --cache all --scope all --dist all | sed -E 's/[0-9]\.[0-9]*//g')"
    check "... and failures" is "$(cells status own/x.$format.json --variant lost)" "crashed;"
done
"$gpubench" export own/e.csv --format nvbench --out own/x.nvbench.json >/dev/null
check "an export of fewer rows leaves no samples of more" is "$(find own/x.nvbench.json-bin -name '*.bin' | wc -l)" 3
check "a folder needs a name" refuses "--out names it" "$gpubench" export own
check "a run exports" prints "export:  run/null.nvbench.json" "$gpubench" run null --device simt --out run --samples 3 \
    --filter 'ns == 0 && bytes == 0 && variant == nothing' --export nvbench --export google-benchmark=run/g.json
check "... what compare reads" prints "row compared" "$gpubench" compare run/null.csv run/g.json
check "... unless it cannot" refuses "one file cannot hold several configs" \
    "$gpubench" run null null-bus --device simt --export nvbench=x.json
check "no other format" refuses "--export csv: the formats are nvbench and google-benchmark" "$gpubench" run null --export csv

# ---- CSV --------------------------------------------------------------------------------------------

awk 'BEGIN { print "kernel,size,elapsed_ms,host"
    for (i = 0; i < 12; i++) for (n = 1000; n <= 2000; n += 1000) print "fast," n "," n / 1000 * (1 + i * 1e-4) ",a" }' >t.csv
awk 'BEGIN { print "size,kernel,mean,dev,runs"; print "1000,fast,0.0011,1e-6,12"; print "2000,fast,0.002,1e-7,12" }' >m.csv
names='time=elapsed_ms:ms,variant=kernel,n=size'
check "a map reads a table, a sample a row" prints "up to 12 samples a value" "$gpubench" table t.csv --map "$names"
check "... means and deviations" is "$("$gpubench" table m.csv --map 'time=mean,sd=dev,count=runs,n=size,variant=kernel' --format csv 2>/dev/null |
    columns /dev/stdin value | tr '\n' ';')" "0.0011;0.002;"
check "... without a deviation nothing is sure" is "$(sed 's/1e-[67]//' m.csv >n.csv
    verdicts m.csv n.csv --map 'time=mean,sd=dev,count=runs,n=size,variant=kernel')" "fast UNCLEAR;fast UNCLEAR;"
check "... beside our own" is "$(side own/g.csv <<<'fast 2000 warm device ok 2000 0.0001 30'
    verdicts own/g.csv m.csv --map 'time=mean,sd=dev,count=runs,n=size,variant=kernel')" "fast SAME;"
printf '{"context": {"host_name": "h"}, "benchmarks": [%s]}\n' '{"name": "a/1", "real_time": 1, "cpu_time": 1, "time_unit": "us", "items_per_second": 5},
    {"name": "b/1", "real_time": 1, "cpu_time": 1, "time_unit": "us"}' >mixed.json
check "rates of what works on other things are not set side by side" prints "Time in us" "$gpubench" table mixed.json
check "... and says which columns there are" refuses "there is no such column; there are: kernel, size, elapsed_ms, host" \
    "$gpubench" table t.csv --map time=ms
check "... beside JSON, which has its own names" prints "Time in ms. Measured on device A: cold" "$gpubench" table one.json t.csv --map "$names" --cache all
check "... what is a second mean" refuses "is a second mean of the same variant and axes as that of data row 1" \
    "$gpubench" table t.csv --map 'time=elapsed_ms,sd=size,variant=kernel'
check "a report takes the map to its figures" prints r.html "$gpubench" report t.csv --map "$names" --out r.html
check "... which are there" grep -q "by-n" r.html
check "without a map it is no result file" refuses "of another tool's table --map says" "$gpubench" table t.csv
for command in audit claims standings; do
    check "$command reads them without a fall" bash -c "'$gpubench' $command base.json >out 2>&1; [ \$? -le 2 ]"
done
check "JSON of nobody's" refuses "this is JSON of no tool that is read here" "$gpubench" table "$root/configs/null.json"
finish
