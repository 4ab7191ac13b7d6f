# shellcheck shell=bash
# Exploring schedules on the simt device.
guard 'a live-lock is counted over all resident blocks' pass_baton \
    '    here.idle = turn_idle;' '    ;' simt_900_schedules
guard 'by priority a thread is left at a few points only' draw_preemption \
    'if (--w->until_change && !is_spinning()) return false;' 'w->until_change = 0;' simt_900_schedules
guard 'a report says when the clock has left a thread' on_nudge \
    'w->job->nudged = true;' ';' simt_900_schedules
guard 'a time for which the process is stopped does not count' signals:watch \
    'waited += std::min<std::chrono::steady_clock::duration>(now - before, longest_look);' 'waited += now - before;' simt_900_failures
guard 'a thread that waits for a core is not left by the clock' is_due \
    'return now - w->seen_cpu_ns > longest_run_ns;' 'return same;' simt_900_schedules
guard 'a schedule begins at its seed' schedule:gb_backend_begin_schedule \
    'simt::reseed(wanted.seed);' ';' planted_bugs.sh
guard 'a schedule that needs hooks is refused without' schedule:gb_backend_schedule \
    'if (schedule && !simt::hooked &&' 'if (false &&' test_worker_service
guard 'resident blocks stay while a job is open' handle_schedule \
    'if (service->jobs && schedule.resident != service->resident) {' 'if (false) {' test_worker_service
guard 'the device has as many multiprocessors as resident blocks' handle_schedule \
    'if (status == GB_OK && !service->jobs)' 'if (status == GB_OK && false)' test_worker_service
guard 'a failure under a schedule is one' explore_case \
    'if (status != GB_OK) fail(e, at, i, status, &error);' '' planted_bugs.sh
guard 'a failure is tried in a fresh worker' report_failure \
    '!fails_alone(e)' 'false' planted_bugs.sh
guard 'the unfair policy is for generations before Volta' schedules_are_possible \
    'c->space.unfair = c->session.device->arch < 700;' 'c->space.unfair = true;' planted_bugs.sh
guard 'a schedule has a policy' parse_field \
    'if (!*has_policy)' 'if (false)' test_schedule
guard 'every case is explored, not the first alone' explore \
    'for (size_t at = 0; at < e->count && !stopped(e); at++) {' \
    'for (size_t at = 0; at < 1 && !stopped(e); at++) {' planted_bugs.sh
