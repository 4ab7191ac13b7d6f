# shellcheck shell=bash
# Sourced by the tests of commands instead of lib.sh: exit status, what goes to stdout and what to stderr.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# prints TEXT COMMAND...: exit status 0 and the text on stdout.
prints()
{
    local text=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    cat "$scratch/out" "$scratch/err"
    [ "$status" = 0 ] && grep -qF -- "$text" "$scratch/out"
}

# Of the last command: stdout lacks the text, stderr has it.
hides() { ! grep -qF -- "$1" "$scratch/out"; }
warns() { grep -qF -- "$1" "$scratch/err"; }

# refuses TEXT COMMAND...: exit status 2, the text on stderr, nothing on stdout.
refuses()
{
    local text=$1 status=0
    shift
    "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
    cat "$scratch/out" "$scratch/err"
    [ "$status" = 2 ] && [ ! -s "$scratch/out" ] && grep -qF -- "$text" "$scratch/err"
}

# measured FILE AXES: a result file of experiment NAME (FILE is NAME.csv) and primitive p with these
# axes; standard input has a row a line: VARIANT,AXIS-VALUES...,STATUS,REASON,RATE.
measured()
{
    local name
    name=$(basename "$1" .csv)
    echo "schema,experiment,primitive,variant,device,$2,cache,scope,status,reason,rate" >"$1"
    awk -F, -v OFS=, -v start="1,$name,p" '{
        variant = $1; $1 = "device A"; $(NF - 2) = "warm,device," $(NF - 2)
        print start, variant, $0
    }' >>"$1"
}

# printed FILE: a paper's numbers for primitive p with axis n; a row a line: VARIANT,N,QUANTITY,VALUE.
printed()
{
    echo "schema,paper,primitive,variant,device,n,kind,scope,locator,quantity,baseline,status,value,unit,ci95_rel,note" >"$1"
    awk -F, '{ print "1,a paper,p," $1 ",device B," $2 ",table,,Table 1," $3 ",,ok," $4 ",s,0.01," }' >>"$1"
}
