# shellcheck shell=bash
# Guards against input that means harm: see tests/mutation/guards.sh.

# ---- names and folders
guard 'a name has no slash' gb_name_mistake 'if (!isalnum((unsigned char)*name) && !strchr("-_.", *name))' 'if (!isalnum((unsigned char)*name) && !strchr("-_./", *name))' test_text
guard 'a name does not begin with . or -' gb_name_mistake "if (*name == '.' || *name == '-')" 'if (false)' test_text
guard 'a name has at most 100 characters' gb_name_mistake 'if (strnlen(name, GB_MOST_NAME + 1) > GB_MOST_NAME)' 'if (false)' test_text
guard "a config's name is a name" read_name 'if (gb_name_mistake(config->name))' 'if (false)' hostile.sh
guard "a config's result file is not another's samples" read_name 'if (gb_text_ends(config->name, taken_endings[i]))' 'if (false)' test_config_mistakes
guard "a worker's names are names" gb_answer_name 'if (mistake) gb_answer_refuse(r, member, mistake);' '' hostile.sh
guard 'an axis is not called like another column' catalogue:read_axis 'if (axis->name && gb_column_is_taken(axis->name))' 'if (false)' hostile.sh
guard 'values of an axis are words' gb_answer_strings 'else if (!is_word(item->valuestring))' 'else if (false)' hostile.sh
guard "a worker's lists are short" gb_answer_list 'if (*count > MOST_ENTRIES)' 'if (false)' test_catalogue
guard 'the output folder has a name, and not one that is cut' choose_folder 'if (length > 0 && (size_t)length < sizeof item->folder) return true;' 'return true;' hostile.sh
guard "an experiment's name is a name" rows/read:read_row 'if (!r->published && gb_name_mistake(text_of(r, GB_COLUMN_EXPERIMENT)))' 'if (false)' hostile.sh
guard 'an axis in a result file has a name' begin_file 'if (!gb_name_mistake(r->csv->header[a])) continue;' 'continue;' test_result_rows
guard "a figure's suffix stays in its folder" slice_suffix "*at = '_';" 'at++;' test_result_rows

# ---- the terminal
guard 'messages are printable' gb_fail 'gb_text_tame(error->text);' '' test_text
guard "a worker's texts are printable" gb_answer_text 'if (gb_text_unprintable(item->valuestring)) {' 'if (false) {' hostile.sh
guard "a worker's log is printable" worker/log:end_line 'gb_text_tame(log->line);' '' hostile.sh
guard "a worker's reasons of work are printable" read_work_of 'if (*reason) gb_text_tame(*reason);' '' corpus_answer
guard 'throttle reasons are printable' gb_job_telemetry 'gb_text_tame(reading->throttle);' '' corpus_answer
guard 'result files are shown printable' rows/read:read_row 'gb_text_tame(r->csv->rows[r->row][c]);' '' test_result_rows
guard 'C1 controls are no text' printable 'c >= 0x7F && c <= 0x9F' 'c == 0x7F' test_text
guard 'texts that turn around are no text' printable 'return !control && !separator && !reorders;' 'return !control && !separator;' test_text
guard 'surrogates are no UTF-8' text.c:decode '&& !surrogate ?' '?' test_text
guard 'the shortest form alone is UTF-8' text.c:decode 'value >= forms[more].least &&' '' test_text
guard "titles of configs are printable" gb_json_string 'if (gb_text_unprintable(item->valuestring))' 'if (false)' test_config_mistakes
guard 'a refusal of the worker is one line' gb_refuse "gb_text_tame(reason); /* it ends up in a table's cell */" '' corpus_request
guard 'a layout is printable' get_text 'if (gb_text_unprintable(item->valuestring))' 'if (false)' corpus_layout

# ---- nothing is executed
guard 'gnuplot sees no backquote' gb_gnuplot_text "|| *text == '\`'" '' hostile.sh
guard 'gnuplot sees files, not commands' gb_gnuplot_path 'gb_arena_printf(arena, "./%s", path)' 'path' hostile.sh
guard 'a name along x is one label' plot*data:quoted '"%s%.1s%.1s" : ' '"%s%.1s%.0s" : ' hostile.sh
guard 'x values of figures are numbers' gb_number_parse 'strspn(text, "0123456789+-.eE") != strlen(text)' 'false' test_result_rows
guard 'Markdown is escaped' render:put_markdown 'if (strchr("\\|*_`<>[]#&~$", *text))' 'if (false)' hostile.sh

# ---- limits
guard 'JSON is not deep' over_limit 'if (depth > GB_JSON_DEPTH) return at;' '' hostile.sh
guard 'JSON has not too many values' over_limit 'if (values > GB_JSON_VALUES) return at;' '' hostile.sh
guard 'no NUL hides in JSON' over_limit 'if (strncmp(at + 1, "u0000", 5) == 0) return at;' '' hostile.sh
guard 'a file is not too large' gb_file_read 'else if (*length > most)' 'else if (false)' hostile.sh
guard 'a folder is no file' gb_file_read 'if (S_ISDIR(info.st_mode)) {' 'if (false) {' hostile.sh
guard 'a device is no file' gb_file_read '} else if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode)) {' '} else if (false) {' hostile.sh
guard 'a pipe is not waited for' gb_file_read 'O_RDONLY | O_NONBLOCK | O_CLOEXEC' 'O_RDONLY | O_CLOEXEC' hostile.sh
guard 'a meta file that cannot be read is not replaced' gb_meta_begin 'if (!last) return error->status == GB_OK;' 'if (!last) return true;' hostile.sh
guard 'a layout lists little' few_enough 'return cJSON_GetArraySize(list) <= MOST_ITEMS ||' 'return true ||' hostile.sh
guard 'not a table for every combination' gb_results_slice 'if (combinations <= MOST_SLICES) continue;' 'continue;' test_result_rows
guard 'a number is finite' gb_number_parse "return *end == '\\0' && isfinite(*number);" "return *end == '\\0';" test_result_rows
guard 'absurd numbers are printed' gb_significant 'if (!isfinite(value)) return' 'if (false) return' corpus_layout

# ---- CSV
guard 'a CSV row is not too long' cut_row 's->end - s->at > MOST_ROW ? s->at + MOST_ROW : s->end' 's->end' hostile.sh
guard 'a CSV row has not too many fields' cut_row 's->fields.count > MOST_COLUMNS' 'false' hostile.sh
guard 'an open quote is not a torn row' cut_quoted 'return s->line > first_line ?' 'return false ?' test_csv
guard 'no NUL in a CSV field' cut_field "if (s->at < s->limit && *s->at == '\\0') return bad(s, \"a NUL byte\");" '' hostile.sh
guard 'columns have their own names' gb_csv_parse 'check_header(csv, &s, error) &&' '' hostile.sh
guard 'a last row without its line end counts' cut_field 'if (s->at >= s->limit && s->limit < s->end) return too_long(s);' 'if (s->at >= s->limit) return ROW_TORN;' test_csv
guard 'rows have one width' check_width 'if (got == s->columns) return ROW_COMPLETE;' 'if (got >= s->columns) return ROW_COMPLETE;' test_octree_file
guard 'what is no text is called what it is' csv:begin 'if (kind) return fail(s, error, kind);' '' test_csv

# ---- files of bodies, and values that cannot be right
guard 'columns without names are three' begin_rows 'if (row->count == 3) return GB_OK;' 'if (row->count >= 3) return GB_OK;' test_octree_file
guard 'a plane for each coordinate' oc_begin_npy 'strncmp(order, "True", 4) == 0' 'false' test_octree_file
guard 'bytes in the order that the file says' binary:number_of 'type.big_endian ? type.size - 1 - i : i' 'i' test_octree_file
guard 'a file has what its head announces' oc_begin_binary 'file->holds <= (file->bytes - b->begin[p]) / b->stride' 'true' test_octree_file
guard 'a file that changed is looked at again' oc_file_look '!known || !is_looked_at(&info) || wanted' 'wanted' test_octree_file
guard 'a mistaken point ends the run before it begins' run_load:estimate 'if (item->estimate.mistaken == SIZE_MAX) return true;' 'return true;' driver_mistakes.sh
guard 'and a check' cases_of 'cases && gb_check_cases_right(&link, cases, *count, error)' 'cases' driver_mistakes.sh
guard 'and a dump' parse_cases 'c->points && gb_check_cases_right(&link, c->points, c->case_count, &error)' 'c->points' bodies_file.sh
guard 'nothing tested is no success' gb_check_primitives 'if (c->ran == 0 && !c->broken)' 'if (false)' driver_mistakes.sh
guard 'a case with commas is quoted' format_value 'gb_quoted_write(text + used, capacity - used, value, ",")' '(size_t)snprintf(text + used, capacity - used, "%s", value)' corpus_case

# ---- mistakes that the properties of the fuzz targets find in the kept inputs
guard 'sizes: no overflow' gb_size_parse 'if (value > UINT64_MAX / units[i].factor)' 'if (false)' corpus_size
guard 'CSV: quotes are doubled' gb_csv_put "if (*field == '\"') putc('\"', file);" '' corpus_csv
guard 'filters: negation reaches the operators' evaluate 'if ((node->kind == AND) != negate)' 'if (node->kind == AND)' corpus_filter
guard 'configs: points are within limits' axis_value:parse_size '&& size >= range->min && size <= range->max' '' corpus_config
guard 'cases: sizes are written as digits' gb_axis_value_of_size 'snprintf(digits, sizeof digits, "%" PRIu64, size);' 'snprintf(digits, sizeof digits, "%u", (unsigned)size);' corpus_case
guard 'layouts: digits are few' get_numbers 'digits->valueint <= 9' 'digits->valueint <= 99' corpus_layout
guard 'answers: times are finite' gb_job_sample 'if (!what[0] && !(isfinite(time) && time >= 0))' 'if (false)' corpus_answer
guard 'answers: a reason says something' 'worker*job:reason_of' 'cJSON_IsString(reason) && *reason->valuestring ?' 'cJSON_IsString(reason) ?' corpus_answer
guard 'descriptions: names are used once' catalogue:read_primitive 'gb_answer_refuse(r, "name", "two variants share it");' '{}' corpus_describe
guard 'commands: quotes end where they began' gb_command_split 'const char *end = strchr(at + 1, *at);' "const char *end = strchr(at + 1, '\"');" corpus_command
guard 'requests: lines end where they end' gb_line_reader_next 'reader->begin += newline ? got + 1 : got;' 'reader->begin += got;' corpus_request
guard 'schedules: numbers are within limits' schedule:parse_number 'if (value > (most - digit) / 10) return false;' '' corpus_schedule
guard 'values that never meet are no table' gb_results_slice 'if (slices->count > 0) return true;' 'return true;' corpus_results
guard 'a value printed with a hundred digits is one of 17' gb_significant 'if (digits > DBL_DECIMAL_DIG)' 'if (false)' corpus_results

# ---- words that driver and worker share
guard "an argument of a value can be printed" parse_name '&& !gb_text_unprintable(text)' '' test_protocol_axis_value
guard 'flags are whole words' gb_flags_parse 'if (gb_text_lists(text, gb_flag_words[i].name))' 'if (__builtin_strstr(text, gb_flag_words[i].name))' test_protocol_flags
guard 'flags of rows are read' read_measured 'row->flags = gb_flags_parse(row->flags_text);' '' test_result_rows
guard 'columns keep their order' gb_columns_header 'i < GB_COLUMNS_MEASURED' 'i < GB_COLUMNS_MEASURED - 1' test_protocol_columns
guard 'a point that is cut says so' gb_samples_point 'return used;' 'return strlen(text);' test_protocol_columns
guard 'a mistake is at the item of its path' step_to 'item && index > 0' 'item && index > 1' test_config_mistakes
guard '... or at the name of its member' gb_json_refuse_name 'gb_json_name_at(reader->text, reader->path, member)' 'gb_json_at(reader->text, reader->path)' test_config_mistakes
