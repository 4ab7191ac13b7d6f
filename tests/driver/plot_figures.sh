#!/bin/bash
# test: long 20
# Every figure of the results that come along, as a paper could print it: axes with labels, few series that
# are told apart without colour, no point drawn as a line, a foot that says what is drawn. What the tests of
# this notice is tried on spoilt scripts.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
gpubench=$BUILD/gpubench
if ! gnuplot=$(command -v gnuplot); then
    skip "figures" "gnuplot is not installed"
    finish
    exit
fi
cd "$scratch" || exit 1

# gnuplot, which afterwards writes down what it was told of each figure.
mkdir bin
cat >bin/gnuplot <<EOF
#!/bin/sh
ask=\$(mktemp -p "$scratch")
figure=\$(sed -n 's/^gb_output = "\(.*\)"\$/\1/p' "\${4%/*}/data.gp")
cat >"\$ask" <<END
call "\$3" "\$4"
set print "$scratch/told" append
gb_shapes = ""
do for [gb_k=1:gb_keys] { gb_shapes = gb_shapes . sprintf(" %d:%s", gb_key_type[gb_k], gb_key_shape[gb_k]) }
gb_texts = ""
if (!gb_own_key && gb_shape ne "box") { do for [gb_k=1:gb_keys] { gb_texts = gb_texts . gb_key_text[gb_k] . ";" } }
print "\$figure|" . gb_xlabel . "|" . gb_ylabel . "|" . gb_bars . "|" . gb_plot . " " . gb_each . "|" . gb_keys . "|" . gb_shapes . "|" . gb_texts
END
exec "$gnuplot" -d "\$ask"
EOF
chmod +x bin/gnuplot

# draw SHARE OUT ARGUMENT...: the figures as SVG, with their data.
draw()
{
    local share=$1 out=$2
    shift 2
    PATH=$scratch/bin:$PATH GPUBENCH_SHARE=$share "$gpubench" plot "$@" --format svg --keep-data --out "$out" 2>&1
}

# told FIGURE N: field N of what gnuplot was told of it last.
told() { awk -F'|' -v figure="$1.svg" -v n="$2" '{ name = $1; sub(/.*\//, "", name) } name == figure { text = $n } END { print text }' told; }
# value FIGURE NAME: of a variable in its data, without quotes.
value() { sed -n "s/^$2 = //p" "$1.data/data.gp" | tr -d '"'; }
# holds FIGURE TEXT: its picture does.
holds() { grep -qF -- "$2" "$1.svg"; }

# In the folder of the figures, of each by name: what is wrong with it, or nothing.
axes()
{
    local x y
    x=$(told "$1" 2) y=$(told "$1" 3)
    # Labels may be broken into lines: their first words do.
    [ -n "$x" ] && holds "$1" "${x%% *}" || echo "x has no label"
    # Bars that lie have their names beside them.
    { [ -n "$y" ] && holds "$1" "${y%% *}"; } || [[ $(told "$1" 5) == *boxxyerror* ]] || echo "y has no label"
}
crowd()
{
    local count
    count=$(sed -n 's/^gb_style\[.*= //p' "$1.data/data.gp" | sort -u | wc -l)
    [ "$count" -le 7 ] || [ -n "$(value "$1" gb_many)" ] || echo "$count series, and no reason"
}
styles()
{
    awk -F' = ' '/^gb_label\[/ { split($1, at, /[][]/); label[at[2]] = $2 }
        /^gb_style\[/ { split($1, at, /[][]/)
            if (of[$2] != "" && of[$2] != label[at[2]]) print "style " $2 ": " of[$2] " and " label[at[2]]
            of[$2] = label[at[2]] }' "$1.data/data.gp"
}
panels()
{
    awk -F' = ' '/^gb_first\[/ { first = $2 } /^gb_last\[/ && $2 < first { print "a panel is empty" }' "$1.data/data.gp"
}
points()
{
    local number style
    while read -r number; do
        [ "$(value "$1" "gb_published\\[$number\\]")" = 1 ] || continue
        style=$(value "$1" "gb_style\\[$number\\]")
        [[ " $(told "$1" 7) " != *" $style:both "* && " $(told "$1" 7) " != *" $style:line "* ]] || echo "one value is a line"
        [ "$(grep -vc '^#' "$1.data/series-$number.dat")" = 1 ] || echo "one value has several points"
    done < <(sed -n 's/^gb_points\[\([0-9]*\)\] = 1$/\1/p' "$1.data/data.gp")
}
# Series without a column "depth", "kind" and the like have rate, its bounds, time, its bounds in columns 2 to 7, the
# speed-up in 8 and its bounds in 11 and 12.
bars()
{
    local drawn said=no interval=no
    drawn=$(told "$1" 4)
    ! holds "$1" "Error bars" || said=yes
    case $drawn in
    1) awk '!/^#/ && $3 != "?" && $3 < $4 { found = 1 } END { exit !found }' "$1".data/series-*.dat && interval=yes ;;
    2) awk '!/^#/ && $6 != "?" && $6 < $7 { found = 1 } END { exit !found }' "$1".data/series-*.dat && interval=yes ;;
    3) awk '!/^#/ && $11 != "?" && $11 < $8 && $8 < $12 { found = 1 } END { exit !found }' "$1".data/series-*.dat && interval=yes ;;
    esac
    [ "$said" = "$interval" ] || echo "error bars: said $said, there $interval"
    case $drawn:$(told "$1" 5) in
    0:*errorlines* | 0:*errorbars*) echo "draws error bars of which its foot says nothing" ;;
    0:* | [123]:*errorlines* | [123]:*errorbars*) ;;
    *) echo "says that it draws error bars" ;;
    esac
    [ "$drawn" = 3 ] || ! grep -q '^[^#?]* [0-9.e+-]* [01] [^ ]* [0-9]' "$1".data/series-*.dat || echo "speed-ups without their intervals"
}
texts()
{
    ! grep -qE '>[^<]*[0-9] ?us<' "$1.svg" || echo "us for µs"
    ! grep -qE '>[^<]*(file:|build/)[^<]*<' "$1.svg" || echo "a path"
    [ -z "$(value "$1" gb_assumed)" ] || holds "$1" "Assumed" || echo "assumes in silence"
}

# Each variant that was measured is one that the script draws or leaves out with a reason.
listed() { [ -z "$(value "$1" gb_unlisted)" ] || echo "its script says nothing of $(value "$1" gb_unlisted)"; }
# Fewer than three values of x are bars, or points where some are far above others.
frames()
{
    local plot panel first last
    plot=$(told "$1" 5)
    [[ $plot != *boxerrorbars* && $plot != *boxxyerror* && $plot != *boxes* ]] || return 0
    [ "$(value "$1" gb_few)" != 1 ] || [[ $plot == *yerrorbars* ]] || echo "few values of x, and no bars"
    [ "$(value "$1" gb_few)" = 0 ] && [ "$(value "$1" gb_x_is_named)" = 0 ] || return 0
    while read -r panel first last; do
        # shellcheck disable=SC2016 # it is awk that expands it
        seq "$first" "$last" | sed "s|.*|$1.data/series-&.dat|" | xargs awk '!/^#/ && !seen[$1]++ { n++ } END { exit n < 3 }' ||
            echo "panel $panel has fewer than three values of x"
    done < <(awk -F' = ' '/^gb_first\[/ { first = $2 } /^gb_last\[/ { print ++n, first, $2 }' "$1.data/data.gp")
}
# Curves that others cover have something broad behind them; what is missing among bars says why; where sizes of
# two kinds meet there is a line that names them.
seen()
{
    local plot word
    plot=$(told "$1" 5)
    [[ $(value "$1" gb_most_under) != [1-9]* || $plot == *gb_halo* || $plot == *gb_broad* ]] ||
        [[ $plot == *boxxyerror* || $plot == *boxerrorbars* || $plot == *gb_at_slot* ]] || echo "a curve may be hidden"
    [[ $(value "$1" gb_jumps) != [1-9]* ]] || holds "$1" "Upright lines: from " || echo "a jump from tens to powers of two is not marked"
    [[ $plot == *boxerrorbars* || $plot == *boxxyerror* ]] || return 0
    cat "$1".data/missing-*.dat 2>/dev/null | sed -n 's/^[^#].* "\(.*\)"$/\1/p' | sort -u | while read -r word; do
        holds "$1" ">$word" || echo "a bar is missing and nothing says: $word"
    done
}
# Limits, levels and what others are held against are in the key.
dashed()
{
    local type
    for type in $(told "$1" 5 | grep -oE 'lt 3[12]\b' | cut -d' ' -f2 | sort -u) \
        $(awk -F' = ' '/^gb_style\[/ { style = $2 } /^gb_level\[/ && $2 > 0 { print style }' "$1.data/data.gp" | sort -u); do
        [[ " $(told "$1" 7) " == *" $type:line "* ]] || echo "line type $type is not in the key"
    done
}
# In a panel no two series look alike, and they are one device's or each device has colours of its own.
devices()
{
    [[ $(told "$1" 5) == *gb_group* ]] || awk -F' = ' '/^gb_first\[/ { delete of; devices = "" }
        /^gb_device\[/ { device = $2 } /^gb_style\[/ { style = $2 }
        /^gb_published\[/ { if (of[style]++) print "style " style " twice in a panel"
            if ($2 == 0 && devices != "" && devices != device) mixed = 1
            if ($2 == 0) { devices = device; drawn[style]++ } }
        END { n = 0; for (style in drawn) n++
            if (mixed && n > 7) print "devices side by side in one panel, with " n " styles" }' "$1.data/data.gp"
    [ "$(told "$1" 6)" -le 9 ] || echo "$(told "$1" 6) entries in the key"
}
# From the top of the key as from the top of the panel that has most curves, at their right ends.
order()
{
    local column=2 data=$1.data from to text number
    [ -n "$(told "$1" 8)" ] && ! grep -q l1_hit_rate "$data/series-1.dat" || return 0
    [ "$(told "$1" 4)" != 2 ] || column=5
    [ "$(value "$1" gb_is_speedup)" != 1 ] || column=8
    read -r from to < <(awk -F' = ' '/^gb_first\[/ { first = $2 } /^gb_last\[/ && $2 - first > most { most = $2 - first; from = first; to = $2 }
        END { print from + 0, to + 0 }' "$data/data.gp")
    told "$1" 8 | tr ';' '\n' | while read -r text; do
        number=$(sed -n "s/^gb_label\[\([0-9]*\)\] = \"\(.*\)\"\$/\1 \2/p" "$data/data.gp" |
            awk -v from="$from" -v to="$to" -v text="$text" '$1 >= from && $1 <= to && substr($0, length($1) + 2) == text { print $1; exit }')
        [ -z "$number" ] || tail -n 1 "$data/series-$number.dat" | cut -d' ' -f$column
    done | awk 'NR > 1 && $1 > last * 1.00001 { bad = 1 } { last = $1 } END { if (bad) print "the key is in another order than the curves" }'
}
# all CHECK: of every figure drawn.
all()
{
    local figure problem=
    for figure in *.svg; do
        figure=${figure%.svg}
        problem=$("$1" "$figure")
        [ -z "$problem" ] || echo "$figure: $problem" | tee -a "$scratch/problems"
    done
    [ ! -s "$scratch/problems" ] || { rm "$scratch/problems"; return 1; }
}
# every CHECK: in the folder of all figures.
every() { (cd all && ln -sf ../told told && all "$1"); }

draws()
{
    draw "$root" all "$root/results/nvidia-h200" >out || { cat out; return 1; }
    draw "$root" all "$root/results/nvidia-h200/dump" >>out || { cat out; return 1; }
    draw "$root" all "$root/results/nvidia-h200/profile/stencil-caches-profile.csv" >>out || { cat out; return 1; }
    # Nothing but what was drawn and what was left out.
    ! grep -v -e "^gpubench plot: left out " -e '^all/' out
}
check "all figures" draws
drew_many() { [ "$(find all -name '*.svg' | wc -l)" -ge 50 ]; }
check "... are many" drew_many
check "both axes have labels" every axes
check "seven series at most, or a reason" every crowd
check "no style twice in a figure" every styles
check "no panel is empty" every panels
check "a paper's number about one point is a point" every points
check "error bars where the foot says so, and only there" every bars
check "units, names and assumptions in words" every texts
check "scripts know what was measured" every listed
check "fewer than three values of x are bars" every frames
check "hidden curves, gaps and jumps are seen" every seen
check "limits and levels are in the key" every dashed
check "the key is in the order of the curves" every order
titles() { (cd all && for figure in *.svg; do value "${figure%.svg}" gb_title; value "${figure%.svg}" gb_subtitle; done | paste - - | sort | uniq -d | grep . && exit 1 || exit 0); }
check "titles and what is below tell figures apart" titles

# ---- what scripts know -------------------------------------------------------------------------------

# unknown NAME...: the variants, PRIMITIVE/VARIANT, of which a script of their primitive says nothing.
unknown()
{
    local script only name lists leaves pattern
    for script in "$root"/plots/*-*.gp; do
        grep -q '^# gpubench: leaves' "$script" || continue
        only=$(sed -n 's/^# gpubench: primitive //p' "$script")
        lists=$(sed -n 's/^# gpubench: variant \([^[ ]*\).*/\1/p; s/^# gpubench: over \([^[ ]*\).*/\1/p' "$script" | tr ';\n' '  ')
        leaves=$(sed -n 's/^# gpubench: leaves \([^:]*\):.*/\1/p' "$script" | tr '\n' ' ')
        for name; do
            [[ ${script##*/} == "${name%/*}"-* && ${only:-${name%/*}} == "${name%/*}" && " $lists " != *" ${name#*/} "* ]] || continue
            set -f
            for pattern in $leaves; do
                # shellcheck disable=SC2053 # it is a pattern
                [[ ${name#*/} != $pattern ]] || continue 2
            done
            set +f
            echo "${script##*/} neither draws ${name#*/} nor leaves it out with a reason"
        done
    done
}
knows_all()
{
    local names
    mapfile -t names < <("$gpubench" list variants --device simt | awk 'NR > 1 { print $1 "/" $2 }')
    [ "${#names[@]}" -gt 60 ] && [ -z "$(unknown "${names[@]}" | tee /dev/stderr)" ]
}
check "every variant is drawn by each script of its primitive, or left out with a reason" knows_all
knows_new() { [ "$(unknown multipartition/unstable-new radix-sort/bitonic | wc -l)" -ge 8 ]; }
check "... which one that is added is not" knows_new
all_have_leaves()
{
    local script
    for script in "$root"/plots/*-*.gp; do
        grep -qE '^# gpubench: (leaves|dump) ' "$script" || { echo "$script"; return 1; }
    done
}
check "... of all scripts" all_have_leaves

# ---- several devices ---------------------------------------------------------------------------------

three()
{
    local device name
    for device in "NVIDIA H200" "NVIDIA B300" "AMD MI300X"; do
        mkdir -p "three/$device" || return 1
        for name in multipartition radix-sort stencil null; do
            sed "s/NVIDIA H200/$device/g" "$root/results/nvidia-h200/$name.csv" >"three/$device/$name.csv"
        done
    done
    draw "$root" devices three/* >out || { cat out; return 1; }
    ! grep -v -e "^gpubench plot: left out " -e '^devices/' out
}
check "three devices" three
of_three() { (cd devices && ln -sf ../told told && all "$1"); }
check "... are panels, or colours where there is one variant" of_three devices
check "... each variant alike in all of them" of_three styles
check "... hidden curves and gaps, too" of_three seen
check "... in the key's order" of_three order
of_each() { [ "$(value devices/multipartition-bins gb_panels)" = 3 ] && for name in H200 B300 "AMD MI300X"; do holds devices/multipartition-bins ">$name<" || return 1; done; }
check "... by their names" of_each
one_variant() { [ "$(value devices/multipartition-speedup gb_panels)" = 4 ] && [ "$(told multipartition-speedup 6)" = 5 ]; } # three, the paper, and as fast
check "... or in one panel" one_variant
ticks() { for number in 361 5000 12288; do holds all/multipartition-bins ">$number<" && holds all/multipartition-table1 ">$number<" || return 1; done; }
check "numbers of bins that the paper names are on the axis" ticks
dashes() { sed -nE 's/^set linetype +([0-9]+) lc rgb ("[^"]*").* dt (\([^)]*\)|[0-9]+) +pt ([0-9]+) .*/\1 \2 \3 \4/p' "$1"; }
# What two line types share: of 1 to 7 neither dashes nor shape, of all others not everything.
apart()
{
    dashes "$1/plots/common.gp" | awk '{ n++ }
        seen[$2 $3 $4]++ { print "line type " $1 " looks like another"; bad = 1 }
        $1 <= 7 && (dash[$3]++ || shape[$4]++) { print "line type " $1 " shares dashes or shape"; bad = 1 }
        END { if (n < 19) print "line types: " n; exit bad || n < 19 }'
}
check "line types are told apart without colour" apart "$root"
own() { ! grep -nE "set linetype +([1-9]|[1-4][0-9]) " "$root"/plots/*-*.gp; }
check "no figure changes them" own

# Of 64-bit keys there is no hybrid sort: the panel would be empty.
emptied()
{
    rm -rf spoilt && mkdir -p spoilt/results && cp -r "$root/plots" spoilt && ln -s "$root/results/published" spoilt/results &&
        spoil spoilt/plots/radix-sort-dists.gp '*' '# gpubench: variant onesweep' '# gpubench: leaves onesweep: tried' &&
        spoil spoilt/plots/radix-sort-dists.gp '*' '# gpubench: variant cub-radix-sort-latest CUB, latest' '# gpubench: leaves cub-radix-sort-latest: tried' &&
        draw "$scratch/spoilt" emptied "$root/results/nvidia-h200/radix-sort-modern.csv" --figure radix-sort-dists || return 1
    [ "$(cd emptied && panels radix-sort-modern-dists-all)" = "" ] && [ "$(value emptied/radix-sort-modern-dists-all gb_panels)" = 3 ] &&
        holds emptied/radix-sort-modern-dists-all "Not drawn, for nothing was measured there: u64."
}
check "a panel that would be empty is left out, and named" emptied

# ---- print -----------------------------------------------------------------------------------------

printed()
{
    GPUBENCH_SHARE=$root "$gpubench" plot "$root/results/nvidia-h200/multipartition.csv" --figure "$2" --paper-width "$1" --out "print" >out 2>&1
    cat out
    [ "$(cat out)" = "print/$2-$1.pdf" ] && grep -aq "^%PDF" "print/$2-$1.pdf"
}
check "a column of a paper: PDF" printed column multipartition-bins
check "the page of a paper" printed page multipartition-bins
inches() { grep -aoE "MediaBox \[ ?0 0 [0-9.]+" "print/multipartition-bins-$1.pdf" | awk -v least="$2" -v most="$3" '{ found = $NF >= least && $NF <= most } END { exit !found }'; }
check "3.33 inches wide" inches column 239 240
check "7 inches wide" inches page 503 505
svg_print()
{
    GPUBENCH_SHARE=$root "$gpubench" plot "$root/results/nvidia-h200/multipartition.csv" --figure multipartition-bins --paper column \
        --format svg,eps --out print >out 2>&1 || { cat out; return 1; }
    head -c 20 print/multipartition-bins-column.eps | grep -q "^%!PS" &&
        ! grep -q "Partitioning 32-bit" print/multipartition-bins-column.svg && grep -q ">12288<" print/multipartition-bins-column.svg
}
check "no title, which is the caption's; also as EPS and SVG, and by the option's former name" svg_print
# untitled FORMAT: no title is drawn on the screen, and what is below it is.
untitled()
{
    GPUBENCH_SHARE=$root "$gpubench" plot "$root/results/nvidia-h200/multipartition.csv" --figure multipartition-bins --no-title "$@" >out 2>&1 || return 1
    [ ! -e untitled/multipartition-bins.svg ] || cat untitled/multipartition-bins.svg >>out
    ! grep -q "Partitioning 32-bit" out && ! grep -q "NVIDIA H200" out && grep -q "10⁹ keys/s" out && grep -q "GPU multisplit" out
}
check "--no-title on the screen" untitled --format svg --out untitled
check "... and in characters" untitled --terminal
# least_text FOLDER: the smallest size of text in its EPS files, in points, of at least so many pieces of text.
least_text()
{
    awk 'NF == 7 && $7 == "Tm" { size = sqrt($1*$1 + $2*$2); if (!n++ || size < least) least = size }
        END { if (n >= 1000) print least }' "$1"/*.eps
}
readable()
{
    GPUBENCH_SHARE=$1 "$gpubench" plot "$root/results/nvidia-h200" --paper-width column --format eps --out "$2" >out 2>&1 || { cat out; return 1; }
    least_text "$2"
    awk -v least="$(least_text "$2")" 'BEGIN { exit !(least >= 7) }'
}
check "no text in a column is smaller than 7 pt" readable "$root" column
check "no such width" refuses "--paper-width narrow: a figure for print is as wide as a column or the page" "$gpubench" plot \
    "$root/results/nvidia-h200/null.csv" --paper-width narrow
check "... and how published numbers are named" warns "is named by --published"

# ---- what is noticed -------------------------------------------------------------------------------

# spoilt CHECK RESULTS FIGURE FILE OLD NEW (RESULTS: of results/nvidia-h200 or with a path): with OLD as NEW in a file of plots/, the check finds something in
# the figure, and without nothing.
spoilt()
{
    local share=$scratch/spoilt
    rm -rf "$share" one && mkdir -p "$share/results" one && cp -r "$root/plots" "$share" || return 1
    ln -s "$root/results/published" "$share/results" && spoil "$share/plots/$4" '*' "$5" "$6" || return 1
    draw "$share" one "$(cd "$root/results/nvidia-h200" && realpath "$2")" --figure "$3" || return 1
    (cd one && ln -sf ../told told && ! all "$1")
}
check "noticed: an axis without a label" spoilt axes radix-sort.csv radix-sort-rate radix-sort-rate.gp 'gb_ylabel = "10⁹ keys/s"' 'gb_ylabel = ""'
check "noticed: a label that is not drawn" spoilt axes radix-sort.csv radix-sort-rate common.gp 'set label 7 gb_wrapped(gb_ylabel' 'set label 7 gb_wrapped(""'
# What a script neither draws nor leaves out is drawn as far as there is room, and then named.
names_others()
{
    rm -rf spoilt && mkdir -p spoilt/results && cp -r "$root/plots" spoilt && ln -s "$root/results/published" spoilt/results &&
        spoil spoilt/plots/multipartition-unstable.gp '*' '# gpubench: leaves cpu* multisplit* cub-*' '# gpubench: leaves' &&
        spoil spoilt/plots/multipartition-unstable.gp '*' '# gpubench: variant multipartition Multipartition' \
            '# gpubench: leaves multipartition: makes room for one' &&
        draw "$scratch/spoilt" others "$root/results/nvidia-h200/multipartition-modern.csv" --figure multipartition-unstable || return 1
    [ "$(cd others && crowd multipartition-modern-unstable)" = "" ] && holds others/multipartition-modern-unstable ">cub-radix-sort<" &&
        [[ $(value others/multipartition-modern-unstable gb_note) = *"Measured, too, and without room here: cub-radix-sort-latest, cub-label-sort,"* ]] &&
        [ "$(cd others && listed multipartition-modern-unstable)" != "" ]
}
check "what a script does not know is drawn, or named at the foot" names_others
# Until the octrees as published are among the results, those made well stand in for them.
sed -e 's/,octreebuild-lf,/,octreebuild-lf-as-published,/' -e 's/,burtscher-pingali,/,burtscher-pingali-as-published,/' \
    "$root/results/nvidia-h200/octree.csv" >octree.csv
check "noticed: a number as a line" spoilt points "$scratch/octree.csv" octree-paper-speedup common.gp 'gb_points[gb_s] == 1 ? "point" : gb_shape' 'gb_shape'
check "noticed: error bars that nobody mentions" spoilt bars octree.csv octree-rate octree-rate.gp 'gb_bars = 1' 'gb_bars = 0'
check "noticed: speed-ups without intervals" spoilt bars octree.csv octree-speedup octree-speedup.gp 'gb_bars = 3' 'gb_bars = 0'
# shellcheck disable=SC2016 # $2 is a column of gnuplot
check "noticed: error bars that are not there" spoilt bars octree.csv octree-rate octree-rate.gp 'gb_curves(gb_rate_columns)' 'gb_curves("1:($2/1e9) with linespoints")'
notices_small()
{
    rm -rf spoilt && mkdir -p spoilt/results && cp -r "$root/plots" spoilt && ln -s "$root/results/published" spoilt/results &&
        spoil spoilt/plots/common.gp '*' 'gb_least_size = gb_printed ? 7.0' 'gb_least_size = gb_printed ? 6.9' &&
        ! readable "$scratch/spoilt" small && [[ $(least_text small) = 6.9* ]]
}
check "noticed: text of 6.9 pt" notices_small
check "noticed: a variant that a script does not know" spoilt listed multipartition-modern.csv multipartition-unstable multipartition-unstable.gp \
    '# gpubench: leaves cpu* multisplit* cub-*' '# gpubench: leaves cpu* cub-*'
check "noticed: a key in another order" spoilt order multipartition-modern.csv multipartition-bins common.gp 'gb_put_before(k) = gb_key_value[k] > gb_key_value[k-1]' \
    'gb_put_before(k) = 0'
check "noticed: a hidden curve" spoilt seen multipartition-modern.csv multipartition-unstable common.gp 'gb_halos(a, b, x, y) = gb_most_under == 0' 'gb_halos(a, b, x, y) = 1'
check "noticed: a gap that nobody explains" spoilt seen radix-sort-modern.csv radix-sort-dists common.gp 'gb_with_gaps(place) = gb_any_missing eq ""' \
    'gb_with_gaps(place) = 1'
check "noticed: a jump between sizes" spoilt seen octree-modern.csv octree-rate common.gp '(gb_jumps ?' '(0 ?'
check "noticed: a line that is not in the key" spoilt dashed stencil-modern.csv stencil-variants stencil-variants.gp 'gb_keys = gb_copied' 'gb_keys = 0'
check "noticed: us" spoilt texts dynamic-array.csv dynamic-array-paper dynamic-array-paper.gp 'gb_plot =' 'set ytics ("10 us" 10); gb_plot ='
check "noticed: an assumption left out" spoilt texts dynamic-array.csv dynamic-array-paper common.gp '"Assumed: "' '""'
notices_types()
{
    rm -rf spoilt && mkdir -p spoilt/plots && cp "$root/plots/common.gp" spoilt/plots &&
        spoil spoilt/plots/common.gp '*' 'dt (2,3)            pt 11' 'dt 1                pt 11' && ! apart spoilt
}
check "noticed: two line types with the same dashes" notices_types
finish
