#!/bin/bash
# test: thorough 4
# Results that google/benchmark and hyperfine write are read as our own, and google/benchmark's own script takes
# what we export. scripts/setup.sh --tools brings them; CI has them.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/driver/lib_sides.sh
. "$(dirname "$0")/lib_sides.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root
cd "$scratch" || exit 1
is() { [ "$1" = "$2" ] || { echo "found '$1', not '$2'"; return 1; }; }
# cells COLUMN RESULTS...: of the table as CSV, with ; between.
cells() { "$gpubench" table "${@:2}" --format csv 2>"$scratch/err" | columns /dev/stdin "$1" | tr '\n' ';'; }

# ---- google/benchmark -------------------------------------------------------------------------------

if g++ -O1 "$root/tests/driver/example/google_bench.cpp" -o bench -lbenchmark -lpthread 2>bench.err; then
    ./bench --benchmark_min_time=0.001 --benchmark_repetitions=5 --benchmark_out=g.json >/dev/null 2>&1
    check "google/benchmark: its arguments are axes" is "$(cells n g.json --variant sum)" "256;1024;"
    check "... without names range0 and range1" is "$(cells range0 g.json --variant exact)$(cells range1 g.json --variant exact)" "2;8;"
    check "... repetitions are samples" prints "up to 5 samples a value" "$gpubench" table g.json --variant exact
    check "... of exactly 2 ms, which moves 4096 bytes" is "$(cells value g.json --variant exact)$(cells unit g.json --variant exact)" \
        "2048000;bytes/s;"
    check "... threads are an axis, settings none" is "$(cells threads g.json --variant 'fill<int>')" "2;"
    check "... and a failure says why" prints "fails: no luck" "$gpubench" table g.json
    check "... items have their unit" is "$(cells unit g.json --variant sum)" "items/s;items/s;"
    ./bench --benchmark_min_time=0.001 --benchmark_repetitions=5 --benchmark_report_aggregates_only=true --benchmark_out=a.json >/dev/null 2>&1
    check "... aggregates will do" prints "rows compared" "$gpubench" compare a.json g.json
    check "... which is said" warns "a.json has rows without samples"
    check "... the other time" prints "Measured on" "$gpubench" table g.json --map time=cpu_time
else
    skip "google/benchmark" "libbenchmark-dev is not installed (scripts/setup.sh --tools)"
fi
python=$(for one in python3 /usr/bin/python3; do $one -c 'import numpy' 2>/dev/null && echo $one && break; done)
compare_py=/usr/share/benchmark/compare.py
if [ -e $compare_py ] && [ -n "$python" ]; then
    # All that it takes of SciPy, where that is not installed: 60 MB for two functions.
    if ! $python -c 'import scipy.stats' 2>/dev/null; then
        mkdir -p stand-in/scipy && : >stand-in/scipy/__init__.py
        printf 'import numpy\ndef gmean(a): return numpy.exp(numpy.mean(numpy.log(a)))\nclass Same: pvalue = 1.0\ndef mannwhitneyu(a, b, alternative=None): return Same\n' \
            >stand-in/scipy/stats.py
        export PYTHONPATH=$PWD/stand-in
    fi
    axes=n,dist side own/x.csv <<END
fast 1024,uniform warm device ok 110 0.001 30
fast 1024,uniform cold device ok 120 0.001 30
lost 1024,uniform warm device crashed 0 0 0
END
    "$gpubench" export own/x.csv --format google-benchmark >/dev/null
    check "google/benchmark's compare.py takes our export" prints "fast/cache:cold/n:1024/dist:uniform/manual_time_mean" \
        "$python" $compare_py --no-color benchmarks own/x.google-benchmark.json own/x.google-benchmark.json
    check "... and finds its times" grep -qE '^fast/cache:cold/n:1024/dist:uniform/manual_time_median +\+0\.0000.* 1[12][0-9]{4} ' out
else
    skip "google/benchmark's compare.py" "libbenchmark-tools is not installed (scripts/setup.sh --tools)"
fi

# ---- hyperfine --------------------------------------------------------------------------------------

if command -v hyperfine >/dev/null; then
    hyperfine -N -i --runs 5 --parameter-list n 1,0 'true 0.{n}0' 'false' --export-json h.json >/dev/null 2>&1
    check "hyperfine: its parameters are axes, its commands variants" prints "true 0.{n}0" "$gpubench" table h.json
    check "... of which it keeps the samples" prints "up to 5 samples a value" "$gpubench" table h.json
    check "... and a failure counts as one" prints "5 of 5 runs failed, the first with exit status 1" "$gpubench" table h.json
    check "... two runs are compared" prints "2 rows compared" "$gpubench" compare h.json <(cat h.json)
else
    skip "hyperfine" "it is not installed (scripts/setup.sh --tools)"
fi
finish
