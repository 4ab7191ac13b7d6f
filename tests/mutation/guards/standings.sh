# shellcheck shell=bash
# Guards of gpubench standings: who competes where, what is printed, what is shown.

guard 'other experiments count' 'standings*find:find_other' 'strcmp(set->primitive, f->set->primitive) != 0)' 'set != f->set)' standings.sh
guard 'losses are shown' add_points 'if ((all || s->items[i].verdict == GB_BEHIND) && !is_shown_before(s, &s->items[i]))' 'if (all && !is_shown_before(s, &s->items[i]))' standings.sh
guard 'losses are in the CSV' standings/print:put_csv 'if (!out->all && !s->what && s->verdict != GB_BEHIND) continue;' 'if (!out->all && !s->what) continue;' standings.sh
guard 'printed rates count' 'standings*find:find_printed' 'standing->peer = peer;' '' standings.sh
guard 'printed rates are of the card' is_printed_at 'if (strcmp(peer->device, gb_row_model(point)) != 0 ||' 'if (' standings.sh
guard 'printed rates are of the primitive' is_printed_at 'strcmp(peer->primitive, f->set->primitive) != 0 || strcmp(peer->scope, "device") != 0 ||' '' standings.sh
guard 'printed rates are of the cache' is_printed_at '(*peer->cache && strcmp(peer->cache, f->contest->cache) != 0) ||' '' standings.sh
guard 'printed rates keep the contract' is_printed_at '(f->contest->stable && !peer->stable))' 'false)' standings.sh
guard 'printed rates are of the point' is_printed_at '!gb_term_holds(f->arena, term, point->axis[axis]))' 'false)' standings.sh
guard 'printed rates are of axes that are there' is_printed_at 'if (axis < 0) return false; /* of a primitive that had other axes then */' 'if (axis < 0) continue;' standings.sh
guard 'printed rates say what is asked for' is_printed_at 'if (!said || !gb_term_holds(f->arena, wanted, said->values)) return false;' 'if (said && !gb_term_holds(f->arena, wanted, said->values)) return false;' standings.sh
guard 'printed rates are marked' other_text 'note_of(p, standing->peer));' '"");' standings.sh
guard 'caches are held apart' 'standings*find:is_meant' 'strcmp(row->cache, f->contest->cache) == 0 &&' '' standings.sh
guard 'scopes are held apart' 'standings*find:is_meant' 'strcmp(row->scope, "device") == 0 &&' '' standings.sh
guard 'devices are held apart' 'standings*find:is_meant' 'strcmp(row->device, f->s->device) == 0 &&' '' standings.sh
guard 'axes meet by their names' 'standings*find:is_at' 'strcmp(point->axis[a], row->axis[axis]) != 0 &&' 'strcmp(point->axis[a], row->axis[a]) != 0 &&' standings.sh
guard 'free axes are free' 'standings*find:is_at' '!lists(f->contest->free, f->contest->free_count, f->set->axes[a]))' 'true)' standings.sh
guard 'hosts do not compete' competes '!variant->host && (variant->stable' '(variant->stable' standings.sh
guard 'contracts hold for both' competes '(variant->stable || !f->contest->stable);' 'true;' standings.sh
guard 'other work does not compete' competes 'lists(f->contest->other_work, f->contest->other_work_count, row->variant))' 'false)' standings.sh
guard 'what failed does not compete' competes 'if (row->status != GB_OK || !(row->rate > 0) ||' 'if (' standings.sh
guard 'ours are those of our origin' gb_owner_of "return begins && (origin[length] == '\\0' || origin[length] == ',') ? GB_OWNER_OURS" 'return begins ? GB_OWNER_OURS' standings.sh
guard 'what others began is not ours' gb_owner_of 'const bool begins = strncmp(origin, owners->ours, length) == 0;' 'const bool begins = strstr(origin, owners->ours); origin = begins ? strstr(origin, owners->ours) : origin;' standings.sh
guard 'ahead is sure' 'standings*find:verdict_of' 'return ratio->hi < 1 ? GB_BEHIND : ratio->lo > 1 ? GB_AHEAD : GB_LEVEL;' 'return ratio->hi < 1 ? GB_BEHIND : ratio->value > 1 ? GB_AHEAD : GB_LEVEL;' standings.sh
guard 'behind where ours cannot' 'standings*find:verdict_of' 'if (ratio->value < 1 - smallest) return GB_BEHIND;' 'if (ratio->value > 0 && ratio->value < 1 - smallest) return GB_BEHIND;' standings.sh
guard 'the fastest of others' 'standings*find:find_other' '(standing->other && row->rate <= standing->other->rate))' 'standing->other)' standings.sh
guard 'the fastest of ours' find_ours '(!standing->ours || row->rate > standing->ours->rate))' '!standing->ours)' standings.sh
guard 'a line is one point' choose_lines 'if (found) {' 'if (false) {' standings.sh
guard 'the same rows are shown once' is_shown_before '(other->what || other < standing))' 'other->what)' standings.sh
guard 'peers are no rows' gb_results_add_table 'if (gb_is_peers(csv)) {' 'if (false) {' standings.sh
guard 'data sheets are no rows' gb_results_add_table 'if (gb_is_gpus(csv)) {' 'if (false) {' table.sh
guard 'a GPU has one row of data sheets' gpus:take_rows 'if (gb_gpu_find(&before, gpu->device) || find_alias(arena, &before, gpu->alias)) {' 'if (false) {' plot_best.sh
guard 'a printed rate is one' read_peer 'if (!gb_number_parse(value, &peer->rate) || !(peer->rate > 0))' 'if (false)' standings.sh
