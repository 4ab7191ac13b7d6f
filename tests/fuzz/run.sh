#!/bin/bash
# Runs fuzzers over their kept inputs and new ones, some at a time; a line each, exit status 1 if one
# found something. New inputs that reach new code stay in FOLDER/corpus/NAME, what failed in
# FOLDER/findings, and `tests/fuzz/keep.sh` adds the smallest of them to tests/fuzz/corpus.
# Usage: tests/fuzz/run.sh FOLDER RUNS JOBS NAME...   (make fuzz)
set -u
cd "$(dirname "$0")/../.." || exit 1
folder=$1 runs=$2 jobs=$3
shift 3
export folder runs

# seeds NAME: what people write, to begin with.
seeds()
{
    local to=$folder/seeds/$1 file
    mkdir -p "$to"
    case $1 in
    config) cp configs/*.json "$to" ;;
    layout) cp plots/*.table.json "$to" ;;
    describe) cp tests/fixtures/describe.json "$to" ;;
    csv | results)
        for file in results/published/*.csv tests/fixtures/*.csv; do
            head -n 8 "$file" >"$to/$(basename "$file")"
        done
        ;;
    bodies)
        printf 'cname,x,y,z\n"a, b",1,2,3\n,4,5,6\n' >"$to/csv"
        printf 'x# x y z\n1 2 3 255\n4e1\t5 6 0\n' >"$to/xyz"
        printf 'n\223NUMPY\1\0\106\0%-69s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }" >"$to/npy"
        printf '%012d' 0 >>"$to/npy"
        printf "n\223NUMPY\1\0\106\0%-69s\n" "{'descr': '>f8', 'fortran_order': True, 'shape': (1, 3), }" >"$to/npy-planes"
        printf '%024d' 0 >>"$to/npy-planes"
        printf 'pply\nformat ascii 1.0\nelement vertex 1\nproperty float y\nproperty int x\nproperty double z\nend_header\n1 2 3\n' >"$to/ply"
        printf 'pply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty short z\nend_header\n%010d' 0 >"$to/ply-bytes"
        printf 'dFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nPOINTS 1\nDATA ascii\n1 2 3\n' >"$to/pcd"
        printf 'dFIELDS x _ y z\nSIZE 4 1 8 2\nTYPE F U F I\nCOUNT 1 3 1 1\nPOINTS 1\nDATA binary\n%017d' 0 >"$to/pcd-bytes"
        printf 'f%024d' 0 >"$to/f32"
        ;;
    size) printf '16Ki' >"$to/binary" && printf '32M' >"$to/decimal" && printf '18446744073709551615' >"$to/most" ;;
    filter) printf "bins >= 64 && (variant != cpu || n<32M) || !(dist = 'distinct:2')" >"$to/all" ;;
    case) printf 'n=33,bins=7,dist=distinct:2' >"$to/all" ;;
    schedule) printf 'policy=random,seed=7,atomic=64,volatile=0,plain=0,weak=0,resident=2' >"$to/all" ;;
    command) printf "ssh -t host 'a b'/\"gpubench cuda\" \$(touch x) \`y\` ; *" >"$to/all" ;;
    text) printf 'a\n  b\033[2J\302\233 \342\200\256 \377' >"$to/all" ;;
    answer)
        printf '0{"ok":true,"work":[[1,8,0,8],"13 is bad",[1,2,3,4],[0,0,0,0],[1,1,1,1]],"busy_s":1e-3}' >"$to/work"
        printf '1{"ok":true,"times_s":[1e-3,2e-3,1e-3,0,0.5]}' >"$to/sample"
        printf '2{"ok":true,"sm_clock_mhz":990,"power_w":1e3,"throttle":["power-cap","thermal-slowdown"]}' >"$to/telemetry"
        printf '3{"ok":true,"items":1,"bytes":8,"flops":0,"footprint":8,"busy_s":0.1}' >"$to/open"
        printf '4{"ok":true,"verdict":"wrong","reason":"key 5 is in bin 8"}' >"$to/verify"
        printf '5{"ok":false,"status":"out_of_memory","reason":"it does not fit"}' >"$to/close"
        ;;
    line) printf '{"seq":7,"cmd":"sample","job":3,"ok":true,"times_s":[1e-3,2e-3]}' >"$to/all" ;;
    request)
        printf '%s\n' '{"cmd":"describe"}' '{"cmd":"select","device":0}' \
            '{"cmd":"work","primitive":"p","points":[{"n":"1","kind":"plain"},{"n":"13","kind":"distinct:2"}]}' \
            '{"cmd":"open","job":1,"primitive":"p","variant":"right","params":{"n":"1Ki","kind":"plain"},"seed":1,"cache":"warm","scope":"device"}' \
            '{"cmd":"open","job":2,"primitive":"p","variant":"fails","params":{"n":"7","kind":"plain"},"seed":"18446744073709551615","cache":"warm","scope":"host-to-host"}' \
            '{"cmd":"verify","job":1}' '{"cmd":"sample","job":1,"count":3}' '{"cmd":"telemetry"}' \
            '{"cmd":"close","job":1}' '{"cmd":"quit"}' >"$to/all"
        ;;
    esac
}

fuzz_one()
{
    local name=$1 log=$folder/$1.log found=$folder/findings/$1- runs=$runs
    [ "$name" != compare ] || runs=$((runs / 50)) # each is six files
    mkdir -p "$folder/corpus/$name" "$folder/findings" "tests/fuzz/corpus/$name"
    seeds "$name"
    if "$folder/fuzz_$name" "$folder/corpus/$name" "$folder/seeds/$name" "tests/fuzz/corpus/$name" -runs="$runs" -max_len=4096 \
        -timeout=10 -rss_limit_mb=1024 -dict=tests/fuzz/words.dict -artifact_prefix="$found" \
        -print_final_stats=1 >"$log" 2>&1; then
        local executed speed units
        executed=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log")
        speed=$(sed -nE 's/^stat::average_exec_per_sec: *//p' "$log")
        units=$(sed -nE 's/.*cov: ([0-9]+) ft: [0-9]+ corp: ([0-9]+).*/\1 edges, \2 inputs kept/p' "$log" | tail -n 1)
        printf 'ok     %-10s %9d inputs, %6d a second, %s\n' "$name" "$executed" "$speed" "$units"
    else
        printf 'FOUND  %-10s\n' "$name"
        grep -E 'does not hold|ERROR|runtime error|SUMMARY|Test unit written' "$log" | head -n 8
        return 1
    fi
}
export -f fuzz_one seeds

printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'fuzz_one {}'
