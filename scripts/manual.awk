# One part of the manual page, from a help text of gpubench: -v part=NAME, one of the functions at the end.
# Its lines are usage and what the command does, then lists under a line each: commands:, options:,
# examples:, exit status:.

# So that a hyphen and a quote can be copied from the page.
function escape(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return text
}

# A line that begins with a dot would be a request.
function line(text) { return (text ~ /^\./ ? "\\&" : "") text }

# As typed in bold; in italics what stands for something: words in capitals, and "options".
function syntax(text,    done, word)
{
    while (match(text, /[^][|., ]+/)) {
        word = substr(text, RSTART, RLENGTH)
        done = done escape(substr(text, 1, RSTART - 1)) \
            (word ~ /^[A-Z]+$/ || word == "options" ? "\\fI" : "\\fB") escape(word) "\\fP"
        text = substr(text, RSTART + RLENGTH)
    }
    return done escape(text)
}

# What is quoted by backquotes in bold.
function prose(text,    done, quoted)
{
    while (match(text, /`[^`]*`/)) {
        quoted = substr(text, RSTART + 1, RLENGTH - 2)
        done = done escape(substr(text, 1, RSTART - 1)) "\\fB" escape(quoted) "\\fP"
        text = substr(text, RSTART + RLENGTH)
    }
    return line(done escape(text))
}

function item(tag, text) { return ".TP\n" tag "\n" prose(text) "\n" }

# "  left  right", split at two blanks or more.
function halves(text)
{
    sub(/^ +/, "", text)
    left = text
    right = ""
    if (!match(text, /  +[^ ]+( [^ ]+)*$/)) return
    left = substr(text, 1, RSTART - 1)
    right = substr(text, RSTART)
    sub(/^ +/, "", right)
}

/^usage: / { range = "text"; sub(/^usage: /, ""); usage = $0; next }
/^(commands|options|examples):$/ { range = $1; next }
/^exit status: / { range = "status"; sub(/^exit status: /, "") }
!NF { if (range == "commands:" || range == "options:") range = ""; if (text) apart = 1; next }
range == "text" { text = text (apart ? ".PP\n" : /^ / ? ".br\n" : "") prose($0) "\n"; apart = 0 }
range == "commands:" { names = names $1 "\n"; halves($0); commands = commands item("\\fB" escape($1) "\\fP", right) }
range == "options:" { halves($0); options = options item(syntax(left), right) }
range == "examples:" { sub(/^  /, ""); examples = examples line(escape($0)) "\n"; example_count++ }
range == "status" { status = status (status ? " " : "") $0 }

# "0 this, 1 that": a number behind a comma begins the next one.
function list_statuses(    count, each, i, number)
{
    gsub(/, [0-9]+ /, "\n&", status)
    count = split(status, each, /\n, /)
    for (i = 1; i <= count; i++) {
        number = each[i] + 0
        sub(/^[0-9]+ /, "", each[i])
        printf "%s", item("\\fB" number "\\fP", each[i])
    }
}

# A command's own section.
function section()
{
    sub(/^gpubench /, "", usage)
    printf ".SS %s\n%s%s", syntax(usage), text, options
    if (examples)
        printf ".PP\nExample%s:\n.PP\n.RS 4\n.EX\n%s.EE\n.RE\n", (example_count > 1 ? "s" : ""), examples
}

END {
    if (part == "names") printf "%s", names
    if (part == "usage") print syntax(usage)
    if (part == "commands") printf "%s", commands
    if (part == "section" && options && text) section()
    if (part == "examples") printf "%s", examples
    if (part == "status") list_statuses()
}
