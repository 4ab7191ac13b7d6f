# shellcheck shell=bash
# Limits on device memory, and the sort beyond them.
guard 'a job does not pass its limit' gb_job_charge \
    'if (limit && bytes > left)' 'if (false)' test_worker_service
guard 'a limit that a primitive cannot keep is refused' refusal_of \
    'if (!reason && wanted->device_memory && !primitive->honours_memory_limit)' 'if (false)' test_worker_service
guard 'what moves its own data is not moved around it' transfers \
    '!(job->variant->flags & (GB_HOST | GB_OWN_TRANSFERS))' '!(job->variant->flags & GB_HOST)' test_worker_service
guard 'rows under another limit are not resumed' device_memory_fits \
    'if (now == then) return true;' 'return true;' test_resume
guard 'equal keys go to the earlier run' rs_cut_advance \
    'uint64_t taken = equal < wanted ? equal : wanted;' \
    'uint64_t taken = r + 1 < count && equal < wanted ? equal / 2 : equal < wanted ? equal : wanted;' \
    test_radix_sort_packed
guard 'a cut has the rank that was asked for' rs_cut_advance \
    'below += taken;' ';' test_radix_sort_packed
guard 'groups that exceed their bits are seen' flag_group \
    'if (atomicOr(&to.wide_groups[group], 1u) == 0)' 'if (false)' test_radix_sort_packed
guard 'a segment begins within a record' store_key \
    'if (at - segment.skip >= segment.count) return;' 'if (at >= segment.count) return;' test_radix_sort_packed
guard 'the upper planes come back' gather_segment \
    'is_wide ? wide_at : 0,' '0,' test_radix_sort_out_of_core
guard 'payloads come from their run' 'out*of*core*in:gather' \
    'o->run_payload + r * o->plan.capacity + begin' 'o->run_payload + begin' test_radix_sort_out_of_core
guard 'records are unpacked when they are there' unpackers:share \
    'if (await_records(u, place, (uint32_t)(left >> 32)))' '' test_radix_sort_out_of_core
guard 'bytes at the host are judged' null_round_trip_check \
    'if (memcmp(host->target + u * 16, four.word, size) != 0)' 'if (false)' test_null_planted
guard 'flags are read when they are there' await_flags \
    'GB_TRY(cudaEventSynchronize(out->sorted), error);' ';' test_radix_sort_overlap
guard 'runs are cut when they are there' 'out*of*core:sort_all' \
    'GB_TRY(cudaStreamSynchronize(o->out), error);' ';' test_radix_sort_overlap
