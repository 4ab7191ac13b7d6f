# shellcheck shell=bash
# Sourced by the tests of commands that compare rows: result files with their samples and meta files.

# side FILE: a result file FOLDER/NAME.csv with its samples and its meta file. Standard input has a row a line:
# VARIANT AXIS-VALUES CACHE SCOPE STATUS MEAN SD SAMPLES [SM-CLOCK [POWER [FLAGS [MEMORY-CLOCK [INSTANCE]]]]], the
# mean in us, the deviation as a part of it; 0 in the place of a field is none. The samples have exactly that mean and
# deviation. Settings: primitive, axes, device, backend, run, toolkit, driver, sms, l2 (bytes), copy, limit (limit_rate);
# samples=no leaves the samples file out.
side()
{
    local name stem=${1%.csv}
    name=$(basename "$stem")
    mkdir -p "$(dirname "$1")"
    awk -v name="$name" -v stem="$stem" -v axes="${axes:-n}" -v device="${device:-device A}" \
        -v backend="${backend:-cuda}" -v run="${run:-run}" -v keep="${samples:-yes}" \
        -v primitive="${primitive:-p}" -v limit="${limit:-}" '
    BEGIN {
        count = split(axes, axis, ",")
        csv = stem ".csv"; list = stem ".samples.csv"
        print "schema,run_id,experiment,primitive,variant,instance,backend,device," axes ",cache,scope,status,reason,samples," \
            "unit,items,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,rate,rate_ci95_lo,rate_ci95_hi,limit_kind," \
            "limit_rate,sm_clock_mhz,mem_clock_mhz,power_w,flags" >csv
        if (keep == "yes") print "run_id,point,variant,cache,index,time_s" >list
    }
    {
        split($2, value, ","); point = ""; values = ""
        for (i = 1; i <= count; i++) {
            point = point (i > 1 ? ";" : "") axis[i] "=" value[i]; values = values value[i] ","
        }
        instance = $13; flags = $11; if (flags == "0") flags = ""
        start = "1," run "," name "," primitive "," $1 "," instance "," backend "," device "," values $3 "," $4 "," $5
        if ($5 != "ok") { print start ",because,,,,,,,,,,,,,,," >csv; next }
        mean = $6 * 1e-6; n = $8; half = 2 * $7 / sqrt(n)
        printf "%s,,%d,items,1000,%.9g,%.9g,%.9g,%.9g,%.9g,%s,bandwidth,%s,%s,%s,%s,%s\n", start, n, mean, \
            mean * (1 - half), mean * (1 + half), 1000 / mean, 1000 / (mean * (1 + half)), half < 1 ? sprintf("%.9g", 1000 / (mean * (1 - half))) : "", \
            limit, $9, $12, $10, flags >csv
        for (i = 0; i < n && keep == "yes"; i++) {
            z = n > 1 ? ((i * 7) % n - (n - 1) / 2) / sqrt(n * (n + 1) / 12) : 0
            printf "%s,%s,%s,%s,%d,%.12g\n", run, point, $1, $3, i, mean * (1 + $7 * z) >list
        }
    }'
    printf '{"schema": 1, "worker": {"toolkit": "%s", "driver": "%s"}, "device": {"sms": %s, "l2_bytes": %s}, "ceilings": {"copy_bytes_per_s": %s}}\n' \
        "${toolkit:-12.4}" "${driver:-550.1}" "${sms:-100}" "${l2:-0}" "${copy:-1e12}" >"$stem.meta.json"
}
