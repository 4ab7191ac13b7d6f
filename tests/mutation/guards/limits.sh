# shellcheck shell=bash
# Guards about the limits that programs run under: see tests/mutation/guards.sh.

guard 'a file that may grow no more is no reason to die' gb_limits_begin 'signal(SIGXFSZ, SIG_IGN)' 'signal(SIGXFSZ, SIG_DFL)' limits.sh
guard '... but for gnuplot it is' 'gnuplot.c:start' 'POSIX_SPAWN_SETSIGDEF' '0' limits.sh
guard 'a small stack is refused' gb_limits_begin 'stack.rlim_cur >= stack_needed' 'true' limits.sh
guard 'a thread without a stack lacks memory' gb_thread_refused '!has_stack_room()' 'false' limits.sh
guard 'a block whose first thread has no stack fails its launch' run_block 'report_block(w, cudaErrorMemoryAllocation, lack_of_stack(why))' '{ (void)lack_of_stack(why); w->job->halt = halt_failed; }' memory.sh
guard 'who lacks memory names what limits it' gb_refuse_failure 'gb_limit_on_memory(limit)' '(void)limit' limits.sh
guard 'CPU time that is used up is told' met_cpu_limit 'number != SIGKILL' 'true' limits.sh
guard 'what cJSON has no memory for is not left out' 'bench/commands/main.c:main' 'cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = allocate, .free_fn = free});' '' memory.sh
