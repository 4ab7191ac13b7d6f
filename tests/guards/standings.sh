# shellcheck shell=bash
# Guards of gpubench standings: who competes where, what is printed, what is shown.

guard 'other experiments count' bench/standings_find.c 'strcmp(set->primitive, f->set->primitive) != 0)' 'set != f->set)' standings.sh
guard 'losses are shown' bench/standings_print.c 'if ((all || s->items[i].verdict == GB_BEHIND) && !is_shown_before(s, &s->items[i]))' 'if (all && !is_shown_before(s, &s->items[i]))' standings.sh
guard 'losses are in the CSV' bench/standings_print.c 'if (!out->all && !s->what && s->verdict != GB_BEHIND) continue;' 'if (!out->all && !s->what) continue;' standings.sh
guard 'printed rates count' bench/standings_find.c 'standing->peer = peer;' '' standings.sh
guard 'printed rates are of the card' bench/standings_find.c 'if (strcmp(peer->device, f->s->device) != 0 ||' 'if (' standings.sh
guard 'printed rates are of the primitive' bench/standings_find.c 'strcmp(peer->primitive, f->set->primitive) != 0 || strcmp(peer->scope, "device") != 0 ||' '' standings.sh
guard 'printed rates are of the cache' bench/standings_find.c '(*peer->cache && strcmp(peer->cache, f->contest->cache) != 0) ||' '' standings.sh
guard 'printed rates keep the contract' bench/standings_find.c '(f->contest->stable && !peer->stable))' 'false)' standings.sh
guard 'printed rates are of the point' bench/standings_find.c '!gb_term_holds(f->arena, term, point->axis[axis]))' 'false)' standings.sh
guard 'printed rates are of axes that are there' bench/standings_find.c 'if (axis < 0) return false; /* of a primitive that had other axes then */' 'if (axis < 0) continue;' standings.sh
guard 'printed rates say what is asked for' bench/standings_find.c 'if (!said || !gb_term_holds(f->arena, wanted, said->values)) return false;' 'if (said && !gb_term_holds(f->arena, wanted, said->values)) return false;' standings.sh
guard 'printed rates are marked' bench/standings_print.c 'gb_table_mark(p->arena, note_of(p, standing->peer)));' '"");' standings.sh
guard 'caches are held apart' bench/standings_find.c 'strcmp(row->cache, f->contest->cache) == 0 &&' '' standings.sh
guard 'scopes are held apart' bench/standings_find.c 'strcmp(row->scope, "device") == 0 &&' '' standings.sh
guard 'devices are held apart' bench/standings_find.c 'return strcmp(row->device, f->s->device) == 0 &&' 'return' standings.sh
guard 'axes meet by their names' bench/standings_find.c 'strcmp(point->axis[a], row->axis[axis]) != 0 &&' 'strcmp(point->axis[a], row->axis[a]) != 0 &&' standings.sh
guard 'free axes are free' bench/standings_find.c '!lists(f->contest->free, f->contest->free_count, f->set->axes[a]))' 'true)' standings.sh
guard 'hosts do not compete' bench/standings_find.c '!variant->host && (variant->stable' '(variant->stable' standings.sh
guard 'contracts hold for both' bench/standings_find.c '(variant->stable || !f->contest->stable);' 'true;' standings.sh
guard 'other work does not compete' bench/standings_find.c 'lists(f->contest->other_work, f->contest->other_work_count, row->variant))' 'false)' standings.sh
guard 'what failed does not compete' bench/standings_find.c 'if (row->status != GB_OK || !(row->rate > 0) ||' 'if (' standings.sh
guard 'ours are those of our origin' bench/owners.c "return begins && (origin[length] == '\\0' || origin[length] == ',') ? GB_OWNER_OURS" 'return begins ? GB_OWNER_OURS' standings.sh
guard 'what others began is not ours' bench/owners.c 'const bool begins = strncmp(origin, owners->ours, length) == 0;' 'const bool begins = strstr(origin, owners->ours); origin = begins ? strstr(origin, owners->ours) : origin;' standings.sh
guard 'ahead is sure' bench/standings_find.c 'return ratio->hi < 1 ? GB_BEHIND : ratio->lo > 1 ? GB_AHEAD : GB_LEVEL;' 'return ratio->hi < 1 ? GB_BEHIND : ratio->value > 1 ? GB_AHEAD : GB_LEVEL;' standings.sh
guard 'behind where ours cannot' bench/standings_find.c 'if (ratio->value < 1 - smallest) return GB_BEHIND;' 'if (ratio->value > 0 && ratio->value < 1 - smallest) return GB_BEHIND;' standings.sh
guard 'the fastest of others' bench/standings_find.c '(standing->other && row->rate <= standing->other->rate))' 'standing->other)' standings.sh
guard 'the fastest of ours' bench/standings_find.c '(!standing->ours || row->rate > standing->ours->rate))' '!standing->ours)' standings.sh
guard 'a line is one point' bench/standings_find.c 'if (found) {' 'if (false) {' standings.sh
guard 'the same rows are shown once' bench/standings_print.c '(other->what || other < standing))' 'other->what)' standings.sh
guard 'peers are no rows' bench/result_rows.c 'if (gb_is_peers(csv)) {' 'if (false) {' standings.sh
guard 'a printed rate is one' bench/peers.c 'if (!gb_number_parse(value, &peer->rate) || !(peer->rate > 0))' 'if (false)' standings.sh
