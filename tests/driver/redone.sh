#!/bin/bash
# test: long 10
# A run that does its work anew is flagged: on the simt device keys draw in order by default, and under a
# random schedule they do not.
. "$(dirname "$0")/../harness/lib.sh"
cat >"$scratch/anew.json" <<'EOF'
{ "schema": 1, "name": "anew", "title": "Done anew", "primitive": "multipartition",
  "variants": ["unstable", "unstable-counted", "stable", "stable-drawn", "stable-drawn-two-pass"],
  "baseline": "stable", "points": [{ "n": 20000, "bins": 300 }], "measure": { "samples": 1, "warmup": 0 } }
EOF
# run FOLDER [SETTING...]
run()
{
    local folder=$1
    shift
    env "$@" "$BUILD/gpubench" run "$scratch/anew.json" --device simt --out "$folder" >"$folder.out" 2>&1
}
# anew FOLDER: the variants whose rows are flagged so
anew()
{
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["flags"] ~ /redone/ { printf "%s ", $at["variant"] }' "$1/anew.csv"
}
marked() { "$BUILD/gpubench" table "$1/anew.csv" >"$1.table" && grep -q 'done anew (redone)' "$1.table"; }

check "runs in order" run "$scratch/plain"
check "nothing is done anew" test "$(anew "$scratch/plain")" = ""
check "and nobody is warned" bash -c "! grep -q 'done anew' '$scratch/plain.out'"
sed 's/"anew"/"anew_skewed"/; s/"n": 20000, "bins": 300/"n": 65537, "bins": 300, "dist": "zipf" }, {\
  "n": 65537, "bins": 400, "dist": "reversed" }, { "n": 65537, "bins": 100, "dist": "sorted"/' "$scratch/anew.json" \
    >"$scratch/skewed.json"
check "runs with skewed keys" "$BUILD/gpubench" run "$scratch/skewed.json" --device simt --out "$scratch/skewed"
check "no crowd is drawn anew" bash -c "! grep redone '$scratch/skewed/anew_skewed.csv'"

check "runs in a random order" run "$scratch/random" SIMT_POLICY=random SIMT_SEED=3
check "what draws in turn is done anew" test "$(anew "$scratch/random")" = "stable-drawn stable-drawn-two-pass "
check "that is said" grep -q 'warning: 2 of 5 rows were done anew' "$scratch/random.out"
check "the table says so, too" marked "$scratch/random"
finish
