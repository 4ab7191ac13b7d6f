# shellcheck shell=bash
# Guards of what others printed: what a row must say, where it stands and where not.

guard 'a point of a source once' 'rows*read:read_row' 'if (r->elsewhere && gb_result_find(set, &row)) {' 'if (false) {' elsewhere.sh
guard 'a row names its source' 'names_its_place' 'GB_COLUMN_SOURCE, GB_COLUMN_LOCATOR, ' '' elsewhere.sh
guard 'the best over axes has no items' 'counts_items' 'if (best && *items)' 'if (false)' elsewhere.sh
guard 'a row of a point has all axes' 'is_of_points' 'return blank == 0 ||' 'return true ||' elsewhere.sh
guard 'a time can be read as a rate' 'gb_elsewhere_complete' 'of->rate = items / of->time_s;' '' elsewhere.sh
guard 'either quantity is found' 'find_quantity' 'if (row || !paper->elsewhere) return row;' 'return row;' elsewhere.sh
guard 'it is no paper' 'gb_published_load' 'if (published->sets[i].elsewhere) return false;' '' elsewhere.sh
guard 'not unasked' 'find_elsewhere' 'if (!wishes->elsewhere || ' 'if (' elsewhere.sh
guard 'caches that are said count' 'gb_published_fits_cache' 'strcmp(said, cache) == 0' 'true' elsewhere.sh
guard 'another scope stands apart' 'builder_of' 'if (gb_published_beside(set, scope, printed->elsewhere[i]))' '' elsewhere.sh
guard 'sources that differ in a number have notes of their own' 'gb_table_marked' 'mark_of(b, assumed->texts[i], assumed->texts[i])' 'mark_of(b, assumed->texts[i], blotted_of(b->arena, assumed->texts[i]))' elsewhere.sh
guard 'caches that are said count in comparisons' 'compare*join:find_measured' '!gb_published_fits_cache(printed, row->cache)' 'false' elsewhere.sh
guard 'it is of no experiment' gb_choices_pass ' && !set->elsewhere' '' elsewhere.sh
guard 'it decides no exit status' 'commands*compare:compare' 'if (comparison->a->elsewhere || comparison->b->elsewhere) continue; /* decides nothing */' '' elsewhere.sh
guard 'the digits of what is printed' 'printed_half' 'strcmp(row->quantity, "time") == 0 ? row->time_s : row->rate' 'row->time_s > 0 ? row->time_s : row->rate' test_published
guard 'only the folder of published numbers has one' 'elsewhere_of' 'if (of.st_dev != published.st_dev || of.st_ino != published.st_ino) return NULL;' 'if (of.st_dev != published.st_dev || of.st_ino != published.st_ino) return gb_arena_printf(&sides->arena, "%s/elsewhere", path);' elsewhere.sh
guard 'its sources have no figures one by one' 'plot*figures:plan_all_of' 'if (set && set->elsewhere && !script->generations) continue;' '' elsewhere.sh
guard 'nor one to fall back on' 'plot*figures:plan_default' ' || (set->elsewhere && !f->only)' '' elsewhere.sh
