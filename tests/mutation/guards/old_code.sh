# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'old code is taken for --code alone' executables:add_folder 'strcmp(code_of(name), found->code) == 0 &&' '' old_code.sh
guard 'a worker is held to the code that was asked for' hold_to_code 'strcmp(has, code) == 0' 'true' old_code.sh
guard 'a fresh worker has the code of the one before' has_same_code 'strcmp(session->catalogue->code, catalogue->code) == 0' 'true' old_code.sh
