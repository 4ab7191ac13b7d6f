#!/bin/bash
# test: fast
# Workers in Python: the wheel, a script's variants through the driver, requests that are malformed as the workers in
# C answer them, and the gate of a GPU on one whose time is made up.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
gpubench=$BUILD/gpubench scripts=$root/tests/worker/python
for python in python3 /usr/bin/python3 none; do
    ! "$python" -c 'import numpy' 2>/dev/null || break
done
if [ "$python" = none ]; then
    skip "workers in Python" "no Python here has NumPy (scripts/setup.sh --check installs it)"
    finish
    exit 0
fi
unset PYTHONUNBUFFERED PYTHONPATH GPUBENCH_PYTHON_DEVICE
export PYTHONDONTWRITEBYTECODE=1
cd "$scratch" || exit 1

# ---- the wheel -------------------------------------------------------------------------------------------------------

version=$("$gpubench" --version | grep -oE '[0-9]+(\.[0-9]+)+' | head -n 1)
wheel=$scratch/gpubench-$version-py3-none-any.whl
# With pip where there is one; a wheel is a zip archive.
install_wheel()
{
    "$python" -m pip --disable-pip-version-check install --quiet --no-index --no-deps --no-compile --target site "$wheel" 2>pip.log ||
        { grep -q 'No module named pip' pip.log && "$python" -m zipfile -e "$wheel" site; }
}
check "a wheel is made" "$root/scripts/wheel.sh" "$scratch" "$version"
check "... and installed" install_wheel
export PYTHONPATH=$scratch/site
check "... which knows its version" test "$("$python" -c 'import gpubench; print(gpubench.__version__)')" = "$version"
check "... and where it came from" test "$("$python" -c 'import gpubench; print(gpubench.__file__)')" = "$scratch/site/gpubench/__init__.py"
check "in a clone it works without" test "$(PYTHONPATH=$root/common/python "$python" -c 'import gpubench; print(gpubench.__version__)')" = "$version"

# ---- a script's variants ---------------------------------------------------------------------------------------------

worker="$python $scripts/saxpy.py"
config() # NAME LIMIT VARIANTS
{
    printf '{ "schema": 1, "name": "%s", "title": "In Python", "primitive": "saxpy", "variants": [%s], "baseline": "two-passes",
  "points": [{ "n": 3001 }], "measure": { "samples": 3, "warmup": 1, "time_limit_s": %s } }\n' \
        "$1" "$(printf '"%s", ' "${@:3}" | sed 's/, $//')" "$2" >"$1.json"
}
config most 60 two-passes prints wrong leaves raises leaves-python hogs elsewhere lacks odd-alone
config hangs 0.3 two-passes hangs
# run CONFIG STATUS OPTION...: it ends so.
run()
{
    local status=0
    "$gpubench" run "$1.json" --worker "$worker" --out out "${@:3}" >"$1.said" 2>&1 || status=$?
    [ $status = "$2" ] || { cat "$1.said"; return 1; }
}
# row VARIANT STATUS REASON: what became of all its rows.
row()
{
    rows out/most.csv | grep "|$1|" >row.said && cat row.said && ! grep -vF -- "|$2|${3-}" row.said
}
check "a config is run" run most 1
check "... right variants are measured" row two-passes ok
check "... also those that print" row prints ok
check "... wrong ones are found" row wrong wrong "before its samples: Arrays are not equal"
check "... and those that write nothing" row leaves wrong "before its samples: Arrays are not equal"
check "an exception costs its row, and names its place" row raises crashed "run of raises: KeyError: 'z' (saxpy.py line $(grep -n 'data\["z"\]' "$scripts/saxpy.py" | cut -d: -f1))"
check "so does the end of the interpreter" row leaves-python crashed "run of leaves-python: SystemExit: 0 (saxpy.py line $(grep -n 'raise SystemExit' "$scripts/saxpy.py" | cut -d: -f1))"
check "memory that is not there is told" row hogs out_of_memory "run of hogs: 16 TiB are not there"
check "what needs a GPU has a reason" row elsewhere unsupported "it needs a GPU, and this worker measures on the CPU (the script has imported neither torch nor cupy)"
check "what needs a module has one" row lacks unsupported "needs the module no_such_module, which "
check "a variant may prepare" row odd-alone ok
check "what never ends" run hangs 1
check "... is ended" test "$(rows out/hangs.csv | grep -c 'hangs|timeout|')" = 1
check "rows are of the CPU" test "$(columns out/hangs.csv backend | sort -u)" = python
check "the results have their samples" test "$(grep -c two-passes out/most.samples.csv)" = 3
sed 's/"warmup": 1/"warmup": 0, "cache": "cold"/' most.json >cold.json
check "caches are emptied" run cold 0 --filter 'variant == two-passes' --samples 1 --out cold
before=$(cksum <out/most.csv)
check "--resume has nothing left to do" run most 1 --resume
check "... and changes nothing" test "$(cksum <out/most.csv)" = "$before"
check "a table is made" "$gpubench" table out/most.csv
cp -r out again
check "... and a comparison" "$gpubench" compare out again
passes() { "$gpubench" check saxpy --worker "$worker" --variant "$1" >checked 2>&1; cat checked; grep -qxF "passed saxpy/$1: 3 ok" checked; }
check "check tries the nasty sizes" passes two-passes
fails() { ! passes "$1" && grep -q "FAILED saxpy/$1" checked; }
check "... and finds what is wrong" fails wrong
listed() { "$gpubench" list variants --worker "$worker" | grep -qE "$1"; }
check "list knows the variants" listed '^saxpy +prints +yes +python +own +prints'
sed 's/"n": 3001/&, "dist": "from:here"/' most.json >mistaken.json
check "a mistaken value is told before anything runs" run mistaken 2
check "... with its reason" grep -q 'there is no file here' mistaken.said

# The example finds its worker beside its config; what needs modules that are not here says so.
mkdir bin && printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "$python")" >bin/python3 && chmod +x bin/python3
check "the example is run" env PATH="$scratch/bin:$PATH" "$gpubench" run "$root/examples/triton/sum.json" --quick --out sum
check "... by NumPy" test "$(columns sum/sum.csv variant status | grep -c '^numpy,ok$')" = 2
check "... and checked" env PATH="$scratch/bin:$PATH" "$gpubench" check sum --worker "$root/examples/triton/gpubench-python-sum" --variant numpy

# ---- requests --------------------------------------------------------------------------------------------------------

# The workers in C are the model: the same words to the same mistakes.
deep=$(printf '[%.0s' $(seq 70))
cat >mistakes <<END

no JSON
{"cmd":"describe"
{"cmd":"describe","a":[1, "NaN", NaN]}
$deep
[1]
{"seq":1}
{"cmd":7,"seq":2}
{"cmd":"work\u0000"}
{"cmd":"telemetry","seq":3,"job":4}
{"cmd":"select","device":-1,"seq":1e999}
{"cmd":"select","device":1.5,"job":true}
{"cmd":"select","device":"7"}
{"cmd":"open"}
{"cmd":"sample","job":"1"}
{"cmd":"verify","job":9}
{"cmd":"schedule"}
{"cmd":"work"}
{"cmd":"work","primitive":"no\nsuch"}
{"cmd":"select","device":0,"ceilings":false}
{"cmd":"open","job":1.5}
{"cmd":"open","job":1}
{"cmd":"schedule","schedule":3}
{"cmd":"close","job":1}
{"cmd":"quit","seq":12}
{"cmd":"quit","seq":13}
END
same_words()
{
    "$BUILD/gpubench-simt" <mistakes 2>/dev/null | fields >in_c && $worker <mistakes 2>/dev/null | fields >in_python && diff in_c in_python
}
fields()
{
    "$python" -c 'import json, sys
for line in sys.stdin:
    answer = json.loads(line)
    print(*(f"{name}={answer.get(name)}" for name in ("cmd", "seq", "job", "ok", "status", "reason")))'
}
check "mistakes are refused in the same words as in C" same_words
check "... all of them" test "$(wc -l <in_python)" = 25

params='"params":{"n":"10","dist":"uniform"}'
open='"cmd":"open","primitive":"saxpy","variant":"two-passes","seed":"18446744073709551615","cache":"warm","scope":"device"'
# answers TEXT REQUEST...: a worker that has selected its device, and is asked these, ends its answers with the text.
answers()
{
    local text=$1
    shift
    printf '%s\n' '{"cmd":"select","device":0}' "$@" | $worker >answers.said 2>answers.log || echo "exit status $?" >>answers.said
    cat answers.said answers.log
    tail -n 1 answers.said | grep -qF -- "$text"
}
broken=${open/two-passes/raises}
check "after a crash the worker ends" answers 'exit status 1' "{$broken,$params,\"job\":1}" '{"cmd":"verify","job":1}' '{"cmd":"telemetry"}'
check "... and has said so" bash -c 'grep -c fatal answers.said | grep -qx 1 && sed -n 3p answers.said | grep -q "\"status\":\"crashed\".*\"fatal\":true"'
{ "$python" "$scripts/requests.py" "$scripts"; echo "exit status $?"; } >requests.said 2>&1
answered_all() { grep -v '^ok - ' requests.said; [ "$(grep -c '^ok - ' requests.said)" -gt 40 ] && grep -qx 'exit status 0' requests.said; }
check "requests about jobs, lines, gates, what a script may not say" answered_all

# Nobody reads its answers any more: it ends, also where it hangs.
reader_leaves()
{
    mkfifo asks answers
    $worker <asks >answers 2>/dev/null &
    local pid=$!
    exec 5>asks 6<answers
    printf '%s\n' '{"cmd":"select","device":0}' "{${open/two-passes/hangs},$params,\"job\":1}" '{"cmd":"verify","job":1}' >&5
    head -n 2 <&6 >opened && grep -q '"items"' opened || return 1
    exec 6<&-
    await 60 gone $pid
    local status=$?
    kill -9 $pid 2>/dev/null
    exec 5>&-
    return $status
}
check "a reader that goes away ends it" reader_leaves

# ---- a GPU -----------------------------------------------------------------------------------------------------------

cat >fake.json <<'END'
{ "schema": 1, "name": "fake", "title": "A fake GPU", "primitive": "fake", "points": [{ "us": 7 }],
  "variants": ["plain", "slow-to-launch", "waits-unsaid", "waits", "on-host", "too-large", "broken"],
  "baseline": "plain", "measure": { "samples": 5, "warmup": 0 } }
END
fake()
{
    FAKE=$1 PYTHONPATH=$scratch/site:$scripts/fakes "$gpubench" run fake.json --worker "$python $scripts/gpu.py" --out "$1" "${@:2}" >"$1.said" 2>&1
    [ $? = 1 ] || { cat "$1.said"; return 1; }
}
# of LIBRARY VARIANT COLUMN...
of() { columns "$1/fake.csv" variant "${@:3}" | sed -n "s/^$2,//p"; }
for library in torch cupy; do
    check "a GPU through $library" fake $library
    check "... its name" test "$(of $library plain backend device)" = "cuda,NVIDIA H100 80GB HBM3"
    check "... and folder, generation and memory" "$python" "$scripts/facts.py" $library/fake.meta.json $library
    check "launching is kept out of the time" test "$(of $library plain time_max_s)" = 7e-06
    check "... also where it takes longer than the gate is at first" test "$(of $library slow-to-launch time_max_s)" = 1.4e-05
    check "... and no row is flagged for that" bash -c "! grep -E '^[^,]*,[^,]*,[^,]*,[^,]*,(plain|slow-to-launch|waits|on-host),' $library/fake.csv | grep ungated"
    check "what waits without saying so is flagged" grep -qE 'waits-unsaid.*ungated' $library/fake.csv
    check "... and warned of" grep -q 'warning: 1 of 5 rows are ungated' $library.said
    check "memory that is not there" test "$(of $library too-large status)" = out_of_memory
    check "an error of CUDA" test "$(of $library broken status)" = crashed
done
finish
