#!/bin/bash
# test: fast
# The command line of the driver: words, options, exit statuses, and finding workers and devices,
# with stand-ins for workers.
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
gpubench=$BUILD/gpubench
stand_in=$root/tests/fixtures/worker.sh
unset GPUBENCH_WORKER_PATH GPUBENCH_SHARE

# says STATUS STREAM PATTERN ARGUMENT...: gpubench exits so and prints the pattern (fixed text) to
# out or err.
says()
{
    local status=$1 stream=$2 pattern=$3 got=0
    shift 3
    "$gpubench" "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
    cat "$scratch/out" "$scratch/err"
    [ $got = "$status" ] || { echo "exit status $got"; return 1; }
    grep -qF -- "$pattern" "$scratch/$stream"
}

# silent STREAM ARGUMENT...: gpubench succeeds and prints nothing there.
silent()
{
    local stream=$1
    shift
    "$gpubench" "$@" >"$scratch/out" 2>"$scratch/err" || return 1
    cat "$scratch/$stream"
    [ ! -s "$scratch/$stream" ]
}

# workers: a folder with these stand-ins, each NAME or NAME=SED-EXPRESSION.
workers()
{
    rm -rf "$scratch/workers" && mkdir "$scratch/workers"
    local worker
    for worker; do
        printf '#!/bin/sh\nexec %s '"'%s'"'\n' "$stand_in" "$(case $worker in *=*) echo "${worker#*=}" ;; esac)" \
            >"$scratch/workers/${worker%%=*}"
        chmod +x "$scratch/workers/${worker%%=*}"
    done
    export GPUBENCH_WORKER_PATH=$scratch/workers
}

check "--help" says 0 out "usage: gpubench COMMAND" --help
check "--version" says 0 out "gpubench $(sed -nE 's/^.define GB_VERSION "(.*)"/\1/p' bench/util/version.h)" --version
check "no command" says 2 err "usage: gpubench COMMAND"
check "an unknown command" says 2 err 'unknown command "rnu" (did you mean "run"?)' rnu
check "a command like no other" says 2 err 'unknown command "frobnicate"; ' frobnicate
for command in run list info check table plot; do
    check "$command --help" says 0 out "usage: gpubench $command" $command --help
    check "$command --help has examples" says 0 out "examples:" $command --help
    check "$command and an unknown option" says 2 err "--frobnicate" $command --frobnicate
done
check "the nearest option" says 2 err "unknown option --devise (did you mean --device?)" info --devise 1
check "an option without its argument" says 2 err "--worker needs an argument" info --worker
check "an argument too many" says 2 err "--json takes no argument" info --json=1
check "an unknown word" says 2 err '"primitve" (did you mean "primitives"?)' list primitve
check "a word too many" says 2 err 'found "b"' list configs b
check "... behind a primitive" says 2 err 'found "b"; one word of primitives, variants, configs, published, papers, references is allowed, and one primitive' list variants a b
check "a word that takes none" says 2 err 'found "x", but takes options only' info x

workers
check "no worker: exit 3" says 3 err "no worker (gpubench-cuda*, gpubench-simt) in $scratch/workers: build" info
check "published numbers need no worker" says 0 out "multipartition-table1.csv" list published
mkdir -p "$scratch/share/results/published"
export GPUBENCH_SHARE=$scratch/share
check "published numbers where GPUBENCH_SHARE says" says 0 out "none in $scratch/share/results/published" list published
check "a folder that is nowhere" says 0 out \
    "no folder configs in any of: $scratch/share; GPUBENCH_SHARE names the folder that holds it" list configs --worker "$stand_in"
touch "$scratch/share/configs"
check "a folder that is none" says 0 out "cannot read the folder $scratch/share/configs: Not a directory" \
    list configs --worker "$stand_in"
unset GPUBENCH_SHARE

workers gpubench-simt gpubench-cuda='s/"simt"/"cuda"/g; s/"uuid": "simt-0"/"uuid": "GPU-1"/'
check "auto takes the GPU" says 0 out "(cuda 0), measured just now" info
check "and says nothing else" silent err info
check "simt by name" says 0 out "(simt 0), measured just now" info --device simt
check "a UUID" says 0 out "(cuda 0), measured just now" info --device GPU-1
check "an index" says 0 out "(cuda 0), measured just now" info --device 0
check "ceilings in GB/s" says 0 out "4200 GB/s" info
check "a device that is not usable" says 3 err "device 1 (broken) is not usable: compiled for 900 only" info --device 1
check "an index that does not exist" says 3 err 'no usable device "7": gpubench-cuda has cuda 0 (simt on 2 cores, GPU-1), cuda 1' info --device 7
check "variants name their back-ends" says 0 out "cuda, simt" list variants
check "variants of a primitive" says 0 out "octree     morton " list variants octree --worker "$BUILD/gpubench-simt"
check "... and no other" test "$(cut -d' ' -f1 "$scratch/out" | sort -u | tr '\n' ' ')" = " PRIMITIVE octree "
check "axes of a primitive" says 0 out "leaf" list primitives octree --worker "$BUILD/gpubench-simt"
check "... and no other's" test "$(grep -c '^[a-z]' "$scratch/out")" = 1
check "a primitive that is none" says 2 err '"mutlipartition" is no primitive (did you mean "multipartition"?); the primitives are multipartition' list variants mutlipartition
check "list of one device" says 0 out "cuda (no such worker here)" list variants --device simt

workers gpubench-simt gpubench-cuda='s/"simt"/"cuda"/g; s/"devices": .*"primitives"/"devices": [], "reason": "no device is detected", "primitives"/'
check "auto falls back to simt" says 0 out "(simt 0), measured just now" info
check "and says so, with the reason" says 0 err "no usable GPU (gpubench-cuda: no device is detected); using simt" info
check "simt on purpose says nothing" silent err info --device simt
check "a GPU that is missing is no fall-back" says 3 err "no device is detected" info --device 0

workers gpubench-simt='s/"protocol": 2/"protocol": 9/'
check "another protocol" says 3 err "the worker speaks protocol 9, this gpubench" info
check "list, another protocol" says 3 err "the worker speaks protocol 9" list primitives
printf '#!/bin/sh\necho broken >&2\nexit 1\n' >"$scratch/workers/gpubench-simt"
check "a worker that dies shows its log" says 3 err "broken" info
workers gpubench-simt
mkdir "$scratch/workers/gpubench-cuda-folder"
echo text >"$scratch/workers/gpubench-cuda.txt"
check "folders and texts are no workers" silent err info --device simt
mv "$scratch/workers" "$scratch/a folder's"
export GPUBENCH_WORKER_PATH="$scratch/a folder's"
check "a folder with blanks and quotes" says 0 out "(simt 0), measured just now" info --device simt
unset GPUBENCH_WORKER_PATH

check "--worker" says 0 out "(simt 0), measured just now" info --worker "$stand_in"
check "--worker needs no fall-back" silent err info --worker "$stand_in"
check "--worker that does not exist" says 3 err "/no/such/worker" info --worker /no/such/worker
json()
{
    "$gpubench" info --worker "$stand_in" --json | tr -d '\n\t ' | grep -qF '"ceilings":{"copy_bytes_per_s":4200000000000}'
}
check "info --json" json
check "list without a word" says 0 out "PRIMITIVE" list --worker "$stand_in"
check "list primitives" says 0 out "distinct:..." list primitives --worker "$stand_in"
mkdir -p "$scratch/here/configs"
cat >"$scratch/here/configs/good.json" <<'EOF'
{"schema": 1, "name": "good", "title": "A good one", "primitive": "multipartition",
 "variants": ["cpu", "multisplit"], "axes": {"n": [1, 2, 3]}, "quick": {"axes": {"n": [1]}}}
EOF
echo '{"schema": 1, "nam": "bad"}' >"$scratch/here/configs/bad.json"
cd "$scratch/here" || exit 1
check "a valid config" says 0 out "configs/good.json  multipartition  3 x 2              1 x 2  yes    A good one" list configs --worker "$stand_in"
# A config by its name: those that come along, unless there is such a file.
mkdir -p "$scratch/along/configs" "$scratch/here/null"
sed 's/"name": "null"/"name": "theirs"/' "$root/configs/null.json" >"$scratch/along/configs/null.json"
sed 's/"name": "null"/"name": "mine"/' "$root/configs/null.json" >"$scratch/here/mine.json"
# beside a folder that is called so
by_name()
{
    (cd "$scratch/here" && GPUBENCH_SHARE=$scratch/along says 0 out "$1" run "$2" --device simt --dry-run)
}
check "a config by its name" by_name "theirs: " null
check "... as its file is called" by_name "theirs: " null.json
check "... by where it lies in a checkout" by_name "theirs: " configs/null.json
check "a file that is there" by_name "mine: " mine.json
cp "$scratch/here/mine.json" "$scratch/here/null.json"
check "... goes before what comes along" by_name "mine: " null.json
no_config() { GPUBENCH_SHARE=$scratch/along says 2 err "$1" run "$2" --device simt --dry-run; }
check "a name that is none" no_config 'there is no config nulll (did you mean "null"?)' nulll
check "... where was looked" no_config "(looked in: $scratch/along)" configs/other.json
check "a path elsewhere is that path" no_config "elsewhere/null.json: cannot be opened" elsewhere/null.json
check "an invalid config and why" says 0 out 'unknown key "nam" (did you mean "name"?)' list configs --worker "$stand_in"
full() { ! "$gpubench" --help >/dev/full 2>"$scratch/err" && grep -q "standard output" "$scratch/err"; }
check "output that cannot be written is no success" full
finish
