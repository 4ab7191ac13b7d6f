#!/bin/bash
# test: fast
# gpubench scaling: times that follow the model are expected and projected as they are, with the factor where they are off by one;
# speed-up and efficiency beside one GPU; what crosses the links; what is said where something is missing; the figures.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
fixture=$root/tests/fixtures/radix-sort-multi-fixture.csv
cd "$scratch" || exit 1
mkdir -p share/plots
cp "$root"/plots/common.gp "$root"/plots/scaling.gp share/plots/
export GPUBENCH_SHARE=$scratch/share
# 4 or 8 bytes an item cross for sorts, borders of 4 * x bytes with 3 rounds for grids, 1000 bytes a GPU for lists.
cat >share/plots/scaling.json <<'END'
{"schema": 1, "primitives": [
  {"name": "sort", "size": "n", "links": [{"where": "key=narrow", "bytes": "4", "of": "items"}, {"where": "key=wide", "bytes": "8", "of": "items"}]},
  {"name": "grid", "size": "n", "rounds": "3", "alone": "base", "pairs": [{"variant": "deep", "alone": "deep-base"}],
   "links": [{"bytes": "4 * x", "of": "border"}]},
  {"name": "list", "size": "n", "links": [{"bytes": "1000", "of": "gpus"}]}]}
END

# rows FILE PRIMITIVE AXES: of standard input, VARIANT GPUS VALUES ITEMS SECONDS a line; 0.1 % either way; the links pass 1e9
# bytes/s both ways together in 10 us (links=: what the meta file has instead).
rows()
{
    local name
    name=$(basename "$1" .csv)
    awk -v primitive="$2" -v axes="$3" -v name="$name" -v backend="${backend:-cuda}" 'BEGIN {
        print "schema,run_id,experiment,primitive,variant,backend,device,gpus," axes ",cache,scope,status,reason,samples,unit,items,time_mean_s," \
            "time_ci95_lo_s,time_ci95_hi_s,rate,rate_ci95_lo,rate_ci95_hi,limit_kind,limit_rate,flags" }
        { t = $5; printf "1,run,%s,%s,%s,%s,device A,%s,%s,warm,device,ok,,30,items,%s,%.12g,%.12g,%.12g,%.12g,%.12g,%.12g,bandwidth,%.12g,\n", name, primitive, \
            $1, backend, $2, $3, $4, t, t * 0.999, t * 1.001, $4 / t, $4 / t / 1.001, $4 / t / 0.999, 1e9 * $2 }' >"$1"
    echo "{\"schema\": 1, \"links\": ${links:-$measured_links}}" >"${1%.csv}.meta.json"
}
measured_links='{"pairs": [{"from": 0, "to": 1, "both_bytes_per_s": 1.2e9, "store_s": 1e-5}, {"from": 1, "to": 0, "both_bytes_per_s": 1e9, "store_s": 8e-6, "copy_s": 1}]}'
found() { "$gpubench" scaling "$@" --format csv >found.csv 2>found.err || { cat found.err; return 1; }; }
# field NAME VARIANT GPUS [POINT]: of the row
field()
{
    awk -F, -v name="$1" -v variant="$2" -v gpus="$3" -v point="${4:-}" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["variant"] == variant && $c["gpus"] == gpus && index($c["point"], point) { print $c[name] }' found.csv
}
# is VALUE NUMBER: to a part in a million
is() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(a != "" && (d < 0 ? -d : d) <= 1e-6 * (b < 0 ? -b : b) + 1e-12) }' || { echo "$1 is not $2"; return 1; }; }
# said NAME VARIANT GPUS NUMBER [POINT]
said() { is "$(field "$1" "$2" "$3" "${5:-}")" "$4"; }

# Strong: 1e6 items take 1 ms on one GPU and 0.52 ms on half of them; 8 bytes each cross, half of a GPU's half in 2 GPUs:
# 2e6 bytes at 5e8 bytes/s are 4 ms. `exact` follows the model; `slow` takes 1.5 times as long at 2 and at 4.
exact2=$(awk 'BEGIN { printf "%.9g", 0.52e-3 + 1e-5 + 4e-3 }')
exact4=$(awk 'BEGIN { printf "%.9g", 0.25e-3 + 2e-5 + 8e6 / 4 * 3 / 4 / 5e8 }')
times() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.9g", a * b }'; }
rows sort.csv sort n,key,scaling <<END
single 1 1000000,wide,strong 1e6 0.8e-3
exact 1 1000000,wide,strong 1e6 1e-3
exact 1 500000,wide,strong 5e5 0.52e-3
exact 2 1000000,wide,strong 1e6 $exact2
exact 4 1000000,wide,strong 1e6 $exact4
slow 1 1000000,wide,strong 1e6 1e-3
slow 1 500000,wide,strong 5e5 0.52e-3
slow 2 1000000,wide,strong 1e6 $(times "$exact2" 1.5)
single 1 1000000,narrow,weak 1e6 0.8e-3
exact 1 1000000,narrow,weak 1e6 1e-3
exact 2 1000000,narrow,weak 2e6 5.01e-3
odd 1 1000000,other,weak 1e6 1e-3
odd 2 1000000,other,weak 2e6 1e-3
lost 2 1000000,wide,strong 1e6 1e-3
END
check "a variant a point, over GPUs" found sort.csv
check "what follows the model is expected" said expected_over_measured exact 2 1 wide
check "... with weak scaling, half of the bytes" said expected_over_measured exact 2 1 narrow
check "... at 4 GPUs by those before" said expected_s exact 4 "$exact4" wide
check "the work is that of one GPU on its share, measured where it was" said work_s exact 2 0.52e-3 wide
check "... else a part of the whole" said work_s exact 4 0.25e-3 wide
check "... the same where it grows with the GPUs" said work_s exact 2 1e-3 narrow
check "links are those of the worst pair" said link_s exact 2 4e-3 wide
check "waiting grows with the logarithm" said wait_s exact 8 3e-5 wide
check "more GPUs are projected" test "$(field kind exact 8 wide),$(field kind exact 4 wide),$(field kind slow 4)" = projected,measured,projected
check "... by the model" said time_s exact 64 "$(awk 'BEGIN { printf "%.9g", 1e-3 / 64 + 6e-5 + 8e6 / 64 * 63 / 64 / 5e8 }')" wide
check "... with the factor that it was off by" said time_s slow 4 "$(times "$exact4" 1.5)"
check "... and as far either way" said time_lo_s slow 4 "$(times "$exact4" 0.999)"
check "... wider by the interval" said time_hi_s slow 4 "$(times "$exact4" 2.25225)"
check "... or what was lacking is the same for any number" said time_hi_s slow 64 \
    "$(awk -v t="$exact2" 'BEGIN { printf "%.9g", 1.001 * (1e-3 / 64 + 6e-5 + 8e6 / 64 * 63 / 64 / 5e8 + 0.5 * t) }')"
check "what was measured has its interval" said time_lo_s exact 2 "$(times "$exact2" 0.999)" wide
check "what is no work" said not_work_share exact 2 "$(awk -v t="$exact2" 'BEGIN { printf "%.9g", 1 - 0.52e-3 / t }')" wide
check "speed-up beside one GPU" said speedup exact 2 "$(awk -v t="$exact2" 'BEGIN { printf "%.9g", 0.8e-3 / t }')" wide
check "... of all that they have" said speedup exact 2 "$(awk 'BEGIN { printf "%.9g", 1.6 / 5.01 }')" narrow
check "efficiency is a GPU's part" said efficiency exact 2 "$(awk 'BEGIN { printf "%.9g", 0.8 / 5.01 }')" narrow
in_interval() { awk -v v="$(field efficiency exact 2 narrow)" -v lo="$(field efficiency_lo exact 2 narrow)" -v hi="$(field efficiency_hi exact 2 narrow)" \
    'BEGIN { exit !(lo > 0 && lo > 0.995 * v && lo < 0.9995 * v && hi > 1.0005 * v && hi < 1.005 * v) }'; }
check "... with its interval" in_interval
check "the limit is what takes longer" test "$(field limit_kind exact 2 wide),$(field limit_kind exact 1 wide)" = links,memory
check "... links" said efficiency_limit exact 2 "$(awk 'BEGIN { printf "%.9g", 0.8e-3 / 4e-3 / 2 }')" wide
check "... memory" said efficiency_limit exact 1 0.8 wide
check "one GPU alone is no series" test "$(grep -c ',single,' found.csv)" = "$(grep -c ',single,[0-9.e-]*,' found.csv)"
check "a point that nobody says the bytes of is not projected" test "$(field kind odd 4)$(field kind odd 2)" = measured
check "... and says why" prints "does not say what crosses the links" "$gpubench" scaling sort.csv
check "text marks what is projected" grep -qE '^ +8 +projected +' "$scratch/out"
check "... and in brackets its ends" grep -qE 'projected +[0-9.]+ \([0-9.]+ to [0-9.]+\)' "$scratch/out"
check "... with how far off it was" grep -qE '^ +2 +measured +6\.79 +4\.53 +-33 ' "$scratch/out"
check "Markdown" prints "| variant | point | GPUs |" "$gpubench" scaling sort.csv --format markdown
check "JSON" prints '"experimental":	true' "$gpubench" scaling sort.csv --format json
check "... says kind" grep -q '"kind":	"projected"' "$scratch/out"
check "rows that are hidden are projected" found sort.csv --gpus 1,2 --variant exact
check "... so that both can be compared" said time_s exact 4 "$exact4" wide
check "... others are not there" test "$(grep -c ',slow,' found.csv)" = 0
check "of one GPU alone" found sort.csv --gpus 1,2 --variant lost --n 1M
check "... of what does it alone, where the variant was not measured so" said work_s lost 2 0.4e-3
check "other numbers of GPUs" found sort.csv --onto 16 --variant slow
check "... no others" test "$(cut -d, -f9 found.csv | tail -n +2 | paste -sd,)" = 1,2,16
check "numbers of the user's" found sort.csv --alpha 0 --beta 1e12 --variant slow
check "... count" said link_s slow 2 2e-6
check "... of nothing" said wait_s slow 2 0

# ---- other kinds of crossing -------------------------------------------------------------------------------------------

rows grid.csv grid n,x,scaling <<END
base 1 1000,100000,strong 1e8 1
deep-base 1 1000,100000,strong 1e8 0.5
step 1 1000,100000,strong 1e8 1
step 2 1000,100000,strong 1e8 0.6
deep 2 1000,100000,strong 1e8 0.3
END
check "borders" found grid.csv
check "... one of two GPUs" said link_s step 2 8e-4
check "... two of more" said link_s step 4 1.6e-3
check "... and rounds with neighbours" said wait_s step 64 3e-5
check "a variant is held against its own" test "$(field alone step 2),$(field alone deep 2)" = base,deep-base
check "... speed-up" said speedup deep 2 "$(awk 'BEGIN { printf "%.9g", 0.5 / 0.3 }')"
rows list.csv list n,scaling <<END
single 1 1000,strong 1e3 1e-3
peers 1 1000,strong 1e3 1e-3
peers 2 1000,strong 1e3 6e-4
END
check "what all get of each" found list.csv
check "... of the others" said link_s peers 8 1.4e-5

# ---- what is missing ---------------------------------------------------------------------------------------------------

links='{"gpus": 2}' rows nolinks.csv list n,scaling <<END
single 1 1000,strong 1e3 1e-3
peers 1 1000,strong 1e3 1e-3
peers 2 1000,strong 1e3 6e-4
END
check "links that nobody measured" prints "Not projected: 1 of 1 series are of runs whose meta files" "$gpubench" scaling nolinks.csv
check "... nothing is projected" hides "projected   "
check "... what was measured is there" grep -qE '^ +2 +measured +0\.600 +17 +1\.667 ' "$scratch/out"
check "... as for programs" found nolinks.csv
check "... which are told" test "$(wc -l <found.csv),$(field lacks peers 2 | cut -c1-22)" = "3,are of runs whose meta"
check "... or the user" found nolinks.csv --alpha 1e-5 --beta 5e8
check "... is believed" said link_s peers 8 1.4e-5
rows first.csv list n,scaling <<END
single 1 1000,strong 1e3 1e-3
END
check "one GPU alone" refuses "hold no time of several GPUs that work together" "$gpubench" scaling first.csv
backend=simt rows simt.csv list n,scaling <<END
peers 2 1000,strong 1e3 1e-3
END
check "the CPU" refuses "hold no time of several GPUs that work together" "$gpubench" scaling simt.csv
rows other.csv other n,scaling <<END
peers 2 1000,strong 1e3 1e-3
END
check "a primitive of which nothing is said" refuses "plots/scaling.json says nothing of other" "$gpubench" scaling other.csv
check "no results" refuses "name result files or folders of runs on several GPUs" "$gpubench" scaling
check "no such axis" refuses "--nn is no option, and the results have no axis of that name" "$gpubench" scaling sort.csv --nn 1
for onto in 1 2,x "4," 99999 2.5; do check "numbers of GPUs: $onto" refuses "numbers of GPUs from 2 to 65536 are allowed" "$gpubench" scaling sort.csv --onto "$onto"; done
check "no number" refuses "--beta many: a number from 0 up is allowed" "$gpubench" scaling sort.csv --beta many
cp share/plots/scaling.json right.json
while IFS='|' read -r text from to; do
    sed "s/$from/$to/" right.json >share/plots/scaling.json
    check "scaling.json: $text" refuses "$text" "$gpubench" scaling grid.csv
done <<'END'
"of" is items, border or gpus|border|borders
"bytes" is missing|"bytes": "4 \* x", |
found "y" at character 5, which is no axis|4 \* x|4 * y
"size" is missing|"size": "n", |
unknown key "rounding"|rounds|rounding
END
cp right.json share/plots/scaling.json

# ---- figures -----------------------------------------------------------------------------------------------------------

if command -v gnuplot >/dev/null; then
    check "a figure" "$gpubench" scaling sort.csv --key wide --variant exact,slow --plot figure.svg
    check "... says that it is projected" grep -qF ">projected: open, dashed<" figure.svg
    check "... and that nobody measured it" grep -qF "which nobody measured" figure.svg
    check "... and what memory and links allow" grep -qF ">what memory and links allow<" figure.svg
    check "more than one experiment" refuses "--plot draws one experiment, and there are more: --experiment sort chooses" \
        "$gpubench" scaling sort.csv grid.csv --plot figure.svg
    for n in 1 2 3 4 5 6 7; do echo "single 1 $n,strong 1e3 1e-3"; echo "peers 2 $n,strong 1e3 6e-4"; done | rows many.csv list n,scaling
    check "more points than panels" refuses "--plot would take a panel for each of 7 points" "$gpubench" scaling many.csv --plot figure.svg
    check "nothing to hold against" refuses "there is nothing to draw" "$gpubench" scaling sort.csv --variant odd --plot figure.svg
    # Of what comes along: each primitive's figure, of what was measured alone.
    unset GPUBENCH_SHARE
    check "efficiency as other figures" prints "radix-sort-multi-efficiency.svg" "$gpubench" plot "$fixture" --out plain --keep-data
    efficient() { [ "$(awk '!/^#/ { print $1, substr($8, 1, 5) }' plain/radix-sort-multi-efficiency.data/series-2.dat | paste -sd' ')" = "1 0.892 2 0.727 4 0.652" ]; }
    check "... a GPU's part of the speed-up" efficient
    check "... with intervals" grep -qF "Error bars" plain/radix-sort-multi-efficiency.svg
    check "... strong and weak" sh -c "grep -qF '>scaling = strong<' plain/radix-sort-multi-efficiency.svg && grep -qF '>scaling = weak<' plain/radix-sort-multi-efficiency.svg"
    check "... and projects nothing" sh -c "! grep -q projected plain/radix-sort-multi-efficiency.svg"
    grep -E ',[12],[0-9]+,|^schema' "$fixture" >two.csv
    check "of two numbers of GPUs bars" "$gpubench" plot two.csv --out bars --keep-data
    check "..." grep -qx "gb_few = 1" bars/radix-sort-multi-efficiency.data/data.gp
    check "with what comes along" "$gpubench" scaling "$fixture" --n 512Mi --plot fixture.pdf
else
    skip "figures" "gnuplot is not installed"
fi
finish
