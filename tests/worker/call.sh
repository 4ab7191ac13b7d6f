#!/bin/bash
# test: fast 8
# Primitives that are made from a config: functions of a shared library that knows nothing of gpubench, and programs.
. "$(dirname "$0")/../harness/lib.sh"
export NO_COLOR=1
unset GPUBENCH_WORKERS
driver=$BUILD/gpubench
mkdir "$scratch/work" && cd "$scratch/work" || exit 1

# ---- a library: what it does is an axis -------------------------------------------------------------------------

cat >mine.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
enum { RIGHT, WRONG, SEGV, ABORT, HANG, FAILS, SKIPS, LAZY, NO_SETUP };
struct mine { int64_t n, mode; int *out; char words[80]; };
static FILE *note(void) { return fopen("calls", "a"); }
int mine_setup(void **state, int count, const char *const names[], const int64_t values[], void *stream)
{
    struct mine *m = calloc(1, sizeof *m);
    FILE *calls = note();
    for (int i = 0; i < count; i++) *(strcmp(names[i], "n") == 0 ? &m->n : &m->mode) = values[i];
    fprintf(calls, "setup %d %lld %lld %s\n", count, (long long)m->n, (long long)m->mode, stream ? "stream" : "no stream");
    fclose(calls);
    m->out = calloc(m->n, sizeof *m->out);
    strcpy(m->words, "no\nroom");
    *state = m;
    return m->mode == NO_SETUP;
}
int mine_run(void *state, void *stream)
{
    struct mine *m = state;
    (void)stream;
    if (m->mode == SEGV) *(volatile int *)8 = 1;
    if (m->mode == ABORT) abort();
    while (m->mode == HANG) sleep(1);
    if (m->mode == FAILS) return 5;
    if (m->mode == SKIPS) return 77;
    for (int64_t i = 0; i < m->n && m->mode != LAZY; i++) m->out[i] = (int)i + (m->mode == WRONG && i == 3);
    return 0;
}
int mine_poison(void *state, void *stream) { struct mine *m = state; (void)stream; memset(m->out, 0x5a, m->n * sizeof(int)); return 0; }
int mine_check(void *state, void *stream)
{
    struct mine *m = state;
    (void)stream;
    m->words[0] = 0;
    for (int64_t i = 0; i < m->n && !m->words[0]; i++)
        if (m->out[i] != i) sprintf(m->words, "element %lld\n  is off", (long long)i);
    return m->words[0] != 0;
}
const char *mine_message(void *state) { return ((struct mine *)state)->words; }
void mine_cleanup(void *state) { FILE *calls = note(); fputs("cleanup\n", calls); fclose(calls); free(((struct mine *)state)->out); free(state); }
int plain_setup(void **state, int count, const char *const names[], const int64_t values[], void *stream)
{ (void)count; (void)names; (void)values; (void)stream; *state = NULL; return 0; }
int plain_run(void *state, void *stream) { (void)state; (void)stream; return 0; }
END
"${CC:-gcc}" -shared -fPIC -O0 -o libmine.so mine.c || exit 1
"${CC:-gcc}" -c -O0 -o mine.o mine.c || exit 1
cat >mine.json <<'END'
{ "schema": 1, "name": "mine", "title": "My own", "primitive": "call", "library": "libmine.so", "on": "host",
  "setup": "mine_setup", "run": "mine_run", "check": "mine_check", "poison": "mine_poison", "message": "mine_message",
  "cleanup": "mine_cleanup",
  "axes": { "n": "1k", "mode": [0, 1, 2, 3, 5, 6, 7, 8] }, "unit": "numbers", "items": "2 * n", "bytes": "4 * n",
  "measure": { "samples": 3, "time_limit_s": 60 } }
END

"$driver" run mine.json --out out >mine.log 2>&1
ended=$?
rows() { columns out/mine.csv variant backend n mode status unit items; }
check 'a run that had failures says so' test "$ended" = 1
check 'right, wrong, crashed, failed, left out: each costs its own row' diff <(rows) <(
    for row in 0,ok 1,wrong 2,crashed 3,crashed 5,crashed 6,unsupported 7,wrong; do
        echo "mine_run,host,1000,$row,numbers,2000"
    done
    echo mine_run,host,1000,8,crashed,numbers,)
sed 's/"mine"/"hang"/; s/"mode": \[.*\] }/"mode": 4 }/; s/"time_limit_s": 60/"time_limit_s": 0.3/' mine.json >hang.json
"$driver" run hang.json --out out >/dev/null 2>&1
check 'one that never ends is ended' test "$(columns out/hang.csv status)" = timeout
reason() { columns out/mine.csv mode reason | sed -n "s/^$1,//p"; }
check "the library's own words say what is wrong, in one line" test "$(reason 1)" = 'before its samples: element 3; is off'
check 'what a run leaves unwritten is found by what poison has left' test "$(reason 7)" = 'before its samples: element 0; is off'
check 'a signal is named' grep -q 'ended by signal 11' out/mine.csv
check 'another one as well' grep -q 'ended by signal 6' out/mine.csv
check 'a setup that fails says why' grep -q 'crashed,no;room' out/mine.csv
check 'parameters go by name, without a stream' grep -qx 'setup 2 1000 0 no stream' calls
check 'what was set up is cleaned up, and nothing else' test "$(grep -cx cleanup calls)" = 4
check 'times are of the CPU, and no emulated GPU is spoken of' test "$(grep -c 'simt\|GPU' mine.log)" = 0
check 'meta keeps what it was made from' grep -q '"check":[[:space:]]*"mine_check"' out/mine.meta.json

check 'a run that is resumed measures nothing again' bash -c "'$driver' run mine.json --out out --resume 2>&1 | grep -q 'nothing to measure (8 rows'"

# ---- two libraries, and one in the place of another ------------------------------------------------------------

cp libmine.so other.so
cat >two.json <<'END'
{ "schema": 1, "name": "two", "primitive": "call", "library": "none.so", "on": "host", "check": "plain_run",
  "setup": "plain_setup", "run": "plain_run",
  "variants": [{ "name": "first" }, { "name": "second", "library": "./libmine.so" }], "baseline": "second",
  "axes": { "n": [1, 2] }, "measure": { "samples": 3 } }
END
mkdir below && cp libmine.so below
sed 's/"two"/"three"/; s/none.so/..\/other.so/; s/.\/libmine/libmine/; s/"axes"/"items": "n", "axes"/' two.json >below/three.json
check '--library stands for that of the config, from the current folder' "$driver" run two.json below/three.json --library ./other.so --out both
check 'one config after another has its own primitive' diff <(columns both/two.csv variant n items status; columns both/three.csv variant n items status) <(
    printf '%s\n' first,1,1,ok second,1,1,ok first,2,1,ok second,2,1,ok first,1,1,ok second,1,1,ok first,2,2,ok second,2,2,ok)
"$driver" run two.json --library other.so --out again >/dev/null 2>&1
check 'compare joins such rows by their axes' bash -c "'$driver' compare both/two.csv again/two.csv | grep -q '4 rows compared'"
check 'runs are shown as times' bash -c "'$driver' table both/two.csv 2>/dev/null | grep -Eq '^Time in (ns|µs|ms|s)\.'"
check 'a report is written' "$driver" report both --out both.html
mkdir host configs && cp "$BUILD/gpubench-host" host
sed 's/ "on": "host",//; s/"name": "two"/"name": "device", "title": "On a device"/; s/.\/libmine/..\/libmine/' two.json >configs/device.json
GPUBENCH_WORKER_PATH=$scratch/work/host "$driver" run configs/device.json --library other.so --out out >device.log 2>&1
check 'without a GPU the host calls them, and that is said' grep -q 'no usable GPU (no gpubench-cuda here has call); using host' device.log
check 'its rows are the host'"'"'s' test "$(columns out/device.csv backend status | sort -u)" = host,ok
check 'a list of configs knows one' bash -c "GPUBENCH_SHARE=. '$driver' list configs | grep -Eq 'device.json +call +when run +On a device'"
check 'a plan names them' bash -c "'$driver' run two.json --library other.so --dry-run | grep -q second"

"$driver" run two.json --library other.so --requests >requests
check 'without a GPU a variant is one of the CPU, whatever the config says' bash -c \
    "sed 's/\"on\":\"host\"/\"on\":\"device\"/' requests | '$BUILD/gpubench-host' 2>/dev/null | grep -c '\"host\":true.*\"host\":true'"
check 'its requests, given to a worker, are enough' test "$("$BUILD/gpubench-host" <requests 2>/dev/null | grep -c '"ok":true')" = 6

# ---- mistakes, before anything runs ---------------------------------------------------------------------------

# mistake EDIT TEXT [OPTION...]: with sed's edit of mine.json the text is said, and nothing is written.
mistake()
{
    sed "$1" mine.json >bad.json
    # shellcheck disable=SC2016 # the inner shell expands them
    check "said: $2" bash -c '"$@" >said 2>&1; [ $? = 2 ] && [ ! -e bad ] && grep -qF -- "$0" said || { cat said; false; }' \
        "$2" "$driver" run bad.json --out bad "${@:3}"
}
mistake 's/mine_run/mine_rum/' 'bad.json:2:33: run: '
mistake 's/mine_run/mine_rum/' 'libmine.so has no function "mine_rum"; in C++ and CUDA it is to be extern "C"'
mistake 's/libmine.so/libyours.so/' 'bad.json:1:83: library: '
mistake 's/libmine.so/libyours.so/' 'No such file or directory; a relative path begins in the config'
mistake 's/libmine.so/mine.c/' 'is no shared library (no ELF file)'
mistake 's/libmine.so/mine.o/' 'is an object file: link it'
head -c 18 libmine.so >arm.so && printf '\267\0' >>arm.so && tail -c +21 libmine.so >>arm.so
[ "$(uname -m)" = aarch64 ] || mistake 's/libmine.so/arm.so/' 'is for ARM64, this worker runs on'
mistake 's/"check": "mine_check",//' '"check" is missing'
mistake 's/"on"/"no"/' 'no: unknown key; allowed here, beyond what every config may have: unit, items, bytes, on, library'
mistake 's/"host"/"gpu"/' 'found "gpu"; "device" or "host" is allowed'
mistake 's/"n": "1k"/"n": "many"/' 'axes.n: found "many"; the values are handed over as numbers'
mistake 's/"mode":/"device":/' 'axes.device: a column of result files has this name already'
mistake 's/"mode":/"Mode":/' 'axes.Mode: an axis is a column of the result file'
mistake 's/"2 \* n"/"2 * m"/' 'items: found "m" at character 5, which is no axis of this config'
mistake 's/"2 \* n"/"4Gi * 4Gi * n"/' 'items: "4Gi * 4Gi * n" amounts to more than 2^53'
mistake 's/"2 \* n"/"n * n * n * n * n * n"/' 'items: "n * n * n * n * n * n" amounts to more than 2^53 at a point'
mistake 's/"axes"/"variants": [{"name": "a"}, {"name": "a"}], "axes"/' 'variants[1]: "a" is the name of two variants'
mistake 's/"axes"/"variants": [{"nane": "a"}], "axes"/' 'variants[0].nane: unknown key'
mistake 's/"n": "1k"/"n": 1, "a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1/' 'at most 8 axes are allowed'
mistake 's/"n": "1k"/"n": []/' 'axes.n: found an empty list'
mistake 's/"axes"/"waits": 3, "axes"/' 'waits: true or false is allowed'
mistake 's/libmine.so/libmine.so/' '--library: there is no none.so' --library none.so
mistake 's/"samples"/"smaples"/' 'measure: unknown key "smaples" (did you mean "samples"?)'
mistake 's/"call"/"null"/; s/"library".*//; s/^  "setup".*//; s/^  "cleanup".*//' '--library is for a config of primitive call' --library libmine.so

# ---- programs -------------------------------------------------------------------------------------------------

mkdir programs
cat >programs/bench <<'END'
#!/bin/sh
# bench N DIST: what it does is the word.
echo "n=$1 of $2"
echo "$$" >>pids
[ "$2" = unprepared ] || [ -e prepared ] || exit 4
rm -f prepared
case $2 in
fails) echo first; echo 'it is, "broken"' >&2; exit 3 ;;
skips) exit 77 ;;
dies) kill -SEGV $$ ;;
hangs) sleep 60 & echo $! >>pids; wait ;;
esac
[ "$2" = untold ] || for i in 1 2 3 4; do echo "time: 0.00$i ms"; done
END
chmod +x programs/bench
cat >programs/bench.json <<'END'
{ "schema": 1, "name": "bench", "primitive": "command", "command": ["./bench", "{n}", "{dist}"],
  "prepare": ["touch", "prepared"],
  "variants": [{ "name": "whole" }, { "name": "told", "time": { "pattern": "time: ([0-9.]+) ms", "unit": "ms" } },
               { "name": "expected", "expect": "^n=2 of [a-z]+$" }],
  "axes": { "n": [2, "1k"], "dist": ["uniform", "untold", "fails", "skips", "dies"] },
  "measure": { "samples": 4, "warmup": 0, "time_limit_s": 60 } }
END
"$driver" run programs/bench.json --out out >bench.log 2>&1
ended=$?
check 'a run of programs that had failures says so' test "$ended" = 1
# status VARIANT N: of each word in turn
status() { columns out/bench.csv variant n dist status | grep "^$1,$2," | cut -d, -f3,4 | paste -sd ' '; }
rest='fails,crashed skips,unsupported dies,crashed'
check 'a program is timed as a whole' test "$(status whole 2)" = "uniform,ok untold,ok $rest"
check 'or by what it says' test "$(status told 1000)" = "uniform,ok untold,crashed $rest"
check 'what is expected is there' test "$(status expected 2)" = "uniform,ok untold,ok $rest"
check 'or the answer is wrong' test "$(status expected 1000)" = "uniform,wrong untold,wrong $rest"
check 'times that a program tells are its samples, in their order' diff \
    <(sed -n 's/.*,n=2;dist=uniform,told,warm,//p' out/bench.samples.csv) <(printf '%s\n' 0,1e-06 1,2e-06 2,3e-06 3,4e-06)
cat >programs/counts <<'END'
#!/bin/sh
echo >>runs
for i in 1 2 3; do echo "t $(wc -l <runs)$i"; done
END
chmod +x programs/counts
cat >programs/counts.json <<'END'
{ "schema": 1, "name": "counts", "primitive": "command", "command": ["./counts"],
  "time": { "pattern": "t ([0-9]+)", "unit": "ns" }, "measure": { "samples": 3, "warmup": 0, "cache": "cold" } }
END
"$driver" run programs/counts.json --out out >/dev/null 2>&1
check 'those of the run that is judged are none' diff <(cut -d, -f6 out/counts.samples.csv) <(printf '%s\n' time_s 2.1e-08 2.2e-08 2.3e-08)
check 'the last lines of one that fails are in its row' grep -qF 'exit status 3; it says: n=2 of fails;first;it is, ""broken""' out/bench.csv
check 'what a process takes is said' grep -q 'one that ends at once takes' bench.log
check 'files of programs are drawn and resumed' bash -c "'$driver' run programs/bench.json --out out --resume 2>&1 | grep -q 'nothing to measure (30 rows' && '$driver' table out/bench.csv"

sed 's/"dist": \[.*\]/"dist": "hangs"/; s/"bench"/"hangs"/; s/"time_limit_s": 60/"time_limit_s": 0.3/; s/\[2, "1k"\]/[2]/' programs/bench.json >programs/hangs.json
rm -f programs/pids
"$driver" run programs/hangs.json --out out >hangs.log 2>&1
check 'one that hangs is ended in time' test "$(columns out/hangs.csv status | sort -u)" = timeout
mapfile -t pids <programs/pids
check 'with all that it has started' await 60 gone "${pids[@]}"

echo '{ "schema": 1, "name": "plain", "primitive": "command", "command": ["true"], "measure": { "samples": 3 } }' >plain.json
check 'a config without axes has one point' bash -c "'$driver' run plain.json --out out && '$driver' table out/plain.csv"

sed 's/"ms" }/"s" }/; s/"dist": \[.*\]/"dist": "uniform"/; s/0.00\$i ms/10 ms/' programs/bench.json | sed 's/"bench"/"unit"/' >programs/unit.json
sed -i 's/time: 0.00\$i ms/time: 10 ms/' programs/bench
"$driver" run programs/unit.json --out out >unit.log 2>&1
check 'times longer than the run are not believed' grep -q 'tells times of 40 s in all, and ran for .* is ""unit"" right' out/unit.csv

# program_mistake EDIT TEXT
program_mistake()
{
    sed "$1" programs/bench.json >programs/bad.json
    # shellcheck disable=SC2016 # the inner shell expands them
    check "said: $2" bash -c '"$@" >said 2>&1; [ $? = 2 ] && [ ! -e bad ] && grep -qF -- "$0" said || { cat said; false; }' \
        "$2" "$driver" run programs/bad.json --out bad
}
program_mistake 's/{n}/{m}/' 'command: "{m}": "{m}" at byte 1 is no placeholder; what may stand in braces: n, dist, seed'
program_mistake 's/"{n}"/5/' 'command: all words are texts: write a number in quotes'
program_mistake 's/"\.\/bench", "{n}", "{dist}"//' 'command: a list of words is allowed, the program first'
program_mistake 's/(\[0-9.\]+)/[0-9.]+/' 'variants[1].time: "time: [0-9.]+ ms" has 0 groups in parentheses; exactly one is allowed'
program_mistake 's/(\[0-9.\]+)/([0-9./' 'is no POSIX extended regular expression'
program_mistake 's/"unit": "ms"/"unit": "min"/' 'variants[1].time: "unit" is "min"; "s", "ms", "us" or "ns" is allowed'
program_mistake 's/"uniform"/"two words"/' 'axes.dist: "two words" is no word'
sed 's/".\/bench"/".\/nothing"/' programs/bench.json >programs/nothing.json
"$driver" run programs/nothing.json --out nothing --filter 'n == 2 && dist == uniform && variant == told' >/dev/null 2>&1
check 'a program that is not there is said to be missing' grep -q 'cannot start ./nothing in .*programs: No such file' nothing/bench.csv

check 'lists say where their variants come from' bash -c "'$driver' list variants call | grep -q 'has what a config says'"
check 'check says who checks them' bash -c "'$driver' check call --device host 2>&1 | grep -q 'is made from a config'"
finish
