# shellcheck shell=bash
# shellcheck disable=SC2034 # the cases are used by those who source it
# Of the mistakes planted in the partitions of our own: what is built with them, and small inputs.
primitive=multipartition
export SIMT_WORKERS=2 # as many multiprocessors: the cases below are as small as that allows
# shellcheck source=tests/lib_planted.sh
. "$(dirname "$0")/lib_planted.sh"
folder=kernels/$primitive

# Of the kernels for eight types only this one's are built with the mistake; the cases are of this type.
type=k4_p0
again()
{
    local old=() other
    for other in "$folder"/partition_k?_p*.cu; do
        [ "$other" = "$folder/partition_$type.cu" ] || old+=(-o "build/simt/$other.o")
    done
    make NVCC= OPENCL= OPT=-O0 -o build/c/flags.h -o build/simt/flags.h "${old[@]}" "$@"
}

# unmet NAME FILE LINE BY VARIANT OPTION...: the __syncthreads() that stands BY (1 or -1) lines behind LINE is
# not there.
unmet()
{
    local name=$1 file=$folder/$2 line=$3 by=$4 at
    shift 4
    at=$(($(grep -nF -- "$line" "$file" | cut -d: -f1) + by))
    if ! sed -n "${at}p" "$file" | grep -q '^ *__syncthreads();'; then
        check "$name: a barrier at '$line'" false
        return
    fi
    cp "$file" "$scratch/met"
    sed -i "${at}s/__syncthreads();/;/" "$file"
    check "$name: builds" again build/gpubench-simt
    check "$name: is found" finds "$@"
    cp "$scratch/met" "$file"
}

# of uniform keys in many bins a sample foresees too little, so that all is done anew
many=(--case "n=100003,bins=256")
some=(--case "n=100003,bins=20")
most=(--case "n=100003,bins=65536")
few=(--case "n=100003,bins=7")
two=(--case "n=65537,bins=2")
sorted=(--case "n=100003,bins=20,dist=sorted")
reversed=(--case "n=65537,bins=40,dist=reversed")

# From here on nothing is done anew, where a method does that.
nothing_anew()
{
    spoiled "nothing is done anew" "$folder/unordered.cuh" \
        'if (regions.only_if && gb_glance(regions.only_if) != MP_FAILED) return;' 'if (regions.only_if) return;'
    check "nothing is done anew: builds" again build/gpubench-simt
    check "nothing is done anew: nothing has to be" build/gpubench check "$primitive" --device simt --variant unstable \
        "${some[@]}" "${few[@]}" "${two[@]}" "${sorted[@]}"
}
