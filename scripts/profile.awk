# Puts together what scripts/profile.sh has: the requests, the worker's answers and ncu's table. Three files, in that
# order. Prints the folder's name of the device, then the profile as CSV.
#
# The kernel gb_profile_begins stands before the kernels of each row that was profiled, in the order of the answers.

# The value of a key in a line of JSON without blanks between its parts: a string without its quotes, or a number.
function value(line, key,    at, rest, c, text) {
    at = index(line, "\"" key "\":")
    if (!at) return ""
    rest = substr(line, at + length(key) + 3)
    if (substr(rest, 1, 1) != "\"") {
        match(rest, /^[^,}\]]*/)
        return substr(rest, 1, RLENGTH)
    }
    for (at = 2; at <= length(rest); at++) {
        c = substr(rest, at, 1)
        if (c == "\"") break
        if (c == "\\") c = substr(rest, ++at, 1)
        text = text c
    }
    return text
}

# Splits a line of CSV into field[1..]; returns how many there are.
function fields(line, field,    count, at, c, quoted, text) {
    count = 0
    text = ""
    for (at = 1; at <= length(line); at++) {
        c = substr(line, at, 1)
        if (quoted && c == "\"" && substr(line, at + 1, 1) == "\"") { text = text c; at++ }
        else if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) { field[++count] = text; text = "" }
        else text = text c
    }
    field[++count] = text
    return count
}

function quote(text) {
    if (text !~ /[",]/) return text
    gsub(/"/, "\"\"", text)
    return "\"" text "\""
}

function fail(text) {
    print "profile: " text > "/dev/stderr"
    failed = 1
    exit 1
}

# What a unit of ncu's is in bytes, seconds or sectors.
function factor(unit) {
    if (unit == "byte" || unit == "sector" || unit == "s" || unit == "sec" || unit == "second") return 1
    if (unit == "ns" || unit == "nsecond") return 1e-9
    if (unit == "us" || unit == "usecond") return 1e-6
    if (unit == "ms" || unit == "msecond") return 1e-3
    if (unit == "Kbyte") return 1e3
    if (unit == "Mbyte") return 1e6
    if (unit == "Gbyte") return 1e9
    return 0
}

FNR == 1 { part++ }

# ---- requests ----------------------------------------------------------------------------------------

part == 1 && index($0, "\"cmd\":\"open\"") {
    job = value($0, "job")
    order[++jobs] = job
    variant[job] = value($0, "variant")
    primitive = value($0, "primitive")
    cache[job] = value($0, "cache")
    scope[job] = value($0, "scope")
    at = index($0, "\"params\":{") + 10
    rest = substr($0, at)
    count = split(substr(rest, 1, index(rest, "}") - 1), member, ",")
    names = values = ""
    for (i = 1; i <= count; i++) {
        split(member[i], pair, "\"")
        names = names pair[2] ","
        values = values quote(pair[4]) ","
    }
    axes = names
    point[job] = values
    status[job] = "crashed"
    reason[job] = "the worker gave no answer"
}
part == 1 { next }

# ---- answers -----------------------------------------------------------------------------------------

part == 2 && index($0, "\"cmd\":\"describe\"") {
    backend = value($0, "backend")
    rest = substr($0, index($0, "\"index\":" device ","))
    model = value(rest, "name")
    slug = value(rest, "slug")
    next
}
part == 2 {
    job = value($0, "job")
    if (!(job in variant) || ended[job]) next
    command = value($0, "cmd")
    if (command == "open" && value($0, "items")) items[job] = value($0, "items")
    if (index($0, "\"ok\":false") || value($0, "verdict") == "wrong") {
        status[job] = value($0, "status") ? value($0, "status") : "wrong"
        reason[job] = value($0, "reason")
        ended[job] = 1
    } else if (command == "profile") {
        status[job] = "ok"
        reason[job] = ""
        profiled[++marks] = job
        ended[job] = 1
    }
    next
}

# ---- kernels -----------------------------------------------------------------------------------------

/^"ID"/ {
    columns = fields($0, head)
    for (i = 1; i <= columns; i++) column[head[i]] = i
    split("gpu__time_duration.sum dram__bytes_read.sum dram__bytes_write.sum l1tex__t_sectors.sum " \
          "l1tex__t_sectors_lookup_hit.sum lts__t_sectors.sum lts__t_sectors_lookup_hit.sum", metric, " ")
    for (i = 1; i <= 7; i++)
        if (!(metric[i] in column)) fail("ncu counted no " metric[i])
    units = 1
    next
}
units == 1 {
    fields($0, unit)
    for (i = 1; i <= 7; i++) {
        scale[i] = unit[column[metric[i]]] == "" && i > 3 ? 1 : factor(unit[column[metric[i]]])
        if (!scale[i]) fail("ncu has " metric[i] " in '" unit[column[metric[i]]] "', a unit that is not known here")
    }
    units = 2
    next
}
units == 2 && /^"/ {
    fields($0, field)
    kernel = field[column["Kernel Name"]]
    gsub(/\(anonymous namespace\)::|<unnamed>::/, "", kernel)
    sub(/^void /, "", kernel)
    sub(/[(<].*/, "", kernel)
    if (kernel == "gb_profile_begins") { mark++; next }
    if (mark < 1) fail("ncu's table has kernels before the first gb_profile_begins: is this worker of another version?")
    if (mark > marks) next # of a run that the worker did not survive: it has no answer
    job = profiled[mark]
    if (!((job, kernel) in launches)) kernels[job] = kernels[job] kernel "\n"
    for (k = 1; k <= 2; k++) {
        key = job SUBSEP (k == 1 ? kernel : "")
        launches[key]++
        for (i = 1; i <= 7; i++) {
            number = field[column[metric[i]]]
            gsub(/,/, "", number)
            if (number !~ /^[0-9.]/) unknown[key, i] = 1
            sum[key, i] += number * scale[i]
        }
    }
}

# ---- the profile -------------------------------------------------------------------------------------

function total(key, i) { return (key, i) in unknown ? "" : sprintf("%.9g", sum[key, i]) }
function ratio(key, hit, all) {
    return (key, hit) in unknown || (key, all) in unknown || sum[key, all] <= 0 ? "" : \
        sprintf("%.6g", sum[key, hit] / sum[key, all])
}
function per_item(key, i, job) {
    return (key, i) in unknown || items[job] + 0 <= 0 ? "" : sprintf("%.6g", sum[key, i] / items[job])
}
function put(job, kernel,    key) {
    key = job SUBSEP kernel
    printf "1,%s,%s,%s,%s,%s,%s%s,%s,%s,%s,%s,%s,%s,", name, primitive, variant[job], backend, quote(model), \
        point[job], cache[job], scope[job], status[job], quote(reason[job]), quote(kernel), launches[key], items[job]
    if (!launches[key]) { print ",,,,"; return }
    printf "%s,%s,%s,%s,%s\n", ratio(key, 5, 4), ratio(key, 7, 6), per_item(key, 2, job), per_item(key, 3, job), total(key, 1)
}

END {
    if (failed) exit 1
    if (mark < marks) {
        print "profile: ncu's table has " mark + 0 " runs, the worker has answered " marks + 0 > "/dev/stderr"
        exit 1
    }
    print slug
    print "schema,experiment,primitive,variant,backend,device," axes "cache,scope,status,reason,kernel,launches,items," \
        "l1_hit_rate,l2_hit_rate,dram_read_bytes_per_item,dram_write_bytes_per_item,time_s"
    for (j = 1; j <= jobs; j++) {
        job = order[j]
        put(job, "")
        count = split(kernels[job], list, "\n")
        for (i = 1; i < count; i++) put(job, list[i])
    }
}
