#!/bin/bash
# test: fast 6
# Registers, stack and shared memory of the kernels that headline numbers come from are as tests/fixtures/kernel-usage.csv
# has them, where they are built with the optimisation that measuring needs; and scripts/kernel-usage.sh, which says so,
# tells what is worse from what is not, and reads what ptxas itself says.
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
usage=scripts/kernel-usage.sh table=tests/fixtures/kernel-usage.csv

# ---- what it says ----------------------------------------------------------------------------------

header='source,threads,registers,stack,shared,toolkit,kernel'
sort='a/sort.cu,256,80,0,1168,13.0,"sort<u32, true>"' sum='a/sum.cu,1024,32,16,1024,13.0,"sum"'
printf '%s\n' "$header" "$sort" "$sum" >"$scratch/table"
# said STATUS TEXT ROW...: comparing the table with these rows ends so and has a line with that text.
said()
{
    local status
    printf '%s\n' "$header" "${@:3}" >"$scratch/reading"
    "$usage" compare "$scratch/table" "$scratch/reading" >"$scratch/said" 2>&1
    status=$?
    cat "$scratch/said"
    [ $status = "$1" ] && grep -qF -- "$2" "$scratch/said"
}
silent()
{
    printf '%s\n' "$header" "$@" >"$scratch/reading"
    "$usage" compare "$scratch/table" "$scratch/reading" >"$scratch/said" && [ ! -s "$scratch/said" ]
}
accepts() { grep -qF "accept it: make accept-kernel-usage, which writes $scratch/table" "$scratch/said"; }

check "what is as it was is not spoken of" silent "$sort" "$sum"
check "a source that is not built, neither" silent "$sum"
check "a spill fails: which kernel, from what to what" said 1 \
    'WORSE: sort<u32, true> (a/sort.cu): stack (spills among it) from 0 to 72 bytes, 72 more; nvcc 13.0' \
    'a/sort.cu,256,80,72,1168,13.0,"sort<u32, true>"' "$sum"
check "... and how to accept it" accepts
check "a larger stack fails, and the other toolkit is named" said 1 \
    'WORSE: sum (a/sum.cu): stack (spills among it) from 16 to 24 bytes, 8 more; nvcc 13.2, the table is of 13.0' \
    "$sort" 'a/sum.cu,1024,32,24,1024,13.2,"sum"'
check "... of more digits, too" said 1 'WORSE: sum (a/sum.cu): stack (spills among it) from 16 to 104 bytes, 88 more; nvcc 13.0' \
    "$sort" 'a/sum.cu,1024,32,104,1024,13.0,"sum"'
check "registers that cost a block a multiprocessor fail" said 1 \
    'WORSE: sort<u32, true> (a/sort.cu): registers from 80 to 88, with 256 threads 2 blocks a multiprocessor instead of 3; nvcc 13.0' \
    'a/sort.cu,256,88,0,1168,13.0,"sort<u32, true>"' "$sum"
check "registers that do not are told" said 0 \
    'changed: sort<u32, true> (a/sort.cu): registers from 80 to 72, with 256 threads 3 blocks a multiprocessor as before; nvcc 13.0' \
    'a/sort.cu,256,72,0,1168,13.0,"sort<u32, true>"' "$sum"
check "... and those that bring a block" said 0 \
    'better: sort<u32, true> (a/sort.cu): registers from 80 to 64, with 256 threads 4 blocks a multiprocessor instead of 3' \
    'a/sort.cu,256,64,0,1168,13.0,"sort<u32, true>"' "$sum"
check "less stack is told" said 0 'better: sum (a/sum.cu): stack from 16 to 0 bytes' "$sort" 'a/sum.cu,1024,32,0,1024,13.0,"sum"'
check "shared memory is told" said 0 'changed: sum (a/sum.cu): static shared memory from 1024 to 2048 bytes' \
    "$sort" 'a/sum.cu,1024,32,16,2048,13.0,"sum"'
check "a kernel that is gone fails" said 1 'WORSE: sort<u32, true> (a/sort.cu): there is no such kernel any more' \
    'a/sort.cu,256,80,0,1168,13.0,"sort<u64, true>"' "$sum"
check "... and one that is new is told" grep -qF 'new: sort<u64, true> (a/sort.cu): 80 registers, 0 bytes of stack' "$scratch/said"
echo 'n,time' >"$scratch/table"
check "another file is no table" said 2 'not such a table: n,time' "$sort"

# ---- what it reads ---------------------------------------------------------------------------------

cat >"$scratch/some.cu" <<'CODE'
__device__ int place(int i) { return i * 7 % 64; }
static __global__ void __launch_bounds__(192) with_stack(int *out)
{
    int kept[64];
    for (int i = 0; i < 64; i++) kept[i] = out[i];
    for (int i = 0; i < 64; i++) kept[place(kept[i] & 63)] += i;
    out[threadIdx.x] = kept[threadIdx.x & 63];
}
template <class T> __global__ void with_shared(T *out)
{
    __shared__ T all[100];
    all[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = all[99 - threadIdx.x];
}
void launch_both(int *a, double *b) { with_stack<<<1, 1>>>(a); with_shared<double><<<1, 1>>>(b); }
CODE
# What ptxas said: NAME,REGISTERS,STACK of each kernel.
by_ptxas()
{
    sed -nE "s/.*entry function '([^']*)'.*/\\1/p; s/^ *([0-9]+) bytes stack frame.*/\\1/p; s/.*Used ([0-9]+) registers.*/\\1/p" "$1" |
        paste -d, - - - | awk -F, '{ print $1 "," $3 "," $2 }' | sort
}
reads_as_ptxas()
{
    nvcc -arch=sm_90 -Xptxas -v -c "$scratch/some.cu" -o "$scratch/some.o" 2>"$scratch/ptxas" || { cat "$scratch/ptxas"; return 1; }
    "$BUILD/tests/worker/kernel_usage" 90 "$scratch/some.o" >"$scratch/read" || return 1
    cat "$scratch/ptxas" "$scratch/read"
    [ "$(wc -l <"$scratch/read")" = 2 ] && diff <(by_ptxas "$scratch/ptxas") <(cut -d, -f1-3 "$scratch/read" | sort)
}
if nvcc --list-gpu-arch 2>/dev/null | grep -x compute_90 >/dev/null; then
    check "registers and stack are those that ptxas says" reads_as_ptxas
    check "a stack is seen, and the threads of launch bounds" grep -qE 'with_stack.*,[0-9]+,[1-9][0-9]*,[0-9]+,192$' "$scratch/read"
    check "shared memory is seen" grep -qE 'with_shared.*,[0-9]+,0,(800|1824|1[0-9]{3}),0$' "$scratch/read"
    compressed()
    {
        nvcc -arch=sm_90 -Xfatbin -compress-all -c "$scratch/some.cu" -o "$scratch/small.o" &&
            "$BUILD/tests/worker/kernel_usage" 90 "$scratch/small.o" >"$scratch/small"
        local status=$?
        cat "$scratch/small"
        if [ $status = 3 ]; then [ ! -s "$scratch/small" ]; else [ $status = 0 ] && diff "$scratch/read" "$scratch/small"; fi
    }
    check "compressed machine code says the same, or that it is not read" compressed
else
    skip "registers and stack are those that ptxas says" "there is no nvcc that knows sm_90"
fi

# ---- what is built ---------------------------------------------------------------------------------

why=$("$usage" read "$BUILD" 2>&1 >"$scratch/reading")
case $? in
0)
    check "the table is one of what is watched" sh -c "! '$usage' compare '$table' '$table' | grep ."
    check "no watched kernel is worse than in $table" "$usage" compare "$table" "$scratch/reading"
    # what is only told is printed, too
    "$usage" compare "$table" "$scratch/reading" | sed 's/^/# /'
    ;;
3) skip "no watched kernel is worse than in $table" "$why" ;;
*) check "the kernels that are built are read" sh -c "echo '$why'; false" ;;
esac
finish
