#!/bin/bash
# test: thorough turns 20
# Mistakes planted in the radix sort over several GPUs, in what plans, sends, sorts and waits: gpubench check finds
# each (lib_planted.sh). Barriers and events that are missing are looked for under schedules, whose seeds draw what
# runs first.
primitive=radix-sort-multi
. "$(dirname "$0")/lib_planted.sh"

# plans
plant "what ranks before the owner send lies behind its own" ms_plan_piece 'r != owner && (' 'true && (' \
    peers-copies --case gpus=3,n=9000
plant "a job's keys are sorted by a bit less than differs" plan.c:put \
    'while (job.bits < 64 && differ >> job.bits)' 'while (job.bits < 64 && differ >> job.bits >> 1)' \
    peers-copies --case gpus=3,n=9000
plant "of a value that is cut all goes to the first rank" ms_plan_piece 'within(job->skip, seen, all) : 0' '0 : 0' \
    peers --case gpus=3,n=9000,dist=constant,payload=u32

# what is sorted together
plant "elements that stay are not told to the sort" sort_job_of 'apart.n ? &apart : NULL' 'NULL' \
    peers --case gpus=2,n=9000
plant "elements that stay begin where they lie" edges_of 'odd < own->count ? odd : own->count' '0' \
    peers --case gpus=2,n=3000001
plant "the first of those that stay are lost" ms_make_edges 'e.keys[e.head_at + k] = e.apart_keys[k];' ';' \
    peers --case gpus=3,n=9000
plant "... or their payloads" ms_make_edges 'if (e.payload) e.payload[e.head_at + k] = e.apart_payload[k];' ';' \
    peers --case gpus=3,n=9000,payload=u32
plant "what lies before a job is not put back" ms_take_stand_ins 'keys_out[k] = kept->keys[k];' ';' \
    peers --case gpus=3,n=9000
plant "... nor its payloads" ms_take_stand_ins 'payload_out[k] = kept->payload[k];' ';' \
    peers --case gpus=3,n=9000,payload=u32
plant "payloads of one value that stay are lost" by_ranges.cu:fill \
    'g->local[i].parted_payload + own.from' 'g->local[i].parted_payload' peers \
    --case gpus=3,n=9000,dist=constant,payload=u32,share=uneven

# where values are common
plant "what stays does not join what arrives" by_ranges.cu:join 'own.count * key, cudaMemcpyDeviceToDevice' \
    '0 * key, cudaMemcpyDeviceToDevice' peers --case gpus=2,n=60000,dist=zipf
plant "... nor its payloads" by_ranges.cu:join 'own.count * sizeof(uint32_t),' '0,' \
    peers --case gpus=2,n=60000,dist=zipf,payload=u32
plant "what has joined is sorted a second time" sort_job_of 'if (joins(g, i, job)) own.count = 0;' ';' \
    peers --case gpus=2,n=60000,dist=zipf
plant "keys of one value are filled in by nobody" finish_jobs 'if (job->step != step) continue;' \
    'if (job->step != step || job->equal) continue;' peers --case gpus=2,n=60000,dist=zipf
plant "keys of one value that are the last job are forgotten" steps_of 'if (last + 1 > steps) steps = last + 1;' \
    'if (plan->steps[r] > steps) steps = plan->steps[r];' peers --case gpus=2,n=60000,dist=constant

# waiting
early() { plant "$1" "$2" "$3" "$4" peers --case gpus=3,n=9000,dist=normal --schedules 20; }
early "splitters are chosen before all samples are there" try_ranges \
    $'gb_comm_barrier(comm, error);\n    if (status == GB_OK)\n        status = gb_comm_each' $'GB_OK;\n    if (status == GB_OK)\n        status = gb_comm_each'
early "the plan is made before all cells are told" try_ranges \
    $'gb_comm_barrier(comm, error);\n    if (status == GB_OK) status = fetch' \
    $'GB_OK;\n    if (status == GB_OK) status = fetch'
early "a job counts as arrived when its own rank has sent" step_by_kernels 'gb_comm_barrier(comm, error)' GB_OK
early "a job is sorted before it has arrived" finish_jobs \
    'GB_TRY(cudaStreamWaitEvent(w->sorts, w->arrived[step % 2], 0), error);' ';'
early "a run ends before its last job is sorted" do_jobs \
    'GB_TRY(cudaStreamWaitEvent(comm->local[i].stream, g->local[i].sorted, 0), why);' ';'
finish
