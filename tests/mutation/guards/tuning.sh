# shellcheck shell=bash
# What keeps auto and its tables right: how times are expected, which tables are believed, and what tune leaves behind.
guard "another number of multiprocessors is not minded" n_there \
    '(double)there->sms / device->sms' '1.0' test_multipartition_choose
guard "bandwidth is not minded" memory_differs \
    'return unhidden *' 'return 0 * unhidden *' test_multipartition_expect
guard "what the L2 holds is moved by the memory" memory_seconds \
    'fmin(1, l2_bytes / footprint)' '0' test_multipartition_choose
guard "between points the lower one counts" between \
    'const double part = s->far_low / (s->far_low + s->far_high);' 'const double part = 0;' test_multipartition_choose
guard "a method that was not measured at a point takes its time from nowhere" partition/expect.c:value_of \
    'log(at->seconds[method] / least)' 'log(at->seconds[method])' test_multipartition_choose
guard "a GPU of another generation is as good" kernels/multipartition/partition/expect.c:distance \
    'if (part->arch != device->arch)' 'if (0)' test_multipartition_choose
guard "a table of another device is taken" partition/tuning.c:read_rows \
    'if (strcmp(of, device->name) != 0 || *under)' 'if (0)' test_multipartition_tuning
guard "rows that nobody could have written are taken" partition/tuning.c:read_rows \
    'if (!gb_row_check(csv, i, path, GB_WRONG, error)) return GB_WRONG;' ';' test_multipartition_tuning
guard "a torn table is taken" mp_tuning_take \
    'if (csv->torn_line)' 'if (0)' test_multipartition_tuning
guard "what is compiled in is forgotten" tables_of \
    'made->count += mp_tuning_count;' ';' test_multipartition_tuning
guard "a relative XDG_CACHE_HOME is believed" gb_tuning_path \
    'const bool named = is_absolute(cache);' 'const bool named = cache && *cache;' test_multipartition_tuning
guard "a device's name may lead elsewhere" protocol/tuning.c:plain \
    '(char)(kept ? *c : '\''-'\'')' '*c' test_multipartition_tuning
guard "a table is taken while jobs are open" handle_tuning \
    'if (service->jobs) {' 'if (0) {' test_worker_service
guard "another version's table is used" worker/tuning.c:is_ours \
    'strcmp(version, GB_VERSION) != 0' '0' tune.sh
guard "another card's table is used" worker/tuning.c:is_ours \
    'strcmp(uuid, session->device->uuid) != 0' '0' tune.sh
guard "under conditions the whole device's table counts" worker/tuning.c:read_table \
    'if (!gb_under_none(&session->under)) return NULL;' ';' tune.sh
guard "a worker's refusal is the end" bench/worker/tuning.c:tune \
    'by = ask(session, request, error); }' 'by = NULL; }' tune.sh
guard "a worker that replaces another is not given the table" provide_anew \
    '(!session->tuning || gb_session_tune(session, error))' 'true' tune.sh
guard "two tune at a time" claim_place \
    'if (flock(t->lock, LOCK_EX | LOCK_NB) == 0) return true;' 'return true;' tune.sh
guard "what was interrupted is kept" bench/commands/tune.c:measure \
    'bool kept = !t->run.stop && t->run.points > 0;' 'bool kept = true;' tune.sh
guard "the temporary folder stays" bench/commands/tune.c:measure \
    'remove_folder(&t->run.arena, folder);' ';' tune.sh
guard "time is not minded" ends_too_late \
    'return gb_now() + gb_runner_expect_point(run, point) > until;' 'return false;' tune.sh
