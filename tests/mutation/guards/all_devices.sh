# shellcheck shell=bash
# ---- runs on all devices of a host
guard 'what disturbs is not run side by side' run_beside:judge_all 'if (disturbed) {' 'if (false) {' all_devices.sh
guard 'what shares the bus is not even tried' gb_run_try_beside 'if (shares)' 'if (false)' all_devices.sh
guard 'known noise counts' run_beside:judge 'if (known > verdict.noise) verdict.noise = known;' '' all_devices.sh
guard 'cards of one model have folders of their own' run_devices:place_of \
    'others_have(offers, count, at, true) || is_folder(there)' 'is_folder(there)' all_devices.sh
guard 'the worst exit status counts' run_all:end 'if (f->lanes[i].status > worst) worst = f->lanes[i].status;' '' all_devices.sh
