# shellcheck shell=bash
guard 'a row names the back-end that it was measured with' gb_results_row \
    'row->backend ? row->backend : setup->backend' 'setup->backend' other_worker.sh
guard 'what two workers have measured can be resumed' rows_fit \
    'same[c].column == GB_COLUMN_BACKEND && is_anothers' 'false && is_anothers' other_worker.sh
guard 'another device is another device' find_device \
    'if (strcmp(bare_uuid(&catalogue->devices[i]), wanted) == 0)' 'if (true)' other_worker.sh
guard 'a run on the CPU has one worker' gb_other_find \
    'if (strcmp(session->catalogue->backend, "cuda") != 0) return;' '' other_worker.sh
guard '--worker names all there is' gb_run_find_others 'if (!c->worker) gb_other_find' 'gb_other_find' other_worker.sh
guard 'the other worker is lost without the run' give_up \
    'if (run->session == run->own) {' 'if (true) {' other_worker.sh
guard 'what is lost is not waited for again' gb_runner_begin_other 'if (run->lost.text[0]) {' 'if (false) {' other_worker.sh
guard 'the other worker is there for its rows alone' gb_runner_end_other \
    'gb_worker_stop(other->worker);' 'if (false) gb_worker_stop(other->worker);' other_worker.sh
guard 'the meta file names the other worker' add_programs \
    'if (session->other && gb_other_wanted(config))' 'if (false)' other_worker.sh
guard 'unsupported rows say why there is no other worker' gb_runner_settle \
    'const bool homeless = status' 'const bool homeless = false && status' other_worker.sh
guard 'what moves its own data is measured in one of two scopes' gb_wanted_rows \
    'config->primitive->variants[variant].own_transfers))' 'false))' other_worker.sh
guard 'what a fresh process says reaches the row' 'fresh*process:judge' \
    'if (last->said && last->status > GB_OK' 'if (false && last->status > GB_OK' first_call.sh
guard 'a fresh process that is killed is missed' 'fresh*process:judge' \
    'if (WIFSIGNALED(ended))' 'if (false)' first_call.sh
guard 'a fresh process ends with its worker' gb_fresh_main \
    '(void)prctl(PR_SET_PDEATHSIG, SIGKILL);' '' first_call.sh
guard 'a fresh process has the limit on memory' rs_run_fresh \
    '.memory_limit = point->memory_limit};' '.memory_limit = 0};' first_call.sh
guard 'a fresh process that writes nothing is no sort' sort_once \
    'return status == GB_OK ? rs_download(job, stream) : status;' 'return status;' first_call.sh
guard 'the input is copied to the device in the time' sort_once \
    'if (status == GB_OK) status = rs_upload(job, stream);' '' first_call.sh
