# shellcheck shell=bash
# A baseline is the best of its instances, and says which that is.
guard 'the fastest instance goes on' gb_prepare_instance \
    'median_s < best_s' 'median_s > best_s' test_worker_service
guard 'all instances are tried' gb_prepare_instance \
    'choice && name_instance(job, i); i++)' 'choice && i < 1 && name_instance(job, i); i++)' test_worker_service
guard 'nothing of an instance that was tried is left' take_back \
    'open->job.memory_used = memory_used;' '' test_worker_service
guard 'blocks are a limit where they take longer' row:limit_of \
    '*limit_s = blocks_s > bytes_s ? blocks_s : bytes_s;' '*limit_s = bytes_s;' test_results
guard 'a row of two instances names both' task:name_instance \
    'const char *between = task->count && before[0] ? ", then " : "";' 'const char *between = "";' instances.sh
guard 'a kernel stands in the meta file once' trouble:add_kernels \
    'is_known |= same_kernel(known, entry);' '' instances.sh
guard 'a limit says which it is' row:limit_of \
    'blocks_s > bytes_s ? "blocks" : "bandwidth"' 'blocks_s > bytes_s ? "bandwidth" : "blocks"' test_results
