# Puts mistakes into a file together, each to be switched on: a function that has some begins with a copy of its
# body for each, of which the last that is on is what it does (planted_switch.h). Of the environment:
#
#   FILE  the file as it is
#
# Operands are NUMBER FUNCTION PATH, three for each mistake: FILE with it alone, or on top of others, and in which
# function of the file it is (planted.awk). Prints the text. Used with planted_parse.awk.

function found(from, to, head) {}

BEGIN {
    for (i = 1; i + 2 < ARGC; i += 3) {
        text = read_file(ARGV[i + 2])
        parse_c()
        f = ARGV[i + 1]
        copies[f] = "\nif (gb_planted(" ARGV[i] ")) " substr(text, body_from[f], body_to[f] - body_from[f]) "\n} else" copies[f]
    }
    text = read_file(ENVIRON["FILE"])
    parse_c()
    written = 0
    # in the order in which their bodies end, which is that of the file
    for (f = 1; f <= functions; f++) {
        if (!(f in copies)) continue
        printf "%s", substr(text, written + 1, body_from[f] - written) copies[f]
        printf "\n%s\n}", substr(text, body_from[f], body_to[f] - body_from[f] + 1)
        written = body_to[f]
    }
    printf "%s", substr(text, written + 1)
}
