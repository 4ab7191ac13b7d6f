# shellcheck shell=bash
# shellcheck disable=SC2034 # the cases are used by those who source it
# Of the mistakes planted in the partitions of our own: what is built with them, and small inputs.
primitive=multipartition cases_pass=yes
export SIMT_WORKERS=2 # as many multiprocessors: the cases below are as small as that allows
# shellcheck source=tests/mutation/lib_planted.sh
. "$(dirname "$0")/lib_planted.sh"
folder=kernels/$primitive

# Of the kernels for eight types only this one's are built with the mistake; the cases are of this type.
type=k4_p0
make_of_type()
{
    local old=() other
    for other in "$folder"/partition_k?_p*.cu; do
        [ "$other" = "$folder/partition_$type.cu" ] || old+=(-o "build/simt/$other.o")
    done
    make NVCC= OPENCL= OPT=-O0 -o build/c/flags.h -o build/simt/flags.h "${old[@]}" "$@"
}

# Of these a case runs one in ten, and only those are built with the mistake (some_kernels.h). Which, is told
# by a worker without it that has all of them: the latest that again() made, whose cases must pass. With a
# mistake others may run, and then finds() builds all of them.
again()
{
    rm -f "build/simt/$folder/partition_$type.cu.o"
    make_of_type CXXFLAGS="-include tests/mutation/some_kernels.h" "$@" || return 1
    [ "$*" = build/gpubench-simt ] || return 0
    rm -rf "$scratch/sound" "$scratch/kernels"
    mkdir "$scratch/sound" "$scratch/kernels" && cp build/gpubench-simt "$scratch/sound/"
}

# kernels_of VARIANT OPTION...: the numbers of the kernels that run, under whichever schedule.
kernels_of()
{
    local known options=()
    known=$scratch/kernels/$(cksum <<<"$SIMT_WORKERS $*" | tr ' ' -)
    if [ ! -e "$known" ]; then
        while [ $# != 0 ]; do
            case $1 in
            --schedules | --policy) shift ;;
            *) options+=("$1") ;;
            esac
            shift
        done
        : >"$known"
        SOME_KERNELS_TOLD=$known build/gpubench check "$primitive" --worker "$scratch/sound/gpubench-simt" \
            --device simt --variant "${options[@]}" >&2 || return 1
    fi
    sort -u "$known" | sed "s/$/u/" | paste -sd,
}

# again_for VARIANT OPTION...: a worker that has what runs without the mistake.
again_for()
{
    local kernels
    kernels=$(kernels_of "$@") || return 1
    make_of_type CXXFLAGS="-include tests/mutation/some_kernels.h -DSOME_KERNELS=${kernels:-0u}" build/gpubench-simt
}

finds()
{
    local status=0
    rm -f "$scratch/told"
    SOME_KERNELS_TOLD=$scratch/told found "$@" || status=1
    grep -qs 0x00000000 "$scratch/told" || return $status
    echo "other kernels run with the mistake than without it: all are built"
    rm "build/simt/$folder/partition_$type.cu.o"
    make_of_type build/gpubench-simt && found "$@"
}
check "builds as it is" again build/gpubench-simt

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
    spoiled "nothing is done anew" mp_move_unordered \
        'if (regions.only_if && gb_glance(regions.only_if) != MP_FAILED) return;' 'if (regions.only_if) return;'
    check "nothing is done anew: builds" again build/gpubench-simt
    check "nothing is done anew: nothing has to be" build/gpubench check "$primitive" --device simt --variant unstable \
        "${some[@]}" "${few[@]}" "${two[@]}" "${sorted[@]}"
}
