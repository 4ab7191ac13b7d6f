# shellcheck shell=bash
# Guards of what is shown over generations of GPUs: see tests/mutation/guards.sh.

guard 'devices come in the order of their architectures' by_generation 'if (order && strcmp(a->architecture, b->architecture) != 0) return order;' '' generations.sh
guard 'rates are over the bandwidth of their own device' find:normalise 'point->value / gpu->bytes_per_s' 'point->value / 1e12' generations.sh
guard 'a device under conditions is none of a generation' find:fits 'if (!set->published && *row->under) return false;' '' generations.sh
guard 'the nearest size counts' find:is_better 'if (a->fit.distance != b->fit.distance) return a->fit.distance < b->fit.distance;' '' generations.sh
guard 'the experiment that all devices have counts' find:is_better 'if (a->fit.other != b->fit.other) return b->fit.other;' '' generations.sh
guard 'a size that is far off is left out, and told' keep_near 'if (c->fit.distance > log(GB_GENERATION_FACTOR) + 1e-9)' 'if (false)' generations.sh
guard 'where points differ is said' put_differences '*found->points[p].differences && !strstr(all, of)' 'false' generations.sh
guard 'no axis is left open' find:wish_of 'if (wish && strcmp(wish->value, "all") == 0) return NULL;' '' generations.sh
guard 'what is printed of another scope stands elsewhere' fits_measuring 'if (*said && (scope ? !gb_choice_allows(f->arena, scope, said) : strcmp(said, "device") != 0))' 'if (false)' generations.sh
guard 'a claim says its generation' claims/generation:generation_of 'gpu = gb_gpu_find(gpus, name);' 'gpu = NULL;' generations.sh
guard 'a figure that grows is of its own rows' apart:draw '.no_generations = !figure' '.no_generations = false' generations.sh
guard 'speed-ups are over the same point' find:speedup_of 'other->status == GB_OK' 'false' generations.sh
guard 'results without an axis are named' find:take_set 'if (!has_all) note_lacking(f, set);' '' generations.sh
