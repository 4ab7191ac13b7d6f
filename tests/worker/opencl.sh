#!/bin/bash
# test: thorough turns 44
# The OpenCL worker on PoCL, which runs OpenCL on the CPU: what it says of itself, that its variants
# are right, and what it says where there is no OpenCL.
. "$(dirname "$0")/lib_opencl.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
driver=$BUILD/gpubench worker=$BUILD/gpubench-opencl
mkdir "$scratch/no-vendors" "$scratch/alone"
cd "$scratch" || exit 1

# answers TEXT REQUEST...: one worker, asked the requests; the text is in its answers.
answers()
{
    local text=$1
    shift
    printf '%s\n' "$@" | "$worker" >"$scratch/said" 2>&1
    cat "$scratch/said"
    grep -qF -- "$text" "$scratch/said"
}

# ---- what it says of itself ----------------------------------------------------------------------

check "describes a device" says 0 '"backend":	"opencl"' "$worker" --describe
check "with a folder of its own" grep -qE '"slug":.*-opencl"' "$scratch/said"
check "and a UUID" grep -qE '"uuid":.*"opencl-[0-9a-f-]+"' "$scratch/said"
check "that is the same the next time" says 0 "$(grep '"uuid"' "$scratch/said")" "$worker" --describe
check "info shows it" says 0 "(opencl 0), measured just now" "$driver" info --device opencl
check "a UUID selects it" says 0 "(opencl 0), measured just now" "$driver" info \
    --device "$(grep -oE 'opencl-[0-9a-f-]{16,}' "$scratch/said" | head -n 1)"
variants() { "$driver" list variants --device "$1" | awk '/DIFFERS/ { exit } $1 == "radix-sort" { print $2, $3 }' | sort; }
lists_all()
{
    variants simt >simt.list && variants opencl >opencl.list
    [ -s simt.list ] && ! comm -23 simt.list opencl.list | grep .
}
check "lists every variant of the simt worker, with the same claim of stability" lists_all
runs_elsewhere() { "$driver" list variants | awk '$1 == "radix-sort" && $2 == "lsd1" { print $4 }' | grep -vq opencl; }
check "those that it does not run are not said to run on it" runs_elsewhere
check "its own is said to run on it alone" sh -c \
    "'$driver' list variants | grep -E '^radix-sort +opencl-lsd1 +yes +opencl '"
check "the simt worker says where it runs" says 1 "1 unsupported: needs the OpenCL worker" "$driver" check radix-sort --device simt \
    --variant opencl-lsd1 --case n=33

select='{"cmd":"select","device":0,"ceilings":false}'
check "measures its timer" answers '"timer_s":' '{"cmd":"select","device":0}'
check "says nothing of times being the host's" sh -c "! grep -q 'host.s clock' '$scratch/said'"
check "has no other device" answers "there is no device 7; there are 0 to 0" '{"cmd":"select","device":7}'
check "takes no schedule" answers "only the simt device takes a schedule" "$select" \
    '{"cmd":"schedule","schedule":"policy=random,seed=7"}'

# ---- right answers -------------------------------------------------------------------------------

# ran VARIANT: it passed, in all cases but those whose types or payloads it says it does not have.
ran() { grep -E "^passed radix-sort/$1: [0-9]+ ok, [0-9]+ unsupported: it (has no kernels for i64|moves payloads of 32 bits)" "$scratch/said"; }
check "check --quick" says 0 "passed radix-sort/opencl-lsd1: " "$driver" check radix-sort --device opencl --quick
check "which runs every case of its types" ran opencl-lsd1
check "those of first calls" ran opencl-lsd1-first-call
check "and the variants on the CPU, too" ran cpu-parallel
for what in type=u64,payload=u32,order=descending type=i32,bits=range:5-18,payload=u32; do
    # three levels of sums: 2048 x 2048 keys and more
    check "4.2 million keys, $what" says 0 "opencl-lsd1: 1 ok" "$driver" check radix-sort --device opencl \
        --variant opencl-lsd1 --case "n=4196353,$what"
done

cat >small.json <<'END'
{ "schema": 1, "name": "small", "title": "OpenCL", "primitive": "radix-sort", "variants": ["opencl-lsd1", "lsd1"],
  "axes": { "n": [0, 1, 4097, 20000] }, "measure": { "samples": 3, "warmup": 1, "cache": ["warm", "cold"] } }
END
sed 's/"small"/"transfers"/; s/"samples"/"scope": "host-to-host", "samples"/; s/\["warm", "cold"\]/"warm"/' small.json >transfers.json
sed 's/"small"/"capped"/; s/"samples"/"device_memory": "300k", "samples"/; s/\["warm", "cold"\]/"warm"/' small.json >capped.json
check "runs a config" says 0 "8 ok, 8 unsupported" "$driver" run small.json --device opencl
check "into the device's folder" sh -c "ls results/*-opencl/small.csv"
check "says why it does not run the others" grep -q "needs CUDA: run it with" results/*-opencl/small.csv
check "runs a config from host memory to host memory" says 0 "4 ok, 4 unsupported" "$driver" run transfers.json --device opencl
check "keeps within a job's memory" says 1 "out_of_memory" "$driver" run capped.json --device opencl
capped() { rows results/*-opencl/capped.csv | grep -F "$1|opencl-lsd1|$2"; }
check "what fits is sorted" capped 4097 ok
check "what does not says what was needed" capped 20000 "out_of_memory|every other pass's keys: 80000 bytes"

# ---- no OpenCL, or nothing else ------------------------------------------------------------------

check "without a platform: exit 3, and what to do" says 3 "no OpenCL platform: install" \
    env OCL_ICD_VENDORS="$scratch/no-vendors" "$driver" check radix-sort --device opencl --quick
check "and how to name NVIDIA's" grep -qF "OCL_ICD_VENDORS=libnvidia-opencl.so.1" "$scratch/said"
check "its description says so, too" says 0 '"reason":	"no OpenCL platform' \
    env OCL_ICD_VENDORS="$scratch/no-vendors" "$worker" --describe
cp "$worker" "$scratch/alone/"
check "auto never takes it" says 3 "its devices are taken by name alone (--device opencl)" \
    env GPUBENCH_WORKER_PATH="$scratch/alone" "$driver" check --quick
rm "$scratch/alone/gpubench-opencl" && cp "$BUILD/gpubench-simt" "$scratch/alone/"
check "where it is not built: how to build it" says 3 "there is no gpubench-opencl here: install opencl-headers" \
    env GPUBENCH_WORKER_PATH="$scratch/alone" "$driver" check --quick --device opencl

finish
