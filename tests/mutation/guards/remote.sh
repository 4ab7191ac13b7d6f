# shellcheck shell=bash
# ---- workers on other hosts -------------------------------------------------------------------------
guard 'a worker whose driver is gone ends, whatever it does' worker/:main 'gb_reader_watch(fileno(out));' '' remote_worker.sh
guard 'a banner is called one' fail_line \
    'bool banner = worker->requests == 1 && length > 0 && !strchr("{[", *line);' 'bool banner = false;' remote_worker.sh
guard 'a worker on another host is no replacement' start_again \
    'is_elsewhere(session, catalogue) ? NULL : find_again(session->device, catalogue);' 'find_again(session->device, catalogue);' remote_worker.sh
guard 'the meta file says where the worker ran' meta:add_worker 'add_text(worker, "host", catalogue->host);' '' remote_worker.sh
guard 'not so an anonymous one' meta:add_worker 'if (!gb_anonymous()) {' 'if (true) {' remote_worker.sh
guard 'nor in its command line' names_machine 'if (!gb_anonymous()) return false;' 'return false;' remote_worker.sh
guard 'nor does a worker say it' add_host '(anonymous && *anonymous) ||' '' remote_worker.sh
guard 'rows of two hosts in one file are told' gb_meta_moved 'if (!other && !elsewhere) return false;' 'return false;' remote_worker.sh
guard 'a second worker is refused' commands/run:take_worker 'if (c->worker) {' 'if (false) {' remote_worker.sh
