# shellcheck shell=bash
# Workers of primitives from elsewhere.
guard 'a worker without the primitive is none' worker*search:has_primitive \
    'return !s->wish->primitive ||' 'return true ||' outside.sh
guard 'the one beside the config comes first' try_phase \
    'for (int home = 0; home < GB_HOME_COUNT && !found; home++)' 'for (int home = GB_HOME_COUNT; home-- > 0 && !found;)' outside.sh
guard 'and a note says so' try_phase 'say_which(s, members, count, choice);' ';' outside.sh
guard 'one that does not answer is not passed over in silence' say_all 'if (!say_cpu(s, choice)) say_passed_over(s, choice);' 'say_cpu(s, choice);' outside.sh
guard 'another version is said' say_all 'say_version(s, choice);' ';' outside.sh
guard 'another protocol is refused' catalogue:read_answer \
    'catalogue->protocol != GB_PROTOCOL_VERSION' 'false' outside.sh
guard 'GPUBENCH_WORKERS names what is there' add_all_listed 'good = add_listed(found, entry, error);' \
    'add_listed(found, entry, error);' outside.sh
guard 'the current folder is not where a named config lies' read_sources \
    'c->items[i].beside = path == paths[i];' 'c->items[i].beside = true;' outside.sh
guard 'a bare name is a primitive before it is a folder' gb_is_folder_path \
    'return path && gb_is_folder(operand);' 'return gb_is_folder(operand);' outside.sh
guard 'one worker runs at a time' gb_run_session_wake 'if (sessions->list[i] != session)' 'if (false)' outside.sh
guard 'equal runs have fresh workers' gb_run_equal 'if (pass > 0) gb_run_sessions_rest' 'if (false) gb_run_sessions_rest' outside.sh
guard 'what is not wanted is not asked' worker*search:ask_workers 'if (!(in->kinds & 1u << s->found.list[i].kind)) continue;' '' outside.sh
guard 'the replay finds the worker again' worker_again 'if (worker->home != GB_HOME_CONFIG) return NULL;' 'return NULL;' outside.sh
guard 'the meta file tells the version' meta:add_worker 'add_text(worker, "version", catalogue->version);' ';' outside.sh
guard 'falling back to Python is said' worker*search:say_cpu '(!simt && !python)' '!simt' outside.sh
