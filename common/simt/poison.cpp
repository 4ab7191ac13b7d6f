/* Shared memory holds garbage when a block starts: what an earlier block, or an earlier launch,
 * left there would hide a missing initialisation or a missing barrier.
 *
 * Static __shared__ variables are thread-local storage of the executable, those of all its kernels
 * together: megabytes. So it is filled whole, and searched for changes afterwards, for a kernel's
 * first blocks and for some of the later ones; for the others those parts alone that blocks of the
 * kernel have been seen to change. The thread that calls launch() gets its contents back.
 *
 * Behind the dynamic shared memory lies a red zone, which a block must leave as it was. */
#include "common/simt/poison.h"

#include "common/simt/report.h"
#include "common/simt/sanitizers.h"

#include <errno.h>
#include <link.h>
#include <map>
#include <mutex>
#include <new>
#include <stdlib.h>

/* The most that a block of any generation can have. */
static const size_t shared_bytes_max = 232448;

alignas(128) __shared__ unsigned char gb_shared_memory[shared_bytes_max];

namespace simt
{
static const int garbage = 0xCB;
/* Behind the dynamic shared memory; AddressSanitizer guards all that is left of it. */
#if defined(GB_SIMT_ASAN)
static const size_t red_bytes = 0;
#else
static const size_t red_bytes = 1024;
#endif

struct range {
    char *begin, *end;
};

/* The executable is the first object; its thread-local storage as the calling thread sees it. */
static int find_executable(struct dl_phdr_info *info, size_t, void *out)
{
    range *found = static_cast<range *>(out);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_TLS || !info->dlpi_tls_data) continue;
        found->begin = static_cast<char *>(info->dlpi_tls_data);
        found->end = found->begin + info->dlpi_phdr[i].p_memsz;
    }
    return 1;
}

/* Where the executable's thread-local storage lies, relative to a variable in it. */
struct layout {
    ptrdiff_t before; /* bytes before gb_shared_memory */
    size_t bytes;     /* 0: not ours alone, under a sanitizer or linked statically with libc */
};

static layout find_layout()
{
    range found = {NULL, NULL};
    if (sanitized) return {0, 0};
    (void)dl_iterate_phdr(find_executable, &found);
    char *const shared = reinterpret_cast<char *>(gb_shared_memory);
    char *const number = reinterpret_cast<char *>(&errno);
    const bool ours = found.begin <= shared && shared < found.end;
    const bool libc = found.begin <= number && number < found.end;
    if (!ours || libc) return {0, 0};
    return {shared - found.begin, (size_t)(found.end - found.begin)};
}

/* The calling thread's. */
static range locals()
{
    static const layout known = find_layout();
    if (!known.bytes) return {NULL, NULL};
    char *const begin = reinterpret_cast<char *>(gb_shared_memory) - known.before;
    return {begin, begin + known.bytes};
}

/* ---- what a kernel changes ------------------------------------------------------------------- */

static const size_t chunk_bytes = 1024;
static const uint64_t first_searched = 16, searched_every = 64; /* blocks of a kernel */

/* The chunks that a kernel's blocks have changed, in no order. The list only grows, so it is read
 * without the lock. */
struct footprint {
    std::atomic<uint64_t> blocks; /* that have begun */
    std::mutex mutex;
    unsigned char *known; /* by chunk */
    uint32_t *list;
    std::atomic<uint32_t> count;
};

struct footprints {
    std::mutex mutex;
    std::map<kernel_address, footprint *> by_kernel;
};
static footprints *const all_footprints = new footprints();

static uint32_t chunk_count()
{
    const range all = locals();
    return (uint32_t)(((size_t)(all.end - all.begin) + chunk_bytes - 1) / chunk_bytes);
}

static range chunk_at(uint32_t number)
{
    const range all = locals();
    char *const begin = all.begin + number * chunk_bytes;
    return {begin, (size_t)(all.end - begin) < chunk_bytes ? all.end : begin + chunk_bytes};
}

footprint *find_footprint(kernel_address kernel)
try {
    const std::lock_guard<std::mutex> lock(all_footprints->mutex);
    footprint *&found = all_footprints->by_kernel[kernel];
    if (found) return found;
    const uint32_t chunks = chunk_count();
    footprint *made = new (std::nothrow) footprint();
    if (!made) return NULL;
    made->known = static_cast<unsigned char *>(calloc(chunks + 1, sizeof *made->known));
    made->list = static_cast<uint32_t *>(calloc(chunks + 1, sizeof *made->list));
    if (made->known && made->list) return found = made;
    free(made->known);
    free(made->list);
    delete made;
    return NULL;
} catch (const std::bad_alloc &) {
    return NULL;
}

/* ---- filling and searching ------------------------------------------------------------------- */

/* The dynamic shared memory is filled by itself, as far as the block can address it. */
static bool is_dynamic(range chunk)
{
    char *const shared = reinterpret_cast<char *>(gb_shared_memory);
    return shared <= chunk.begin && chunk.end <= shared + shared_bytes_max;
}

static void fill(worker *w, uint32_t number)
{
    const range chunk = chunk_at(number);
    if (!chunk.begin || is_dynamic(chunk)) return;
    const size_t bytes = (size_t)(chunk.end - chunk.begin);
    if (w->image && !w->saved[number]) {
        memcpy(w->image + number * chunk_bytes, chunk.begin, bytes);
        w->saved[number] = 1;
    }
    const context kept = here;
    memset(chunk.begin, garbage, bytes);
    here = kept;
}

static size_t red_zone(const worker *w)
{
    const size_t left = shared_bytes_max - w->job->shared_bytes;
    return left < red_bytes ? left : red_bytes;
}

void poison_shared(worker *w)
{
    char *const shared = reinterpret_cast<char *>(gb_shared_memory);
    const size_t dynamic = w->job->shared_bytes;
#if defined(GB_SIMT_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(shared, shared_bytes_max);
    const size_t usable = (dynamic + 7) / 8 * 8; /* the shadow's granularity */
    ASAN_POISON_MEMORY_REGION(shared + usable, shared_bytes_max - usable);
#endif
    memset(shared, garbage, dynamic + red_zone(w));
    footprint *known = w->job->known;
    const uint64_t before = known->blocks.fetch_add(1, std::memory_order_relaxed);
    w->search = before < first_searched || before % searched_every == 0;
    if (w->search) {
        const uint32_t chunks = chunk_count();
        for (uint32_t i = 0; i < chunks; i++)
            fill(w, i);
    } else {
        const uint32_t count = known->count.load(std::memory_order_acquire);
        for (uint32_t i = 0; i < count; i++)
            fill(w, known->list[i]);
    }
}

static void check_red_zone(worker *w)
{
    const unsigned char *const end = gb_shared_memory + w->job->shared_bytes;
    const size_t room = red_zone(w);
    size_t i = 0;
    while (i < room && end[i] == garbage)
        i++;
    if (i == room) return;
    char what[160];
    (void)snprintf(what, sizeof what,
                   "store out of bounds: byte %zu of %zu bytes of dynamic shared memory",
                   w->job->shared_bytes + i, w->job->shared_bytes);
    report_block(w, cudaErrorIllegalAddress, what);
}

void search_shared(worker *w)
{
    check_red_zone(w);
    if (!w->search) return;
    footprint *known = w->job->known;
    char untouched[chunk_bytes];
    memset(untouched, garbage, sizeof untouched);
    const uint32_t chunks = chunk_count();
    const std::lock_guard<std::mutex> lock(known->mutex);
    for (uint32_t i = 0; i < chunks; i++) {
        const range chunk = chunk_at(i);
        if (known->known[i] || is_dynamic(chunk)) continue;
        if (!memcmp(chunk.begin, untouched, (size_t)(chunk.end - chunk.begin))) continue;
        known->known[i] = 1;
        const uint32_t at = known->count.load(std::memory_order_relaxed);
        known->list[at] = i;
        known->count.store(at + 1, std::memory_order_release);
    }
}

/* ---- the caller's own ------------------------------------------------------------------------ */

bool save_locals(worker *w)
{
    const uint32_t chunks = chunk_count();
    if (w->image) return true;
    w->image = static_cast<char *>(malloc(chunks * chunk_bytes + 1));
    w->saved = static_cast<unsigned char *>(calloc(chunks + 1, sizeof *w->saved));
    if (w->image && w->saved) return true;
    free(w->image);
    free(w->saved);
    w->image = NULL;
    w->saved = NULL;
    return false;
}

void restore_locals(worker *w)
{
    const uint32_t chunks = chunk_count();
    for (uint32_t i = 0; i < chunks; i++) {
        if (!w->saved[i]) continue;
        const range chunk = chunk_at(i);
        const context kept = here;
        memcpy(chunk.begin, w->image + i * chunk_bytes, (size_t)(chunk.end - chunk.begin));
        here = kept;
        w->saved[i] = 0;
    }
}
} // namespace simt
