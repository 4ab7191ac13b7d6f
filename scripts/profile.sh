#!/bin/bash
# What the caches do: runs Nsight Compute (ncu) over the variants of a config, one run of the timed region each, and
# writes L1 and L2 hit rates and the bytes that memory moved for each item to NAME-profile.csv, which `gpubench plot`
# draws. Verified before, by the worker; nothing of its times is a measurement.
# Usage: scripts/profile.sh CONFIG [options]; --help lists them.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
# Of a checkout, its build folder (BUILD names another); of a bundle, the bundle; installed, PREFIX/bin.
for folder in "${BUILD:-}" "$here" "$here/build" "$here/../../bin"; do
    gpubench=$folder/gpubench
    [ ! -x "$gpubench" ] || break
done

say() { echo "profile: $*" >&2; }
usage()
{
    cat <<END
usage: scripts/profile.sh CONFIG [options]

Runs Nsight Compute over one run of every variant and point of the config and writes
DIR/NAME-profile.csv: for each of them hit rates of L1 and L2, bytes that memory moved for
an item, and the time, in all (a blank kernel) and by kernel.

options:
  --out DIR         where it goes (default: results/DEVICE/profile)
  --device N        the device (default: 0)
  --worker COMMAND  the worker to profile (default: gpubench-cuda beside gpubench)
  --filter EXPR, --quick, --full   as of gpubench run
NCU=PATH names an ncu that is not on PATH.

example:
  scripts/profile.sh configs/stencil-caches.json --filter 'radius <= 2'
  gpubench plot results/nvidia-h200/profile/stencil-caches-profile.csv
END
}

config='' out='' device=0 worker='' pass=()
while [ $# -gt 0 ]; do
    case $1 in
    --help) usage; exit 0 ;;
    --out | --device | --worker | --filter)
        [ $# -ge 2 ] || { say "$1 takes a value; --help says which"; exit 2; }
        case $1 in
        --out) out=$2 ;;
        --device) device=$2 ;;
        --worker) worker=$2 ;;
        --filter) pass+=("$1" "$2") ;;
        esac
        shift ;;
    --quick | --full) pass+=("$1") ;;
    -*) say "$1 is no option; --help lists them"; exit 2 ;;
    *)
        [ -z "$config" ] || { say "one config at a time: $config, or $1?"; exit 2; }
        config=$1 ;;
    esac
    shift
done
[ -n "$config" ] || { say "which config? scripts/profile.sh configs/stencil-caches.json, say; --help lists the options"; exit 2; }
[ -x "$gpubench" ] || { say "there is no gpubench in $here, its build or ../../bin: run make, or name its folder with BUILD"; exit 2; }

# ---- the profiler ------------------------------------------------------------------------------------

ncu=${NCU:-}
for candidate in "$(command -v ncu)" /usr/local/cuda/bin/ncu /opt/nvidia/nsight-compute/*/ncu; do
    [ -n "$ncu" ] || { [ -x "$candidate" ] && ncu=$candidate; }
done
if [ ! -x "$ncu" ]; then
    say "Nsight Compute is not here${NCU:+ ($NCU)}: install it (Debian, Ubuntu with NVIDIA's package source: apt-get install" \
        "nsight-compute; it also comes with the CUDA Toolkit), or name it: NCU=/path/to/ncu"
    exit 3
fi
if [ -z "$worker" ]; then
    worker=$(dirname "$gpubench")/gpubench-cuda
    [ -x "$worker" ] || { say "there is no $worker: it is built where nvcc is on PATH (make), or named with --worker"; exit 3; }
    pass+=(--worker "'$worker'")
    worker="'$worker'"
else
    pass+=(--worker "$worker")
fi

# ---- what is to be run -------------------------------------------------------------------------------

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
"$gpubench" run "$config" --requests --device "$device" "${pass[@]}" >"$work/rows" || exit
grep -q '"cmd":"open"' "$work/rows" || { say "no row of $config is left to profile"; exit 2; }
name=$(sed -n 's/.*"name"[[:space:]]*:[[:space:]]*"\([^"]*\)".*/\1/p' "$config" | head -n 1)
metrics=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,l1tex__t_sectors.sum
metrics+=,l1tex__t_sectors_lookup_hit.sum,lts__t_sectors.sum,lts__t_sectors_lookup_hit.sum

# conversation CACHE: the worker's whole input for the rows of that mode. A job is closed after the next is open, for
# jobs on one point share its data.
conversation()
{
    echo '{"cmd":"describe"}'
    grep -E '"cmd":"(select|provide)"' "$work/rows"
    grep "\"cache\":\"$1\"" "$work/rows" | awk '
        { match($0, /"job":[0-9]+/); job = substr($0, RSTART + 6, RLENGTH - 6)
          print
          if (last) printf "{\"cmd\":\"close\",\"job\":%s}\n", last
          printf "{\"cmd\":\"verify\",\"job\":%s}\n{\"cmd\":\"profile\",\"job\":%s}\n", job, job
          last = job }'
    echo '{"cmd":"quit"}'
}

# The profiler's own words, of its log.
complaints() { grep -aE '^==(ERROR|WARNING)==' "$1" | sort -u | head -n 8 | sed 's/^/profile:   /' >&2; }

: >"$work/profile.csv"
for cache in warm cold; do
    grep -q "\"cache\":\"$cache\"" "$work/rows" || continue
    conversation "$cache" >"$work/requests"
    rows=$(grep -c '"cmd":"open"' "$work/requests")
    say "$rows rows with a $cache cache ($("$ncu" --version 2>/dev/null | tail -n 1))"
    # A kernel is run again for each group of counters. In between, ncu empties the caches or leaves them alone.
    [ $cache = warm ] && control=none || control=all
    status=0
    rm -f "$work/ncu.csv"
    LC_ALL=C "$ncu" --target-processes all --profile-from-start off --clock-control none --cache-control "$control" \
        --csv --page raw --print-units base --metrics "$metrics" --log-file "$work/ncu.csv" \
        bash -c "exec $worker" <"$work/requests" >"$work/answers" 2>"$work/log" || status=$?
    if grep -qa ERR_NVGPUCTRPERM "$work/ncu.csv" "$work/log" 2>/dev/null; then
        say "the driver lets only administrators read the counters: run it as root, or load the driver with" \
            "NVreg_RestrictProfilingToAdminUsers=0 (https://developer.nvidia.com/ERR_NVGPUCTRPERM)"
        exit 3
    fi
    if ! grep -qa '^"ID"' "$work/ncu.csv" 2>/dev/null; then
        say "$ncu wrote no table (exit status $status):"
        complaints "$work/ncu.csv"
        tail -n 5 "$work/log" >&2
        exit 1
    fi
    complaints "$work/ncu.csv"
    [ $status = 0 ] || say "the worker or $ncu ended with exit status $status; rows without numbers say so"
    grep -a '^{' "$work/answers" >"$work/answers.json"
    awk -v name="$name" -v device="$device" -f "$here/scripts/profile.awk" "$work/requests" "$work/answers.json" \
        "$work/ncu.csv" >"$work/part.csv" || { tail -n 5 "$work/log" >&2; exit 1; }
    if [ -s "$work/profile.csv" ]; then tail -n +3 "$work/part.csv"; else tail -n +2 "$work/part.csv"; fi >"$work/more"
    cat "$work/more" >>"$work/profile.csv"
    slug=$(head -n 1 "$work/part.csv")
done

# ---- the file ----------------------------------------------------------------------------------------

[ -n "$out" ] || out=results/$slug/profile
mkdir -p "$out" || exit 1
file=$out/$name-profile.csv
if ! cp "$work/profile.csv" "$file.new" || ! sync "$file.new"; then
    rm -f "$file.new"
    exit 1
fi
[ ! -e "$file" ] || { mv -f "$file" "$file.old" && say "the earlier file is $file.old now"; }
mv -f "$file.new" "$file" || exit 1
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "status") at = i; next } { count[$at]++ }
    END { for (status in count) printf "  %s %d", status, count[status]; print "" }' "$file" | sed 's/^/profile: lines:/' >&2
echo "$file"
say "next: $(printf '%q plot %q' "$gpubench" "$file")"
! awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "status") at = i; next }
    $at != "ok" && $at != "unsupported" { bad = 1 } END { exit !bad }' "$file"
