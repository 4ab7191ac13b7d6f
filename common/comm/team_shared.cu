/* Ranks that are processes of one host, on simt: a page that all of a group see, with a word a rank
 * for barriers, and a file a rank for what it sends. */
#if !defined(__CUDACC__)

#include "common/comm/team.cuh"
#include "common/simt/shared.h"
#include "common/worker/clock.h"

#include <atomic>
#include <errno.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <vector>

/* What all ranks of a group see; begins as 0. */
struct page {
    std::atomic<uint64_t> reached[GB_MOST_RANKS]; /* barriers that rank r has come to */
    unsigned char slot[GB_MOST_RANKS][GB_MOST_GATHERED];
};
static_assert(std::atomic<uint64_t>::is_always_lock_free, "it works across processes");

struct gb_carried {
    struct page *page;
    int box[GB_MOST_RANKS]; /* files: what rank r sends, behind a table of [size] pieces */
};

/* Where in its file a rank has what it sends to another. */
struct sent {
    uint64_t begin, bytes;
};

static gb_status fail_errno(gb_error *error, const char *what)
{
    return gb_fail(error, GB_CRASHED, "%s: %s", what, strerror(errno));
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* The page itself, as rank 0 has it open: nothing is left of it when that process ends. */
gb_status gb_carry_id(char *id, size_t capacity, gb_error *error)
{
    simt::shared_handle handle;
    GB_TRY(simt::make_shared(sizeof(page), &handle), error);
    snprintf(id, capacity, "simt-%d-%d", (int)handle.process, (int)handle.descriptor);
    return GB_OK;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Until rank r has come as far; false if that takes too long. */
static bool await(const page *page, unsigned r, uint64_t epoch)
{
    const double end = gb_clock_s() + gb_team_limit_s();
    for (unsigned tries = 0; page->reached[r].load() < epoch; tries++) {
        const struct timespec pause = {0, tries < 100 ? 0 : 100000};
        if (gb_clock_s() > end) return false;
        (void)nanosleep(&pause, NULL);
    }
    return true;
}

static gb_status meet(gb_group *group, unsigned away, gb_error *error)
{
    page *page = group->carried->page;
    const uint64_t epoch = ++group->epoch;
    page->reached[group->rank].store(epoch);
    for (unsigned r = 0; r < group->size; r++) {
        const unsigned apart = r > group->rank ? r - group->rank : group->rank - r;
        if (apart <= away && !await(page, r, epoch))
            return gb_fail(error, GB_CRASHED,
                           "rank %u has waited for rank %u for %g s (GPUBENCH_TEAM_LIMIT_S)",
                           group->rank, r, gb_team_limit_s());
    }
    return GB_OK;
}

/* All that was queued has run. */
gb_status gb_carry_barrier(gb_group *group, bool, cudaStream_t stream, unsigned away,
                           gb_error *error)
{
    GB_TRY(cudaStreamSynchronize(stream), error);
    return meet(group, away, error);
}

gb_status gb_carry_gather(gb_group *group, const void *own, size_t bytes, void *all,
                          gb_error *error)
{
    page *page = group->carried->page;
    memcpy(page->slot[group->rank], own, bytes);
    gb_status status = meet(group, group->size, error);
    for (unsigned r = 0; r < group->size && status == GB_OK; r++)
        memcpy(static_cast<unsigned char *>(all) + r * bytes, page->slot[r], bytes);
    return status == GB_OK ? meet(group, group->size, error) : status;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* "simt-PROCESS-DESCRIPTOR" */
static bool parse_id(const char *id, simt::shared_handle *handle)
{
    char *end;
    if (strncmp(id, "simt-", 5) != 0) return false;
    handle->process = (int)strtol(id + 5, &end, 10);
    if (end == id + 5 || *end != '-') return false;
    const char *descriptor = end + 1;
    handle->descriptor = (int)strtol(descriptor, &end, 10);
    return end != descriptor && !*end;
}

static gb_status open_page(const char *id, page **out, gb_error *error)
{
    simt::shared_handle handle = {0, 0, sizeof(page)};
    *out = NULL;
    if (!parse_id(id, &handle))
        return gb_fail(error, GB_CRASHED, "\"%.80s\" is no id of processes on the simt device", id);
    const int fd = simt::open_shared(handle);
    if (fd < 0)
        return fail_errno(error, "rank 0's process is not found, which must be on this host");
    void *at = mmap(NULL, sizeof(page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (at == MAP_FAILED) return fail_errno(error, "what ranks share");
    *out = static_cast<page *>(at);
    return GB_OK;
}

/* Each opens what the others have made; nobody goes on, and ends perhaps, before all have. */
static gb_status open_files(gb_group *group, const simt::shared_handle *all,
                            int files[GB_MOST_RANKS], gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned r = 0; r < group->size && status == GB_OK; r++) {
        if (r == group->rank) continue;
        files[r] = simt::open_shared(all[r]);
        if (files[r] < 0) status = fail_errno(error, "memory of another rank");
    }
    return gb_group_agree(group, status, error);
}

gb_status gb_carry_group(gb_group *group, const char *id, gb_error *error)
{
    simt::shared_handle own, all[GB_MOST_RANKS];
    gb_carried *carried = new (std::nothrow) gb_carried();
    if (!carried) return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for ranks");
    group->carried = carried;
    gb_status status = open_page(id, &carried->page, error);
    if (status != GB_OK || !carried->page) return status;
    GB_TRY(simt::make_shared(GB_MOST_RANKS * sizeof(sent), &own), error);
    carried->box[group->rank] = own.descriptor;
    status = gb_carry_gather(group, &own, sizeof own, all, error);
    return status == GB_OK ? open_files(group, all, carried->box, error) : status;
}

gb_status gb_carry_reach(gb_group *, uint64_t *reached, bool *same_host, gb_error *)
{
    *reached = ~0ull;
    *same_host = true;
    return GB_OK;
}

/* ---- windows --------------------------------------------------------------------------------- */

/* The sizes of windows, for their end. */
static std::vector<std::pair<unsigned char *, uint64_t>> mapped;

static gb_status map(int fd, uint64_t bytes, bool own, unsigned char **out, gb_error *error)
{
    void *at;
    const gb_status status =
        gb_cuda_status(simt::map_shared(fd, bytes, own, &at), "a window", error);
    *out = static_cast<unsigned char *>(at);
    if (status == GB_OK) mapped.push_back({*out, bytes});
    return status;
}

static void unmap(unsigned char *at)
{
    for (size_t i = 0; i < mapped.size(); i++) {
        if (mapped[i].first != at) continue;
        simt::unmap_shared(at, mapped[i].second);
        mapped.erase(mapped.begin() + (long)i);
        return;
    }
}

gb_status gb_carry_window(gb_group *group, uint64_t bytes, const char *what, gb_window *window,
                          gb_error *error)
{
    const uint64_t room = bytes ? bytes : 1;
    simt::shared_handle own = {0, -1, 0}, all[GB_MOST_RANKS];
    int files[GB_MOST_RANKS];
    for (int &file : files)
        file = -1;
    memset(window, 0, sizeof *window);
    gb_status status = gb_cuda_status(simt::make_shared(room, &own), what, error);
    if (status == GB_OK) status = map(own.descriptor, room, true, &window->at[group->rank], error);
    status = gb_group_agree(group, status, error);
    if (status == GB_OK) status = gb_carry_gather(group, &own, sizeof own, all, error);
    if (status == GB_OK) status = open_files(group, all, files, error);
    for (unsigned r = 0; r < group->size && status == GB_OK; r++)
        if (r != group->rank) status = map(files[r], all[r].bytes, false, &window->at[r], error);
    for (unsigned r = 0; r < group->size; r++)
        if (files[r] >= 0) (void)close(files[r]);
    if (own.descriptor >= 0) (void)close(own.descriptor);
    if (status != GB_OK) gb_carry_close_window(group, window);
    return status;
}

/* What others have mapped stays theirs. */
void gb_carry_close_window(gb_group *group, gb_window *window)
{
    for (unsigned r = 0; r < group->size; r++)
        if (window->at[r]) unmap(window->at[r]);
    memset(window, 0, sizeof *window);
}

/* ---- passing data ---------------------------------------------------------------------------- */

static const uint64_t most_at_once = 1 << 20;

/* Between device memory, whose bounds the copies check, and a file. */
static gb_status pass(int fd, uint64_t begin, const gb_piece *piece, bool out, gb_error *error)
{
    std::vector<unsigned char> chunk(piece->bytes < most_at_once ? piece->bytes : most_at_once);
    for (uint64_t done = 0; done < piece->bytes;) {
        const uint64_t left = piece->bytes - done, n = left < most_at_once ? left : most_at_once;
        unsigned char *at = static_cast<unsigned char *>(piece->at) + done;
        if (out) GB_TRY(cudaMemcpy(chunk.data(), at, n, cudaMemcpyDeviceToHost), error);
        const ssize_t passed = out ? pwrite(fd, chunk.data(), n, (off_t)(begin + done))
                                   : pread(fd, chunk.data(), n, (off_t)(begin + done));
        if (passed != (ssize_t)n) return fail_errno(error, "what passes between ranks");
        if (!out) GB_TRY(cudaMemcpy(at, chunk.data(), n, cudaMemcpyHostToDevice), error);
        done += n;
    }
    return GB_OK;
}

static gb_status put_all(gb_group *group, const gb_piece *send, gb_error *error)
{
    sent table[GB_MOST_RANKS] = {};
    const int fd = group->carried->box[group->rank];
    uint64_t end = sizeof table;
    gb_status status = GB_OK;
    for (unsigned r = 0; r < group->size; r++) {
        table[r] = {end, send[r].bytes};
        end += send[r].bytes;
    }
    if (ftruncate(fd, (off_t)end) != 0 || pwrite(fd, table, sizeof table, 0) != sizeof table)
        return fail_errno(error, "room for what a rank sends");
    for (unsigned r = 0; r < group->size && status == GB_OK; r++)
        status = pass(fd, table[r].begin, &send[r], true, error);
    return status;
}

static gb_status take_all(gb_group *group, const gb_piece *receive, gb_error *error)
{
    gb_status status = GB_OK;
    for (unsigned r = 0; r < group->size && status == GB_OK; r++) {
        sent piece;
        const int fd = group->carried->box[r];
        if (pread(fd, &piece, sizeof piece, (off_t)(group->rank * sizeof piece)) != sizeof piece)
            return fail_errno(error, "what a rank sends");
        if (piece.bytes != receive[r].bytes)
            return gb_fail(error, GB_CRASHED,
                           "rank %u takes %llu bytes from rank %u, which sends %llu", group->rank,
                           (unsigned long long)receive[r].bytes, r,
                           (unsigned long long)piece.bytes);
        status = pass(fd, piece.begin, &receive[r], false, error);
    }
    return status;
}

gb_status gb_carry_exchange(gb_group *group, const gb_piece *send, const gb_piece *receive,
                            gb_error *error)
{
    gb_status status = put_all(group, send, error);
    if (status == GB_OK) status = meet(group, group->size, error);
    if (status == GB_OK) status = take_all(group, receive, error);
    return status == GB_OK ? meet(group, group->size, error) : status;
}

#endif
