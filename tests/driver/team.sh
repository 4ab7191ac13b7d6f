#!/bin/bash
# test: fast 15
# A team (gpubench team): several workers of the simt device, a process each, that answer as one. How answers become
# one, who is asked, how members find their devices and each other, and what is left when one of them, the team or the
# driver fails. The primitive is tests/worker/primitives/team.
# shellcheck source=tests/harness/lib_command.sh
. "$(dirname "$0")/../harness/lib_command.sh"
# shellcheck source=tests/harness/lib_rows.sh
. "$(dirname "$0")/../harness/lib_rows.sh"
export NO_COLOR=1 GPUBENCH_SHARE=$root SIMT_WORKERS=1 GPUBENCH_TEAM_LIMIT_S=20
cd "$scratch" || exit 1
gpubench=$BUILD/gpubench
worker=$scratch/member # a name of its own, so that nobody else's are counted
ln -s "$BUILD/tests/gpubench-simt" "$worker" && ln -s "$BUILD/tests/driver/fake_worker" fake_member || exit 1
none_left() { await 20 none_runs "$worker"; }

# ---- a team by hand --------------------------------------------------------------------------------------------------

# begin RANKS: a team whose members have a device and each other; $team_pid, and ask speaks to it.
begin()
{
    rm -f to from && mkfifo to from || return 1
    "$gpubench" team --ranks "$1" -- "$worker" <to >from 2>team.err &
    team_pid=$!
    exec 7>to 8<from
    ask '{"cmd":"select","device":0,"ceilings":false}' '"ok":true'
}
send() { printf '%s\n' "$1" >&7; }
# hear FRAGMENT...: the next answer has all of them.
hear()
{
    local fragment answer=''
    IFS= read -r -t 60 -u 8 answer || { echo "no answer"; cat team.err; return 1; }
    for fragment; do
        [[ $answer == *"$fragment"* ]] || { echo "no $fragment in $answer"; return 1; }
    done
}
ask() { send "$1" && hear "${@:2}"; }
# over STATUS: the team ends so, and nothing of it is left.
over()
{
    local status=0
    exec 7>&-
    wait "$team_pid" || status=$?
    exec 8<&-
    echo "exit status $status"
    [ $status = "$1" ] && none_left
}
opened() # JOB VARIANT GPUS [N]
{
    echo '{"cmd":"open","job":'"$1"',"primitive":"team","variant":"'"$2"'","params":{"gpus":"'"$3"'","n":"'"${4:-100}"'"},"seed":1,"cache":"warm","scope":"device"}'
}

check "three members are one worker" begin 3
check "... of one device that is three" ask '{"cmd":"describe","seq":5}' '"gpus":3}]' '"seq":5' '"backend":"simt"' '"cmd":"describe"'
check "a job of two of them" ask "$(opened 1 windows 2)" '"ok":true' '"job":1' '"items":200'
check "... and one of all" ask "$(opened 2 copies 3)" '"ok":true' '"items":300'
check "... and one of the first alone" ask "$(opened 3 single 1)" '"ok":true' '"items":100'
for job in 1 2 3; do
    check "job $job is right" ask '{"cmd":"verify","job":'$job'}' '"verdict":"ok"'
done
# Members have different jobs in turn: what a turn begins with is the same for all.
for job in 1 3 2 3 1 2; do
    check "job $job is sampled" ask '{"cmd":"sample","job":'$job',"count":3,"seq":9}' '"ok":true' '"times_s":[' '"seq":9'
done
times() { send '{"cmd":"sample","job":2,"count":4}' && IFS= read -r -t 60 -u 8 answer && [ "$(grep -o '"times_s":\[[^]]*' <<<"$answer" | tr -cd , | wc -c)" = 3 ]; }
check "... with as many times as asked for" times
check "all have to be right: the last one is not" ask "$(opened 4 wrong 3)" '"ok":true'
check "... which is said with its rank" ask '{"cmd":"verify","job":4}' '"verdict":"wrong"' 'rank 2: word 99 of rank 2'
check "the same reason of all is said once" ask "$(opened 5 copies 4)" '"unsupported"' '"reason":"4 GPUs are asked for, the team has 3"'
check "... as of a variant that none has" ask "$(opened 5 best 2)" '"protocol"' 'has no variant'
check "what times could decide otherwise in each is refused" ask "$(opened 5 chooses 2)" '"unsupported"' 'several processes may not find the same'
check "a job that nobody has" ask '{"cmd":"verify","job":17}' '"protocol"' '"job":17'
check "a line that is no request" ask 'hello' '"protocol"' '"cmd":""'
check "a request that nobody knows" ask '{"cmd":"dance"}' '"protocol"' 'unknown cmd'
check "no team of teams" ask '{"cmd":"team","sizes":[2]}' '"protocol"'
check "work needs one alone" ask '{"cmd":"work","primitive":"team","points":[{"gpus":"2","n":"5"}]}' '"work":[[10,40,0,40]]'
check "telemetry is that of all" ask '{"cmd":"telemetry"}' '"ok":true' '"memory_free_bytes"'
for job in 1 2 3 4; do
    check "job $job is closed" ask '{"cmd":"close","job":'$job'}' '"ok":true' '"job":'$job
done
check "links are those of one process" ask '{"cmd":"links"}' '"unsupported"'
check "it is selected again, as after other work" ask '{"cmd":"select","device":0,"ceilings":false}' '"ok":true'
check "... not in parts" ask '{"cmd":"select","device":0,"multiprocessors":1}' '"unsupported"' 'these are 3'
check "quit" ask '{"cmd":"quit"}' '"ok":true'
check "... ends all" over 0
begin 2
check "so does the end of its input" over 0

# ---- members that fail -----------------------------------------------------------------------------------------------

members() { pgrep -P "$team_pid" -f "$worker"; }
member() { members | sed -n "$1p"; }
begin 2
check "memory that one rank alone lacks" ask "$(opened 1 no-memory 2)" '"out_of_memory"' 'rank 1: it has no memory' '"fatal":true'
check "... is the team's end" over 1
begin 2 && ask "$(opened 1 dies 2)" '"ok":true'
check "a member that ends" ask '{"cmd":"verify","job":1}' '"crashed"' 'rank 1: the worker ended at' '(worker exit status 7)' '"fatal":true'
check "... is the team's end" over 1

# in_sample SIGNAL RANK+1: in the middle of a sample that never ends.
in_sample()
{
    begin 3 && ask "$(opened 1 nccl 3 1000)" '"ok":true' && send '{"cmd":"sample","job":1,"count":900000}' && sleep 0.3 &&
        kill -"$1" "$(member "$2")"
}
check "a member is killed in the middle of a sample" in_sample KILL 2
check "... which is told with its rank" hear '"crashed"' 'rank 1: the worker ended at' 'signal 9' '"fatal":true'
check "... and ends all, with those that waited for it" over 1
export GPUBENCH_TEAM_LIMIT_S=1
check "a member is stopped in the middle of a sample" in_sample STOP 3
check "... the others do not wait for good" hear '"crashed"' 'has waited for rank 2 for 1 s' 'rank 2 had not answered 3 s later: somebody has stopped it (SIGSTOP)'
check "... and all end" over 1
export GPUBENCH_TEAM_LIMIT_S=20
kill_team() { in_sample 0 1 && kill -"$1" "$team_pid"; }
check "the team is asked to end in the middle of a sample" kill_team TERM
check "... which all do" over 143
check "the team is killed in the middle of a sample" kill_team KILL
check "... and nobody stays" over 137

# ---- how members are started -----------------------------------------------------------------------------------------

mkdir bin ssh && ln -s "$root/tests/fixtures/ssh.sh" bin/ssh
cat >bin/launch <<'END'
#!/bin/sh
echo "$1 $2" >>"$LAUNCHED"
shift 2
exec "$@"
END
chmod +x bin/launch
export LAUNCHED=$scratch/launched
by_launch()
{
    PATH=$scratch/bin:$PATH FAKE_SSH=$scratch/ssh "$gpubench" team "$@" >out 2>err <<<'{"cmd":"describe"}' && grep -q '"ok":true' out
}
check "a template has each one's rank and host" by_launch --ranks 4 --hosts a,b --launch 'launch "{rank} of" {host}' -- "$worker"
check "... hosts are filled one after the other" test "$(sort <launched | tr '\n' ';')" = "0 of a;1 of a;2 of b;3 of b;"
check "a host each, through ssh" by_launch --hosts node7,node8 --launch 'ssh {host}' "$worker"
check "... is what it says" grep -q '"gpus":2' out
check "arguments with blanks and quotes arrive" by_launch --ranks 1 -- sh -c "echo \"it's \$1\" >said; exec \"\$2\"" sh 'a  "b"' "$worker"
check "... as they are" test "$(cat said)" = "it's a  \"b\""
refuses() { local status=0; "$gpubench" team "${@:3}" </dev/null >out 2>err || status=$?; cat err; [ $status = "$1" ] && grep -qF -- "$2" err; }
check "no worker" refuses 2 "which worker?" --ranks 2
check "no number" refuses 2 "--ranks says how many" -- "$worker"
check "too many" refuses 2 "64" --ranks 65 -- "$worker"
check "hosts without a way to them" refuses 2 "--launch how to get there" --hosts a,b -- "$worker"
check "a way without hosts" refuses 2 "--hosts names them" --ranks 2 --launch 'ssh {host}' -- "$worker"
check "a host without a name" refuses 2 "empty name" --hosts a,,b --launch 'ssh {host}' -- "$worker"
check "a program that is not there" refuses 3 "cannot start the worker" --ranks 2 -- ./nowhere
described() { "$gpubench" team "${@:2}" <<<'{"cmd":"describe"}' >out 2>err; cut -c1-300 out; cat err; grep -qF -- "$1" out; }
check "of GPUs each member has its own" described '"gpus":3' --ranks 3 -- ./fake_member --devices 3
check "... or none" described 'rank 3 has no GPU of its own: other ranks have those that it sees' --ranks 4 -- ./fake_member --devices 3
check "... and all are of one make" described 'GPUs that work together are of one make' --ranks 3 -- ./fake_member --devices 3 --last-make Fake-Other
check "hosts are those of all" described '"host":"n1, n2"' --hosts n1,n1,n2 --launch 'env FAKE_HOST={host}' -- ./fake_member --devices 3
check "... where they are known" described '"gpus":2' --ranks 2 -- ./fake_member --devices 3
selected() { "$gpubench" team "${@:2}" <<<'{"cmd":"select","device":0}' >out 2>err; cat out err; grep -qF -- "$1" out; }
check "a worker that knows of no teams is none's member" selected 'rank 0 cannot be one of a team' --ranks 2 -- ./fake_member --devices 2

# ---- the driver ------------------------------------------------------------------------------------------------------

team() { echo "$gpubench team --ranks $1 -- $worker"; }
cat >mixed.json <<'END'
{"schema":1,"name":"mixed","primitive":"team","variants":["windows","dies","copies","no-memory","wrong"],
 "axes":{"gpus":[1,2,3],"n":[100]},"measure":{"samples":3,"warmup":1,"time_limit_s":20}}
END
"$gpubench" run mixed.json --worker "$(team 2)" --out mixed >out 2>err
status_of() { columns mixed/mixed.csv gpus variant status | grep -c "^$1,$2,$3$"; }
check "a run goes on with a fresh team behind a member that died" test "$(status_of 2 dies crashed)" = 1
check "... and behind one without memory" test "$(status_of 2 no-memory out_of_memory)" = 1
for gpus in 1 2; do for variant in windows copies; do
    check "$variant on $gpus: ok" test "$(status_of $gpus $variant ok)" = 1
done; done
check "what is wrong is" test "$(status_of 2 wrong wrong)" = 1
check "three are more than there are" test "$(status_of 3 copies unsupported)" = 1
check "its rows say how many work together" test "$(columns mixed/mixed.csv under | sort -u | tr '\n' ' ')" = "gpus=2 "
check "... and the meta file, by whom" grep -q 'team --ranks 2' mixed/mixed.meta.json
check "nobody is left" none_left
checked() { "$gpubench" check team --variant windows --variant copies --variant nccl --variant single --worker "$(team "$1")" >out 2>err; local status=$?; cat out err; [ $status = 0 ] && [ "$(grep -c '^passed' out)" = 4 ]; }
check "a check with two" checked 2
check "... and three" checked 3
# Ranks that are processes overtake each other where nothing keeps them from it.
of_several() { "$gpubench" check "$1" --quick --worker "$gpubench team --ranks 3 -- $BUILD/gpubench-simt" >out 2>err; local status=$?; cat out err; [ $status = 0 ] && ! grep -qE '^(FAILED|untested)' out; }
for primitive in dynamic-array-multi octree-multi; do
    check "$primitive, a process a GPU" of_several $primitive
done
cat >endless.json <<'END'
{"schema":1,"name":"endless","primitive":"team","variants":["sleeps","copies"],"axes":{"gpus":[2],"n":[100]},
 "measure":{"samples":3,"warmup":0,"time_limit_s":2}}
END
"$gpubench" run endless.json --worker "$(team 2)" --out endless >out 2>err
check "the driver's own limit ends a team that waits" test "$(columns endless/endless.csv variant status | tr '\n' ' ')" = "copies,ok sleeps,timeout " \
    -o "$(columns endless/endless.csv variant status | tr '\n' ' ')" = "sleeps,timeout copies,ok "
check "... and its members" none_left
sed 's/"time_limit_s":2/"time_limit_s":60/' endless.json >killed.json
killed()
{
    "$gpubench" run killed.json --worker "$(team 2)" --out killed >out 2>err &
    local driver=$!
    await 20 sh -c "[ \$(pgrep -cf '^$worker') = 2 ]" && sleep 0.3 && kill -KILL $driver
    wait $driver
    none_left
}
check "a driver that is killed leaves no member" killed
finish
