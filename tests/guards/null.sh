# shellcheck shell=bash
guard 'a spin shorter than asked is wrong' kernels/null/check.cu \
    'if (length + p->clocks.tick_ns < p->ns)' 'if (false)' test_null_planted
guard 'a spin longer than asked is wrong on a GPU' kernels/null/check.cu \
    'if (p->gpu && length > longest)' 'if (false)' test_null_planted
guard 'a spin without a record is wrong' kernels/null/check.cu \
    'if (untouched) return gb_fail' 'if (false) return gb_fail' test_null_planted
guard 'what is no spin writes no record' kernels/null/check.cu \
    'if (!null_spins(job->variant) && !untouched)' 'if (false)' test_null_planted
guard 'a copy that leaves something out is wrong' kernels/null/check.cu \
    'if (at < copied) {' 'if (false) {' test_null_planted
guard 'every byte is looked at, the last one too' kernels/null/check.cu \
    'if (data[at] != right)' 'if (data[at] != right && at + 1 != bytes)' test_null_planted
guard 'nobody writes behind the copy' kernels/null/check.cu \
    'if (at != no_defect)' 'if (false)' test_null_planted
guard 'the source is what it was' kernels/null/check.cu \
    'if (status == GB_OK && at != no_defect)' 'if (false)' test_null_planted
guard 'what was not written never looks right' kernels/null/problem.cu \
    'cudaMemsetAsync(p->target, NULL_POISON, p->bytes + NULL_GUARD_BYTES,' \
    'cudaMemsetAsync(p->target, NULL_POISON, 0,' test_null_planted
guard 'a spin lasts as long as asked' kernels/null/spin.cu \
    '} while (elapsed < ns);' '} while (elapsed < ns / 2);' null.sh
guard 'a copy has its rest behind the last whole tile' common/cuda/sweep.cu \
    'if (rest && code == cudaSuccess)' 'if (false)' null.sh
guard 'the timer is judged without the launch' bench/info_measure.c \
    'check.error = (check.less_zero_s - asked_s) / asked_s;' \
    'check.error = (check.raw_s - asked_s) / asked_s;' test_info
guard 'the A/A spread is that of two jobs' bench/info_measure.c \
    '*other = p[1].task.row.stats.mean;' '*other = p[0].task.row.stats.mean;' test_info
guard 'the two jobs take turns' bench/info_measure.c \
    'settle(context, p, count, i, gb_task_sample(context, &p[i].task, &p[i].error));' \
    'for (; sound(&p[i]) && gb_task_wants(context, &p[i].task);) settle(context, p, count, i, gb_task_sample(context, &p[i].task, &p[i].error));' \
    test_info
guard 'a request that was held up makes no shorter turns' bench/task.c \
    'if (task->briefest_s == 0 || task->per_sample_s < task->briefest_s)' 'if (true)' test_info
guard 'a worker that dies is said to have died' bench/info_measure.c \
    'if (sound(&p[i])) p[i].error = p[which].error;' ';' test_info
guard 'a worker without the primitive is not asked' bench/info_measure.c \
    'if (!primitive) {' 'if (!primitive) primitive = session->catalogue->primitives; if (false) {' \
    test_info
guard 'a timer that is off is warned of' bench/info_instrument.c \
    'fabs(check->error) <= GB_TIMER_TOLERANCE' 'fabs(check->error) <= 1' null.sh
guard 'times of the CPU are said to be' bench/info_measure.c \
    'instrument->cpu_times = simt;' 'instrument->cpu_times = false;' null.sh
guard 'a worker that dies of it is no success' bench/info.c \
    'return died ? GB_EXIT_FAILED : complete' 'return complete' null.sh
guard 'on the CPU, too, a warm sample follows a run of its own' common/worker/measure.c \
    'gb_host_cache_helps(open->footprint, open->run_s);' 'false;' test_worker_service
guard 'but not where the run is too long for that to show' common/worker/host_cache.c \
    ' && run_s <= 100 * bytes / core_bytes_s' '' test_worker_service
guard 'nor where the data are too many' common/worker/host_cache.c \
    '(double)footprint <= 4 * bytes && ' '' test_worker_service
guard 'a run that is no sample is timed' common/worker/measure.c \
    'open->run_s = gb_clock_s() - start;' '(void)start;' test_worker_service
