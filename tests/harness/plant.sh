#!/bin/bash
# test: fast 2
# Where a mistake is planted: by the name of what it stands in and a pattern (planted.awk, spoil of lib.sh).
# What is not there, or not once, is said with how to mend it.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
mkdir -p tree/deep
cat >tree/code.cuh <<'END'
/* add() { is no function here: sum += 1; */
#define TWICE(x) \
    ((x) + (x))
enum { FIRST = 3, SECOND = 4 };
static const char *const brace = "{ not a block", quote = '"';
static int table[] = {1, 2, 3};
int add(int a, int b); // add(1, 2) { sum += 9;
template <class T> struct pair {
    enum { ROOM = 8 };
    __device__ T add(T sum) const
    {
        sum += 1;
        return sum;
    }
};
#ifdef FAST
template <class T, int N> __global__ void __launch_bounds__(256) kernel(T *out, int n) {
#else
template <class T, int N> __global__ void kernel(T *out, int n) {
#endif
    auto one = [&](int i) { out[i] = 1; };
    one(n);
    if (n > 1 &&
        n < N) {
        __syncthreads();
        one(0);
    }
}
int after(int n) { return n; }
END
printf '%s\n' 'int add_all(int sum)' '{' '    sum += 1;' '    return sum;' '}' >tree/deep/other.c
printf '%s\n' 'int after(int n)' '{' '    return n;' '}' >tree/deep/a_third.c
printf '%s\n' '{"one": 1, "two": 2}' >tree/list.json
printf '%s\n' 'fill()' '{' '    echo 1' '}' 'echo 1 >file' >tree/script.sh
cp -r tree sound

# plants FILE LINE PLACE PATTERN NEW: this line of FILE is then so, the number of lines is as it was but for line
# ends in the pattern, and mended all is as it was.
plants()
{
    spoil tree "${@:3}" || return 1
    diff -r sound tree
    [ "$spoilt" = "tree/$1" ] && grep -qxF -- "$2" "tree/$1" && [ "$(diff -rq sound tree | wc -l)" = 1 ] && mend && diff -r sound tree && [ ${#spoils[@]} = 0 ]
}

# refuses TEXT PLACE PATTERN: it is not planted, and the message has this text.
refuses()
{
    ! spoil tree "$2" "$3" x >said || return 1
    cat said
    grep -qF -- "$1" said && diff -r sound tree
}

check "in a function" plants code.cuh 'int after(int n) { return -n; }' code:after 'return n;' 'return -n;'
check "in a method, not where it is declared or written of" plants code.cuh '        sum += 2;' add 'sum += 1;' 'sum += 2;'
check "other names that contain it are others" plants deep/other.c '    sum += 2;' add_all 'sum += 1;' 'sum += 2;'
check "in a type, with all of its methods" plants code.cuh '        return 0;' pair 'return sum;' 'return 0;'
check "in a kernel with two heads, of which one counts at a time" plants code.cuh '    one(n + 1);' kernel 'one(n);' 'one(n + 1);'
check "behind it all is found" plants code.cuh 'int after(int n) { return n + 1; }' code:after 'n;' 'n + 1;'
check "line ends and blanks are as one" plants code.cuh '    if (n > 0) {' kernel 'if (n>1  && n < N)' 'if (n > 0)'
check "over two statements" plants code.cuh '        one(0);' kernel '__syncthreads(); one(0);' 'one(0);'
check "in an enumerator" plants code.cuh 'enum { FIRST = 3, SECOND = 5 };' SECOND '4' '5'
check "in one of a type" plants code.cuh '    enum { ROOM = 9 };' ROOM 'ROOM = 8' 'ROOM = 9'
check "in a constant" plants code.cuh 'static int table[] = {1, 0, 3};' table '2' '0'
check "in a macro" plants code.cuh '    ((x) - (x))' TWICE '+' '-'
check "in one of two files" plants deep/a_third.c '    return 0;' 'a*third:after' 'return n;' 'return 0;'
check "... by its folder" plants deep/a_third.c '    return 0;' deep/:after 'return n;' 'return 0;'
check "in a script" plants script.sh '    echo 2' fill 'echo 1' 'echo 2'
# shellcheck disable=SC2016 # that is the point of it
check "what is planted is taken to the letter" plants script.sh '    a & \1 "$b" \n' fill 'echo 1' 'a & \1 "$b" \n'
check "in a file" plants list.json '{"one": 1, "two": 3}' 'list.json:*' '"two": 2' '"two": 3'
check "blanks divide words" refuses "is not in 'a*third:after'" 'a*third:after' 'returnn;'

check "no such name" refuses "nothing is called 'adds': if it was renamed, give the new name" adds 'sum += 1;'
check "a name in a comment or string is none" refuses "nothing is called 'block'" block 'a'
check "a name that is called is none" refuses "nothing is called 'one'" one 'out[i]'
check "two files" refuses "'after' stands in tree/code.cuh and tree/deep/a_third.c: say which by a part of its path, PART:after" \
    after 'return n;'
check "no such text" refuses "'sum += 1' is not in 'kernel' of tree/code.cuh: give the text that stands there now" kernel 'sum += 1'
check "text twice" refuses "'sum' is 3 times in 'pair' (tree/code.cuh): take in more of what is around it" pair 'sum'
check "no text" refuses "an empty pattern stands nowhere" pair ' '
two_at_once()
{
    spoil tree add 'sum += 1;' ';' && spoil tree pair 'return sum;' ';' && mend && grep -q 'return sum' tree/code.cuh &&
        ! grep -q '  sum += 1' tree/code.cuh && mend && diff -r sound tree
}
check "two at once, mended from the last on" two_at_once

# numbered FUNCTION PLACE PATTERN: a mistake there can be switched in that function of its file; 0: it cannot.
numbered()
{
    spoil tree "$2" "$3" x || return 1
    echo "$spoilt_in"
    [ "$spoilt_in" = "$1" ] && mend
}
check "a function that is switched" numbered 3 code:after 'n;'
check "one of a type" numbered 1 add 'sum += 1;'
check "an enumerator is not" numbered 0 SECOND '4'
check "nor a function's head" numbered 0 code:after 'int n'
printf '%s\n' 'constexpr int twice(int n) { return 2 * n; }' >tree/constant.cuh
check "nor what constants are made with" numbered 0 twice '2'
rm tree/constant.cuh

# switched TEXT NUMBERS: what the program says with these mistakes of three.
switched()
{
    [ "$(GB_PLANTED=$2 ./program)" = "$1" ]
}
cat >program.c <<'END'
#include <stdio.h>
static int first(int n)
{
    for (int i = 0; i < 3; i++)
        n += i;
    return n; /* { */
}
static const char *second(void) { return "a"; }
int main(void)
{
    printf("%d%s\n", first(0), second());
    return 0;
}
END
builds()
{
    local operands=()
    spoil program.c first 'i < 3' 'i < 2' && cp program.c 1.c && operands+=(1 "$spoilt_in" 1.c) &&
        spoil program.c first 'return n;' 'return -n;' && cp program.c 2.c && operands+=(2 "$spoilt_in" 2.c) && mend && mend &&
        spoil program.c second '"a"' '"b"' && cp program.c 3.c && operands+=(3 "$spoilt_in" 3.c) && mend || return 1
    FILE=program.c awk -f "$root/tests/harness/planted_parse.awk" -f "$root/tests/mutation/planted_switch.awk" "${operands[@]}" >all.c &&
        ${CC:-gcc} -include "$root/tests/mutation/planted_switch.h" all.c -o program
}
check "three mistakes build together" builds
check "none" switched 3a ""
check "the first" switched 1a 1
check "one on top of the first" switched -1a "1 2"
check "one of another function" switched 3b 3
check "two of two functions" switched 1b "1 3"
finish
