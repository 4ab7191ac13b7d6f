#!/bin/sh
# Writes the C table that Multipartition's method "auto" chooses from: what each method took on the GPUs
# that were measured. Usage: scripts/tuning-table.sh FILE.csv...   (results/GPU/multipartition-tuning.csv;
# the .meta.json beside it says which GPU it was)
set -eu
cat <<'EOF'
/* Made by scripts/tuning-table.sh from results/GPU/multipartition-tuning.csv. */
#include "kernels/multipartition/partition/partition.h"

const mp_tuned mp_tuning[] = {
EOF
for file; do
    [ -e "$file" ] || continue # a pattern that matched nothing
    meta=${file%.csv}.meta.json
    arch=$(sed -nE 's/.*"arch":[[:space:]]*([0-9]+).*/\1/p' "$meta" 2>/dev/null | head -n 1)
    sms=$(sed -nE 's/.*"sms":[[:space:]]*([0-9]+).*/\1/p' "$meta" 2>/dev/null | head -n 1)
    l2=$(sed -nE 's/.*"l2_bytes":[[:space:]]*([0-9]+).*/\1/p' "$meta" 2>/dev/null | head -n 1)
    copy=$(sed -nE 's/.*"copy_bytes_per_s":[[:space:]]*([0-9.eE+]+).*/\1/p' "$meta" 2>/dev/null | head -n 1)
    awk -F, -v file="$file" -v arch="$arch" -v sms="$sms" -v l2="${l2:-0}" -v copy="${copy:-0}" '
        BEGIN {
            split("unstable unstable-counted unstable-tiles unstable-tiles-counted unstable-resident unstable-two-pass unstable-sampled-two-pass unstable-tiles-two-pass stable stable-two-pass stable-drawn stable-drawn-two-pass stable-drawn-three-pass stable-tiles stable-tiles-two-pass stable-resident", names, " ")
            for (i in names) {
                method[names[i]] = toupper(names[i])
                gsub("-", "_", method[names[i]])
            }
            bytes["none"] = 0; bytes["u32"] = 4; bytes["u64"] = 8; bytes["u128"] = 16
            keys["uniform"] = "ANY"; keys["zipf"] = "SKEWED"; keys["sorted"] = "SORTED"; keys["distinct:2"] = "FEW"
        }
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["status"] == "ok" && $column["variant"] in method && $column["dist"] in keys {
            point = $column["n"] "," $column["bins"] "," $column["dist"] "," $column["type"] "," $column["payload"]
            if (!(point in seconds)) order[++points] = point
            seconds[point] = seconds[point] sprintf("[MP_%s] = %s, ", method[$column["variant"]], $column["time_median_s"])
            gpu = $column["device"]
        }
        END {
            if (!points || arch == "" || sms == "") {
                print "tuning-table.sh: " file ": no measured point, or no GPU in its .meta.json" >"/dev/stderr"
                exit 1
            }
            for (i = 1; i <= points; i++) {
                split(order[i], at, ",")
                printf "    {\"%s\", %s, %s, %d, %d, MP_KEYS_%s, %s, %s, {%s}, %s, %s},\n", gpu, arch, sms, bytes[at[4]],
                    bytes[at[5]], keys[at[3]], at[1], at[2], seconds[order[i]], copy, l2
            }
        }' "$file"
done
cat <<'EOF'
    {0} /* there may be no other */
};
const unsigned mp_tuning_count = sizeof mp_tuning / sizeof *mp_tuning - 1;
EOF
