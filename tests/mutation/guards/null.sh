# shellcheck shell=bash
guard 'a spin shorter than asked is wrong' check_length \
    'if (length + p->clocks.tick_ns < p->ns)' 'if (false)' test_null_planted
guard 'a spin longer than asked is wrong on a GPU' check_length \
    'if (p->gpu && length > longest)' 'if (false)' test_null_planted
guard 'a spin without a record is wrong' null_check \
    'if (untouched) return gb_fail' 'if (false) return gb_fail' test_null_planted
guard 'what is no spin writes no record' null_check \
    'if (!null_spins(job->variant) && !untouched)' 'if (false)' test_null_planted
guard 'a copy that leaves something out is wrong' check_bytes \
    'if (at < copied) {' 'if (false) {' test_null_planted
guard 'every byte is looked at, the last one too' find_defect \
    'if (data[at] != right)' 'if (data[at] != right && at + 1 != bytes)' test_null_planted
guard 'nobody writes behind the copy' check_bytes \
    'if (at != no_defect)' 'if (false)' test_null_planted
guard 'the source is what it was' check_bytes \
    'if (status == GB_OK && at != no_defect)' 'if (false)' test_null_planted
guard 'what was not written never looks right' null_poison \
    'cudaMemsetAsync(p->target, NULL_POISON, p->bytes + NULL_GUARD_BYTES,' \
    'cudaMemsetAsync(p->target, NULL_POISON, 0,' test_null_planted
guard 'a spin lasts as long as asked' null_spin_kernel \
    '} while (elapsed < ns);' '} while (elapsed < ns / 2);' null.sh
guard 'a copy has its rest behind the last whole tile' gb_launch_copy_bytes \
    'if (rest && code == cudaSuccess)' 'if (false)' null.sh
guard 'the timer is judged without the launch' gb_timer_check_of \
    'check.error = (check.less_zero_s - asked_s) / asked_s;' \
    'check.error = (check.raw_s - asked_s) / asked_s;' test_info
guard 'the A/A spread is that of two jobs' instrument:measure_pair \
    '*other = p[1].task.row.stats.mean;' '*other = p[0].task.row.stats.mean;' test_info
guard 'the two jobs take turns' measure_in_turns \
    'settle(context, p, count, i, gb_task_sample(context, &p[i].task, &p[i].error));' \
    'for (; sound(&p[i]) && gb_task_wants(context, &p[i].task);) settle(context, p, count, i, gb_task_sample(context, &p[i].task, &p[i].error));' \
    test_info
guard 'a request that was held up makes no shorter turns' task:take \
    'if (task->briefest_s == 0 || task->per_sample_s < task->briefest_s)' 'if (true)' test_info
guard 'a worker that dies is said to have died' instrument:settle \
    'if (sound(&p[i])) p[i].error = p[which].error;' ';' test_info
guard 'a worker without the primitive is not asked' gb_instrument_measure \
    'if (!primitive) {' 'if (!primitive) primitive = session->catalogue->primitives; if (false) {' \
    test_info
guard 'a timer that is off is warned of' instrument_print:warn \
    'fabs(check->error) <= GB_TIMER_TOLERANCE' 'fabs(check->error) <= 1' null.sh
guard 'times of the CPU are said to be' gb_instrument_measure \
    'instrument->cpu_times = simt;' 'instrument->cpu_times = false;' null.sh
guard 'a worker that dies of it is no success' gb_command_info \
    'return died ? GB_EXIT_FAILED : complete' 'return complete' null.sh
guard 'on the CPU, too, a warm sample follows a run of its own' leaves_caches_warm \
    'gb_host_cache_helps(open->footprint, open->run_s);' 'false;' test_worker_service
guard 'but not where the run is too long for that to show' gb_host_cache_helps \
    ' && run_s <= 100 * warm / core_bytes_s' '' test_worker_service
guard 'nor where the data are too many' gb_host_cache_helps \
    '(double)footprint <= 4 * bytes && ' '' test_worker_service
guard 'a run that is no sample is timed' run_untimed \
    'open->run_s = gb_clock_s() - start;' '(void)start;' test_worker_service
