# shellcheck shell=bash
# ---- what is an answer ----------------------------------------------------------------------------
guard 'an answer is to this request' defect_of \
    'if (!cJSON_IsString(echo) || strcmp(echo->valuestring, gb_request_name(request)) != 0)' 'if (false)' faults.sh
guard 'it says whether it is ok' defect_of 'if (!cJSON_IsBool(ok))' 'if (false)' faults.sh
guard 'it is about this job' defect_of \
    'if (job && (!cJSON_IsNumber(job_echo) || job_echo->valuedouble != job->valuedouble))' 'if (false)' faults.sh
guard 'it is numbered' defect_of 'if (!cJSON_IsNumber(seq_echo))' 'if (false)' faults.sh
guard 'an old answer is not the next one' defect_of \
    'if (seq_echo->valuedouble != (double)seq)' 'if (false)' test_worker_process
guard 'an answer has no more values than asked for' has_more_values \
    'return count > most;' 'return false;' faults.sh
guard 'nor more bytes' 'worker*process:ask' 'if (length > limits.bytes)' 'if (false)' faults.sh
guard 'and is one line' 'worker*process:take_line' '} else if (worker->used > 0) {' '} else if (false) {' faults.sh
# ---- what becomes of the process ------------------------------------------------------------------
guard 'a dead worker is seen while others hold its pipes' 'worker*process:serve' \
    'bool gone = now >= x->look && gb_child_gone(&worker->child);' 'bool gone = false;' faults.sh
guard 'a worker that failed before is not asked' ready_for \
    'worker->failed_idle = worker->used > 0 || closed || gone;' 'worker->failed_idle = false;' test_idle
guard 'nor one that does not listen' ready_for \
    'bool closed = (wait[0].revents & ~POLLIN) || wait[1].revents;' 'bool closed = false;' test_idle
guard 'its log does not steer the terminal' worker/log:end_line 'gb_text_tame(log->line);' '' faults.sh
guard 'what it started goes with it' gb_child_end 'kill(-child->pid, SIGKILL);' '' test_worker_lifetime
guard 'one that cannot be killed is not waited for' gb_child_end \
    '} else if (killed) {' '} else if (false) {' test_worker_child
# ---- what an answer says --------------------------------------------------------------------------
guard 'nothing takes longer than its request' longer_than_request \
    'return seconds > 1.1 * link->wall_s + 1e-3;' 'return false && seconds > link->wall_s;' faults.sh
guard 'the work of a point does not change' read_work 'if (found[i] == known[i]) continue;' 'continue;' faults.sh
guard 'numbers are numbers' job:read_number \
    'if (cJSON_IsNumber(item) && isfinite(item->valuedouble) && item->valuedouble >= least) {' 'if (item) {' faults.sh
guard 'counts are whole' worker/job:read_whole 'floor(value) == value' 'true' faults.sh
guard 'times are not negative' gb_job_sample '!(isfinite(time) && time >= 0)' 'false' faults.sh
guard 'there are as many as asked for' gb_job_sample 'if (!what[0] && got != count)' 'if (false)' faults.sh
guard 'a verdict is ok or wrong' gb_job_verify '} else if (strcmp(word, "ok") != 0) {' '} else if (false) {' faults.sh
guard 'a refusal has a status' refusal \
    'if (!gb_status_parse(name, &found) || found == GB_OK)' 'found = GB_OK; if (gb_status_parse(name, &found) && false)' faults.sh
guard 'times that are all zero are none' gb_task_finish 'if (!(stats.max > 0))' 'if (false)' faults.sh
# ---- what goes on ---------------------------------------------------------------------------------
guard 'a worker in which something was wrong is replaced' gb_runner_settle \
    '(status != GB_UNSUPPORTED || !gb_worker_alive(worker))' '!gb_worker_alive(worker)' faults.sh
guard 'so is one whose kernels found no memory' gb_runner_settle \
    'if (ran || !gb_worker_alive(worker))' 'if (!gb_worker_alive(worker) && ran + 1)' faults.sh
guard 'and one that did not close' gb_job_close '    if (status != GB_OK) {' '    if (status != GB_OK && limit_s < 0) {' faults.sh
guard 'memory that a variant keeps is seen' gb_runner_see_to_memory \
    '!gb_session_lacks_memory(run->session, free_bytes))' 'free_bytes >= 0)' faults.sh
guard 'to be opened again costs a variant nothing' gb_runner_replace_worker \
    'tasks[i].spent_s -= tasks[i].open_s;' '' faults.sh
guard 'the one that was asked last is blamed, at the second time' blame \
    'if (last && tasks[i].strikes++ > 0) return &tasks[i];' '(void)last;' test_idle
guard 'workers that only fail end the run' blame 'if (++run->idle == MOST_IDLE)' 'if (false)' test_idle
guard 'a fresh worker is tried for more than once' gb_session_restart \
    'attempt == START_ATTEMPTS' 'attempt == 1' faults.sh
guard 'and gets time for the memory of the old one' await_memory \
    'gb_now() - begun < memory_wait_s' 'false' faults.sh
guard 'but only once for what does not come back' await_memory \
    'if (!back) session->memory_free_bytes = free_bytes;' '' faults.sh
