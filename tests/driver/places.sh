#!/bin/bash
# test: fast
# Rows of one model of device that were measured at several places stand side by side, each with what tells its place
# from the others: host, UUID, folder, file. What is named twice is read once. No view lets one hide another.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
export GPUBENCH_SHARE=$root
cd "$scratch" || exit 1

# place FOLDER FACTOR HOST UUID: octree.csv of the committed results, rates and clocks times FACTOR, with such a meta file.
place()
{
    mkdir -p "$1"
    awk -F, -v OFS=, -v factor="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(rate|time_mean|time_ci95|sm_clock)/) at[i] = $i }
        NR > 1 { for (i in at) $i *= at[i] ~ /^time/ ? 1 / factor : factor }
        { print }' "$root/results/nvidia-h200/octree.csv" >"$1/octree.csv"
    printf '{"device": {"uuid": "%s"}, "host": {"name": "%s"}}\n' "$4" "$3" >"$1/octree.meta.json"
}
# of DEVICE ARGUMENTS...: the first number of that device's first line in a table, which is a variant's rate
of()
{
    local device=$1
    shift
    "$gpubench" table "$@" --no-published --dist cube 2>/dev/null | awk -v device="$device " '
        found == "" && (at = index($0, device)) { split(substr($0, at + length(device)), cell, " "); found = cell[1] }
        END { print found }'
}
is() { [ "$1" = "$2" ] || { echo "found '$1', not '$2'"; return 1; }; }

place one/r 1 node1.cluster GPU-0000aaaa
place two/r 2 node2.cluster GPU-0000bbbb
alone=$(of H200 one/r)
check "a device alone has its name" prints "Measured on NVIDIA H200: " "$gpubench" table one/r
check "two hosts' devices have the hosts'" \
    prints "Measured on NVIDIA H200 (node1), NVIDIA H200 (node2):" "$gpubench" table one/r two/r
check "... the first has its own rates" is "$(of "H200 (node1)" one/r two/r)" "$alone"
check "... and the second its own" is "$(of "H200 (node2)" one/r two/r)" "$(of H200 two/r)"
check "... which are others" [ "$alone" != "$(of H200 two/r)" ]
place same/r 2 node1.cluster GPU-0000bbbb
check "of one host the UUIDs tell" prints "H200 (GPU ..aaaa), NVIDIA H200 (GPU ..bbbb):" "$gpubench" table one/r same/r
place other/s 2 node1.cluster GPU-0000aaaa
check "of one GPU the folders" prints "H200 (r), NVIDIA H200 (s):" "$gpubench" table one/r other/s
rm -f ./*/*/*.meta.json
check "... or so much of their paths as tells them" prints "H200 (one/r), NVIDIA H200 (two/r):" "$gpubench" table one/r two/r
check "a folder has a name wherever one stands" \
    prints "H200 (one/r), NVIDIA H200 (two/r):" env -C two/r "$gpubench" table ../../one/r .
earlier=octree.20260102T030405Z-0a1b2c
cp two/r/octree.csv one/r/$earlier.csv
check "two files of a folder are told apart by their names" \
    prints "H200 (octree), NVIDIA H200 ($earlier):" "$gpubench" table one/r/octree.csv one/r/$earlier.csv
sed 's/,octree,octree,/,octree-modern,octree,/' one/r/octree.csv >one/r/octree-modern.csv
check "... an earlier run's from the rest of its folder" \
    prints "H200 ($earlier), NVIDIA H200 (r):" "$gpubench" table one/r/$earlier.csv one/r
rm one/r/$earlier.csv
cp two/r/octree.csv one/copy.csv && mv one/copy.csv one/r/
check "... and a copy" \
    prints "NVIDIA H200 (r), NVIDIA H200 (copy):" "$gpubench" table one/r/octree.csv one/r/octree-modern.csv one/r/copy.csv
rm one/r/copy.csv
check "files of one folder are of one device" \
    prints "Measured on NVIDIA H200: " "$gpubench" table one/r/octree.csv one/r/octree-modern.csv
check "... without a place" hides "H200 (r)"
check "files of two folders are of two, whatever is in them" \
    prints "Measured on NVIDIA H200 (one/r): " "$gpubench" table one/r/octree-modern.csv two/r
check "a folder that is named twice is read once" prints "Measured on NVIDIA H200: " "$gpubench" table one/r one/r
check "... which is said" warns "one/r is named twice and read once"
ln -s one/r link
check "... and one that is a link to another" prints "Measured on NVIDIA H200: " "$gpubench" table one/r link
check "... which is said, too" warns "link is the same as one/r and read once"
check "... and a file besides its folder" prints "Measured on NVIDIA H200: " "$gpubench" table link/octree.csv one/r
check "a side that is named twice is none" refuses "there is one side only" "$gpubench" compare one/r link

# ---- every view ------------------------------------------------------------------------------------

rm one/r/octree-modern.csv
place one/r 1 node1 ""
place two/r 2 P100 "" # a name that claims must not take for the GPU that they were said of
head -5 "$root/results/nvidia-h200/stencil.csv" >two/r/stencil.csv && cp two/r/octree.meta.json two/r/stencil.meta.json
check "claims are decided for each" prints "NVIDIA H200 (P100): Of what" "$gpubench" claims one/r two/r --counts
check "... both" grep -q "^NVIDIA H200 (node1): Of what" "$scratch/out"
sed -n 's/^NVIDIA H200 (P100)//p' "$scratch/out" >both
check "... as for it alone" cmp both <("$gpubench" claims two/r --counts | sed 's/^NVIDIA H200//')
rm two/r/stencil.* && place two/r 2 node2 ""
check "they are sides of a comparison" \
    prints "A: NVIDIA H200 (node1); B: NVIDIA H200 (node2)" "$gpubench" compare one/r two/r
check "... of one model, whose clocks should be alike" warns "were measured at other clocks"
check "a report has both" prints page.html "$gpubench" report one/r two/r --no-figures --out page.html
check "... in its title" grep -qF "gpubench on NVIDIA H200 (node1), NVIDIA H200 (node2)<" page.html
check "... its claims" grep -qF "Claims on NVIDIA H200 (node2)" page.html
check "... and its tables" grep -qF "Measured on NVIDIA H200 (node2)" page.html
drawn() { prints figures/octree-rate.svg "$gpubench" plot "$@" --figure octree-rate --format svg --out figures; }
if type gnuplot >/dev/null 2>&1; then
    check "a figure has a panel for each" drawn one/r two/r
    check "... the first" grep -qF "dist = plummer, H200 (node1)<" figures/octree-rate.svg
    check "... and the second" grep -qF "dist = plummer, H200 (node2)<" figures/octree-rate.svg
    check "a device alone has panels without its name" drawn two/r
    check "... of its own" bash -c '! grep -q "plummer, H200" figures/octree-rate.svg'
    sed 's/,cuda,/,simt,/' one/r/octree.csv >one/r/simt.csv
    check "figures of the CPU's rows do not replace a GPU's" prints figures/octree-rate-nvidia-h200.svg \
        "$gpubench" plot one/r --figure octree-rate --format svg --out figures
    check "... but stand beside them" [ -s figures/octree-rate-simt.svg ]
    rm one/r/simt.csv
else
    skip "figures" "no gnuplot"
fi

# ---- what belongs to a folder ----------------------------------------------------------------------

for folder in one/r two/r; do cp "$root/results/nvidia-h200/octree-modern.csv" $folder; done
cp one/r/octree.meta.json one/r/octree-modern.meta.json && cp two/r/octree.meta.json two/r/octree-modern.meta.json
cp "$root/results/nvidia-h200/audit-known.csv" two/r
"$gpubench" audit one/r two/r --format csv >audited 2>/dev/null
explained() { awk -F, '$1 == "known" { print $3 }' audited | sort -u; }
check "what is known of a folder explains its rows alone" is "$(explained)" "NVIDIA H200 (node2)"
check "each has its standings" prints "How ours stands on NVIDIA H200 (node2)" "$gpubench" standings one/r two/r
check "... the first, too" grep -qF "How ours stands on NVIDIA H200 (node1)" "$scratch/out"
rm ./*/r/octree-modern.*

# noise FOLDER DIFFERENCE
noise()
{
    mkdir -p "$1/aa"
    head -1 "$root/results/nvidia-h200/aa/noise.csv" >"$1/aa/noise.csv"
    for decade in -5 -4 -3 -2; do echo "1,NVIDIA H200,device,gpu,,,$decade,100,$2,$2,$2"; done >>"$1/aa/noise.csv"
}
noise one/r 0.01
noise two/r 1.5
check "a device's noise is its own" prints "" "$gpubench" compare one/r two/r --format csv
# shellcheck disable=SC2016 # these are awk's
check "... of two the larger counts" awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR > 1 && $at["effect"] + 0 != 1.5 { bad = 1 } END { exit bad || NR < 2 }' "$scratch/out"
check "each has its table" \
    prints "on NVIDIA H200 (one/r/aa/noise.csv)" "$gpubench" table one/r/aa/noise.csv two/r/aa/noise.csv
check "... the second, too" grep -qF "on NVIDIA H200 (two/r/aa/noise.csv)" "$scratch/out"
finish
