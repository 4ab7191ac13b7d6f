# Plants a mistake: where PATTERN stands in what is called NAME it becomes NEW. Of the environment:
#
#   PLACE    NAME or PART:NAME. NAME is a function, a type, a constant, an enumerator or a macro (all that
#            it is defined by, if it is overloaded), or * for all of a file; PART is a part of the path of its
#            file (* and ? as in file names), needed only where several files have what is called so.
#   PATTERN  stands there exactly once. Where it has blanks, and beside anything but letters and digits, there
#            may be any blanks and line ends: what is formatted anew stays found.
#   NEW      what takes its place, to the letter.
#   OUT      the file that gets the text with the mistake.
#
# Operands are the files that are looked at. Prints the path of the one with the mistake and, in a second line, in
# which function of the file it is (1: the first), 0: in none's body or one that is for constants, too; or what
# is wrong and how to mend it, with exit status 1. Used with planted_parse.awk.

function fail(text)
{
    print text
    failed = 1
    exit 1
}

# ---- what is looked for ------------------------------------------------------------------------------

# found(from, to, head): there is something at these characters of the file that begins so.
function found(from, to, head)
{
    if (!defines(head)) return
    places++
    place_from[places] = from
    place_to[places] = to
}

# Whether what begins so is what was asked for.
function defines(head,    word)
{
    if (head !~ ("(^|[^A-Za-z0-9_])" name "([^A-Za-z0-9_]|$)")) return 0
    word = "(^|[^A-Za-z0-9_])" name "[ \n]*"
    if (head ~ /^#/) return head ~ ("^#[ ]*define[ ]+" name "([^A-Za-z0-9_]|$)")
    if (head ~ (word "\\)[ \n]*\\(") && head ~ /\{$/) return 1 # A(NAME)(...) {
    head = reduced(head)
    if (head ~ (word "\\(") && head ~ /\{$/) return 1
    if (head ~ /\(\)[ \n]*$/) return 0
    return head ~ (word "([=;,:{}]|\\[|$)")
}

# ---- where the pattern stands ------------------------------------------------------------------------

# Text in which blanks are one, beside anything but letters and digits always, and never at its ends.
function normal(text)
{
    gsub(/[^A-Za-z0-9_ \t\n]/, " & ", text)
    gsub(/[ \t\n]+/, " ", text)
    return text
}

function bare_length(text)
{
    gsub(/[ \t\n]/, "", text)
    return length(text)
}

# The place of the character before which so many stand that are no blanks.
function place_of(text, bare,    low, high, middle)
{
    low = 1
    high = length(text)
    while (low < high) {
        middle = int((low + high) / 2)
        if (bare_length(substr(text, 1, middle)) > bare) high = middle
        else low = middle + 1
    }
    return low
}

# Looks for the pattern in a part of the text.
function look(from, to,    part, spread, at, behind, before)
{
    part = substr(text, from, to - from + 1)
    spread = normal(part)
    behind = 0
    while (at = index(substr(spread, behind + 1), pattern)) {
        at += behind
        behind = at
        before = bare_length(substr(spread, 1, at - 1))
        at = from + place_of(part, before) - 1
        if (at == hit_from[hits] && hit_file[hits] == file) continue
        hits++
        hit_function[hits] = 0
        hit_file[hits] = file
        hit_from[hits] = at
        hit_to[hits] = from + place_of(part, before + bare_length(pattern) - 1) - 1
        hit_text[hits] = text
        for (f = 1; is_c(file) && f <= functions; f++)
            if (at > body_from[f] && hit_to[hits] < body_to[f] && head_of[f] !~ /constexpr/) hit_function[hits] = f
    }
}

function matches_path(path)
{
    if (part_of_path == "") return 1
    return path ~ part_of_path
}

function as_regex(glob)
{
    gsub(/[][\\.+^$(){}|]/, "\\\\&", glob)
    gsub(/\*/, ".*", glob)
    gsub(/\?/, ".", glob)
    return glob
}

BEGIN {
    name = ENVIRON["PLACE"]
    if (match(name, /^[^:]*:/)) {
        part_of_path = as_regex(substr(name, 1, RLENGTH - 1))
        name = substr(name, RLENGTH + 1)
    }
    pattern = normal(ENVIRON["PATTERN"])
    sub(/^ /, "", pattern)
    sub(/ $/, "", pattern)
    if (pattern == "") fail("an empty pattern stands nowhere: say what is to become the mistake")
    for (operand = 1; operand < ARGC; operand++) {
        file = ARGV[operand]
        if (!matches_path(file)) continue
        text = read_file(file)
        places = 0
        if (name == "*") {
            places = 1
            place_from[1] = 1
            place_to[1] = length(text)
        } else if (is_c(file)) {
            parse_c()
        } else {
            parse_other()
        }
        if (!places) continue
        files++
        files_text = files_text (files == 1 ? "" : " and ") file
        for (p = 1; p <= places; p++) look(place_from[p], place_to[p])
    }
    if (!files)
        fail("nothing is called '" ENVIRON["PLACE"] "': if it was renamed, give the new name of the function, type, constant or macro")
    if (files > 1 && name != "*")
        fail("'" ENVIRON["PLACE"] "' stands in " files_text ": say which by a part of its path, PART:" name)
    if (!hits)
        fail("'" ENVIRON["PATTERN"] "' is not in '" ENVIRON["PLACE"] "'" (name == "*" ? "" : " of " files_text) \
            ": give the text that stands there now, or the place where it stands now")
    if (hits > 1)
        fail("'" ENVIRON["PATTERN"] "' is " hits " times in '" ENVIRON["PLACE"] "' (" hit_file[1] \
            (hit_file[hits] == hit_file[1] ? "" : ", " hit_file[hits]) "): take in more of what is around it")
    printf "%s%s%s", substr(hit_text[1], 1, hit_from[1] - 1), ENVIRON["NEW"], substr(hit_text[1], hit_to[1] + 1) >ENVIRON["OUT"]
    close(ENVIRON["OUT"])
    print hit_file[1]
    print hit_function[1]
}
END { exit failed }
