/* The out-of-core sort where streams do not keep step. On the simt device all work has ended when
 * the call that queues it returns, so that a wait that is missing is not missed. Here its sources
 * are compiled against streams that do nothing before somebody waits, and then take one step at a
 * time, in orders that events allow and a seed chooses: one stream far ahead, another far behind.
 */
/* test: thorough turns 28 */
#include "kernels/radix-sort/out_of_core/out_of_core.cuh"
#include "kernels/radix-sort/variants.h"
#include "tests/kernels/radix-sort/radix_sort_device.cuh"

#include <deque>
#include <functional>
#include <map>
#include <stdlib.h>

/* ---- streams that lag ------------------------------------------------------------------------ */

/* Work, or an event to be waited for until it has been reached so many times. */
struct lagging_step {
    std::function<cudaError_t()> work;
    cudaEvent_t awaited;
    uint64_t turn;
};

struct lagging_event {
    uint64_t asked;   /* how many times it has been recorded */
    uint64_t reached; /* ... and come to */
};

static std::map<cudaStream_t, std::deque<lagging_step>> queues;
static std::map<cudaEvent_t, lagging_event> events;
static std::map<cudaStream_t, uint64_t> weights;
static uint64_t seed, steps;
static cudaError_t failed;

static lagging_event *event_of(cudaEvent_t event)
{
    return &events[event];
}

static uint64_t draw(uint64_t limit)
{
    return gb_random(seed, 1, steps++).word[0] % limit;
}

static bool is_ready(const std::deque<lagging_step> &queue)
{
    return !queue.empty() && (!queue.front().awaited ||
                              event_of(queue.front().awaited)->reached >= queue.front().turn);
}

/* One step of one stream that can take one; heavier streams are likelier to. */
static void step()
{
    uint64_t sum = 0;
    for (auto &queue : queues)
        if (is_ready(queue.second)) sum += weights[queue.first];
    assert_true(sum > 0); /* else the streams wait for one another */
    uint64_t at = draw(sum);
    for (auto &queue : queues) {
        if (!is_ready(queue.second)) continue;
        if (at >= weights[queue.first]) {
            at -= weights[queue.first];
            continue;
        }
        const lagging_step first = queue.second.front();
        queue.second.pop_front();
        const cudaError_t code = first.work ? first.work() : cudaSuccess;
        if (failed == cudaSuccess) failed = code;
        return;
    }
}

static cudaError_t queue_work(cudaStream_t stream, const std::function<cudaError_t()> &work)
{
    if (!weights.count(stream)) weights[stream] = draw(3) ? 1 : 200;
    queues[stream].push_back({work, NULL, 0});
    return cudaSuccess;
}

/* ---- what the sort calls --------------------------------------------------------------------- */

static cudaError_t lagging_memcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                                  cudaStream_t stream)
{
    return queue_work(stream, [=] { return cudaMemcpy(to, from, bytes, kind); });
}

static cudaError_t lagging_memset(void *at, int byte, size_t bytes, cudaStream_t stream)
{
    return queue_work(stream, [=] { return cudaMemset(at, byte, bytes); });
}

static cudaError_t lagging_record(cudaEvent_t event, cudaStream_t stream)
{
    lagging_event *record = event_of(event);
    const uint64_t turn = ++record->asked;
    return queue_work(stream, [=] {
        record->reached = turn;
        return cudaSuccess;
    });
}

static cudaError_t lagging_wait(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    (void)queue_work(stream, {});
    queues[stream].back().awaited = event;
    queues[stream].back().turn = event_of(event)->asked;
    return cudaSuccess;
}

static cudaError_t lagging_event_synchronize(cudaEvent_t event)
{
    const lagging_event *record = event_of(event);
    while (record->reached < record->asked)
        step();
    return failed;
}

static cudaError_t lagging_stream_synchronize(cudaStream_t stream)
{
    while (!queues[stream].empty())
        step();
    return failed;
}

static gb_error late;

static gb_status lagging_sort(const rs_shape *shape, const gb_device *device,
                              const os_sort_data *data, cudaStream_t stream, gb_error *)
{
    const rs_shape part = *shape;
    const os_sort_data what = *data;
    (void)queue_work(stream, [=] {
        return os_sort(&part, device, &what, NULL, &late) == GB_OK ? cudaSuccess
                                                                   : cudaErrorLaunchFailure;
    });
    return GB_OK;
}

static cudaError_t lagging_pack_run(const gb_device *device, const rs_shape *shape, uint64_t count,
                                    const uint32_t *keys, unsigned bits, const rs_packed *to,
                                    cudaStream_t stream)
{
    const rs_shape part = *shape;
    const rs_packed into = *to;
    return queue_work(
        stream, [=] { return rs_launch_pack_run(device, &part, count, keys, bits, &into, NULL); });
}

static cudaError_t lagging_pack_slices(const gb_device *device, const rs_shape *shape,
                                       uint64_t count, const uint32_t *keys, const rs_packed *to,
                                       cudaStream_t stream)
{
    const rs_shape part = *shape;
    const rs_packed into = *to;
    return queue_work(
        stream, [=] { return rs_launch_pack_slices(device, &part, count, keys, &into, NULL); });
}

static cudaError_t lagging_unpack(const gb_device *device, const rs_shape *shape,
                                  const rs_segment *segments, unsigned segment_count,
                                  uint64_t record_count, const uint32_t *words, uint32_t *keys,
                                  cudaStream_t stream)
{
    const rs_shape whole = *shape;
    return queue_work(stream, [=] {
        return rs_launch_unpack(device, &whole, segments, segment_count, record_count, words, keys,
                                NULL);
    });
}

#define cudaMemcpyAsync lagging_memcpy
#define cudaMemsetAsync lagging_memset
#define cudaEventRecord lagging_record
#define cudaStreamWaitEvent lagging_wait
#define cudaEventSynchronize lagging_event_synchronize
#define cudaStreamSynchronize lagging_stream_synchronize
#define os_sort lagging_sort
#define rs_launch_pack_run lagging_pack_run
#define rs_launch_pack_slices lagging_pack_slices
#define rs_launch_unpack lagging_unpack
#include "kernels/radix-sort/out_of_core/in.cu"
#include "kernels/radix-sort/out_of_core/memory.cu"
/* after the former, which has words in common with it */
#include "kernels/radix-sort/out_of_core/out_of_core.cu"

/* ---- sorts ----------------------------------------------------------------------------------- */

static void sort_one(uint64_t n, const char *dist, const char *type, const char *payload,
                     uint64_t limit, uint64_t least_chunks)
{
    const gb_params params = point(n, dist, type, payload, "ascending", "all");
    gb_job job;
    memset(&job, 0, sizeof job);
    job.variant = &rs_onesweep_out_of_core;
    job.device = &device;
    job.scope = GB_SCOPE_HOST_TO_HOST;
    job.memory_limit = limit;
    queues.clear();
    events.clear();
    weights.clear();
    failed = cudaSuccess;
    assert_int_equal(rs_open(&params, seed, &device, &job.problem, &job.error), GB_OK);
    assert_int_equal(job.variant->prepare(&job), GB_OK);
    assert_true(static_cast<const rs_ooc *>(job.state)->plan.chunks >= least_chunks);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rs_poison(&job, NULL), GB_OK);
        assert_int_equal(job.variant->run(&job, NULL), GB_OK);
        for (auto &queue : queues)
            assert_true(queue.second.empty() || !queue.first); /* run has waited for its own */
        if (rs_check(&job, NULL) != GB_OK)
            fail_msg("n=%llu dist=%s type=%s payload=%s order %llu: %s", (unsigned long long)n,
                     dist, type, payload, (unsigned long long)seed, job.error.text);
    }
    job.variant->cleanup(&job);
    rs_close(job.problem);
}

static void streams_in_any_order(void **)
{
    for (seed = 1; seed <= 24; seed++) {
        const char *type = seed % 3 ? "u32" : "u64", *payload = seed % 4 ? "none" : "u32";
        sort_one(9000 + 37 * seed, seed % 5 ? "uniform" : "distinct:3", type, payload, 128 << 10,
                 3);
    }
}

/* Chunks of more than one group, of both kinds. */
static void wide_groups_in_any_order(void **)
{
    for (seed = 100; seed < 103; seed++)
        sort_one(420003, "distinct:3", "u32", "none", (uint64_t)7 << 20, 2);
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_in_any_order),
        cmocka_unit_test(wide_groups_in_any_order),
    };
    return cmocka_run_group_tests(tests, get_device, NULL);
}
