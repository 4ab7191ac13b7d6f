# shellcheck shell=bash
# Guards of gpubench project: what fits, what is told apart, what is refused.

guard 'no coefficient is negative' gb_least_squares 'if (!(found > 0) || !isfinite(found)) return false;' '' test_least
guard 'terms that are alike are not told apart' factorise 'if (!(rest > least_pivot))' 'if (!(rest > 0))' test_least
guard 'all times count alike' 'project*law:set_up' 'seconds_of((gb_term_kind)t, &timing->machine) / timing->time_s' 'seconds_of((gb_term_kind)t, &timing->machine)' test_law
guard 'least bytes bound the term of the memory' 'project*law:find_law' 't == GB_TERM_MEMORY ? raised(f->pinned, power) : 0' '0' test_law
guard 'an L2 that holds all leaves the memory no term' gb_fit_find 'if (resident && terms >> GB_TERM_MEMORY & 1) continue;' '' test_law
guard 'laws that fit as well widen the span' gb_fit_time 'for (size_t i = 0; i < fit->count; i++)' 'for (size_t i = 0; i < 1; i++)' test_law
guard 'the plainest law speaks' 'project*law:choose' 'if (chosen == fit->count) return;' 'return;' test_law
guard 'one card is not enough' gb_timings_lack 'if (one_card) return "were measured on one card";' '' project.sh
guard 'a card that is left out is left out' leave_card_out 'if (strcmp(series->timings[i].machine.model, model) != 0)' '' project.sh
guard 'what is off too far is refused' 'project*onto:judge' 'if (check->of90 > gb_project_limit &&' 'if (check->of90 > 100 &&' project.sh
guard 'cards that err together are few errors' stretched 'return cards ? spread *' 'return cards ? 0 * spread *' project.sh
guard 'rows of other code are no setting' 'project*gather:limit_of' '|| *under.code' '' project.sh
guard 'what fits the L2 of some is left out' l2_refuses 'if (series->mixed) return "fit the L2 of some of the cards alone";' '' project.sh
