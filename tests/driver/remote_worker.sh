#!/bin/bash
# test: thorough 17
# A worker on another host, started through ssh: quoting, an empty environment, latency, noise on both
# pipes, a connection that breaks, and what stays behind on the other host. The ssh is a script that
# does what ssh and sshd do to a command; the hosts are this one under other names.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
gpubench=$BUILD/gpubench worker=$BUILD/gpubench-simt fake=$BUILD/tests/driver/fake_worker
cd "$scratch" || exit 1

mkdir bin && ln -s "$root/tests/fixtures/ssh.sh" bin/ssh
export PATH=$scratch/bin:$PATH FAKE_SSH=$scratch/ssh
mkdir "$FAKE_SSH"

cat >few.json <<'END'
{"schema":1,"name":"few","primitive":"null","variants":["nothing","empty"],"axes":{"ns":[0]},
 "measure":{"samples":5,"warmup":1,"time_limit_s":20}}
END

# run NAME ARGUMENTS...: a run into its own folder; leaves out, err and status there.
run()
{
    local name=$1
    shift
    mkdir -p "$name"
    rm -f "$FAKE_SSH"/connections "$FAKE_SSH"/remotes
    "$gpubench" run "$@" --out "$name" >"$name/out" 2>"$name/err"
    echo $? >"$name/status"
}
ended() # NAME STATUS FRAGMENT...
{
    local name=$1 fragment
    cat "$name/out" "$name/err"
    [ "$(cat "$name/status")" = "$2" ] || { echo "exit status $(cat "$name/status")"; return 1; }
    shift 2
    for fragment; do
        grep -qF -- "$fragment" "$name/err" || { echo "nobody says: $fragment"; return 1; }
    done
}
silent() { ! grep -qF -- "$2" "$1/err" "$1/out"; }
host_of() { sed -n '/"worker":/,/}/s/.*"host":[[:space:]]*"\(.*\)".*/\1/p' "$1"; }

# ---- commands --------------------------------------------------------------------------------------

mkdir "my bench" && ln -s "$worker" "my bench/gpubench-simt"
run plain few.json --worker "ssh -o BatchMode=yes node7 $worker"
check "a worker through ssh" ended plain 0
check "has all rows" test "$(rows plain/few.csv | grep -c '|ok|')" = 2
check "the meta file names its host" test "$(host_of plain/few.meta.json)" = node7
FAKE_SSH_LATENCY=0.03 FAKE_SSH_NOISE=1 run far few.json --worker "ssh node7 \"'$scratch/my bench/gpubench-simt'\""
check "blanks in its path, quoted for both shells; latency; noise on stderr" ended far 0
check "the noise is not shown" silent far Permanently
run unquoted few.json --worker "ssh node7 '$scratch/my bench/gpubench-simt'"
check "quoted for one of them only: the shell there says so" ended unquoted 3 'exit status 127' "$scratch/my" 'not found'
export SIMT_WORKERS=1 GPUBENCH_SEEN=1
run clean few.json --worker "ssh node7 env >&2; exit 4"
check "the environment does not travel" ended clean 3 'exit status 4'
check "none of it" sh -c "! grep -E 'GPUBENCH_SEEN|SIMT_WORKERS=1' clean/err"
FAKE_SSH_REFUSES=1 run refused few.json --worker "ssh node7 $worker"
check "no way in: ssh's own words" ended refused 3 'exit status 255' 'Permission denied (publickey)'
run twice few.json --worker "ssh node7 $worker" --worker "ssh node8 $worker"
check "two workers for one run are refused" ended twice 2 'a run has one worker'
GPUBENCH_ANONYMOUS=1 run nameless few.json --worker "ssh node7 $worker"
check "an anonymous run" ended nameless 0
check "names no machine, though the worker did" sh -c '! grep -rE "node7|\"host\":.*\"" nameless/few.meta.json'
anonymous_worker() { ! echo '{"cmd":"describe"}' | GPUBENCH_ANONYMOUS=1 "$worker" | grep -o '"host":"[^"]*"'; }
GPUBENCH_ANONYMOUS=1 run "nameless too" --worker="ssh node7 $worker" few.json
check "nor written as one word" sh -c '! grep -rE "node7" "nameless too/few.meta.json" && grep -F "\"run\", \"...\", \"few.json\"" "nameless too/few.meta.json"'
check "nor does a worker that was asked not to" anonymous_worker

# ---- banners ---------------------------------------------------------------------------------------

banner='Welcome to node7. Maintenance on Monday.'
FAKE_SSH_BANNER=$banner run banner few.json --worker "ssh node7 $worker"
check "a banner on stdout is shown, with what to do" ended banner 3 ": '$banner'; no worker says that" '/.bashrc'
FAKE_SSH_BANNER=$banner FAKE_SSH_LATENCY=1 run late few.json --worker "ssh node7 $worker"
check "also one that is there before anything was asked" ended late 3 ": '$banner'; no worker says that" '/.bashrc'

# ---- connections that break ------------------------------------------------------------------------

cat >cut.json <<'END'
{"schema":1,"name":"cut","primitive":"fake","variants":["other","good"],"axes":{"n":["1k","2k"]},
 "measure":{"samples":10,"warmup":1,"time_limit_s":20}}
END
echo 2 >"$FAKE_SSH/breaks_in"
run broken cut.json --worker "ssh node7 $fake"
check "a connection that breaks costs one row, and a run goes on" ended broken 1 'crashed'
broken_rows() { rows broken/cut.csv; [ "$(rows broken/cut.csv | grep -c '|ok|')" = 3 ] && [ "$(rows broken/cut.csv | grep -c '|crashed|the worker ended at')" = 1 ]; }
check "which says so; the others are right" broken_rows
run broken cut.json --worker "ssh node7 $fake" --resume --retry
all_ok() { rows "$1/cut.csv"; [ "$(rows "$1/cut.csv" | grep -c '|ok|')" = 4 ] && [ "$(wc -l <"$1/cut.csv")" = 5 ]; }
check "and is measured by --resume --retry" ended broken 0
check "each row once" all_ok broken

echo node9 >"$FAKE_SSH/host_2" # the name leads elsewhere when the worker is replaced
cat >lost.json <<'END'
{"schema":1,"name":"lost","primitive":"fake","variants":["die-sample","good"],"axes":{"n":["1k","2k"]},
 "measure":{"samples":5,"warmup":1,"time_limit_s":5}}
END
for i in 3 4 5 6 7; do echo node9 >"$FAKE_SSH/host_$i"; done
# The fake worker says no host: the real one's is what the relay renames.
FAKE_SSH_NOISE='' run moved lost.json --worker "ssh login env FAKE_HOST=login $fake"
check "a worker that comes up on another host is no replacement" ended moved 1 'runs on node9, the one before ran on login' --nodelist=login
rm -f "$FAKE_SSH"/host_*
run plain few.json --worker "ssh node8 $worker" --resume
check "going on with a file on another host is said" ended plain 0 'node8 is not node7, where the rows so far of few were measured'
run plain few.json --worker "ssh node8 $worker" --resume
check "but not on the same one" silent plain 'is not node8'

# ---- what stays behind -----------------------------------------------------------------------------

cat >hang.json <<'END'
{"schema":1,"name":"hang","primitive":"faults","variants":["host-endless","good"],"axes":{"n":[1000]},
 "measure":{"samples":2,"warmup":0,"time_limit_s":3}}
END
(run hang hang.json --worker "ssh node7 exec $BUILD/tests/gpubench-simt") &
second_came() { [ "$(wc -l <"$FAKE_SSH/remotes")" = 2 ]; } # the first was given up
check "a worker that hangs on another host is replaced" await 60 second_came
check "a worker that hangs on the other host ends when its connection does" await 60 gone "$(head -n 1 "$FAKE_SSH/remotes")"
wait
check "its row says timeout" test "$(rows hang/hang.csv | grep -c '|timeout|')" = 1
check "and the next is right" test "$(rows hang/hang.csv | grep -c '|ok|')" = 1
finish
