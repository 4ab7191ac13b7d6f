/* Stores that stay behind, and loads that find what was there before.
 *
 * A block's stores that stay behind are in its buffer, and memory itself holds what the block sees
 * that is running: when another one goes on (deterministic mode has one at a time), memory is put
 * back to what all see, and then to what that one sees. So kernels read and write memory as they
 * are compiled, and are told nothing. What a plain load is to find instead of what is there is put
 * there just before it, and taken away at the next call of the runtime. */
#if defined(GB_SIMT_HOOKS)

#include "common/simt/weak.h"

#include "common/simt/policies.h"
#include "common/simt/runtime.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <vector>

namespace simt
{
bool weak_order, weak_touched;

static const size_t most_bytes = 16;      /* of an access that is followed */
static const size_t most_stores = 64;     /* of a block that stay behind */
static const size_t most_left = 1024;     /* of blocks that have ended */
static const size_t most_pieces = 16;     /* of a store of more than most_bytes */
static const unsigned longest_delay = 16; /* 2 to its power, in points */

static uint64_t randomness, points, clock_now, next_due;

static unsigned draw_below(unsigned n)
{
    randomness ^= randomness << 13;
    randomness ^= randomness >> 7;
    randomness ^= randomness << 17;
    return (unsigned)(((randomness >> 32) * n) >> 32);
}

static bool by_chance(unsigned chance)
{
    return draw_below(1024) < chance;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

struct span {
    uintptr_t at;
    size_t bytes;
};

static bool overlap(span a, span b)
{
    return a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

static void read_memory(span s, unsigned char *to)
{
    memcpy(to, reinterpret_cast<void *>(s.at), s.bytes);
}

static void write_memory(span s, const unsigned char *from)
{
    memcpy(reinterpret_cast<void *>(s.at), from, s.bytes);
}

static bool memory_is(span s, const unsigned char *bytes)
{
    return memcmp(reinterpret_cast<void *>(s.at), bytes, s.bytes) == 0;
}

/* ---- which memory it is ---------------------------------------------------------------------- */

static std::vector<memory_range> *const allocations = new std::vector<memory_range>();
static std::map<uintptr_t, size_t> *const heap_blocks = new std::map<uintptr_t, size_t>();
static memory_range last_found;

static bool is_within(span s, memory_range r)
{
    return r.begin <= s.at && s.at + s.bytes <= r.end;
}

static bool is_on_device(span s)
{
    if (is_within(s, last_found)) return true;
    const auto next =
        std::upper_bound(allocations->begin(), allocations->end(), s.at,
                         [](uintptr_t at, const memory_range &r) { return at < r.begin; });
    if (next != allocations->begin() && is_within(s, next[-1])) {
        last_found = next[-1];
        return true;
    }
    auto after = heap_blocks->upper_bound(s.at);
    if (after == heap_blocks->begin()) return false;
    --after;
    return is_within(s, {after->first, after->first + after->second});
}

/* ---- what changed lately --------------------------------------------------------------------- */

/* A change that has come to memory. */
struct change {
    span where;
    unsigned block;
    bool fenced; /* its block has had a fence since, or another one has seen it */
    uint64_t when;
    unsigned char before[most_bytes], after[most_bytes];
};
static const unsigned most_changes = 512;
static change changes[most_changes]; /* a ring */
static uint64_t change_count;
/* How many of them touch an address, or another one of the same remainder: mostly none. */
static const unsigned granule_bytes = 16, granules = 4096;
static uint16_t touching[granules];

static void count_granules(span s, int by)
{
    for (uintptr_t g = s.at / granule_bytes; g <= (s.at + s.bytes - 1) / granule_bytes; g++)
        touching[g % granules] = (uint16_t)(touching[g % granules] + by);
}

static bool may_have_changed(span s)
{
    for (uintptr_t g = s.at / granule_bytes; g <= (s.at + s.bytes - 1) / granule_bytes; g++)
        if (touching[g % granules]) return true;
    return false;
}

static void forget_history(change *c)
{
    if (c->where.bytes) count_granules(c->where, -1);
    c->where = {0, 0};
}

static void note_change(span where, unsigned block, const unsigned char *before,
                        const unsigned char *after)
{
    change &c = changes[change_count++ % most_changes];
    forget_history(&c);
    c.where = where;
    c.block = block;
    c.fenced = false;
    c.when = ++clock_now;
    memcpy(c.before, before, where.bytes);
    memcpy(c.after, after, where.bytes);
    count_granules(where, 1);
}

/* Calls visit(change), from the newest on, for those later than `since` that touch s, until it says
 * false. */
template <class Visit> static void look_back(span s, uint64_t since, Visit visit)
{
    if (!may_have_changed(s)) return;
    const uint64_t oldest = change_count < most_changes ? 0 : change_count - most_changes;
    for (uint64_t i = change_count; i-- > oldest;) {
        change &c = changes[i % most_changes];
        if (c.when <= since) return;
        if (overlap(c.where, s) && !visit(c)) return;
    }
}

static void forget_changes()
{
    for (change &c : changes)
        forget_history(&c);
    change_count = 0;
}

/* ---- stores that stay behind ----------------------------------------------------------------- */

struct pending {
    span where;
    unsigned block, owner; /* the thread's number in it */
    bool known;            /* a fence of any thread of the block is behind it */
    bool shown;
    uint64_t due;                    /* at which point all see it at latest */
    unsigned char value[most_bytes]; /* while memory is what all see */
    unsigned char under[most_bytes]; /* what the block does not see, while it runs */
};

static const unsigned seen_places = 512, most_seen = 384; /* a hash table, and its fill */
struct seen_place {
    uintptr_t granule; /* 0: none */
    uint64_t since;
};

/* A block that is running, by its worker's number. */
struct buffer {
    unsigned block;
    std::vector<pending> stores; /* in the order in which they were made */
    uint64_t acquired, latest;   /* the newest fence that all threads know; that one of them has */
    uint64_t acquired_by[max_threads]; /* and each */
    /* how far back the block may look at some places, of which it has seen what was there then;
     * and at all others */
    seen_place seen[seen_places];
    unsigned seen_count;
    uint64_t seen_elsewhere;
};
static buffer *buffers[max_workers];
static unsigned buffer_count;
static buffer *view; /* memory is what this one's block sees; NULL: what all do */
static std::vector<pending> *const left = new std::vector<pending>(); /* by blocks that ended */

static void hide(buffer *b)
{
    for (size_t i = b->stores.size(); i-- > 0;) {
        pending &p = b->stores[i];
        read_memory(p.where, p.value);
        write_memory(p.where, p.under);
    }
}

static void reveal(buffer *b)
{
    for (pending &p : b->stores) {
        read_memory(p.where, p.under);
        write_memory(p.where, p.value);
    }
}

/* Memory is what all see: they see this one as well, after those of its block at the same place. */
static void show(std::vector<pending> &stores, size_t i)
{
    pending &p = stores[i];
    if (p.shown) return;
    for (size_t k = 0; k < i; k++)
        if (stores[k].block == p.block && overlap(stores[k].where, p.where)) show(stores, k);
    unsigned char before[most_bytes];
    read_memory(p.where, before);
    write_memory(p.where, p.value);
    note_change(p.where, p.block, before, p.value);
    p.shown = true;
    here.idle = 0;
}

static void drop_shown(std::vector<pending> &stores)
{
    stores.erase(
        std::remove_if(stores.begin(), stores.end(), [](const pending &p) { return p.shown; }),
        stores.end());
}

template <class Which> static void show_those(std::vector<pending> &stores, Which which)
{
    for (size_t i = 0; i < stores.size(); i++)
        if (which(stores[i])) show(stores, i);
    drop_shown(stores);
}

/* All see those stores of the running block. */
template <class Which> static void show_own(Which which)
{
    buffer *const b = view;
    if (std::none_of(b->stores.begin(), b->stores.end(), which)) return;
    hide(b);
    show_those(b->stores, which);
    reveal(b);
}

static uint64_t first_due()
{
    uint64_t first = UINT64_MAX;
    for (unsigned i = 0; i < buffer_count; i++)
        for (const pending &p : buffers[i]->stores)
            first = std::min(first, p.due);
    for (const pending &p : *left)
        first = std::min(first, p.due);
    return first;
}

static void show_due()
{
    const auto is_due = [](const pending &p) { return p.due <= points; };
    if (view) hide(view);
    for (unsigned i = 0; i < buffer_count; i++)
        show_those(buffers[i]->stores, is_due);
    show_those(*left, is_due);
    if (view) reveal(view);
    next_due = first_due();
}

/* ---- what is told of a thread's accesses ----------------------------------------------------- */

/* What was put into memory for a load, in place of what is there. */
static struct {
    span where;
    unsigned char instead_of[most_bytes], put[most_bytes];
} disguise;
/* A store that does not stay behind, before it is made. */
static struct {
    span where;
    unsigned char before[most_bytes];
} store_to_come;

/* A granule's place in the running block's table, or the one that it would have. */
static seen_place *find_place(uintptr_t granule)
{
    unsigned i = granule % seen_places;
    while (view->seen[i].granule && view->seen[i].granule != granule)
        i = (i + 1) % seen_places;
    return &view->seen[i];
}

/* All at once: which ones share a remainder depends on where allocations lie. */
static void forget_places()
{
    for (seen_place &place : view->seen) {
        view->seen_elsewhere = std::max(view->seen_elsewhere, place.since);
        place = {0, 0};
    }
    view->seen_count = 0;
}

/* The running block has seen a place as it was then: it looks no further back there. */
static void note_seen(span s, uint64_t when)
{
    for (uintptr_t g = s.at / granule_bytes; g <= (s.at + s.bytes - 1) / granule_bytes; g++) {
        if (view->seen_count == most_seen) forget_places();
        seen_place *const place = find_place(g);
        view->seen_count += !place->granule;
        *place = {g, std::max(place->since, when)};
    }
}

static uint64_t seen_since(span s)
{
    uint64_t since = view->seen_elsewhere;
    for (uintptr_t g = s.at / granule_bytes; g <= (s.at + s.bytes - 1) / granule_bytes; g++)
        since = std::max(since, find_place(g)->since);
    return since;
}

/* Who has seen something strongly may pass it on: it is seen by all who are told. */
static void note_strong_look(span s, uint64_t when)
{
    note_seen(s, when);
    look_back(s, 0, [when](change &c) {
        c.fenced |= c.when <= when && c.block != view->block;
        return true;
    });
}

void weak_settle()
{
    weak_touched = false;
    if (disguise.where.bytes) {
        if (memory_is(disguise.where, disguise.put))
            write_memory(disguise.where, disguise.instead_of);
        disguise.where.bytes = 0;
    }
    if (store_to_come.where.bytes) {
        const span s = store_to_come.where;
        unsigned char now[most_bytes];
        read_memory(s, now);
        if (!memory_is(s, store_to_come.before))
            note_change(s, view->block, store_to_come.before, now);
        note_strong_look(s, clock_now);
        store_to_come.where.bytes = 0;
    }
}

/* A point of a kernel; false: nothing is to be followed there. */
static bool pass_point(span s)
{
    if (!weak_order || !here.thread || !view) return false;
    weak_settle();
    if (++points >= next_due) show_due();
    return s.bytes && is_on_device(s);
}

static span span_of(const void *at, size_t bytes)
{
    return {reinterpret_cast<uintptr_t>(at), bytes};
}

/* What a load must see: a strong one what has come to all, */
static bool is_fenced(const change &c)
{
    return c.fenced;
}

/* a plain one what had when its thread, or one that it has met since, had a fence. */
static bool is_fenced_for_both(const change &c)
{
    return c.fenced && c.when <= std::max(view->acquired, view->acquired_by[here.thread->linear]);
}

/* The load that is to come finds what was there before some of the changes in `back`, the newest
 * ones of the place from the newest on. Returns how many it does not see. */
static unsigned look_as_before(span s, const change **back, unsigned count)
{
    read_memory(s, disguise.instead_of);
    read_memory(s, disguise.put);
    unsigned i = 0;
    for (const unsigned far = 1 + draw_below(count); i < far; i++) {
        const uintptr_t begin = std::max(s.at, back[i]->where.at),
                        end = std::min(s.at + s.bytes, back[i]->where.at + back[i]->where.bytes);
        unsigned char *const put = disguise.put + (begin - s.at);
        const size_t offset = begin - back[i]->where.at;
        /* somebody wrote unseen */
        if (memcmp(put, back[i]->after + offset, end - begin) != 0) break;
        memcpy(put, back[i]->before + offset, end - begin);
    }
    if (i == 0) return 0;
    disguise.where = s;
    weak_touched = true;
    write_memory(s, disguise.put);
    return i;
}

/* The load that is to come may find what was there before the newest changes by others, as far as
 * it need not see them. Returns when the place was as it finds it. */
template <class Must> static uint64_t draw_look(span s, Must must_see)
{
    const change *back[most_changes];
    unsigned count = 0;
    /* by chance: a loop that waits sees in the end what it waits for. Drawn before anything is
     * asked that depends on where allocations lie: that differs between processes. */
    if (!by_chance(config.weak / 2)) return clock_now;
    if (s.bytes > most_bytes || !may_have_changed(s)) return clock_now;
    for (const pending &p : view->stores)
        if (overlap(p.where, s)) return clock_now;
    look_back(s, seen_since(s), [&](const change &c) {
        if (c.block == view->block || must_see(c)) return false;
        back[count++] = &c;
        return true;
    });
    const unsigned unseen = count ? look_as_before(s, back, count) : 0;
    return unseen ? back[unseen - 1]->when - 1 : clock_now;
}

void weak_load(const void *at, size_t bytes)
{
    const span s = span_of(at, bytes);
    if (pass_point(s)) (void)draw_look(s, is_fenced_for_both);
}

void weak_strong_load(const void *at, size_t bytes)
{
    const span s = span_of(at, bytes);
    if (pass_point(s)) note_strong_look(s, draw_look(s, is_fenced));
}

/* All see what is stored there now, and what the block had stored there before. */
static void expose(span s)
{
    show_own([s](const pending &p) { return overlap(p.where, s); });
    if (s.bytes > most_bytes) return;
    store_to_come.where = s;
    weak_touched = true;
    read_memory(s, store_to_come.before);
}

void weak_update(void *at, size_t bytes)
{
    const span s = span_of(at, bytes);
    if (pass_point(s)) expose(s);
}

static void keep_back(span s, bool known)
{
    if (view->stores.size() >= most_stores) {
        const unsigned owner = view->stores[0].owner;
        const span oldest = view->stores[0].where;
        show_own([=](const pending &p) {
            return p.owner == owner && p.where.at == oldest.at && p.where.bytes == oldest.bytes;
        });
    }
    pending p = {};
    p.where = s;
    p.block = view->block;
    p.owner = here.thread->linear;
    p.known = known;
    p.due = points + 1 + draw_below(1u << draw_below(longest_delay + 1));
    read_memory(s, p.under);
    view->stores.push_back(p);
    next_due = std::min(next_due, p.due);
}

static void put_off(span s, bool known)
{
    if (!pass_point(s)) return;
    if (s.bytes > most_bytes * most_pieces || !by_chance(config.weak)) {
        expose(s);
        return;
    }
    for (size_t done = 0; done < s.bytes; done += most_bytes)
        keep_back({s.at + done, std::min(most_bytes, s.bytes - done)}, known);
}

void weak_store(void *at, size_t bytes)
{
    put_off(span_of(at, bytes), false);
}

/* Who sees it strongly may make it known to others, so every fence of the block is one for it. */
void weak_strong_store(void *at, size_t bytes)
{
    put_off(span_of(at, bytes), true);
}

/* ---- fences and barriers --------------------------------------------------------------------- */

/* All of the block, not only of the thread: more is ordered here than PTX promises. */
static void fence_changes()
{
    const uint64_t oldest = change_count < most_changes ? 0 : change_count - most_changes;
    for (uint64_t i = change_count;
         i-- > oldest && changes[i % most_changes].when > view->latest;) {
        change &c = changes[i % most_changes];
        c.fenced |= c.block == view->block;
    }
}

void weak_fence()
{
    if (!weak_order || !here.thread || !view) return;
    const unsigned me = here.thread->linear;
    weak_settle();
    show_own([me](const pending &p) { return p.known || p.owner == me; });
    fence_changes();
    view->acquired_by[me] = view->latest = ++clock_now;
}

void weak_fence_block()
{
    if (!weak_order || !here.thread || !view) return;
    const unsigned me = here.thread->linear;
    weak_settle();
    for (pending &p : view->stores)
        p.known |= p.owner == me;
    view->acquired_by[me] = view->latest;
}

void weak_meet(worker *w)
{
    if (!weak_order) return;
    buffer *const b = buffers[w->id];
    for (pending &p : b->stores)
        p.known = true;
    b->acquired = b->latest;
}

void weak_meet_warp(worker *w, unsigned first, unsigned among)
{
    if (!weak_order) return;
    buffer *const b = buffers[w->id];
    const auto is_among = [=](unsigned owner) {
        return owner - first < warp_size && (among >> (owner - first) & 1);
    };
    uint64_t newest = 0;
    for (unsigned m = among; m; m &= m - 1)
        newest = std::max(newest, b->acquired_by[first + (unsigned)__builtin_ctz(m)]);
    for (unsigned m = among; m; m &= m - 1)
        b->acquired_by[first + (unsigned)__builtin_ctz(m)] = newest;
    for (pending &p : b->stores)
        p.known |= is_among(p.owner);
}

/* ---- launches, blocks and turns -------------------------------------------------------------- */

void weak_begin(const job *j, const memory_range *memory, size_t count)
{
    for (; buffer_count < j->workers; buffer_count++) {
        std::unique_ptr<buffer> made(new buffer());
        made->stores.reserve(most_stores);
        buffers[buffer_count] = made.release();
    }
    left->reserve(most_left + most_stores);
    allocations->assign(memory, memory + count);
    last_found = {0, 0};
    forget_changes();
    randomness = mix(j->seed ^ 0x77) | 1;
    points = clock_now = 0;
    next_due = UINT64_MAX;
    view = NULL;
    weak_order = true;
}

void weak_end()
{
    show_those(*left, [](const pending &) { return true; });
    weak_order = false;
}

void weak_begin_block(worker *w, unsigned number)
{
    if (!weak_order) return;
    buffer *const b = buffers[w->id];
    b->block = number;
    b->stores.clear();
    b->acquired = b->latest = 0;
    memset(b->acquired_by, 0, sizeof b->acquired_by);
    memset(b->seen, 0, sizeof b->seen);
    b->seen_count = 0;
    b->seen_elsewhere = 0;
    view = b;
}

void weak_end_block(worker *w)
{
    if (!weak_order) return;
    buffer *const b = buffers[w->id];
    weak_settle();
    hide(b);
    view = NULL;
    left->insert(left->end(), b->stores.begin(), b->stores.end());
    b->stores.clear();
    if (left->size() <= most_left) return;
    for (size_t i = 0; i < left->size() - most_left; i++)
        show(*left, i);
    drop_shown(*left);
}

void weak_leave()
{
    if (!weak_order || !view) return;
    weak_settle();
    hide(view);
    view = NULL;
}

void weak_return(worker *w)
{
    if (!weak_order || !here.block) return;
    view = buffers[w->id];
    reveal(view);
}

/* ---- the heap -------------------------------------------------------------------------------- */

void weak_heap_allocated(void *at, size_t bytes)
{
    try {
        (*heap_blocks)[reinterpret_cast<uintptr_t>(at)] = bytes;
    } catch (const std::bad_alloc &) { /* nothing stays behind there */
    }
}

/* The memory may be anybody's next. */
void weak_heap_freed(void *at)
{
    const auto found = heap_blocks->find(reinterpret_cast<uintptr_t>(at));
    if (found == heap_blocks->end()) return;
    const span s = {found->first, found->second};
    const auto is_in_it = [s](const pending &p) { return overlap(p.where, s); };
    heap_blocks->erase(found);
    if (!weak_order) return;
    if (view) hide(view);
    for (unsigned i = 0; i < buffer_count; i++)
        show_those(buffers[i]->stores, is_in_it);
    show_those(*left, is_in_it);
    if (view) reveal(view);
    for (change &c : changes)
        if (overlap(c.where, s)) forget_history(&c);
}
} // namespace simt

#endif
