/* Shared memory holds garbage when a block starts: what an earlier block, or an earlier launch,
 * left there would hide a missing initialisation or a missing barrier.
 *
 * Static __shared__ variables are thread-local storage of the executable, so all of that is filled,
 * but for the runtime's own variable; the thread that calls launch() gets its contents back. */
#include "common/simt/runtime.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>

/* The most that a block of any generation can have. */
static const size_t shared_bytes_max = 232448;

alignas(128) __shared__ unsigned char gb_shared_memory[shared_bytes_max];

namespace simt
{
static const int garbage = 0xCB;

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

void poison_shared(worker *w)
{
    char *const shared = reinterpret_cast<char *>(gb_shared_memory);
    const size_t dynamic = w->job->shared_bytes;
#if defined(GB_SIMT_ASAN)
    ASAN_UNPOISON_MEMORY_REGION(shared, shared_bytes_max);
    const size_t usable = (dynamic + 7) / 8 * 8; /* the shadow's granularity */
    ASAN_POISON_MEMORY_REGION(shared + usable, shared_bytes_max - usable);
#endif
    memset(shared, garbage, dynamic);
    const range all = locals();
    if (!all.begin) return;
    /* all but the dynamic shared memory and what the scheduler is using */
    range keep[2] = {
        {shared, shared + shared_bytes_max},
        {reinterpret_cast<char *>(&here), reinterpret_cast<char *>(&here + 1)},
    };
    if (keep[1].begin < keep[0].begin) {
        const range first = keep[1];
        keep[1] = keep[0];
        keep[0] = first;
    }
    memset(all.begin, garbage, (size_t)(keep[0].begin - all.begin));
    memset(keep[0].end, garbage, (size_t)(keep[1].begin - keep[0].end));
    memset(keep[1].end, garbage, (size_t)(all.end - keep[1].end));
}

/* ---- the caller's own ------------------------------------------------------------------------ */

/* Two copies, around the dynamic shared memory, which has no contents outside kernels. */
static void copy_locals(worker *w, bool save)
{
    const range all = locals();
    char *const shared = reinterpret_cast<char *>(gb_shared_memory);
    const range parts[2] = {{all.begin, shared}, {shared + shared_bytes_max, all.end}};
    char *kept = static_cast<char *>(w->image);
    for (const range &part : parts) {
        const size_t bytes = (size_t)(part.end - part.begin);
        /* save_locals made the image: NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
        memcpy(save ? kept : part.begin, save ? part.begin : kept, bytes);
        kept += bytes;
    }
}

bool save_locals(worker *w)
{
    const range all = locals();
    if (!all.begin || !config.poison) return true;
    if (!w->image) w->image = malloc((size_t)(all.end - all.begin));
    if (!w->image) return false;
    copy_locals(w, true);
    w->saved = true;
    return true;
}

void restore_locals(worker *w)
{
    if (!w->saved) return;
    const context kept = here;
    copy_locals(w, false);
    here = kept;
    w->saved = false;
}
} // namespace simt
