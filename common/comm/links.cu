/* Measures what passes between the devices of the set: large copies one way and both ways, small
 * ones, a store that a kernel of the other device waits for, and NCCL. The process has all ranks.
 *
 * What is measured is queued behind the back-end's gate, so that the host's launching stays out; a
 * time of something small is the difference between many of it and few, divided. */
#include "common/comm/comm.h"
#include "common/comm/team.cuh"
#include "common/cuda/backend.cuh"
#include "common/cuda/clock.cuh"

#include <algorithm>
#include <new>
#include <stdio.h>
#include <stdlib.h>

static bool is_peer(const gb_set *set, unsigned from, unsigned to)
{
    int can = 0;
    if (set->device[from] == set->device[to]) return true;
    const cudaError_t code = cudaDeviceCanAccessPeer(&can, set->device[from], set->device[to]);
    if (code != cudaSuccess) (void)cudaGetLastError();
    return code == cudaSuccess && can;
}

/* All pairs, nothing of them measured yet. */
static gb_status list_pairs(gb_device_links *links, gb_error *error)
{
    const gb_set *set = gb_set_now();
    const size_t count = (size_t)set->size * (set->size - 1);
    links->size = set->size;
    links->list = static_cast<gb_device_link *>(calloc(count + 1, sizeof *links->list));
    if (!links->list)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory for a list of %zu links", count);
    gb_device_link *link = links->list;
    for (unsigned from = 0; from < set->size; from++) {
        for (unsigned to = 0; to < set->size; to++) {
            if (from == to) continue;
            link->from = from;
            link->to = to;
            link++->peer = is_peer(set, from, to);
        }
    }
    return GB_OK;
}

#if defined(__CUDACC__)

static const uint64_t most_bytes = 256ull << 20, flag_bytes = 1 << 20;
/* In a row, where one is small and where it is large; runs, of which the best counts. */
enum { FEW = 8, MANY = 40, LARGE = 2, RUNS = 3 };
static const uint64_t patience_ns = 20000000;

typedef struct measuring measuring;
typedef gb_status (*what_is_queued)(measuring *m);

struct measuring {
    gb_backend *backend;
    gb_comm *comm;
    /* Of each rank: what it sends, as much that it receives, and flag_bytes: the word that another
     * one's kernel stores to, and behind 64 bytes what its own kernel found out. */
    unsigned char *at[GB_MOST_RANKS];
    uint64_t half;
    gb_piece *pieces; /* [2 * size * size]: what is sent, what is received; all empty in between */
    unsigned from, to, count; /* what is queued is about: the pair, how many in a row, */
    uint64_t bytes;           /* of so many each */
    what_is_queued what;
    gb_error error;
};

/* ---- a time ---------------------------------------------------------------------------------- */

static gb_status queue_between(void *context, gb_stream stream)
{
    measuring *m = static_cast<measuring *>(context);
    gb_status status = gb_comm_fork(m->comm, stream, &m->error);
    if (status == GB_OK) status = m->what(m);
    return gb_comm_end(m->comm, stream, status, &m->error);
}

/* Of count in a row, the fastest of some runs. The first is not counted: it may have to set
 * something up, for which it would wait behind a gate. */
static gb_status time_of(measuring *m, unsigned count, double *seconds, gb_error *error)
{
    *seconds = 0;
    m->count = count;
    m->error = gb_error();
    for (int run = 0; run <= RUNS; run++) {
        double took = 0;
        bool expired = false;
        const gb_status status = gb_backend_time(m->backend, run ? GB_CLOCK_GATED : GB_CLOCK_EVENTS,
                                                 queue_between, m, &took, &expired, error);
        if (status != GB_OK && m->error.text[0]) *error = m->error;
        if (status != GB_OK) return status;
        if (run && !expired && took > 0 && (*seconds == 0 || took < *seconds)) *seconds = took;
    }
    return GB_OK;
}

/* Bytes a second of large ones, `ways` of them at a time. */
static gb_status rate_of(measuring *m, what_is_queued what, unsigned count, unsigned ways,
                         double *rate, gb_error *error)
{
    double seconds;
    m->what = what;
    const gb_status status = time_of(m, count, &seconds, error);
    if (status == GB_OK && seconds > 0)
        *rate = (double)ways * (double)count * (double)m->bytes / seconds;
    return status;
}

/* Seconds of a small one, which consists of `hops` that wait for one another. */
static gb_status latency_of(measuring *m, what_is_queued what, unsigned hops, double *latency,
                            gb_error *error)
{
    double few, many;
    m->what = what;
    m->bytes = 8;
    gb_status status = time_of(m, FEW, &few, error);
    if (status == GB_OK) status = time_of(m, MANY, &many, error);
    if (status == GB_OK && few > 0 && many > few)
        *latency = (many - few) / ((double)hops * (MANY - FEW));
    return status;
}

/* As many as are wanted in a row, each, if it comes back, with one in the other direction. */
static gb_status in_a_row(measuring *m, gb_status (*one)(measuring *, unsigned, unsigned),
                          bool back)
{
    gb_status status = GB_OK;
    for (unsigned i = 0; i < m->count && status == GB_OK; i++) {
        status = one(m, m->from, m->to);
        if (status == GB_OK && back) status = one(m, m->to, m->from);
    }
    return status;
}

/* ---- copies ---------------------------------------------------------------------------------- */

static gb_status copy(measuring *m, unsigned from, unsigned to)
{
    const gb_rank *rank = m->comm->local;
    const gb_status status = gb_comm_enter(m->comm, from, &m->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpyPeerAsync(m->at[to] + m->half, rank[to].device.index, m->at[from],
                               rank[from].device.index, m->bytes, rank[from].stream),
           &m->error);
    return GB_OK;
}

static gb_status copies(measuring *m)
{
    return in_a_row(m, copy, false);
}

static gb_status copies_both_ways(measuring *m)
{
    return in_a_row(m, copy, true);
}

static gb_status measure_copies(measuring *m, gb_device_link *link, gb_error *error)
{
    m->bytes = m->half;
    gb_status status = rate_of(m, copies, LARGE, 1, &link->copy_bytes_per_s, error);
    if (status == GB_OK && link->from < link->to)
        status = rate_of(m, copies_both_ways, LARGE, 2, &link->both_bytes_per_s, error);
    return status == GB_OK ? latency_of(m, copies, 1, &link->copy_s, error) : status;
}

/* ---- stores ---------------------------------------------------------------------------------- */

/* One thread on each device: numbers go to and fro, each stored into the memory of the other one,
 * which waits for it. *ns: how long those behind the first `unmeasured` took; 0: one did not come.
 */
static __global__ void gb_links_ping(volatile uint64_t *mine, volatile uint64_t *theirs,
                                     bool begins, unsigned rounds, unsigned unmeasured,
                                     uint64_t patience, uint64_t *ns)
{
    const uint64_t start = gb_device_ns();
    uint64_t begun = start;
    *ns = 0;
    for (unsigned round = 1; round <= rounds; round++) {
        if (begins) *theirs = round;
        while (*mine < round)
            if (gb_device_ns() - start > patience) return;
        if (!begins) *theirs = round;
        if (round == unmeasured) begun = gb_device_ns();
    }
    *ns = gb_device_ns() - begun;
}

static uint64_t *flag_of(const measuring *m, unsigned rank)
{
    return reinterpret_cast<uint64_t *>(m->at[rank] + 2 * m->half);
}

static gb_status clear_flag(measuring *m, unsigned rank)
{
    const gb_status status = gb_comm_enter(m->comm, rank, &m->error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemsetAsync(flag_of(m, rank), 0, 128, m->comm->local[rank].stream), &m->error);
    return GB_OK;
}

static gb_status ping(measuring *m, unsigned rank, unsigned other, bool begins)
{
    const gb_status status = gb_comm_enter(m->comm, rank, &m->error);
    if (status != GB_OK) return status;
    uint64_t *mine = flag_of(m, rank), *theirs = flag_of(m, other);
    GB_TRY(launch(gb_links_ping, dim3(1), dim3(1), 0, m->comm->local[rank].stream, mine, theirs,
                  begins, m->count, (unsigned)FEW, patience_ns, mine + 8),
           &m->error);
    return GB_OK;
}

static gb_status stores(measuring *m)
{
    gb_status status = clear_flag(m, m->from);
    if (status == GB_OK) status = clear_flag(m, m->to);
    if (status == GB_OK) status = gb_comm_barrier(m->comm, &m->error);
    if (status == GB_OK) status = ping(m, m->from, m->to, true);
    return status == GB_OK ? ping(m, m->to, m->from, false) : status;
}

/* By the clock of the device that begins. */
static gb_status measure_stores(measuring *m, gb_device_link *link, gb_error *error)
{
    double seconds;
    uint64_t ns = 0;
    m->what = stores;
    gb_status status = time_of(m, FEW + 10 * MANY, &seconds, error);
    if (status == GB_OK) status = gb_comm_enter(m->comm, link->from, error);
    if (status != GB_OK) return status;
    GB_TRY(cudaMemcpy(&ns, flag_of(m, link->from) + 8, sizeof ns, cudaMemcpyDeviceToHost), error);
    link->store_s = 1e-9 * (double)ns / (2 * 10 * MANY);
    return gb_comm_enter(m->comm, 0, error);
}

/* ---- NCCL ------------------------------------------------------------------------------------ */

static gb_status exchange(measuring *m, unsigned from, unsigned to)
{
    const unsigned size = m->comm->size;
    gb_piece *send = m->pieces, *receive = m->pieces + size * size;
    send[from * size + to] = {m->at[from], m->bytes};
    receive[to * size + from] = {m->at[to] + m->half, m->bytes};
    const gb_status status = gb_comm_all_to_all(m->comm, GB_BY_NCCL, send, receive, &m->error);
    send[from * size + to] = receive[to * size + from] = {NULL, 0};
    return status;
}

static gb_status exchanges(measuring *m)
{
    return in_a_row(m, exchange, false);
}

static gb_status there_and_back(measuring *m)
{
    return in_a_row(m, exchange, true);
}

static gb_status measure_nccl(measuring *m, gb_device_link *link, gb_error *error)
{
    static const uint64_t bytes[GB_NCCL_SIZES] = {1 << 20, 16 << 20, 256 << 20};
    gb_status status = GB_OK;
    for (int i = 0; i < GB_NCCL_SIZES && status == GB_OK; i++) {
        link->nccl_bytes[i] = m->bytes = bytes[i];
        if (bytes[i] > m->half) continue;
        status = rate_of(m, exchanges, bytes[i] < most_bytes ? FEW : LARGE, 1,
                         &link->nccl_bytes_per_s[i], error);
    }
    return status == GB_OK ? latency_of(m, there_and_back, 2, &link->nccl_s, error) : status;
}

/* Whether NCCL carries data between these ranks; says its version, or why not. */
static bool has_nccl(gb_device_links *links)
{
    const char *why = gb_comm_refusal(links->size, GB_NEEDS_NCCL);
    int version = 0;
    if (why) {
        snprintf(links->no_nccl, sizeof links->no_nccl, "%s", why);
        return false;
    }
    const gb_nccl *nccl = gb_nccl_get(&why);
    if (!nccl || nccl->version(&version)) version = 0;
    snprintf(links->nccl, sizeof links->nccl, "%d.%d.%d", version / 10000, version / 100 % 100,
             version % 100);
    return true;
}

/* ---- all pairs ------------------------------------------------------------------------------- */

/* As much as the smallest of the devices has room for: an eighth of what is free for each half, of
 * ranks that share one less. */
static gb_status choose_bytes(measuring *m, gb_error *error)
{
    m->half = most_bytes;
    for (unsigned i = 0; i < m->comm->locals; i++) {
        size_t left = 0, all = 0;
        const gb_status status = gb_comm_enter(m->comm, i, error);
        if (status != GB_OK) return status;
        GB_TRY(cudaMemGetInfo(&left, &all), error);
        m->half = std::min<uint64_t>(m->half, left / 8 / m->comm->size);
    }
    m->half = std::max<uint64_t>(m->half / flag_bytes, 1) * flag_bytes;
    return GB_OK;
}

static gb_status take_memory(measuring *m, gb_error *error)
{
    gb_status status = choose_bytes(m, error);
    for (unsigned i = 0; i < m->comm->locals && status == GB_OK; i++) {
        void *at;
        status = gb_comm_malloc(m->comm, i, &at, 2 * m->half + flag_bytes,
                                "what passes between devices", error);
        m->at[i] = static_cast<unsigned char *>(at);
        if (status == GB_OK) GB_TRY(cudaMemset(at, 0, 2 * m->half + flag_bytes), error);
    }
    const gb_status back = status == GB_OK ? gb_comm_enter(m->comm, 0, error) : status;
    m->pieces = new (std::nothrow) gb_piece[2 * m->comm->size * m->comm->size]();
    if (back == GB_OK && !m->pieces)
        return gb_fail(error, GB_OUT_OF_MEMORY, "no host memory to measure links with");
    return back;
}

static void give_back(measuring *m)
{
    for (unsigned i = 0; i < m->comm->locals; i++)
        gb_comm_free(m->comm, i, m->at[i]);
    gb_error ignored;
    (void)gb_comm_enter(m->comm, 0, &ignored);
    delete[] m->pieces;
    gb_comm_close(m->comm);
}

static gb_status measure_pair(measuring *m, gb_device_link *link, gb_error *error)
{
    const gb_status status = measure_copies(m, link, error);
    return status == GB_OK && link->peer ? measure_stores(m, link, error) : status;
}

/* Every pair, by a comm of what is needed. */
static gb_status measure_all(gb_backend *backend, gb_device_links *links, bool by_nccl,
                             gb_error *error)
{
    measuring m = {};
    m.backend = backend;
    gb_status status =
        gb_comm_open(&backend->device, links->size, by_nccl ? GB_NEEDS_NCCL : 0, &m.comm, error);
    if (status != GB_OK) return status;
    status = take_memory(&m, error);
    for (unsigned i = 0; i < links->size * (links->size - 1) && status == GB_OK; i++) {
        gb_device_link *link = &links->list[i];
        m.from = link->from;
        m.to = link->to;
        status = by_nccl ? measure_nccl(&m, link, error) : measure_pair(&m, link, error);
    }
    give_back(&m);
    return status;
}

/* What is the same for both directions stands at both. */
static void mirror(gb_device_links *links)
{
    const unsigned others = links->size - 1;
    for (unsigned i = 0; i < links->size * others; i++) {
        gb_device_link *link = &links->list[i];
        if (link->from > link->to)
            link->both_bytes_per_s =
                links->list[link->to * others + link->from - 1].both_bytes_per_s;
    }
}

static gb_status measure(gb_backend *backend, gb_device_links *links, gb_error *error)
{
    gb_error why = {GB_OK, ""};
    const gb_status status = measure_all(backend, links, false, error);
    if (status != GB_OK) return status;
    mirror(links);
    if (!has_nccl(links) || measure_all(backend, links, true, &why) == GB_OK) return GB_OK;
    snprintf(links->no_nccl, sizeof links->no_nccl, "%.*s", (int)sizeof links->no_nccl - 1,
             why.text);
    return GB_OK;
}

#else

/* There is nothing to a simulated GPU's links but whether they are there. */
static gb_status measure(gb_backend *, gb_device_links *links, gb_error *)
{
    snprintf(links->no_nccl, sizeof links->no_nccl,
             "between simulated GPUs copies carry what NCCL would");
    return GB_OK;
}

#endif

gb_status gb_backend_measure_links(gb_backend *backend, gb_device_links *links, gb_error *error)
{
    *links = gb_device_links();
    if (gb_team_size())
        return gb_fail(error, GB_UNSUPPORTED,
                       "links are measured by one process that has all GPUs (--device 0,1)");
    gb_status status = list_pairs(links, error);
    if (status == GB_OK && links->size > 1) status = measure(backend, links, error);
    if (status != GB_OK) {
        free(links->list);
        links->list = NULL;
    }
    return status;
}
