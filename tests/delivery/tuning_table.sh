#!/bin/bash
# test: fast
# scripts/tuning-table.sh: from what a run of configs/multipartition-tuning.json has written to the table that
# auto chooses from.
. "$(dirname "$0")/../harness/lib.sh"
tree=$PWD table=$PWD/scripts/tuning-table.sh
mkdir -p "$scratch/gpu" && cd "$scratch/gpu" || exit 1
head -n 1 "$tree/results/nvidia-h200/multipartition-tuning.csv" >header
# row VARIANT N BINS DIST STATUS MEDIAN: of 32-bit keys with 4 bytes each
row()
{
    awk -F, -v variant="$1" -v n="$2" -v bins="$3" -v dist="$4" -v status="$5" -v median="$6" '{
        for (i = 1; i <= NF; i++) {
            v = "x"
            if ($i == "device") v = "Some GPU"
            if ($i == "variant") v = variant
            if ($i == "n") v = n
            if ($i == "bins") v = bins
            if ($i == "dist") v = dist
            if ($i == "type") v = "u32"
            if ($i == "payload") v = "u32"
            if ($i == "status") v = status
            if ($i == "time_median_s") v = median
            printf "%s%s", v, i < NF ? "," : "\n"
        }
    }' header
}
{
    cat header
    row unstable 1000 16 uniform ok 0.002
    row stable 1000 16 uniform ok 0.003
    row unstable-resident 1000 16 uniform unsupported 0
    row unstable 1000 16 zipf ok 0.004
    row unstable 1000 16 distinct:2 ok 0.005
    row unstable 1000 16 distinct:10 ok 0.006
    row multisplit 1000 16 uniform ok 0.001
} >multipartition-tuning.csv
check "without the GPU's description it fails" sh -c "! '$table' multipartition-tuning.csv >/dev/null 2>said"
check "and says so" grep -q 'multipartition-tuning.csv: no measured point, or no GPU in its .meta.json' said
printf '{ "device": {\n\t"arch":\t860,\n\t"sms":\t46,\n\t"l2_bytes":\t4194304 },\n "ceilings": {\n\t"copy_bytes_per_s":\t3.8e+11\n } }\n' >multipartition-tuning.meta.json
"$table" multipartition-tuning.csv >table.c
has() { grep -qF -- "$1" table.c; }
check "a point's methods stand in a row" has \
    '{"Some GPU", 860, 46, 4, 4, MP_KEYS_ANY, 1000, 16, {[MP_UNSTABLE] = 0.002, [MP_STABLE] = 0.003, }, 3.8e+11, 4194304}'
check "skewed keys are a point of their own" has 'MP_KEYS_SKEWED, 1000, 16, {[MP_UNSTABLE] = 0.004, }'
check "... and few values another" has 'MP_KEYS_FEW, 1000, 16, {[MP_UNSTABLE] = 0.005, }'
check "... of other keys nothing is taken" sh -c "! grep -q 0.006 table.c"
check "what could not be done and who is not ours is left out" sh -c "! grep -qE 'RESIDENT|MULTISPLIT' table.c"
check "it compiles" "$CC" -std=c11 -Wall -Wextra -Wno-missing-field-initializers -Werror -I"$tree" -c table.c -o table.o
"$table" none/*.csv >table.c
check "without any measurement, too" "$CC" -std=c11 -Wall -Wextra -Wno-missing-field-initializers -Werror -I"$tree" \
    -c table.c -o table.o
finish
