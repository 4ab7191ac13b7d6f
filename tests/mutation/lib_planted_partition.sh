# shellcheck shell=bash
# shellcheck disable=SC2034 # the cases are used by those who source it
# Of the mistakes planted in the partitions of our own: what is built with them, and small inputs.
primitive=multipartition

# Of the kernels for eight types of keys and payloads only these have the mistakes; the cases are of these types.
types=${types:-k4_p0}
as_is=()
for type in k4_p0 k4_p4 k4_p8 k4_p16 k8_p0 k8_p4 k8_p8 k8_p16; do
    [[ " $types " = *" $type "* ]] || as_is+=("build/simt/kernels/$primitive/partition/of_type_$type.cu.o")
done
export SIMT_WORKERS=2 # as many multiprocessors: the cases below are as small as that allows
# shellcheck source=tests/mutation/lib_planted.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib_planted.sh"

# of uniform keys in many bins a sample foresees too little, so that all is done anew
many=(--case "n=100003,bins=256")
some=(--case "n=100003,bins=20")
most=(--case "n=100003,bins=65536")
few=(--case "n=100003,bins=7")
two=(--case "n=65537,bins=2")
sorted=(--case "n=100003,bins=20,dist=sorted")
reversed=(--case "n=65537,bins=40,dist=reversed")

# passing NAME VARIANT OPTION...: a check passes, with the mistakes that are planted now.
passing()
{
    built "$1" build/gpubench-simt
    check "$1" in_tree lacks found "${@:2}"
}

# From here on nothing is done anew, where a method does that.
nothing_anew()
{
    spoiled "nothing is done anew" mp_move_unordered \
        'if (regions.only_if && !mp_is_anew(regions.only_if)) return;' 'if (regions.only_if) return;' || return
    passing "nothing is done anew: nothing has to be" unstable "${some[@]}" "${few[@]}" "${two[@]}" "${sorted[@]}"
}
