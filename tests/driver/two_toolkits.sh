#!/bin/bash
# test: fast
# Two CUDA workers side by side, stand-ins for them: which serves which device, as `gpubench info` and
# --device see it, and that both follow the same rule.
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
mkdir "$scratch/workers"
export GPUBENCH_WORKER_PATH=$scratch/workers NO_COLOR=1
cd "$root" || exit 1

# worker NAME TOOLKIT SED-EXPRESSION: a stand-in that describes two GPUs, an H200 and a K80.
worker()
{
    local gpus='s/"simt", "toolkit": "simt"/"cuda", "toolkit": "'$2'"/
        s/simt on 2 cores/NVIDIA H200/; s/"simt-0"/"GPU-h"/; s/"slug": "simt"/"slug": "nvidia-h200"/
        s/"name": "broken", "slug": "broken"/"name": "Tesla K80", "slug": "tesla-k80", "uuid": "GPU-k"/
        s/"arch": 350/"arch": 370/'
    printf '#!/bin/bash\nexec %q %q\n' "$root/tests/fixtures/worker.sh" "$gpus; $3" >"$scratch/workers/$1"
    chmod +x "$scratch/workers/$1"
}
says() { "$gpubench" info "${@:2}" >"$scratch/out" 2>"$scratch/err"; cat "$scratch/out" "$scratch/err"; grep -qE -- "$1" "$scratch/out"; }
# json TEXT OPTION...: the JSON has the text, blanks left out.
json() { "$gpubench" info --json "${@:2}" 2>"$scratch/err" | tr -d '\n\t ' | tee /dev/stderr | grep -qF -- "$1"; }

new='s/"usable": true/"code": 900, &/; s/compiled for 900 only/no code for sm_37 (this worker is built for sm_90); get CUDA 11.8/'
old='s/"usable": true/&/; s/"usable": false, [^}]*/"code": 350, "usable": true/'
worker gpubench-cuda 13.0 "$new"
worker gpubench-cuda11 11.8 "$old"

check "both workers are listed" says '^gpubench-cuda11 +cuda +11.8'
check "a GPU that both serve is listed once" sh -c "[ \"\$(grep -c '^cuda .*GPU-h' '$scratch/out')\" = 1 ]"
check "with the worker that has machine code" says '^cuda +0 +NVIDIA H200 .* GPU-h +gpubench-cuda$'
check "and why" says '^NVIDIA H200 \(GPU-h\): gpubench-cuda: CUDA 13.0 has machine code for sm_90; gpubench-cuda11 \(CUDA 11.8\) has PTX only$'
check "a GPU that the newer one has given up" says '^cuda +1 +Tesla K80 .* GPU-k +gpubench-cuda11$'
check "and why" says '^Tesla K80 \(GPU-k\): gpubench-cuda11: CUDA 11.8 has machine code for sm_35, which sm_37 runs; gpubench-cuda \(CUDA 13.0\) has no code for sm_37$'
check "auto takes the first of the list" says '^NVIDIA H200 \(cuda 0\), measured just now'
check "an index" says '^Tesla K80 \(cuda 1\), measured just now' --device 1
check "a UUID" says '^Tesla K80 \(cuda 1\), measured just now' --device GPU-k
check "in JSON: the device, its worker and why" json '"devices":[{"backend":"cuda","index":0,"name":"NVIDIAH200","uuid":"GPU-h","command":"'"$GPUBENCH_WORKER_PATH"'/gpubench-cuda","why":"CUDA13.0hasmachinecodeforsm_90;gpubench-cuda11(CUDA11.8)hasPTXonly"},'
check "in JSON: the other one" json '{"backend":"cuda","index":1,"name":"TeslaK80","uuid":"GPU-k","command":"'"$GPUBENCH_WORKER_PATH"'/gpubench-cuda11","why":"CUDA11.8hasmachinecodeforsm_35,whichsm_37runs;gpubench-cuda(CUDA13.0)hasnocodeforsm_37"}]'
check "in JSON: the code" json '"usable":true,"code":350}'
check "in JSON: what was selected is what the list says" json \
    '"selected":{"command":"'"$GPUBENCH_WORKER_PATH"'/gpubench-cuda11",' --device GPU-k

worker gpubench-cuda 12.8 's/"usable": false, [^}]*/"usable": true/'
worker gpubench-cuda11 11.8 's/"usable": true/"code": 800, &/; s/"usable": false, [^}]*/"code": 370, "usable": true/'
check "machine code of the older one beats PTX of the newer one" says '^NVIDIA H200 \(GPU-h\): gpubench-cuda11: .*; gpubench-cuda \(CUDA 12.8\) has PTX only$'
check "and --device follows" json '"selected":{"command":"'"$GPUBENCH_WORKER_PATH"'/gpubench-cuda11",' --device 0

rm "$scratch/workers/gpubench-cuda11"
worker gpubench-cuda 13.0 's/"usable": true/"ptx": 800, &/'
check "PTX says of which generation" says '^NVIDIA H200 \(GPU-h\): gpubench-cuda: CUDA 13.0 has PTX of sm_80, which the GPU.s driver compiles for sm_90$'
worker gpubench-cuda 13.0 "$new"
check "a GPU that none can use" says '^cuda +1 +Tesla K80 .* GPU-k +none$'
check "and why, with what to do" says '^Tesla K80 \(GPU-k\): no worker: no code for sm_37 \(this worker is built for sm_90\); get CUDA 11.8$'
check "in JSON without a command" json '"uuid":"GPU-k","why":"nocodeforsm_37'
finish
