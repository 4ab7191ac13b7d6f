# shellcheck shell=bash
# Guards of what is read of other tools' files, and of what is written for them.

# ---- formats
guard 'samples have the mean of their state' 'foreign*samples:decode' 'if (fabs(mean - entry->mean) > same_mean * entry->mean)' 'if (false)' foreign.sh
guard 'of a file of another version nothing is read' version_is_known 'if (number >= 1 && number < 2) return true;' 'return true;' test_foreign
guard 'items count by the time that they are by' take_items 'real_time ? "real_time" : "cpu_time"' '"real_time"' test_foreign
guard 'the pattern of most commands is theirs' find_patterns '|| fitting <= most[i]' '' test_foreign
guard 'what is there twice is refused' are_different 'if (by_key(&sorted[i - 1], &sorted[i]) != 0) continue;' 'continue;' test_foreign

# ---- rows
guard 'samples come with their rows' 'rows/read:read_row' 'row.times = r->foreign->times[r->row];' '' foreign.sh
guard 'without a deviation there is no interval' stats_said 'if (!(entry->sd > 0) || entry->count < 2)' 'if (entry->count < 2)' foreign.sh
guard 'rates beside times alone are not shown' gb_result_set_is_rated 'if (row->source && row->status == GB_OK && row->time_s > 0 && !(row->rate > 0)) return false;' '' foreign.sh
guard 'rates of different things are no rates' is_rated 'if (!(entry->items > 0) || (unit && strcmp(unit, entry->unit) != 0)) return false;' '' foreign.sh
guard 'the same axes and variants are one experiment' home_of_set 'if (has_variant(home, set->rows[r].variant)) return home;' ';' foreign.sh
guard 'another tool is another place' gb_place_of 'new.of_file = new.apart ||' 'new.of_file =' foreign.sh

guard 'what NVBench timed ran on a GPU' take_measurement 'entry->limit_kind = m->limit_kind;' 'entry->limit_kind = "";' foreign.sh

# ---- exports
guard 'an export says whose it is' 'export_google:put_samples' 'if (i == 0)' 'if (false)' foreign.sh
guard 'an export leaves no samples of more rows' 'export_nvbench:remove_others' 'const bool gone = unlink(path) != 0;' 'const bool gone = true;' foreign.sh
