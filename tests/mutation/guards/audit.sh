# shellcheck shell=bash
# Guards of gpubench audit: what its rules find, what they let pass, what explains a finding.

guard 'the interval counts' is_slower 'return ratio->lo > 0 && ratio->hi < 1;' 'return true;' audit.sh
guard 'the margin counts' is_slower '*allowed = fmax(f->rule->margin, fmax(floor_of(f, slow), floor_of(f, other))) + allowance;' '*allowed = fmax(floor_of(f, slow), floor_of(f, other)) + allowance;' audit.sh
guard 'noise counts' is_slower '*allowed = fmax(f->rule->margin, fmax(floor_of(f, slow), floor_of(f, other))) + allowance;' '*allowed = f->rule->margin + allowance;' audit.sh
guard 'the slower row is the finding' hold_alike 'if (!best || !(best->row->rate > f->group[i].row->rate)) continue;' 'if (!best || best->row->rate > f->group[i].row->rate) continue;' audit.sh
guard 'conditions of a rule hold' 'audit*find:is_wanted' 'gb_terms_hold(f->arena, &f->rule->where, set, row);' 'true;' audit.sh
guard 'values of a rule are those that are alike' 'audit*find:has_value' 'return rule->value_count == 0;' 'return true;' audit.sh
guard 'a rule is of its primitive' hold_against_set 'if (rule->primitive && strcmp(rule->primitive, set->primitive) != 0) return;' '' audit.sh
guard 'work that the L2 holds is not held against cold caches' cache_allowance 'return fillings >= f->rule->beyond_l2 ? 1 / fillings : -1;' 'return 1 / fillings;' audit.sh
guard 'what the L2 holds is let pass' cache_allowance 'return fillings >= f->rule->beyond_l2 ? 1 / fillings : -1;' 'return fillings >= f->rule->beyond_l2 ? 0 : -1;' audit.sh
guard 'warm is held against cold' differ 'if (f->rule->kind == GB_AUDIT_CACHE) return strcmp(a->row->cache, b->row->cache) != 0;' 'if (f->rule->kind == GB_AUDIT_CACHE) return false;' audit.sh
guard 'other experiments of the same point are found' 'audit*find:gather' 'add_twin(f, &results->sets[s], set, row,' 'add_twin(f, set, set, row,' audit.sh
guard 'a row is as fast as what it says ran' 'audit*find:gather' 'key.variant = row->instance;' 'key.variant = row->variant;' audit.sh
guard 'neighbours are those by number' by_axis 'return gb_axis_compare(a->row->axis[axis], b->row->axis[axis]);' 'return a->row < b->row ? -1 : 1;' audit.sh
guard 'words are no neighbours of numbers' 'audit*find:has_value' 'if (rule->kind != GB_AUDIT_AXIS) return gb_number_parse(value, &number);' 'if (rule->kind != GB_AUDIT_AXIS) return true;' audit.sh
guard 'a dip is below both neighbours' hold_along 'before ? &g[i - 1] : &g[i + 1]' 'before ? &g[i + 1] : &g[i - 1]' audit.sh
guard 'two rules find a sibling once' 'audit*find:note' 'if (finding->unlike[i].row == other->row) return;' 'if (false) return;' audit.sh
guard 'a cause explains its rule alone' explains 'return strcmp(known->rule, f->rule->name) == 0 &&' 'return true &&' audit.sh
guard 'a cause explains what it says alone' explains 'gb_terms_hold(f->arena, &known->where, slow->set, slow->row);' 'true;' audit.sh
guard 'a cause of nothing is a finding' gb_command_audit 'status = audit.open || audit.stale ?' 'status = audit.open ?' audit.sh
guard 'a cause of what was not measured is none' gb_audit_is_stale 'return measured && !known->met && !audit->device;' 'return !known->met && !audit->device;' audit.sh
guard 'findings are a failure' gb_command_audit 'status = audit.open || audit.stale ?' 'status = audit.stale ?' audit.sh
guard 'times of the simt device are left out' is_audited 'return !set->published && !set->profile && !set->simt;' 'return !set->published && !set->profile;' audit.sh
guard 'known causes are no results' is_of_some_run '&& strcmp(name, gb_known_differences_name) != 0' '' audit.sh
guard 'orders and types are audited' 'audit.json:*' '"alike": "order", "where": "dist=uniform",' '"alike": "order", "where": "dist=none",' audit.sh
guard 'u32 and i32 are alike' 'audit.json:*' '"alike": "type", "values": ["u32", "i32"],' '"alike": "type", "values": ["u32", "i64"],' audit.sh
