# shellcheck shell=bash
# Sourced by the tests of faults, after lib.sh.

# rows FILE: "n|variant|status|reason" of each row of a result file, whose reasons hold commas and quotes.
rows()
{
    awk 'NR == 1 { n = split($0, name, ",")
                   for (i = 1; i <= n; i++) at[name[i]] = i
                   next }
        { count = 0; field = ""; quoted = 0
          for (i = 1; i <= length($0) + 1; i++) {
              c = substr($0, i, 1)
              if (c == "\"" && quoted && substr($0, i + 1, 1) == "\"") { field = field c; i++ }
              else if (c == "\"") quoted = !quoted
              else if (i > length($0) || (c == "," && !quoted)) { value[++count] = field; field = "" }
              else field = field c
          }
          print value[at["n"]] "|" value[at["variant"]] "|" value[at["status"]] "|" value[at["reason"]] }' "$1"
}

# running PROGRAM: how many processes of it there are (zombies have no command line).
running()
{
    local count=0 file program
    for file in /proc/[0-9]*/cmdline; do
        IFS= read -r -d '' program 2>/dev/null <"$file" || continue
        [ "$program" != "$1" ] || count=$((count + 1))
    done 2>/dev/null
    echo $count
}
none_runs() { [ "$(running "$1")" = 0 ]; }
