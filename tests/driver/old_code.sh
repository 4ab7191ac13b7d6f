#!/bin/bash
# test: fast
# Workers of old code, stand-ins for them: taken for --code alone and for nothing else, whatever is there besides;
# who has not the code that was asked for is refused; rows, meta file and folder say it; scripts/old-code.sh.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
fake=$BUILD/tests/driver/fake_worker
export GPUBENCH_WORKER_PATH=$scratch/workers NO_COLOR=1
mkdir "$scratch/workers" "$scratch/elsewhere" "$scratch/cpu" && ln -s "$BUILD/gpubench-simt" "$scratch/cpu/"
cd "$scratch" || exit 1
cat >fake.json <<'END'
{ "schema": 1, "name": "fake", "title": "Fake", "primitive": "fake", "variants": ["good", "die-sample"],
  "axes": { "n": [1000], "shape": ["round"] } }
END

# worker NAME OPTION...: a stand-in for a GPU's.
worker()
{
    printf '#!/bin/sh\nexec %q --backend cuda %s\n' "$fake" "${*:2}" >"workers/$1"
    chmod +x "workers/$1"
}
run() { "$gpubench" run fake.json --samples 12 --filter 'variant == good' "$@"; }
# refuses_as STATUS TEXT COMMAND...
refuses_as()
{
    local expected=$1 text=$2 status=0
    shift 2
    "$@" >out 2>err || status=$?
    cat out err
    [ "$status" = "$expected" ] && grep -qF -- "$text" err
}
# under CSV: what the rows say of it, and by which worker.
under() { echo "$(columns "$1" under | sort -u) $(sed -n 's|.*"command":.*/\(gpubench-[^"/]*\)",*|\1|p' "${1%.csv}.meta.json" | head -n 1)"; }
is() { [ "$1" = "$2" ] || { echo "found '$1', not '$2'"; return 1; }; }

worker gpubench-cuda
worker gpubench-cuda11-sm_35 --code sm_35
worker gpubench-cuda11-sm_50 # a mistaken build: of today's code
worker gpubench-cuda-sm_80 --code sm_70

# ---- chosen by --code alone ----------------------------------------------------------------------

check "--code takes that worker" run --code sm_35
csv=results/fake-device/under/code-sm_35/fake.csv
check "... its rows say so, and lie apart" is "$(under $csv)" "code=sm_35 gpubench-cuda11-sm_35"
check "without it, it is not asked" run --out plain
check "... whatever else is there" is "$(under plain/fake.csv)" " gpubench-cuda"
rm workers/gpubench-cuda
check "... even if there is no other" refuses_as 3 "no worker (gpubench-cuda*, gpubench-simt)" run --out none
check "... nor in GPUBENCH_WORKERS" refuses_as 3 "no worker (gpubench-cuda*, gpubench-simt)" \
    env GPUBENCH_WORKERS="$PWD/workers" "$gpubench" run fake.json --out none
check "... nor as a program there" refuses_as 3 "gpubench-cuda11-sm_35: it has the code of sm_35 alone: --code sm_35 says that on purpose" \
    env GPUBENCH_WORKERS="$PWD/workers/gpubench-cuda11-sm_35" "$gpubench" run fake.json --out none
check "... nor where --worker names it" refuses_as 3 "it has the code of sm_35 alone: --code sm_35 says that on purpose" \
    run --out none --worker workers/gpubench-cuda11-sm_35
check "... and --worker with --code takes it" run --out named --worker workers/gpubench-cuda11-sm_35 --code sm_35
check "... from a folder, too" run --out folder --worker workers --code sm_35
check "... whose rows say so" is "$(under folder/fake.csv)" "code=sm_35 gpubench-cuda11-sm_35"

# ---- refused -------------------------------------------------------------------------------------

check "code that is not there, with what is and how to make it" refuses_as 3 \
    "no worker with the code of sm_60 in $scratch/workers, where there is that of sm_35, sm_50, sm_80; \`make old-code OLD_CODE=60\` builds gpubench-cuda*-sm_60" \
    run --code sm_60 --out none
check "... where there is none at all" refuses_as 3 "where there is none of old code" run --code sm_60 --worker elsewhere --out none
check "... nobody steps in, not even the CPU" refuses_as 3 "with the code of sm_60" \
    env GPUBENCH_WORKER_PATH="$PWD/cpu" "$gpubench" run fake.json --device simt --code sm_60 --out none
check "a worker that says other code than its name" refuses_as 3 "gpubench-cuda-sm_80: it has the code of sm_70, and --code says sm_80" \
    run --code sm_80 --out none
check "one that says none" refuses_as 3 "gpubench-cuda11-sm_50: it has no old code, and --code says sm_50" run --code sm_50 --out none
check "one that is named" refuses_as 3 "and --code says sm_70" run --code sm_70 --worker workers/gpubench-cuda11-sm_35 --out none
check "what is no generation" refuses_as 2 "--code 35: takes a generation of GPUs, such as sm_35" run --code 35 --out none
check "a worker whose code makes no sense" refuses_as 3 "no generation such as sm_35" run --code sm_35 --out none --worker "$fake --code x"
check "nothing was written" test ! -e none
cat >called.json <<'END'
{ "schema": 1, "name": "called", "title": "Called", "primitive": "command", "variants": {"x": "true"}, "axes": {} }
END
check "what a config calls has its own code" refuses_as 2 "--code says nothing of a config of primitive call or command" \
    "$gpubench" run called.json --code sm_35 --out none

# ---- a fresh worker ------------------------------------------------------------------------------

cat >workers/gpubench-cuda11-sm_37 <<END
#!/bin/sh
echo >>"$scratch/starts"
if [ "\$(wc -l <"$scratch/starts")" = 1 ]; then code=sm_37; else code=sm_35; fi
exec "$fake" --backend cuda --code \$code
END
chmod +x workers/gpubench-cuda11-sm_37
check "one that comes back with other code ends the run" refuses_as 1 "the new worker has the code of sm_35, the one before had the code of sm_37" \
    "$gpubench" run fake.json --samples 12 --code sm_37 --out fresh

# ---- check and info ------------------------------------------------------------------------------

check_old() { "$gpubench" check fake --variant wrong-before --case n=33 --code sm_35 >out 2>err; cat out err; }
check_old >/dev/null
check "check: the replay has the code" grep -qF -- " --code sm_35 " out
check "... of the workers of a folder, too" sh -c "'$gpubench' check --worker workers --code sm_35 --variant good --case n=33 | grep -q '^passed fake/good: '"
check "... and is of that worker" refuses_as 3 "no worker (gpubench-cuda*" "$gpubench" check fake --variant good
info() { "$gpubench" info "$@" >out 2>err; cat out err; }
worker gpubench-cuda
info >/dev/null
check "info names them, and no device is theirs" sh -c "grep -qx 'Not among them: workers of old code, for --code: sm_35, sm_37, sm_50, sm_80' out && ! grep -q gpubench-cuda11 out"
info --code sm_35 >/dev/null
check "info --code shows that one alone" sh -c "grep -qE '^gpubench-cuda11-sm_35 .* PTX of sm_35 ' out && ! grep -qE '^gpubench-cuda ' out"
check "... and measures by it" grep -q '^Fake Device (code of sm_35) (cuda 0), measured just now' out
check "... as JSON" sh -c "'$gpubench' info --code sm_35 --json 2>/dev/null | tr -d '\n\t ' | grep -qF '\"code\":\"sm_35\"'"

# ---- scripts/old-code.sh -------------------------------------------------------------------------

mkdir all && cat >all/gpubench <<'END'
#!/bin/bash
case $1 in
check)
    echo "passed $2/march: 3 ok"
    if [ "$2 $4" = "stencil sm_50" ]; then
        printf 'timeout stencil/tma: no answer\nFAILED stencil/tma: 0 ok, 1 failed\n'
        printf 'timeout stencil/other: no answer\nFAILED stencil/other: 0 ok, 1 failed\n'
    fi
    [ "$2 $4" != "octree sm_35" ] || exit 124 ;; # as timeout says it
run)
    all=$* && out=${all#*--out } && mkdir -p "${out%% *}"
    echo "${*:2}" >>"${0%/*}/runs"
    printf '  copy   unsupported: as ever\n'
    case $* in *'--code sm_35'*) printf '  tma    unsupported: needs sm_90\n' ;; esac ;;
compare) echo "table of ${*:2}" ;;
esac
END
chmod +x all/gpubench && touch all/gpubench-cuda11-sm_50 all/gpubench-cuda11-sm_35 all/gpubench-cuda-sm_100
"$root/scripts/old-code.sh" --out "$PWD/price" --jobs 4 "$PWD/all" >said 2>err
failure=$?
said() { cat said err; grep -qxF -- "$1" said; }
runs_so() { cat all/runs; grep -cF -- "$1" all/runs | grep -qx "$2"; }
check "the script: what a code passed and failed" said "sm_50: 6 passed, 2 failed, 0 untested"
check "... which that is" said "FAILED stencil/tma: 0 ok, 1 failed"
check "... what was not finished" said "sm_35 octree: not finished in 240 s"
check "... its exit status says so" is $failure 1
check "... the usual code is measured, too" runs_so "--out $PWD/price/usual" 6
check "... and every code, into a folder of its own" runs_so "--code sm_35 --out $PWD/price/code-sm_35" 6
check "... but for the config's variants that hang" runs_so \
    "(x == 512 && y == 512 && z == 512 && fused <= 2 && (radius == 1 || radius == 4)) && variant != tma" 1
check "... what a code cannot, and why" said "sm_35 stencil/tma unsupported: needs sm_90"
check "... not what the usual one cannot either" sh -c "! grep -q copy said"
check "... the table, codes in the order of their generations" said \
    "table of $PWD/price/usual $PWD/price/code-sm_35 $PWD/price/code-sm_50 $PWD/price/code-sm_100 --by-variant --format markdown --noise none"
finish
