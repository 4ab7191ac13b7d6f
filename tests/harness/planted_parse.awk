# What a source file consists of, found by its text alone: included before planted.awk and planted_switch.awk,
# which define found(from, to, head), called for all that has a name.

function read_file(path,    line, all)
{
    all = ""
    while ((getline line < path) > 0) all = all line "\n"
    close(path)
    return all
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

# The parentheses at depth 0 of a head without what is in them.
function reduced(head)
{
    while (gsub(/\([^()]*\)/, "\001", head)) {}
    gsub(/\001/, "()", head)
    return head
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
    brace[depth] = at
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
        functions++
        body_from[functions] = brace[depth]
        body_to[functions] = at
        head_of[functions] = head[depth]
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

# Parses text, that of a file in C. Its functions are those from body_from to body_to, the braces.
function parse_c(    i, line, clean, at, macro, macro_from, continued, character)
{
    depth = parens = branches = in_comment = functions = 0
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
function parse_other(    i, at, from, begins)
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

