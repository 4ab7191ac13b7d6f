#!/bin/bash
# test: fast 5
# Under every limit of the shell (setrlimit) each command ends with a status of its own and a sentence that names the
# limit: nothing aborts, nothing that lacked memory is called wrong or crashed, and no half of a file is a success.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/multipartition-fixture.csv
export GPUBENCH_SHARE=$root SIMT_WORKERS=2
ulimit -c 0
chmod 777 "$scratch" && cd "$scratch" || exit 1

# config NAME PRIMITIVE VARIANTS AXES SAMPLES: is written to NAME.json.
config() { printf '{"schema":1,"name":"%s","primitive":"%s","variants":[%s],"axes":{%s},"measure":{"samples":%s,"warmup":0}}\n' "$@" >"$1.json"; }
config sorts radix-sort '"cpu-lsd1","cpu-parallel"' '"n":["64Ki"]' 3
# A second of CPU time takes several of the clock where much else runs: 30 are more than enough.
config burns null '"spin-host-clock"' '"ns":[1000000000]' 30

# said NAME STATUS FRAGMENT...: the run in the folder NAME ended so, and its messages or its rows say that.
said()
{
    local name=$1 fragment
    cat "$name/err"
    [ ! -e "$name/out/sorts.csv" ] || rows "$name/out/sorts.csv" | tee "$name/rows"
    echo "exit status $(cat "$name/status")"
    [ "$(cat "$name/status")" = "$2" ] || return 1
    for fragment in "${@:3}"; do
        grep -qF -- "$fragment" "$name/err" "$name/rows" 2>/dev/null || { echo "nobody says: $fragment"; return 1; }
    done
    ! grep -E 'terminate called|miscompute|signal 6' "$name/err" "$name"/out/*.csv 2>/dev/null
}

# runs NAME LIMITS CONFIG: a run of it under these limits, as prlimit has them.
runs() { mkdir "$1" && prlimit "$2" "$gpubench" run "$3" --device simt --out "$1/out" >"$1/out.txt" 2>"$1/err"; echo $? >"$1/status"; }

# ---- CPU time, while the rest runs -----------------------------------------------------------------

runs seconds --cpu=1 burns.json &

# ---- memory ----------------------------------------------------------------------------------------

# From what the programs themselves do not fit in to more than enough.
sizes='5 30 45 60 120 200 1000'
for size in $sizes; do runs "memory-$size" "--as=$((size << 20))" sorts.json; done
memory()
{
    local size status lacking=0
    for size in $sizes; do
        status=$(cat "memory-$size/status")
        said "memory-$size" "$status" || return 1
        case $status in
        0) continue ;;
        3) grep -qF "(ulimit -v allows a process $((size << 10)) kB: raise it)" "memory-$size/err" || return 1 ;;
        1)
            grep -vE '\|(ok|out_of_memory)\|' "memory-$size/rows" && return 1
            grep -F '|out_of_memory|' "memory-$size/rows" >"lacking-$size" || return 1
            grep -vF "(ulimit -v allows a process $((size << 10)) kB: raise it)" "lacking-$size" && return 1
            lacking=$((lacking + 1)) ;;
        *) return 1 ;;
        esac
    done
    [ $lacking -ge 3 ]
}
check "what there is no memory for is out_of_memory, and names ulimit -v" memory
check "5 MB are too little for a worker" said memory-5 3 'no usable device'
check "1 GB is enough" said memory-1000 0
stacks() { grep -hF "no memory for a thread's stack (ulimit -v" memory-*/rows && grep -hF 'could not be started: no memory for its stack (ulimit -v' memory-*/rows; }
check "so are stacks of a kernel's threads, and those of the CPU's" stacks

# ---- processes and threads -------------------------------------------------------------------------

# A user that nobody is, for root has no such limit; it gets what it can reach.
id=$((100000 + $$ % 100000))
user=(setpriv "--reuid=$id" "--regid=$id" --clear-groups)
mkdir bin && cp "$BUILD/gpubench" "$BUILD/gpubench-simt" bin/
if [ "$(id -u)" = 0 ] && "${user[@]}" test -x "$scratch/bin/gpubench" 2>/dev/null; then
    as_user()
    {
        mkdir -m 777 "$1"
        "${user[@]}" prlimit "--nproc=$2" bin/gpubench run sorts.json --device simt --out "$1/out" >"$1/out.txt" 2>"$1/err"
        echo $? >"$1/status"
    }
    for count in 1 2 3 4 5 20; do as_user "processes-$count" "$count"; done
    limit() { echo "(ulimit -u allows this user $1 processes and threads: raise it, or end some)"; }
    check "no process for a worker" said processes-1 3 'cannot start the worker' "$(limit 1)"
    check "no thread for blocks" said processes-3 1 '|cpu-lsd1|crashed|' 'another thread for blocks (SIMT_WORKERS=1 does without) could not be started' "$(limit 3)"
    check "none for the watchdog" said processes-4 1 "watchdog could not be started" "$(limit 4)"
    check "none for a variant on the CPU" said processes-5 1 '|cpu-parallel|crashed|thread 2 of' '|cpu-lsd1|ok|' "$(limit 5)"
    check "threads enough" said processes-20 0
else
    skip "limits on processes" "not root, or no setpriv: a user's other processes count, too"
fi

# ---- open files, sizes of files, stacks ------------------------------------------------------------

runs files --nofile=9 sorts.json
check "too few open files" said files 3 'cannot start the worker' '(ulimit -n allows a process 9 open files: raise it)'

# writes STATUS FRAGMENT KILOBYTES COMMAND...: it ends so where no file may be larger, and says that.
writes()
{
    local status=0
    rm -rf figures
    prlimit "--fsize=$(($3 << 10))" "$gpubench" "${@:4}" >printed 2>err || status=$?
    cat err
    echo "exit status $status"
    [ $status = "$1" ] && grep -qF -- "$2" err
}
check "a table that its file cannot hold" writes 1 'standard output: File too large' 1 table "$fixture"
if command -v gnuplot >/dev/null; then
    too_large='File too large (ulimit -f allows a file 1 kB: raise it)'
    check "the tables of a figure" writes 2 "$too_large" 1 plot "$fixture" --out figures --keep-data
    check "a figure, of which gnuplot would leave a half" writes 2 'signal 25 (File size limit exceeded)' 8 \
        plot "$fixture" --figure multipartition-bins --format svg --out figures
else
    skip "figures under a limit on files" "gnuplot is not installed"
fi

# stack STATUS LIMIT: soft:hard, in bytes.
stack()
{
    local status=0
    prlimit "--stack=$2" "$gpubench" run sorts.json --device simt --out "stack-$2" >printed 2>err || status=$?
    cat err
    [ $status = "$1" ]
}
refused() { stack 2 65536 && grep -xF 'gpubench: the stack is limited to 64 kB, and 128 are needed: raise it (ulimit -s)' err; }
check "a stack that is too small is refused" refused
worker_refused() { ! prlimit --stack=65536 "$BUILD/gpubench-simt" </dev/null 2>err && grep -F 'gpubench-simt: the stack is limited to 64 kB' err; }
check "by a worker as well" worker_refused
check "one that may grow does, for threads as well" stack 0 65536:1048576
check "128 kB are enough" stack 0 131072

wait
check "CPU time" said seconds 1 'timeout: spin-host-clock' \
    "(worker used up the 1 s of CPU time that a process may have: raise ulimit -t)"
finish
