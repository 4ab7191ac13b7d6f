#!/bin/bash
# How many lines of bench/ and common/ (and, on the simt device, of kernels/) the tests run, from a
# build with --coverage. Fails below 90 % of a folder, or when a line is neither run nor explained
# in tests/delivery/uncovered.txt.
# Usage: scripts/coverage.sh BUILD   (what `make coverage` built and whose tests it has run)
set -u
cd "$(dirname "$0")/.." || exit 1
build=$1 least=90
report=$build/coverage.txt

gcovr --root . --object-directory "$build" --filter 'bench/' --filter 'common/' --filter 'kernels/' \
    --gcov-ignore-parse-errors --txt "$report" --html-details "$build/coverage.html" "$build" || exit 1

# One line a file: NAME LINES RUN MISSING, the latter "1-3,7" or "-". gcovr gives long names a line of
# their own.
files()
{
    awk '/^ *(File|Directory|GCC|-|TOTAL)/ { next }
        NF == 1 { name = $1; next }
        { at = $1 ~ /^[0-9]+$/ ? 1 : 2
          if (at == 2) name = $1
          print name, $at, $(at + 1), $(at + 3) ? $(at + 3) : "-" }' "$report"
}

# One line a range of lines that were not run: FILE FIRST LAST.
ranges()
{
    files | awk '$4 != "-" { n = split($4, parts, ",")
        for (i = 1; i <= n; i++) {
            split(parts[i], ends, "-")
            print $1, ends[1], ends[2] ? ends[2] : ends[1]
        } }'
}

folders()
{
    files | awk '{ split($1, parts, "/"); lines[parts[1]] += $2; run[parts[1]] += $3 }
        END { for (f in lines) printf "%-8s %6d lines, %6d run, %5.1f %%\n", f, lines[f], run[f],
                                      100 * run[f] / lines[f] }' | sort
}

# explain: reads ranges; "FILE:FIRST-LAST reason" or "FILE:FIRST-LAST ?" and the lines themselves.
explain()
{
    awk -v reasons=tests/delivery/uncovered.txt '
        BEGIN {
            while ((getline line < reasons) > 0) {
                if (line ~ /^#/ || line !~ /\|/) continue
                split(line, parts, " *[|] *")
                count++
                file[count] = parts[1]; text[count] = parts[2]; why[count] = parts[3]
            }
        }
        {
            source = ""
            for (i = 0; i < held; i++) delete lines[i]
            held = 0
            n = 0
            while ((getline line < $1) > 0)
                if (++n >= $2 && n <= $3) { lines[held++] = line; source = source line "\n" }
            close($1)
            reason = ""
            for (i = 1; i <= count && reason == ""; i++)
                if ($1 ~ "^" file[i] && (text[i] == "" || index(source, text[i]))) {
                    reason = why[i]; used[i]++
                }
            if (reason != "") { explained[reason] += held; next }
            unexplained += held
            printf "%s:%d-%d\n", $1, $2, $3
            for (i = 0; i < held; i++) print "    " lines[i]
        }
        END {
            print ""
            for (reason in explained) printf "%5d lines  %s\n", explained[reason], reason | "sort -rn"
            close("sort -rn")
            for (i = 1; i <= count; i++)
                if (!used[i]) print "no line needs this explanation any more: " file[i] " | " text[i]
            printf "%5d lines  without an explanation in tests/delivery/uncovered.txt\n", unexplained
            exit unexplained > 0
        }'
}

status=0
ranges | grep -v '^kernels/' | explain || status=1
folders
if ! folders | awk -v least=$least '$1 != "kernels" && $6 < least { bad = 1 } END { exit bad }'; then
    echo "less than $least % of a folder is run by the tests"
    status=1
fi
echo "line by line: $build/coverage.html"
exit $status
