/* Streams and events. All work has ended when the call that queued it returns, so that an event is
 * the host's time and a stream no more than a name; but between begin_queues and end_queues it
 * waits in the stream, and what may run first is drawn. */
#include "common/simt/host.h"

#include "common/simt/device.h"
#include "common/simt/environment.h"
#include "common/simt/policies.h"
#include "common/simt/runtime.h"

#include <deque>
#include <new>
#include <time.h>
#include <utility>
#include <vector>

struct CUevent_st {
    bool timed;
    int device;
    uint64_t records, done; /* how often it was recorded, and how often that has come to pass */
    struct timespec at;
};

namespace simt
{
struct operation {
    std::function<cudaError_t()> run; /* empty: it waits */
    CUevent_st *event;                /* for that record of this event, or records it */
    uint64_t record;
};
} // namespace simt

struct CUstream_st {
    unsigned flags;
    int device;
    std::deque<simt::operation> waiting;
};

namespace simt
{
/* The streams that have something, while there are queues. Of one host thread. */
static struct {
    bool open, running;
    uint64_t begun; /* how often since the last reseed: each has other draws */
    uint64_t draws; /* xorshift */
    std::vector<cudaStream_t> busy;
    /* Half of the seeds let a stream run far ahead of the others: the one that worked last goes on,
     * but for one in so many times. 1: each time any. */
    unsigned stays;
    cudaStream_t last;
    cudaError_t first;       /* the first error since they began */
    CUstream_st legacy = {}; /* stands for the stream NULL */
} queues;

static unsigned draw_below(unsigned n)
{
    uint64_t &s = queues.draws;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return n > 1 ? (unsigned)((s >> 33) % n) : 0;
}

bool queueing()
{
    return queues.open && !queues.running;
}

bool runs_queued()
{
    return queues.running;
}

void restart_queues()
{
    queues.begun = 0;
}

void begin_queues()
{
    queues.open = true;
    queues.first = cudaSuccess;
    queues.draws = mix(config.seed + 0x9d71 * ++queues.begun) | 1;
    queues.stays = draw_below(2) ? 32 : 1;
    queues.last = NULL;
}

static cudaError_t put(cudaStream_t stream, operation &&next)
try {
    if (stream->waiting.empty()) queues.busy.push_back(stream);
    stream->waiting.push_back(std::move(next));
    return cudaSuccess;
} catch (const std::bad_alloc &) {
    return lacks_memory("what waits in a stream");
}

cudaError_t queue(cudaStream_t stream, std::function<cudaError_t()> run)
{
    if (stream) return put(stream, {std::move(run), NULL, 0});
    /* waits for all others, and they for it */
    cudaError_t code = drain(NULL);
    if (code != cudaSuccess) return code;
    queues.legacy.device = current_device();
    code = put(&queues.legacy, {std::move(run), NULL, 0});
    return code == cudaSuccess ? drain(NULL) : code;
}

static bool is_ready(cudaStream_t stream)
{
    const operation &next = stream->waiting.front();
    return next.run || next.event->done >= next.record;
}

/* The stream, as one of those that have something, from which on one is sought that is ready. */
static unsigned draw_stream()
{
    const unsigned count = (unsigned)queues.busy.size();
    if (draw_below(queues.stays))
        for (unsigned i = 0; i < count; i++)
            if (queues.busy[i] == queues.last) return i;
    return draw_below(count);
}

/* Takes one operation from a stream that is ready, any of them. */
static cudaError_t step()
{
    const unsigned count = (unsigned)queues.busy.size(), from = draw_stream();
    unsigned k = 0;
    while (k < count && !is_ready(queues.busy[(from + k) % count]))
        k++;
    if (k == count)
        return set_error(cudaErrorLaunchTimeout,
                         "%u streams wait for events that are recorded in none: a dead-lock",
                         count);
    k = (from + k) % count;
    CUstream_st *const stream = queues.last = queues.busy[k];
    operation next = std::move(stream->waiting.front());
    stream->waiting.pop_front();
    if (stream->waiting.empty()) queues.busy.erase(queues.busy.begin() + k);
    if (!next.run) return cudaSuccess;
    const int before = current_device();
    (void)cudaSetDevice(stream->device);
    queues.running = true;
    const cudaError_t code = next.run();
    queues.running = false;
    (void)cudaSetDevice(before);
    return code;
}

cudaError_t drain(cudaStream_t stream)
{
    while (!queues.busy.empty() && (!stream || !stream->waiting.empty())) {
        const cudaError_t code = step();
        if (code == cudaSuccess) continue;
        if (queues.first == cudaSuccess) queues.first = code;
        for (CUstream_st *const other : queues.busy) /* as after an error of a context */
            other->waiting.clear();
        queues.busy.clear();
    }
    return queues.first;
}

/* How many streams have work left: waiting and recording is none. */
static unsigned count_working()
{
    unsigned count = 0;
    for (CUstream_st *const stream : queues.busy) {
        bool works = false;
        for (const operation &next : stream->waiting)
            works |= next.run && !next.event;
        count += works;
    }
    return count;
}

cudaError_t end_queues(cudaStream_t stream)
{
    cudaError_t code = drain(stream);
    const unsigned left = stream ? count_working() : 0;
    if (code == cudaSuccess) code = drain(NULL);
    queues.open = false;
    if (code != cudaSuccess || !left) return code;
    return set_error(cudaErrorNotReady,
                     "%u stream%s had work left that the stream at the end does not wait for", left,
                     left == 1 ? "" : "s");
}

cudaError_t check_stream(cudaStream_t stream, const char *what)
{
    if (!stream || stream->device == current_device()) return cudaSuccess;
    return set_error(cudaErrorInvalidResourceHandle,
                     "%s on a stream of device %d, but device %d is current", what, stream->device,
                     current_device());
}
} // namespace simt

/* A failed launch is what the device says until somebody takes the error. */
static cudaError_t pending()
{
    const cudaError_t code = cudaPeekAtLastError();
    switch (code) {
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorIllegalAddress:
        return code;
    default:
        return cudaSuccess;
    }
}

/* What waits for a stream, or for all (NULL). */
static cudaError_t wait_for(cudaStream_t stream)
{
    const cudaError_t code = simt::queueing() ? simt::drain(stream) : cudaSuccess;
    return code == cudaSuccess ? pending() : code;
}

cudaError_t cudaDeviceSynchronize()
{
    return wait_for(NULL);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return wait_for(stream);
}
cudaError_t cudaStreamQuery(cudaStream_t)
{
    return wait_for(NULL);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    if (!event)
        return simt::set_error(cudaErrorInvalidResourceHandle, "cudaStreamWaitEvent: no event");
    if (!simt::queueing()) return pending();
    if (!stream) return wait_for(NULL);
    return simt::put(stream, {nullptr, event, event->records});
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
    *out = new (std::nothrow) CUstream_st{flags, simt::current_device(), {}};
    return *out ? cudaSuccess : simt::set_error(cudaErrorMemoryAllocation, "out of host memory");
}
cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithFlags(out, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream)
        return simt::set_error(cudaErrorInvalidResourceHandle, "cudaStreamDestroy: no stream");
    const cudaError_t code = simt::queueing() ? simt::drain(stream) : cudaSuccess;
    delete stream;
    return code;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    *out = new (std::nothrow)
        CUevent_st{!(flags & cudaEventDisableTiming), simt::current_device(), 0, 0, {}};
    return *out ? cudaSuccess : simt::set_error(cudaErrorMemoryAllocation, "out of host memory");
}
cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    if (!event)
        return simt::set_error(cudaErrorInvalidResourceHandle, "cudaEventDestroy: no event");
    const cudaError_t code = simt::queueing() ? simt::drain(NULL) : cudaSuccess;
    delete event;
    return code;
}

static cudaError_t come_to_pass(cudaEvent_t event, uint64_t record)
{
    (void)clock_gettime(CLOCK_MONOTONIC, &event->at);
    event->done = record;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    if (!event) return simt::set_error(cudaErrorInvalidResourceHandle, "cudaEventRecord: no event");
    const cudaError_t code = simt::check_stream(stream, "cudaEventRecord");
    if (code != cudaSuccess) return code;
    const int device = stream ? stream->device : simt::current_device();
    if (event->device != device)
        return simt::set_error(cudaErrorInvalidResourceHandle,
                               "cudaEventRecord: the event was made on device %d, the stream is of "
                               "device %d",
                               event->device, device);
    const uint64_t record = ++event->records;
    if (!simt::queueing()) return come_to_pass(event, record);
    if (!stream) return simt::queue(stream, [=] { return come_to_pass(event, record); });
    return simt::put(stream, {[=] { return come_to_pass(event, record); }, event, record});
}
cudaError_t cudaEventSynchronize(cudaEvent_t)
{
    return wait_for(NULL);
}
cudaError_t cudaEventQuery(cudaEvent_t)
{
    return wait_for(NULL);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    if (!start || !stop || !start->timed || !stop->timed || !start->done || !stop->done)
        return simt::set_error(cudaErrorInvalidResourceHandle,
                               "cudaEventElapsedTime: both events must be recorded, with timing");
    const double seconds = (double)(stop->at.tv_sec - start->at.tv_sec) +
                           1e-9 * (double)(stop->at.tv_nsec - start->at.tv_nsec);
    *milliseconds = (float)(1e3 * seconds);
    return cudaSuccess;
}
