#!/bin/bash
# test: fast 3
# gpubench dump: what it writes of a tree, and what it answers to mistakes.
# shellcheck disable=SC2016
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
cd "$scratch" || exit 1
dump() { "$BUILD/gpubench" dump --worker "'$BUILD/gpubench-simt'" "$@"; }
# sum COLUMN FILE: of all its rows.
sum() { awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i } NR > 1 { s += $at } END { print s + 0 }' "$2"; }
lines() { wc -l <"$1"; }

# ---- tables ---------------------------------------------------------------------------------------

check "what there is to dump" prints "slice          squares of the cells" dump octree
check "depth" prints "1,depth,octree,cpu,simt,simt,1000,plummer,1,full,100,7,0,1," dump octree depth --variant cpu --case n=1000 --seed 7
cp out depth.csv
check "its columns" grep -qx "schema,dump,primitive,variant,backend,device,n,dist,leaf,grid,pool,seed,depth,cells,leaves,bodies" depth.csv
check "every body is in a leaf" test "$(sum bodies depth.csv)" = 1000
check "... of its own" test "$(sum leaves depth.csv)" = 1000
check "as many slots as cells and leaves need" awk -F, 'NR > 2 && $14 + $15 > 8 * before { exit 1 } { before = $14 }' depth.csv
check "two points, two tables in one file" prints "both.csv" dump octree depth --variant cpu --case n=100,dist=cube --case n=300,dist=disc --out both.csv
check "all bodies of both" test "$(sum bodies both.csv)" = 400
check "one header" test "$(grep -c schema both.csv)" = 1
check "nothing else is left there" test "$(find . -name 'both.csv*' | wc -l)" = 1

check "slice" prints "slice.csv" dump octree slice --variant cpu --case n=3000,dist=uniform --out slice.csv
check "the root first" awk -F, 'NR == 2 { exit !($13 == "cell" && $17 == 0) }' slice.csv
# Each square but the root's is a quarter of one that came before, and each body is in a square of its cell's depth.
check "squares within squares, bodies within squares" awk -F, '
    $13 == "cell" && $17 > 0 { found = 0
        for (i in x) if (depth[i] == $17 - 1 && size[i] > 1.999 * $16 && size[i] < 2.001 * $16 && $14 > x[i] - e && $14 < x[i] + size[i] && $15 > y[i] - e && $15 < y[i] + size[i]) found = 1
        if (!found) exit 1 }
    $13 == "cell" { cells++; x[cells] = $14; y[cells] = $15; size[cells] = $16; depth[cells] = $17; e = $16 / 1000 }
    $13 == "body" { bodies++; found = 0
        for (i in x) if (depth[i] == $17 && $14 > x[i] - e && $14 < x[i] + size[i] + e && $15 > y[i] - e && $15 < y[i] + size[i] + e) found = 1
        if (!found) exit 1 }
    END { if (!(cells > 50 && bodies > 100 && bodies < 1500)) exit 1 }' slice.csv
check "bodies of one place" prints "1,slice,octree,cpu,simt,simt,5,duplicates:5," dump octree slice --variant cpu --case n=5,dist=duplicates:5
check "all five" test "$(grep -c ',body,' out)" = 5
check "no body: a header alone" prints "schema,dump" dump octree slice --variant cpu --case n=0
check "... of one line" test "$(lines out)" = 1

# ---- figures --------------------------------------------------------------------------------------

plot() { GPUBENCH_SHARE=$root "$BUILD/gpubench" plot "$@" --out figures --format svg; }
# draws_silently NAME COMMAND...: the one figure of that name, and not a word of gnuplot's.
draws_silently()
{
    rm -rf figures
    "${@:2}" >out 2>err || { cat err; return 1; }
    cat err && [ ! -s err ] && [ "$(ls figures)" = "$1" ]
}
if command -v gnuplot >/dev/null; then
    check "a picture of the tree, named as its file" draws_silently slice.svg plot slice.csv
    check "... which is one" grep -q "Octrees, cut" figures/slice.svg
    check "depths of two points" draws_silently both.svg plot both.csv
    check "told apart by what they differ in" grep -q "n 300, dist disc" figures/both.svg
    check "what all share stands above" grep -q "simt: sequential insertion, leaf 1" figures/both.svg
    { head -n 1 depth.csv | sed 's/depth,cells.*/depth,tries,failed,waits,wasted_cells/'
        for variant in burtscher-pingali octreebuild-lf; do echo "1,contention,octree,$variant,cuda,A,9,cube,1,full,100,1,0,9,1,0,2"; done; } >met.csv
    check "contention of two variants" draws_silently met.svg plot met.csv
    { cat met.csv; for device in B C D; do sed "1d; s/,A,/,$device,/" met.csv; done; } >eight.csv
    check "... on four devices, which are too many bars" refuses "there is nothing to draw" plot eight.csv
    check "... is told" warns "eight has tables of 8 variants, points and devices, and 7 are told apart in a figure at most"
    mkdir -p mixed && cp both.csv mixed && cp "$root/results/nvidia-h200/null.csv" mixed
    check "beside results in a folder" plot mixed
    check "both are drawn" test -e figures/both.svg -a -e figures/null-timer.svg
    check "a figure that is for other files" refuses "no script plots/octree-depth.gp draws these results" plot slice.csv --figure octree-depth
    check "in the terminal" sh -c "GPUBENCH_SHARE='$root' '$BUILD/gpubench' plot met.csv --terminal | grep -q 'of 1000 tries'"
    sed 's/^1,depth,octree/1,depth,quadtree/' both.csv >other.csv
    check "of a primitive without figures" refuses "no script plots/quadtree*.gp" plot other.csv
else
    skip "figures" "gnuplot is not installed"
fi
check "a dump has no table" refuses "slice is a dump: \`gpubench plot\` draws it" "$BUILD/gpubench" table slice.csv
# spoilt NAME SED TEXT: both.csv changed so is refused in these words.
spoilt() { sed "$1" both.csv >spoilt.csv; refuses "$2" plot spoilt.csv; }
check "another schema" spoilt '2s/^1/2/' "data row 1, column schema: '2' is not 1"
check "two dumps in one file" spoilt '3s/depth/slice/' "data row 2, column dump: 'slice' is not that of the first row"
check "a primitive that is no name" spoilt 's/,octree,/,..\/octree,/' "column primitive: '../octree' is no name"
check "no seed" spoilt '1s/seed/sand/' "it lacks one of the columns primitive, variant, device and seed"
check "nothing behind it" spoilt 's/,[^,]*,[^,]*,[^,]*,[^,]*$//' "no column behind seed"
check "no rows" spoilt '2,$d' "holds no row"

# ---- mistakes -------------------------------------------------------------------------------------

check "no primitive" refuses "name a primitive and what to dump of it" dump
check "too many words" refuses "name a primitive" dump octree slice depth
check "an unknown primitive" refuses 'no worker has a primitive "oktree" (did you mean "octree"?)' dump oktree slice
check "an unknown table" refuses 'octree has no dump "slise" (did you mean "slice"?); it has slice, depth, contention' dump octree slise --variant cpu
check "a primitive without any" refuses "multipartition has nothing to dump" dump multipartition slice --variant cpu
check "... nor a list of them" refuses "multipartition has nothing to dump" dump multipartition
check "no variant" refuses "--variant says which variant builds it" dump octree slice
check "an unknown variant" refuses 'octree has no variant "gpu"' dump octree slice --variant gpu
check "an unknown axis" refuses "octree has no axis 'm'" dump octree slice --variant cpu --case m=5
check "the second case counts, too" refuses "found \"ring\"" dump octree slice --variant cpu --case n=5 --case dist=ring
check "a seed that is none" refuses "--seed x" dump octree slice --variant cpu --seed x
check "a folder that is not there" refuses "no/such.csv: cannot be written: No such file or directory" dump octree slice --variant cpu --case n=5 --out no/such.csv
check "an option that is none" refuses "unknown option --set" dump octree slice --set n=5

# ends STATUS TEXT COMMAND...: exit status and text on stderr.
ends() { local status=0 wanted=$1 text=$2; shift 2; "$@" >out 2>err || status=$?; cat out err; [ "$status" = "$wanted" ] && grep -qF -- "$text" err; }
check "what a variant does not do, alone" ends 1 "left out octree/cpu at n=5,dist=plummer,leaf=1,grid=full,pool=100: this variant does not count" \
    dump octree contention --variant cpu --case n=5 --out none.csv
check "leaves no file" test ! -e none.csv
check "a file of bodies that is not there" ends 2 "no/such.csv: cannot be opened" dump octree slice --variant cpu --case n=5,dist=file:no/such.csv
check "one of two points is enough" prints ",depth,octree,cpu,simt,simt,5,plummer,1," dump octree depth --variant cpu --case n=5,leaf=8 --case n=5
check "of the other it says why" warns "left out octree/cpu at n=5,dist=plummer,leaf=8"
check "a worker that is missing" ends 3 "/no/such" "$BUILD/gpubench" dump octree slice --worker /no/such

# ---- workers that lie -----------------------------------------------------------------------------

cat >liar.sh <<'END'
#!/bin/sh
"$BUILD/gpubench-simt" | sed -u "$LIE"
END
chmod +x liar.sh
export BUILD
# lies SED TEXT: what the worker answers changed so is not believed.
lies() { ends 1 "$2" env LIE="$1" "$BUILD/gpubench" dump octree depth --worker ./liar.sh --variant cpu --case n=50 --out lie.csv; }
check "the truth" env LIE= "$BUILD/gpubench" dump octree depth --worker ./liar.sh --variant cpu --case n=50
check "a column's name that is none" lies 's/"depth,cells/"depth,=cells/' "makes no sense: it is no table"
check "a row with a field less" lies 's/\\n1,[0-9]*,/\\n1,/' "makes no sense: it is no table"
check "what would begin a quoted field" lies 's/\\n1,/\\n\\"1,/' "makes no sense: it is no table"
check "no rows" lies 's/"rows"/"lines"/' "makes no sense: a dump without columns and rows"
check "none of them leaves a file" test ! -e lie.csv

finish
