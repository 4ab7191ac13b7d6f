# From result files: how the fastest of ours stands against the fastest of others at a few points, as Markdown.
# Usage: awk -f scripts/standings.awk POINTS RESULTS...
#
# A line of POINTS: WHAT|EXPERIMENT|AXIS=VALUE;...|OURS,...|OTHERS,... (cold rows, device scope). Of several
# variants the one with the highest rate is taken. A point that was not measured is left out.
function cut(line,    i, c, field, quoted)
{
    count = 0
    for (i = 1; i <= length(line) + 1; i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (i > length(line) || (c == "," && !quoted)) { value[++count] = field; field = "" }
        else field = field c
    }
}
# The best rate of a list of variants at a point; the variant in `which`.
function best(point, list,    names, n, i, rate)
{
    rate = 0
    n = split(list, names, ",")
    for (i = 1; i <= n; i++)
        if (rates[point, names[i]] > rate) { rate = rates[point, names[i]]; which = names[i] }
    return rate
}
# Three digits.
function digits(x) { return x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : sprintf("%.2f", x) }
BEGIN { FS = "|" }
NR == FNR { if (NF == 5 && $0 !~ /^#/) { what[++points] = $1; of[points] = $2; at[points] = $3; ours[points] = $4; others[points] = $5 }; next }
FNR == 1 { cut($0); columns = count; for (i = 1; i <= count; i++) name[i] = value[i]; next }
{
    cut($0)
    for (i = 1; i <= columns; i++) field_of[name[i]] = value[i]
    if (field_of["cache"] != "cold" && field_of["experiment"] != "stencil-modern") next
    if (field_of["status"] != "ok" || field_of["scope"] != "device") next
    for (p = 1; p <= points; p++) {
        if (of[p] != field_of["experiment"]) continue
        n = split(at[p], terms, ";"); fits = 1
        for (t = 1; t <= n; t++) { split(terms[t], side, "="); if (field_of[side[1]] != side[2]) fits = 0 }
        if (fits && field_of["rate"] > rates[p, field_of["variant"]]) rates[p, field_of["variant"]] = field_of["rate"]
    }
}
END {
    print "| what | ours | 10⁹/s | best of others | 10⁹/s | ratio |"
    print "|---|---|---:|---|---:|---:|"
    for (p = 1; p <= points; p++) {
        mine = best(p, ours[p]); mine_is = which
        theirs = best(p, others[p])
        if (mine > 0 && theirs > 0)
            printf "| %s | %s | %s | %s | %s | %.2f |\n", what[p], mine_is, digits(mine / 1e9), which, digits(theirs / 1e9), mine / theirs
    }
}
