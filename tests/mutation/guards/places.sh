# shellcheck shell=bash
# Guards of what tells rows of one model of device apart that were measured at several places.
guard 'a row is of its place' 'rows/read:read_row' 'row.device = r->place->device;' '' places.sh
guard 'a folder is a place' find_folder 'strcmp(place->folder, like->folder) == 0 &&' '' places.sh
guard 'a file beside another is a place' 'places:is_taken' 'if (operand_of(results, last) != operand) return true;' '' places.sh
guard 'no two places are called alike' 'places:tells' '(strcmp(t->items[k].text, t->items[i].text) == 0);' 'true;' places.sh
guard 'what is named twice is read once' gb_seen_before 'if (seen->items[i].device == info->st_dev && seen->items[i].number == info->st_ino)' 'if (false)' places.sh
guard 'noise is of what lies beside it' gb_noise_find 'if (!is_like(c, row) || (beside && !is_beside(c, row))) continue;' 'if (!is_like(c, row)) continue;' places.sh
guard 'a cause is of what lies beside it' explains 'is_beside(known, slow->row) &&' 'true &&' places.sh
guard 'one model is one kind of device' compare_conditions 'if (strcmp(gb_row_model(a), gb_row_model(b)) != 0) return;' 'if (strcmp(a->device, b->device) != 0) return;' places.sh
guard 'papers name a model' gb_claim_judge 'const char *model = gb_device_model(r->set, device);' 'const char *model = device;' places.sh
