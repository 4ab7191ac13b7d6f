#!/bin/bash
# test: fast
# gpubench alone: in a terminal what to do next on this machine, whatever its workers do; for a script the usage.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
mkdir -p "$scratch/here" "$scratch/workers" && cd "$scratch/here" || exit 1
export TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 GPUBENCH_SHARE=$root GPUBENCH_WORKER_PATH=$scratch/workers
unset COLUMNS LINES GPUBENCH_WORKER_LIMIT_S
printf '#!/bin/sh\nexec %q "$@"\n' "$BUILD/gpubench-simt" >"$scratch/workers/gpubench-simt"
chmod +x "$scratch/workers/gpubench-simt"

# alone [COLUMNS]: what it says in a terminal, with its lines as one; the exit status is that of a mistake.
alone()
{
    "$BUILD/tests/driver/on_terminal" "${1:-80}" 24 "$BUILD/gpubench" >"$scratch/out" 2>"$scratch/err"
    [ $? = 2 ] || return 1
    cat "$scratch/out" "$scratch/err"
    [ ! -s "$scratch/err" ] && tr -s ' \n' ' ' <"$scratch/out" | sed 's/\xc2\xa0/ /g' >"$scratch/words"
}
says() { grep -qF -- "$1" "$scratch/words"; }

check "what to do next" alone
check "... by name" says "gpubench run dynamic-array measure it"
check "... fits" test "$(wc -L <"$scratch/out")" -le 80
check "... in a dozen lines" test "$(wc -l <"$scratch/out")" -le 14
check "... with a guess of how long" says "Experiments on simt, small, and roughly how long: dynamic-array "
check "... and no results" eval '! says "Results here"'
check "a narrow terminal" alone 50

# Of what was measured it is known how long that takes: of the whole plan, by this device.
record()
{
    mkdir -p "results/$1" && echo '{"state": "'"$3"'", "quick": true, "rows": {"ok": '"$4"'}, "cost": {"wall_s": 4000}}' >"results/$1/$2.meta.json"
}
export GPUBENCH_SHARE=$scratch/here
ln -s "$root/configs" configs
record simt octree complete 1000
record simt stencil complete 3
record nvidia-other radix-sort complete 1000
check "a recorded time" alone
check "... is said" says "octree 1 h 06 min"
check "... but not of a part" eval '! says "stencil 1 h"'
check "... nor of another device where the CPU runs" eval '! says "radix-sort 1 h"'
check "... and what there is" says "results/nvidia-other (1), results/simt (2)"
check "papers are set beside a GPU's results" says "gpubench compare results/nvidia-other published"
check "nothing is to be gone on with" eval '! says --resume'
record simt octree interrupted 5
check "a run that was broken off" alone
check "... can be gone on with" says "gpubench run octree --resume --out results/simt"

# A GPU, whose times are recorded or are another's.
printf '#!/bin/sh\n%q "$@" | sed -u '"'"'s/"backend":"simt"/"backend":"cuda"/; s/"slug":"simt"/"slug":"my-gpu"/'"'"'\n' "$BUILD/gpubench-simt" >"$scratch/workers/gpubench-cuda"
chmod +x "$scratch/workers/gpubench-cuda"
sed 's/"quick": true/"quick": false/' results/nvidia-other/radix-sort.meta.json >"$scratch/whole"
mv "$scratch/whole" results/nvidia-other/radix-sort.meta.json
check "a GPU" alone
check "... has the times of another" says "and about how long on nvidia-other:"
check "... which are recorded" says "radix-sort 1 h 06 min"
check "... and no guesses" eval "! grep -qE 'octree [0-9]' '$scratch/words'"
mkdir results/my-gpu && sed 's/4000/30/' results/nvidia-other/radix-sort.meta.json >results/my-gpu/radix-sort.meta.json
check "... its own before them" alone
check "... if there are any" says "and about how long: radix-sort 30 s"
printf '#!/bin/sh\nexec sleep 600\n' >"$scratch/workers/gpubench-cuda"
chmod +x "$scratch/workers/gpubench-cuda"
export GPUBENCH_WORKER_LIMIT_S=1
check "a worker that hangs hangs nobody" alone
check "... which is said" says "gpubench-cuda: no answer within 1 s; \`gpubench info\` waits longer"
check "... and the rest stands" says "gpubench run dynamic-array"
rm "$scratch/workers/"*
check "without any worker" alone
check "... how to get one" says "There is no worker"

"$BUILD/gpubench" >"$scratch/out" 2>"$scratch/err"
check "for a script there is the usage" test $? = 2
check "... on stderr" grep -q '^usage: gpubench COMMAND' "$scratch/err"
check "... alone" test ! -s "$scratch/out"
finish
