# shellcheck shell=bash
# ---- orders of threads
guard 'threads are left at atomics' at_atomic \
    'maybe_preempt(w, config.preempt_atomic);' ';' planted_bugs.sh
guard 'and at plain accesses, with hooks' hooks:at_store \
    'if (config.preempt_plain) at_access(config.preempt_plain, NULL, 0);' '' planted_bugs.sh
guard 'blocks take turns' residents \
    'residents[] = {2, 1, 4};' 'residents[] = {1, 1, 1};' planted_bugs.sh
guard 'unfair is unfair' take_from_ring \
    'i = choose_unfairly(w);' 'i = random_below(w, w->ready_count);' planted_bugs.sh
guard 'a thread that spins is left in the end' draw_preemption \
    'lower_priority(w);' ';' planted_bugs.sh
guard 'the schedule that failed is printed' gb_check_print_failure \
    'if (schedule) printf(" --schedule' 'if (false) printf(" --schedule' planted_bugs.sh
# ---- threads that cannot go on
guard 'a live-lock has a limit' count_idle \
    'if (w->job->alone && here.idle > config.spin_limit)' 'if (false)' planted_bugs.sh
guard 'a dead-lock is told' choose_next \
    'if (w->ready_count == 0) fail(' 'if (w->ready_count == 0) fail(cudaErrorUnknown, ""); if (false) fail(' \
    planted_bugs.sh
guard 'all threads are at the same barrier' release_barrier \
    'else if (!same_place(t, first->file, first->line))' 'else if (false)' planted_bugs.sh
guard 'a lane is in its own mask' at_warp \
    'if (!(mask >> t->lane & 1))' 'if (false)' planted_bugs.sh
# ---- memory
guard 'static shared memory holds garbage' poison:fill \
    'memset(chunk.begin, garbage, bytes);' 'memset(chunk.begin, 0, bytes);' planted_bugs.sh
guard 'device memory holds garbage' memory:allocate \
    'memset(base + red_bytes, garbage, bytes);' 'memset(base + red_bytes, 0, bytes);' planted_bugs.sh
guard 'red zones around device memory' run_job \
    'if (find_damage(damage, sizeof damage))' 'if (false)' planted_bugs.sh
guard 'the one before it' describe_damage \
    'if (first == red_bytes && next == room) return false;' 'if (next == room) return false;' planted_bugs.sh
guard 'damage is told once' find_damage \
    'fill_red_zones(at, a.bytes); /* told once */' ';' simt_900_failures
guard 'a red zone behind the dynamic shared memory' check_red_zone \
    'if (i == room) return;' 'return;' planted_bugs.sh
guard "an array's bounds" report_index \
    'fail(cudaErrorIllegalAddress, what);' 'leave();' planted_bugs.sh
guard 'a fault fails the launch' on_fault \
    'if (here.thread && !here.inside) {' 'if (false) {' planted_bugs.sh
guard 'a fault says which instruction' on_fault \
    '(instruction_of(context) - base)' '(base)' planted_bugs.sh
