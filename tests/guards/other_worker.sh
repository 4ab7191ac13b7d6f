# shellcheck shell=bash
guard 'a row names the back-end that it was measured with' bench/results_row.c \
    'row->backend ? row->backend : setup->backend' 'setup->backend' other_worker.sh
guard 'what two workers have measured can be resumed' bench/resume.c \
    'same[c].column == GB_COLUMN_BACKEND && is_anothers' 'false && is_anothers' other_worker.sh
guard 'another device is another device' bench/other_worker.c \
    'if (strcmp(bare_uuid(&catalogue->devices[i]), wanted) == 0)' 'if (true)' other_worker.sh
guard 'a run on the CPU has one worker' bench/other_worker.c \
    'if (strcmp(session->catalogue->backend, "cuda") != 0) return;' '' other_worker.sh
guard '--worker names all there is' bench/run.c 'if (wanted && !c->worker)' 'if (wanted)' other_worker.sh
guard 'the other worker is lost without the run' bench/runner_trouble.c \
    'if (run->session == run->own) {' 'if (true) {' other_worker.sh
guard 'what is lost is not waited for again' bench/runner_trouble.c 'if (run->lost.text[0]) {' 'if (false) {' other_worker.sh
guard 'the other worker is there for its rows alone' bench/runner_trouble.c \
    'gb_worker_stop(other->worker);' 'if (false) gb_worker_stop(other->worker);' other_worker.sh
guard 'the meta file names the other worker' bench/meta.c \
    'if (session->other && gb_other_wanted(config))' 'if (false)' other_worker.sh
guard 'unsupported rows say why there is no other worker' bench/runner_trouble.c \
    'const bool homeless = status' 'const bool homeless = false && status' other_worker.sh
guard 'what moves its own data is measured in one of two scopes' bench/runner.c \
    'config->primitive->variants[variant].own_transfers))' 'false))' other_worker.sh
guard 'what a fresh process says reaches the row' common/worker/fresh_process.c \
    'if (last->said && last->status > GB_OK' 'if (false && last->status > GB_OK' first_call.sh
guard 'a fresh process that is killed is missed' common/worker/fresh_process.c \
    'if (WIFSIGNALED(ended))' 'if (false)' first_call.sh
guard 'a fresh process ends with its worker' common/worker/fresh_process.c \
    '(void)prctl(PR_SET_PDEATHSIG, SIGKILL);' '' first_call.sh
guard 'a fresh process has the limit on memory' kernels/radix-sort/first_call.c \
    '.memory_limit = point->memory_limit};' '.memory_limit = 0};' first_call.sh
guard 'a fresh process that writes nothing is no sort' kernels/radix-sort/first_call.c \
    'return status == GB_OK ? rs_download(job, stream) : status;' 'return status;' first_call.sh
guard 'the input is copied to the device in the time' kernels/radix-sort/first_call.c \
    'if (status == GB_OK) status = rs_upload(job, stream);' '' first_call.sh
