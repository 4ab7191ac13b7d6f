# shellcheck shell=bash
# Sourced by tests/delivery/slurm.sh after lib.sh: a Slurm cluster of one node, this host, with two GPUs that do not
# exist. All of it, munge with its key included, lies in a folder, belongs to this user and listens on loopback; what
# the host has of Slurm's own is not touched.

slurm_pids=()

# Debian has the daemons where only root looks.
PATH=$PATH:/usr/sbin:/sbin

# slurm_missing: the first program that is not installed.
slurm_missing()
{
    local program
    for program in munged slurmctld slurmd sbatch srun; do
        type -P $program >/dev/null || { echo $program; return; }
    done
}

# slurm_start FOLDER: the daemons as children of this shell. False if the node is not up in time.
slurm_start()
{
    local d=$1 host port user
    mkdir -p "$d"/{state,spool,log} && mkdir -m 755 "$d/run" && mkdir -m 700 "$d/munge" || return 1
    host=$(uname -n) && host=${host%%.*} && user=$(id -un)
    port=$((20000 + RANDOM % 12000))
    (umask 077 && head -c 128 /dev/urandom >"$d/munge/key")
    # GPUs that only have a name: gres.conf wants files, and nobody opens them.
    printf 'Name=gpu Type=%s File=%s\n' fake-a /dev/null fake-b /dev/zero >"$d/gres.conf"
    : >"$d/plugstack.conf"
    cat >"$d/slurm.conf" <<END
ClusterName=fleet
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
AuthType=auth/munge
AuthInfo=socket=$d/run/munge
CredType=cred/munge
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/run/slurmctld.pid
SlurmdPidFile=$d/run/slurmd.pid
SlurmctldLogFile=$d/log/slurmctld
SlurmdLogFile=$d/log/slurmd
PlugStackConfig=$d/plugstack.conf
MailProg=/bin/true
MpiDefault=none
SwitchType=switch/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=10
ReturnToService=2
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=500 Gres=gpu:fake-a:1,gpu:fake-b:1
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP
PartitionName=gpu Nodes=ALL State=UP
END
    export SLURM_CONF=$d/slurm.conf
    munged --foreground --force --num-threads=2 --key-file="$d/munge/key" --socket="$d/run/munge" \
        --pid-file="$d/munge/pid" --log-file="$d/munge/log" --seed-file="$d/munge/seed" >"$d/log/munged" 2>&1 &
    slurm_pids+=($!)
    await 10 test -S "$d/run/munge" || return 1
    slurmctld -D -c >"$d/log/slurmctld.out" 2>&1 &
    slurm_pids+=($!)
    slurmd -D >"$d/log/slurmd.out" 2>&1 &
    slurm_pids+=($!)
    await 30 node_is_idle || { tail -n 15 "$d"/log/*; return 1; }
}
# shellcheck disable=SC2317 # await calls it
node_is_idle() { [ "$(sinfo -h -o %t 2>/dev/null)" = idle ]; }

# slurm_stop [now]: now, without a word to Slurm: who ends a test ends its daemons, too, and Slurm's commands
# would wait for them.
slurm_stop()
{
    local pid file
    [ ${#slurm_pids[@]} -gt 0 ] || return
    if [ "${1:-}" != now ]; then
        timeout 3 scancel -u "$(id -un)" 2>/dev/null
        await 5 no_jobs 2>/dev/null
    fi
    for pid in "${slurm_pids[@]}"; do kill "$pid" 2>/dev/null; done
    await 3 daemons_gone 2>/dev/null
    # Jobs outlive their daemons. All of them, and the daemons, know where this cluster lies.
    for file in /proc/[0-9]*/environ; do
        pid=${file#/proc/} pid=${pid%/environ}
        [ "$pid" = $$ ] || ! grep -qzxF "SLURM_CONF=$SLURM_CONF" "$file" || kill -9 "$pid"
    done 2>/dev/null
    slurm_pids=()
}
# shellcheck disable=SC2317
no_jobs() { local jobs; jobs=$(timeout 5 squeue -h) && [ -z "$jobs" ]; }
# shellcheck disable=SC2317
daemons_gone() { gone "${slurm_pids[@]}"; }
