# shellcheck shell=bash
# ---- runs that are judged and are samples
guard 'a run that is judged once is not judged again' judge_last \
    'if (!lacks_one && task->last_judged) return GB_OK;' '' test_stats_stopping
guard 'what is judged before is the first sample' gb_task_open \
    'task->judged_s > 0 && task->sampling.warmup == 0' 'false' test_stats_stopping
guard 'the last sample is left to what is judged after' gb_task_wants \
    'task->count + (task->judged_s > 0)' 'task->count' test_stats_stopping
guard 'a brief run that is judged is no sample' task:verify \
    'run_s >= long_run_s ? run_s : 0' 'run_s' test_stats_stopping
guard 'a judged run that lacks warm caches is no sample' run_sampled \
    'if (!open->cold && leaves_caches_warm(open)) *seconds = 0;' '' test_worker_service
guard 'what carries its input in anew runs once' leaves_caches_warm \
    'if (transfers(&open->job) && l2_bytes > 0 && open->footprint > 4 * l2_bytes) return false;' '' test_worker_service
