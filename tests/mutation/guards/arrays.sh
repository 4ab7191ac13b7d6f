# shellcheck shell=bash
# The arrays of a point: what a run may not do to them. The SDK's build and templates: tests/delivery/stranger.sh.
guard 'an element that was left out does not look right' 'arrays.cu:poison_array' '(unsigned char)~a->expected[i]' 'a->expected[i]' test_arrays
guard 'input must not change' 'arrays.cu:gb_arrays_check' 'judge_input(a, slice, ROOM, &job->error)' 'GB_OK' test_arrays
guard 'nothing is written behind the end' 'arrays.cu:judge_output' '!= GUARD_BYTE' '== 0' test_arrays
guard 'what counts no memory is refused' 'arrays.cu:gb_arrays_poison' 'job->memory_used < job->problem->device_bytes' 'false' test_arrays
guard 'what is carried is the input' 'arrays.cu:poison_array' 'is_carried(job) && is_input(a)' 'false' test_arrays
