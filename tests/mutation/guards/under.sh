# shellcheck shell=bash
# Guards of conditions of a device: that rows say them, and are never taken for those of the device as it is.
guard 'rows under conditions are of places of their own' 'places:is_alike' '&& strcmp(a->under, b->under) == 0;' ';' under.sh
guard 'a row changes places with its conditions' 'rows/read:read_row' 'strcmp(row.under, r->place->under) != 0)' 'false)' under.sh
guard 'a row that is written says them' gb_results_row 'gb_csv_put(file, gb_under_format(&setup->under, under), false);' 'gb_csv_put(file, "", false);' test_results
guard 'a run goes on under the same' under_fits 'if (gb_under_same(&then, &output->setup.under)) continue;' 'continue;' test_resume
guard 'claims are about devices as they are' 'claims/print:gb_claims_devices' 'k < *count || *set->rows[r].under' 'k < *count' under.sh
guard 'so are standings' 'standings/find:is_meant' '!*row->under &&' '' under.sh
guard 'histories do not look below' 'files:is_apart' 'strcmp(name, "aa") == 0 || strcmp(name, "under") == 0' 'strcmp(name, "aa") == 0' under.sh
guard 'a worker that takes no part is found out' 'devices:is_limited' 'cJSON_IsNumber(item) && item->valuedouble == (double)wanted' 'true' under.sh
guard 'the worker cuts the device' choose_device 'gb_backend_limit(index, (unsigned)*multiprocessors, &granted, error)' 'gb_backend_limit(index, 0, &granted, error)' test_worker_service
guard 'claims of a device under conditions are not counted' entry_of 'e.rows > before && !e.under' 'e.rows > before' under.sh
guard 'a worker that takes one device of several is found out' 'devices:has_set' 'return same;' 'return true;' device_set.sh
guard 'devices that work together are of one make' 'device_set:agree' 'if (strcmp(a->device->name, b->device->name) != 0) {' 'if (false) {' device_set.sh
guard 'the order of a list is that of the ranks' 'meta:add_set' 'set->device[i]->index' 'set->device[0]->index' device_set.sh
guard 'a worker that replaces another has the same set' 'devices:select_again' 'session->set.size ? session->set.device[i] : session->device' 'session->device' device_set.sh
guard 'a device that was named twice is no other one' 'device_set:gb_device_set_conditions' 'under->gpus += k == i;' 'under->gpus++;' device_set.sh
guard 'the worker takes the set' handle_select 'gb_backend_use_set(devices, device_count, &error)' 'gb_backend_use_set(devices, 1, &error)' test_worker_service
guard 'the worker holds blocks to less shared memory' choose_device 'gb_backend_limit_shared(index, limits->shared_kib << 10, error)' 'gb_backend_limit_shared(index, 0, error)' test_worker_service
guard 'that is said by the device' 'backend:gb_backend_device_info' 'gb_shared_optin(properties.sharedMemPerBlockOptin)' 'properties.sharedMemPerBlockOptin' test_worker_service
guard 'limits are those of one device' read_limits 'if (together < 2 ||' 'if (true ||' test_worker_service
guard 'a worker that holds blocks to nothing is found out' 'devices:is_limited' 'has_limit(answer, "shared_kib", under->shared_kib,' 'has_limit(answer, "shared_kib", 0,' under.sh
