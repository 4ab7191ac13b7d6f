# shellcheck shell=bash
# Schedules with hooks, and memory that is not in order.
guard 'schedules are explored with hooks where they are there' check_group \
    '!gb_check_prefer_hooks(c, &error)' 'false' driver_mistakes.sh
guard 'a check says what it has not looked for' gb_check_primitives \
    'gb_check_say_unseen(c);' ';' driver_mistakes.sh
guard 'a fence shows what its thread has stored' weak.cpp:weak_fence \
    'p.known || p.owner == me' 'p.known' simt_hooks_weak
guard 'and what it knows of others' weak.cpp:weak_fence \
    'p.known || p.owner == me' 'p.owner == me' simt_hooks_weak
guard 'a barrier makes stores known' weak.cpp:weak_meet \
    'p.known = true;' ';' simt_hooks_weak
guard 'and the fences of those who meet' weak.cpp:weak_meet \
    'b->acquired = b->latest;' ';' simt_hooks_weak
guard 'stores to one place come in their order' weak:show \
    'overlap(stores[k].where, p.where)) show(stores, k);' 'false) show(stores, k);' simt_hooks_weak
guard 'who has seen something may pass it on' note_strong_look \
    'c.fenced |= c.when <= when' 'c.fenced |= false' simt_hooks_weak
guard 'a place does not go back to what it was' draw_look \
    'look_back(s, seen_since(s), ' 'look_back(s, 0, ' simt_hooks_weak
guard 'the end of a kernel shows all' weak.cpp:weak_end \
    'show_those(*left, [](const pending &) { return true; });' ';' simt_hooks_weak
guard 'stores stay behind' put_off \
    '!by_chance(config.weak)' 'true' simt_hooks_weak
guard 'what is drawn does not depend on where allocations lie' weak.cpp:draw_look \
    'if (!by_chance(config.weak / 2)) return clock_now;' \
    'if (may_have_changed(s) && !by_chance(config.weak / 2)) return clock_now;' simt_hooks_weak
guard 'nor on which places share a remainder' find_place \
    'while (view->seen[i].granule && view->seen[i].granule != granule)' 'while (false)' simt_hooks_weak
guard 'queues begin at the seed' launch.cpp:reseed \
    'restart_queues();' ';' test_comm
