# shellcheck shell=bash
# ---- orders of threads
guard 'threads are left at atomics' common/simt/scheduler.cpp \
    'maybe_preempt(w, config.preempt_atomic);' ';' planted_bugs.sh
guard 'and at plain accesses, with hooks' common/simt/hooks.cpp \
    'simt::at_access(simt::config.preempt_plain, NULL, 0);' ';' planted_bugs.sh
guard 'blocks take turns' bench/explore.c \
    'residents[] = {2, 1, 4};' 'residents[] = {1, 1, 1};' planted_bugs.sh
guard 'unfair is unfair' common/simt/policies.cpp \
    'i = choose_unfairly(w);' 'i = random_below(w, w->ready_count);' planted_bugs.sh
guard 'a thread that spins is left in the end' common/simt/policies.cpp \
    'lower_priority(w);' ';' planted_bugs.sh
guard 'the schedule that failed is printed' bench/check_run.c \
    'if (schedule) printf(" --schedule' 'if (false) printf(" --schedule' planted_bugs.sh
# ---- threads that cannot go on
guard 'a live-lock has a limit' common/simt/scheduler.cpp \
    'if (w->job->alone && here.idle > config.spin_limit)' 'if (false)' planted_bugs.sh
guard 'a dead-lock is told' common/simt/scheduler.cpp \
    'if (w->ready_count == 0) fail(' 'if (w->ready_count == 0) fail(cudaErrorUnknown, ""); if (false) fail(' \
    planted_bugs.sh
guard 'all threads are at the same barrier' common/simt/collectives.cpp \
    'else if (!same_place(t, first->file, first->line))' 'else if (false)' planted_bugs.sh
guard 'a lane is in its own mask' common/simt/collectives.cpp \
    'if (!(mask >> t->lane & 1))' 'if (false)' planted_bugs.sh
# ---- memory
guard 'static shared memory holds garbage' common/simt/poison.cpp \
    'memset(chunk.begin, garbage, bytes);' 'memset(chunk.begin, 0, bytes);' planted_bugs.sh
guard 'device memory holds garbage' common/simt/memory.cpp \
    'memset(base + red_bytes, garbage, bytes);' 'memset(base + red_bytes, 0, bytes);' planted_bugs.sh
guard 'red zones around device memory' common/simt/launch.cpp \
    'if (find_damage(damage, sizeof damage))' 'if (false)' planted_bugs.sh
guard 'the one before it' common/simt/memory.cpp \
    'if (first == red_bytes && next == room) return false;' 'if (next == room) return false;' planted_bugs.sh
guard 'damage is told once' common/simt/memory.cpp \
    'fill_red_zones(at, a.bytes); /* told once */' ';' simt_900_failures
guard 'a red zone behind the dynamic shared memory' common/simt/poison.cpp \
    'if (i == room) return;' 'return;' planted_bugs.sh
guard "an array's bounds" common/simt/bounds.cpp \
    'fail(cudaErrorIllegalAddress, what);' 'leave();' planted_bugs.sh
guard 'a fault fails the launch' common/simt/signals.cpp \
    'if (here.thread && !here.inside) {' 'if (false) {' planted_bugs.sh
guard 'a fault says which instruction' common/simt/signals.cpp \
    '(instruction_of(context) - base)' '(base)' planted_bugs.sh
