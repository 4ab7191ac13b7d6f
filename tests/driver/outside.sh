#!/bin/bash
# test: fast 8
# Workers of primitives from elsewhere: where they are found, which one measures a config, how a run goes that needs
# several, and that none is started only because it lies there. All are stand-ins.
# shellcheck disable=SC2016 # eval and sh expand them
. "$(dirname "$0")/../harness/lib.sh"
driver=$BUILD/gpubench fake=$BUILD/tests/driver/fake_worker
cd "$scratch" || exit 1
mkdir own saxpy scan elsewhere
export GPUBENCH_WORKER_PATH=$scratch/own NO_COLOR=1
unset GPUBENCH_WORKERS

# worker FOLDER/NAME PRIMITIVE BACKEND [ARGUMENT...]: a worker; "log" has its starts and its ends.
worker()
{
    cat >"$1" <<END
#!/bin/sh
echo "start $1" >>'$scratch/log'
'$fake' --primitive $2 --backend $3 ${*:4}
echo "end $1" >>'$scratch/log'
END
    chmod +x "$1"
}
# config FILE PRIMITIVE
config()
{
    local name=${1##*/}
    cat >"$1" <<END
{ "schema": 1, "name": "${name%.json}", "title": "of $2",
  "primitive": "$2",
  "variants": ["good"], "axes": { "n": [10] }, "measure": { "samples": 10, "warmup": 0 } }
END
}
# does STATUS COMMAND...: of gpubench, with its output in out and err.
does()
{
    local status=$1 got=0
    shift
    rm -f log
    timeout 60 "$driver" "$@" >out 2>err </dev/null || got=$?
    cat out err
    touch log
    [ $got = "$status" ] || { echo "exit status $got"; return 1; }
}
says() { grep -qF -- "$1" err out || { cat out err; return 1; }; }
silent() { ! says "$1"; }
started() { diff <(printf '%s\n' "$@") <(sed -n 's/^start //p' log); }
lived() { diff <(printf '%s\n' "$@") log; }
# times N COMMAND...: it prints so many lines.
times() { [ "$("${@:2}" | tee lines | wc -l)" = "$1" ] || { cat lines; return 1; }; }
measured_by() { grep -E "\"name\":.*\"$2\"" "$1"; }

worker own/gpubench-cuda octree cuda
worker own/gpubench-simt octree simt
config saxpy/saxpy.json saxpy
config octree.json octree

# ---- where ------------------------------------------------------------------------------------------

check "no worker has it" does 2 run saxpy/saxpy.json --out r
check "where it is named, who was asked, where they lie" says \
    "saxpy/saxpy.json:2:16: primitive: no worker has a primitive \"saxpy\"; \`gpubench build DIR\`"
check "all of them" says "asked were gpubench-cuda, gpubench-simt in $scratch/own"
worker saxpy/gpubench-cuda-saxpy saxpy cuda --version 0.1.0
check "a worker beside the config" does 0 run saxpy/saxpy.json --out r
check "which the meta file names" measured_by r/saxpy.meta.json gpubench-cuda-saxpy
check "from its own folder, too" sh -c "cd saxpy && '$driver' run saxpy.json --out ../r"
check "an ordinary config asks no other kind" does 0 run octree.json --out r
check "and nobody else" started own/gpubench-cuda
check "simt need not wait for CUDA" does 0 run octree.json --out r --device simt
check "as it is not asked" started own/gpubench-simt

config saxpi.json saxpi
config plain.json saxpy
check "elsewhere it is not found" does 2 run plain.json --out r
check "but by GPUBENCH_WORKERS" env GPUBENCH_WORKERS="$scratch/scan:$scratch/saxpy/" "$driver" run plain.json --out r
check "or a program there" env GPUBENCH_WORKERS="$scratch/saxpy/gpubench-cuda-saxpy" "$driver" run plain.json --out r
check "or in a folder that --worker names" does 0 run plain.json --out r --worker saxpy
export GPUBENCH_WORKERS=$scratch/saxpy
check "the nearest name" does 2 run saxpi.json --out r
check "is told" says 'no worker has a primitive "saxpi" (did you mean "saxpy"?)'
GPUBENCH_WORKERS=$scratch/saxpy:/no/such
check "an entry that is not there" does 2 run plain.json --out r
check "is no silence" says "GPUBENCH_WORKERS: /no/such: No such file or directory"
for command in list info "check octree" "list variants --device simt"; do
    read -ra words <<<"$command"
    check "nor to $command" does 2 "${words[@]}"
done
GPUBENCH_WORKERS=$scratch/plain.json
check "nor is what cannot be one" does 2 list
check "which is said" says "plain.json: neither a folder nor a program"
unset GPUBENCH_WORKERS
check "a folder without workers" does 2 list --worker scan
check "says how to get some" says "\`gpubench build\`"

# None is started because it lies there: what is named is a config, not its path, a primitive, nothing.
mkdir -p trap/configs
config trap/configs/saxpy.json saxpy
cp saxpy/gpubench-cuda-saxpy trap
cp saxpy/gpubench-cuda-saxpy trap/configs
mkdir trap/octree && worker trap/octree/gpubench-simt octree simt
cd trap || exit 1
for command in "run saxpy" list "list variants octree" info "check octree --device simt --variant good" "check --device simt --variant good"; do
    read -ra words <<<"$command"
    rm -f ../log
    timeout 60 "$driver" "${words[@]}" >../out 2>../err
    check "the current folder alone is no reason: $command" sh -c "! grep -E 'saxpy|trap' ../log"
done
cd ..

# ---- who wins -----------------------------------------------------------------------------------------

worker own/gpubench-cuda-more saxpy cuda
check "the one beside the config wins" does 0 run saxpy/saxpy.json --out r
check "which the meta file says" measured_by r/saxpy.meta.json gpubench-cuda-saxpy
check "and a note" says "note: saxpy is that of saxpy/gpubench-cuda-saxpy, beside the config; $scratch/own/gpubench-cuda-more has"
export GPUBENCH_WORKERS=$scratch/saxpy
check "the one beside the driver before one of GPUBENCH_WORKERS" does 0 run plain.json --out r
check "says the meta file" measured_by r/plain.meta.json gpubench-cuda-more
check "and the note" says "note: saxpy is that of $scratch/own/gpubench-cuda-more; $scratch/saxpy/gpubench-cuda-saxpy has"
unset GPUBENCH_WORKERS
rm own/gpubench-cuda-more
worker saxpy/gpubench-simt-saxpy saxpy simt
worker saxpy/gpubench-python-saxpy saxpy python
check "auto takes CUDA" does 0 run saxpy/saxpy.json --out r
check "and asks no other" started saxpy/gpubench-cuda-saxpy own/gpubench-cuda
check "python by name" does 0 run saxpy/saxpy.json --out r --device python
check "is python" grep -q ',python,' r/saxpy.csv
rm saxpy/gpubench-cuda-saxpy
check "then simt" does 0 run saxpy/saxpy.json --out r --full
check "and says so" says "no usable GPU (no gpubench-cuda here has saxpy); using simt"
check "a GPU through Python goes before it" eval \
    'worker saxpy/gpubench-python-saxpy saxpy cuda && does 0 run saxpy/saxpy.json --out r && silent "using simt" && measured_by r/saxpy.meta.json gpubench-python-saxpy'
worker saxpy/gpubench-python-saxpy saxpy python
rm saxpy/gpubench-simt-saxpy
worker saxpy/gpubench-cuda-saxpy saxpy cuda unsupported-describe
check "a fall back to Python is said" does 0 run saxpy/saxpy.json --out r
check "with why" says "no usable GPU (gpubench-cuda-saxpy: "
rm saxpy/gpubench-cuda-saxpy
check "then Python" does 0 run saxpy/saxpy.json --out r
check "of which nothing is said where there is nothing else" silent "gpubench: "

# ---- versions -----------------------------------------------------------------------------------------

worker scan/gpubench-cuda-scan scan cuda --version 0.0.1
config scan/scan.json scan
config scan/scan2.json scan
check "another version" does 0 run scan/scan.json scan/scan2.json --out r
check "is said once" times 1 grep -F "note: the worker scan/gpubench-cuda-scan is of gpubench 0.0.1, this is" err
check "with what to do" says "\`gpubench build scan\` builds it anew"
worker scan/gpubench-cuda-scan scan cuda --version 9.9 --protocol 9
check "and kept in the meta file" grep -E '"version":.*"0.0.1"' r/scan.meta.json
check "another protocol is refused" does 3 run scan/scan.json --out r
check "with both, and what to do" says "gpubench-cuda-scan: the worker speaks protocol 9 (gpubench 9.9), this gpubench"
worker scan/gpubench-cuda-octree octree cuda --protocol 9
config scan/octree2.json octree
check "the driver's own takes the place of such a one" does 0 run scan/octree2.json --out r
check "not in silence" says "note: scan/gpubench-cuda-scan, beside the config, is passed over: the worker speaks protocol 9"
rm scan/gpubench-cuda-octree

# ---- several ------------------------------------------------------------------------------------------

worker scan/gpubench-cuda-scan scan cuda
worker saxpy/gpubench-cuda-saxpy saxpy cuda
rm saxpy/gpubench-python-saxpy
config saxpy/saxpy2.json saxpy
mv own own-away && mkdir own # whose worker is asked as well, for a note
check "configs of two workers" does 0 run saxpy/saxpy.json scan/scan.json saxpy/saxpy2.json --out several
check "of which one runs at a time" lived "start saxpy/gpubench-cuda-saxpy" "start scan/gpubench-cuda-scan" \
    "end scan/gpubench-cuda-scan" "end saxpy/gpubench-cuda-saxpy" "start scan/gpubench-cuda-scan" \
    "end scan/gpubench-cuda-scan" "start saxpy/gpubench-cuda-saxpy" "end saxpy/gpubench-cuda-saxpy"
check "and has its rows" sh -c 'grep -q ,saxpy, several/saxpy.csv && grep -q ,scan, several/scan.csv && grep -q ,saxpy, several/saxpy2.csv'
check "they can be resumed" does 0 run saxpy/saxpy.json scan/scan.json --out several --resume
check "with nothing to do" says "nothing to measure (1 rows were there already)"
check "planned" does 0 run saxpy/saxpy.json scan/scan.json --dry-run
check "both" times 2 grep -E '^(saxpy: of saxpy|scan: of scan) ' out
check "a mistake in the last is found before the first" eval \
    'config scan/bad.json scan && sed -i s/good/bad/ scan/bad.json && does 2 run saxpy/saxpy.json scan/bad.json --out none && [ ! -e none ]'
check "measured three times" does 0 run saxpy/saxpy.json scan/scan.json --out several --aa
check "by fresh workers" times 7 grep ^start log
check "and set side by side" says "3 runs, 6 pairs of rows"
check "of one worker, too" eval 'does 0 run saxpy/saxpy.json --out one --aa && times 3 grep ^start log'

# ---- check and list ---------------------------------------------------------------------------------------

rm -r own && mv own-away own
check "check of a folder" does 0 check saxpy/ --variant good --quick
check "checks what is there" says "passed saxpy/good"
check "a folder by its bare name, if no primitive is called so" does 0 check scan --variant good --quick
check "of a config" does 0 check scan/scan.json --variant good --quick
check "the replay names the folder" eval \
    'does 1 check scan/scan.json --variant wrong-before --quick; says "check scan --worker scan --device auto --variant wrong-before"'
check "primitives of two workers" env GPUBENCH_WORKERS="$scratch/saxpy:$scratch/scan" "$driver" check octree scan saxpy --variant good --quick
check "variants of a folder" does 0 list variants saxpy/
check "are those there" sh -c '! grep octree out && grep -q "^saxpy  *good" out'
check "every primitive once" eval 'GPUBENCH_WORKERS=$scratch/saxpy does 0 list primitives && times 1 grep -x saxpy out && times 1 grep -x octree out'
check "with its workers" says "workers: $scratch/saxpy/gpubench-cuda-saxpy"
check "info tells what they have" eval 'GPUBENCH_WORKERS=$scratch/saxpy does 0 info && says "gpubench-cuda-saxpy: of GPUBENCH_WORKERS, in $scratch/saxpy; it has saxpy"'
finish
