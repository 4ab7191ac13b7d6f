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
# Operands are the files that are looked at. Prints the path of the one with the mistake, or what is wrong
# and how to mend it, with exit status 1.

function fail(text)
{
    print text
    failed = 1
    exit 1
}

function is_c(path) { return path ~ /\.(c|h|cu|cuh|cpp|cl)$/ }

# A line of C without comments, strings and characters: blanks instead. in_comment is where it is at its end.
function masked(line,    done, at, blanks)
{
    done = ""
    while (line != "") {
        if (in_comment) {
            at = index(line, "*/")
            blanks = at ? at + 1 : length(line)
            in_comment = !at
        } else if (match(line, /\/\*|\/\/|"(\\.|[^"\\])*"|'(\\.|[^'\\])+'/)) {
            # a ' between digits begins no character
            if (substr(line, RSTART, 1) == "'" && substr(line, RSTART - 1, 1) ~ /[0-9]/) {
                done = done substr(line, 1, RSTART)
                line = substr(line, RSTART + 1)
                continue
            }
            done = done substr(line, 1, RSTART - 1)
            line = substr(line, RSTART)
            if (substr(line, 1, 2) == "/*") {
                in_comment = 1
                blanks = 2
            } else {
                blanks = substr(line, 1, 2) == "//" ? length(line) : RLENGTH
            }
        } else {
            return done line
        }
        done = done sprintf("%" blanks "s", "")
        line = substr(line, blanks + 1)
    }
    return done
}

# ---- what a file consists of -------------------------------------------------------------------------

# found(from, to, head): there is something at these characters of the file that begins so.
function found(from, to, head)
{
    if (!defines(head)) return
    places++
    place_from[places] = from
    place_to[places] = to
}

# The parentheses at depth 0 of a head without what is in them.
function reduced(head)
{
    while (gsub(/\([^()]*\)/, "\001", head)) {}
    gsub(/\001/, "()", head)
    return head
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

# What { at the level of declarations opens behind this head.
function opens(head)
{
    head = reduced(head)
    if (head ~ /(^|[^A-Za-z0-9_])(namespace|extern)[^()=]*$/) return "scope"
    gsub(/(alignas|__align__|__attribute__)[ \n]*\(\)/, "", head)
    if (head ~ /\(\)[^=]*$/ || head ~ /operator/) return "function"
    if (head ~ /=/) return "value"
    if (head ~ /(^|[^A-Za-z0-9_])enum([^A-Za-z0-9_]|$)/) return "enum"
    if (head ~ /(^|[^A-Za-z0-9_])(struct|class|union)([^A-Za-z0-9_]|$)/) return "type"
    return "value"
}

# One character of structure, at this place of the masked text.
function structure(character, at)
{
    if (character == "(") parens++
    else if (character == ")") parens -= parens > 0
    else if (character == "{") open_brace(at)
    else if (character == "}") close_brace(at)
    else if (character == ";" && !parens && is_declared()) declared(at)
    else if (character == "," && !parens && kind[depth] == "enum") enumerator(at)
}

function is_declared() { return kind[depth] == "scope" || kind[depth] == "type" }

# What stands before a place, from where the last thing ended; begun is behind blanks then.
function head_to(at,    text)
{
    text = substr(plain, begun[depth], at - begun[depth])
    if (match(text, /[^ \t\n]/)) begun[depth] += RSTART - 1
    return substr(plain, begun[depth], at - begun[depth])
}

function open_brace(at)
{
    if (is_declared() && !parens) {
        head[depth] = head[depth] head_to(at) "{"
        opened = opens(head[depth])
    } else {
        opened = "code"
    }
    depth++
    kind[depth] = opened
    begun[depth] = at + 1
    head[depth] = ""
    parens_at[depth] = parens
    parens = 0
}

function close_brace(at,    closed)
{
    if (depth == 0) return
    closed = kind[depth]
    if (closed == "enum") enumerator(at)
    parens = parens_at[depth]
    depth--
    if (closed == "function") {
        found(begun[depth], at, head[depth])
        next_begins(at)
    } else if (closed == "scope") {
        next_begins(at)
    } # a type or a value ends with its ;
}

function next_begins(at)
{
    begun[depth] = at + 1
    head[depth] = ""
}

function declared(at,    text)
{
    text = head[depth]
    # behind the braces of a type or value: its name
    text = text (text ? substr(plain, last_brace(at), at - last_brace(at)) : head_to(at)) ";"
    # of a type's members, those with a value
    if (kind[depth] == "scope" || text ~ /=/) found(begun[depth], at, text)
    next_begins(at)
}

function last_brace(at)
{
    while (at > 1 && substr(plain, at, 1) != "}") at--
    return at
}

function enumerator(at)
{
    if (head_to(at) ~ /[^ \t\n]/) found(begun[depth], at, head_to(at) ",")
    begun[depth] = at + 1
}

# A line of the preprocessor. Of several branches each begins as deep as the first.
function directive(line,    word)
{
    word = line
    sub(/^[ \t]*#[ \t]*/, "", word)
    if (word ~ /^if/) {
        branches++
        branch_depth[branches] = depth
        branch_parens[branches] = parens
    } else if (word ~ /^el/ && branches) {
        depth = branch_depth[branches]
        parens = branch_parens[branches]
    } else if (word ~ /^endif/ && branches) {
        branches--
    }
}

function parse_c(    line, clean, at, macro, macro_from, continued, character)
{
    depth = parens = branches = in_comment = 0
    kind[0] = "scope"
    begun[0] = 1
    head[0] = ""
    at = 1
    plain = ""
    lines = split(text, line_of, "\n")
    for (i = 1; i <= lines; i++) {
        clean[i] = masked(line_of[i])
        if (continued || clean[i] ~ /^[ \t]*#/) {
            # no part of what is around it
            plain = plain sprintf("%" length(clean[i]) "s", "") "\n"
            is_directive[i] = 1
            continued = clean[i] ~ /\\$/
        } else {
            plain = plain clean[i] "\n"
            is_directive[i] = 0
        }
    }
    continued = 0
    for (i = 1; i <= lines; i++) {
        if (is_directive[i]) {
            if (!continued) {
                directive(clean[i])
                macro = clean[i]
                sub(/^[ \t]*/, "", macro)
                macro_from = at
            }
            continued = clean[i] ~ /\\$/
            if (!continued && macro ~ /^#[ \t]*define/) found(macro_from, at + length(clean[i]) - 1, macro)
        } else {
            line = clean[i]
            while (match(line, /[(){};,]/)) {
                character = substr(line, RSTART, 1)
                line = substr(line, RSTART + 1)
                structure(character, at + length(clean[i]) - length(line) - 1)
            }
        }
        at += length(line_of[i]) + 1
    }
}

# Scripts and the like: a function begins a line and ends with the next line that begins with }.
function parse_other(    at, from, begins)
{
    at = 1
    from = 0
    lines = split(text, line_of, "\n")
    for (i = 1; i <= lines; i++) {
        if (line_of[i] ~ /^(function +)?[A-Za-z_][A-Za-z0-9_]* ?\([^"]*$/ || line_of[i] ~ /^function [A-Za-z_]/) {
            from = at
            begins = line_of[i]
            sub(/^function +/, "", begins)
            sub(/\).*/, ") {", begins)
        }
        if (from && (line_of[i] ~ /^}/ || (from == at && line_of[i] ~ /}$/))) {
            found(from, at + length(line_of[i]) - 1, begins)
            from = 0
        }
        at += length(line_of[i]) + 1
    }
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
        hit_file[hits] = file
        hit_from[hits] = at
        hit_to[hits] = from + place_of(part, before + bare_length(pattern) - 1) - 1
        hit_text[hits] = text
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

function read_file(path,    line, all)
{
    all = ""
    while ((getline line < path) > 0) all = all line "\n"
    close(path)
    return all
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
}
END { exit failed }
