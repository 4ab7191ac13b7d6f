/* Ranks that work together (common/comm) on simulated devices: order between their streams, what
 * passes between them, and that a missing barrier is found. */
#include "common/comm/comm.h"
#include "common/comm/state.cuh"
#include "common/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <vector>

extern "C" {
#include <cmocka.h>
}

static const unsigned sizes[] = {1, 2, 3, 5, 8};
enum { SEEDS = 24 };

static gb_comm *open_comm(unsigned size)
{
    static gb_device device; /* of no make: nothing here goes by it */
    gb_comm *comm = NULL;
    gb_error error = {GB_OK, ""};
    if (gb_comm_open(&device, size, GB_NEEDS_PEERS | GB_NEEDS_NCCL, &comm, &error) != GB_OK)
        fail_msg("%u ranks: %s", size, error.text);
    return comm;
}

/* Memory of each local rank: count words. */
static std::vector<unsigned *> words_of(gb_comm *comm, uint64_t count)
{
    std::vector<unsigned *> all;
    gb_error error;
    for (unsigned i = 0; i < comm->locals; i++) {
        void *at = NULL;
        assert_int_equal(gb_comm_malloc(comm, i, &at, 4 * count, "words", &error), GB_OK);
        all.push_back(static_cast<unsigned *>(at));
    }
    return all;
}

static void free_words(gb_comm *comm, const std::vector<unsigned *> &words)
{
    for (unsigned i = 0; i < comm->locals; i++)
        gb_comm_free(comm, i, words[i]);
}

/* ---- order ----------------------------------------------------------------------------------- */

static __global__ void put(unsigned *at, unsigned value)
{
    *at = value;
}

/* Adds to the next rank's word what stands in the own one. */
static __global__ void pass_on(const unsigned *own, unsigned *next)
{
    *next = *own + 1;
}

/* A token goes round, a rank a step, and every step is behind a barrier, or not. The right answer
 * is that of the last rank. */
static unsigned go_round(gb_comm *comm, bool with_barriers, bool of_neighbours, uint64_t seed)
{
    gb_error error;
    cudaStream_t stream;
    unsigned last = 0;
    simt::reseed(seed);
    const auto words = words_of(comm, 1);
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(gb_comm_fork(comm, reinterpret_cast<gb_stream>(stream), &error), GB_OK);
    for (unsigned i = 0; i < comm->locals; i++) {
        assert_int_equal(gb_comm_enter(comm, i, &error), GB_OK);
        assert_int_equal(launch(put, 1, 1, 0, comm->local[i].stream, words[i], i ? 1000u : 0u),
                         cudaSuccess);
    }
    for (unsigned i = 0; i + 1 < comm->locals; i++) {
        if (with_barriers)
            assert_int_equal(of_neighbours ? gb_comm_barrier_neighbours(comm, &error)
                                           : gb_comm_barrier(comm, &error),
                             GB_OK);
        assert_int_equal(gb_comm_enter(comm, i, &error), GB_OK);
        assert_int_equal(launch(pass_on, 1, 1, 0, comm->local[i].stream, words[i], words[i + 1]),
                         cudaSuccess);
    }
    assert_int_equal(gb_comm_join(comm, reinterpret_cast<gb_stream>(stream), &error), GB_OK);
    assert_int_equal(
        cudaMemcpyAsync(&last, words[comm->locals - 1], 4, cudaMemcpyDeviceToHost, stream),
        cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    free_words(comm, words);
    return last;
}

static void barriers_order_ranks(void **)
{
    for (const unsigned size : sizes) {
        gb_comm *comm = open_comm(size);
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            assert_int_equal(go_round(comm, true, false, seed), size - 1);
            assert_int_equal(go_round(comm, true, true, seed), size - 1);
        }
        gb_comm_close(comm);
    }
}

static void a_missing_barrier_is_found(void **)
{
    for (const unsigned size : sizes) {
        unsigned wrong = 0;
        gb_comm *comm = open_comm(size);
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            const unsigned last = go_round(comm, false, false, seed);
            wrong += last != size - 1;
            assert_int_equal(go_round(comm, false, false, seed), last); /* and is replayed */
        }
        assert_true(size == 1 ? wrong == 0 : wrong >= SEEDS / 4);
        gb_comm_close(comm);
    }
}

static void a_foreign_stream_is_refused(void **)
{
    gb_error error;
    gb_comm *comm = open_comm(3);
    const auto words = words_of(comm, 1);
    assert_int_equal(gb_comm_enter(comm, 1, &error), GB_OK);
    assert_int_equal(launch(put, 1, 1, 0, comm->local[2].stream, words[2], 1u),
                     cudaErrorInvalidResourceHandle);
    assert_non_null(strstr(cudaGetErrorString(cudaGetLastError()), "device 1 is current"));
    cudaEvent_t event;
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(gb_comm_enter(comm, 2, &error), GB_OK);
    assert_int_equal(cudaEventRecord(event, comm->local[2].stream), cudaErrorInvalidResourceHandle);
    assert_non_null(strstr(cudaGetErrorString(cudaGetLastError()), "made on device 1"));
    assert_int_equal(cudaEventDestroy(event), cudaSuccess);
    free_words(comm, words);
    gb_comm_close(comm);
}

static __global__ void count_shared(unsigned *at)
{
    GB_DYNAMIC_SHARED();
    gb_shared_memory[49999] = 1;
    *at = gb_shared_memory[49999];
}

/* What a kernel may have of shared memory is what it may when it is launched, not when it runs. */
static void a_launch_keeps_its_limit(void **)
{
    gb_error error;
    gb_comm *comm = open_comm(2);
    const auto words = words_of(comm, 1);
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(gb_comm_fork(comm, reinterpret_cast<gb_stream>(stream), &error), GB_OK);
    assert_int_equal(gb_comm_enter(comm, 0, &error), GB_OK);
    assert_int_equal(gb_allow_shared(count_shared, 50000, &error), GB_OK);
    assert_int_equal(launch(count_shared, 1, 1, 50000, stream, words[0]), cudaSuccess);
    assert_int_equal(gb_allow_shared(count_shared, 40000, &error), GB_OK);
    assert_int_equal(launch(count_shared, 1, 1, 50000, stream, words[0]), cudaErrorInvalidValue);
    assert_int_equal(gb_comm_join(comm, reinterpret_cast<gb_stream>(stream), &error), GB_OK);
    assert_int_equal(*words[0], 1);
    (void)cudaGetLastError();
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    free_words(comm, words);
    gb_comm_close(comm);
}

/* 20 launches on a side stream, for which the joined stream waits or does not. */
static gb_status join_beside(gb_comm *comm, unsigned *word, bool waits, gb_error *error)
{
    cudaStream_t stream, side;
    cudaEvent_t event;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&side), cudaSuccess);
    assert_int_equal(cudaEventCreate(&event), cudaSuccess);
    assert_int_equal(gb_comm_fork(comm, reinterpret_cast<gb_stream>(stream), error), GB_OK);
    assert_int_equal(gb_comm_enter(comm, 0, error), GB_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(launch(put, 1, 1, 0, side, word, 1u), cudaSuccess);
    assert_int_equal(cudaEventRecord(event, side), cudaSuccess);
    if (waits) assert_int_equal(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
    const gb_status status = gb_comm_join(comm, reinterpret_cast<gb_stream>(stream), error);
    (void)cudaGetLastError();
    assert_int_equal(cudaEventDestroy(event), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(side), cudaSuccess);
    return status;
}

/* A side stream that nothing waits for is told, unless it happens to be through. */
static void work_that_is_left_is_told(void **)
{
    gb_error error;
    unsigned told = 0;
    gb_comm *comm = open_comm(2);
    const auto words = words_of(comm, 1);
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        simt::reseed(seed);
        assert_int_equal(join_beside(comm, words[0], true, &error), GB_OK);
        const gb_status status = join_beside(comm, words[0], false, &error);
        if (status == GB_OK) continue;
        assert_int_equal(status, GB_CRASHED);
        assert_non_null(strstr(error.text, "1 stream had work left"));
        told++;
    }
    assert_true(told > SEEDS / 2);
    free_words(comm, words);
    gb_comm_close(comm);
}

/* Two streams, each of which waits for the other once. */
static void streams_that_wait_for_each_other_end(void **)
{
    cudaStream_t one, other;
    cudaEvent_t first, second;
    assert_int_equal(cudaStreamCreate(&one), cudaSuccess);
    assert_int_equal(cudaStreamCreate(&other), cudaSuccess);
    assert_int_equal(cudaEventCreate(&first), cudaSuccess);
    assert_int_equal(cudaEventCreate(&second), cudaSuccess);
    simt::begin_queues();
    assert_int_equal(cudaEventRecord(first, one), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(other, first, 0), cudaSuccess);
    assert_int_equal(cudaEventRecord(second, other), cudaSuccess);
    assert_int_equal(cudaStreamWaitEvent(one, second, 0), cudaSuccess);
    assert_int_equal(simt::end_queues(one), cudaSuccess);
    assert_int_equal(cudaEventDestroy(first), cudaSuccess);
    assert_int_equal(cudaEventDestroy(second), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(one), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(other), cudaSuccess);
}

/* ---- passing data ---------------------------------------------------------------------------- */

static unsigned word_for(unsigned from, unsigned to, unsigned k)
{
    return gb_random(from * 64 + to, 1, k).word[0];
}

/* Words that rank `from` has for rank `to`: none, few, or many. */
static unsigned words_for(unsigned from, unsigned to)
{
    return gb_random(7, from, to).word[0] % 3 * (gb_random(8, from, to).word[0] % 1000);
}

static void pieces_arrive(void **)
{
    for (const unsigned size : sizes) {
        gb_comm *comm = open_comm(size);
        gb_error error;
        cudaStream_t stream;
        assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
        const auto out = words_of(comm, size * 2000), in = words_of(comm, size * 2000);
        std::vector<gb_piece> send(size * size), receive(size * size);
        for (unsigned i = 0; i < size; i++)
            for (unsigned r = 0; r < size; r++) {
                send[i * size + r] = {out[i] + r * 2000, 4ull * words_for(i, r)};
                receive[i * size + r] = {in[i] + r * 2000, 4ull * words_for(r, i)};
                for (unsigned k = 0; k < words_for(i, r); k++)
                    out[i][r * 2000 + k] = 0;
            }
        for (const gb_carrier carrier : {GB_BY_COPIES, GB_BY_NCCL}) {
            simt::reseed(size);
            assert_int_equal(gb_comm_fork(comm, reinterpret_cast<gb_stream>(stream), &error),
                             GB_OK);
            for (unsigned i = 0; i < size; i++) { /* what is sent is made on the stream, too */
                assert_int_equal(gb_comm_enter(comm, i, &error), GB_OK);
                for (unsigned r = 0; r < size; r++)
                    for (unsigned k = 0; k < words_for(i, r); k += 100)
                        assert_int_equal(launch(put, 1, 1, 0, comm->local[i].stream,
                                                out[i] + r * 2000 + k, word_for(i, r, k)),
                                         cudaSuccess);
            }
            assert_int_equal(gb_comm_all_to_all(comm, carrier, send.data(), receive.data(), &error),
                             GB_OK);
            for (unsigned i = 0; i < size; i++) { /* and may be written again at once */
                assert_int_equal(gb_comm_enter(comm, i, &error), GB_OK);
                assert_int_equal(cudaMemsetAsync(out[i], 0, size * 8000, comm->local[i].stream),
                                 cudaSuccess);
            }
            assert_int_equal(gb_comm_join(comm, reinterpret_cast<gb_stream>(stream), &error),
                             GB_OK);
            for (unsigned i = 0; i < size; i++)
                for (unsigned r = 0; r < size; r++)
                    for (unsigned k = 0; k < words_for(r, i); k++)
                        assert_int_equal(in[i][r * 2000 + k], k % 100 ? 0 : word_for(r, i, k));
        }
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        free_words(comm, out);
        free_words(comm, in);
        gb_comm_close(comm);
    }
}

static void numbers_are_gathered_and_reduced(void **)
{
    for (const unsigned size : sizes) {
        gb_comm *comm = open_comm(size);
        gb_error error;
        cudaStream_t stream;
        assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
        const auto own = words_of(comm, 2), all = words_of(comm, 2 * size),
                   sums = words_of(comm, 6);
        const void *from[GB_MOST_RANKS];
        void *to[GB_MOST_RANKS];
        uint64_t *sum[GB_MOST_RANKS], *least[GB_MOST_RANKS];
        float *most[GB_MOST_RANKS];
        for (unsigned i = 0; i < size; i++) {
            own[i][0] = 10 + i;
            own[i][1] = 20 - i;
            from[i] = own[i];
            to[i] = all[i];
            sum[i] = reinterpret_cast<uint64_t *>(sums[i]);
            least[i] = sum[i] + 1;
            most[i] = reinterpret_cast<float *>(sum[i] + 2);
            *sum[i] = i;
            *least[i] = 100 - i;
            *most[i] = 0.5f - (float)i;
        }
        assert_int_equal(gb_comm_fork(comm, reinterpret_cast<gb_stream>(stream), &error), GB_OK);
        assert_int_equal(gb_comm_all_gather(comm, GB_BY_COPIES, from, 8, to, &error), GB_OK);
        assert_int_equal(gb_comm_all_reduce_u64(comm, GB_BY_NCCL, sum, 1, GB_SUM, &error), GB_OK);
        assert_int_equal(gb_comm_all_reduce_u64(comm, GB_BY_COPIES, least, 1, GB_LEAST, &error),
                         GB_OK);
        assert_int_equal(gb_comm_all_reduce_f32(comm, GB_BY_COPIES, most, 1, GB_MOST, &error),
                         GB_OK);
        assert_int_equal(gb_comm_join(comm, reinterpret_cast<gb_stream>(stream), &error), GB_OK);
        for (unsigned i = 0; i < size; i++) {
            for (unsigned r = 0; r < size; r++) {
                assert_int_equal(all[i][2 * r], 10 + r);
                assert_int_equal(all[i][2 * r + 1], 20 - r);
            }
            assert_int_equal(*sum[i], size * (size - 1) / 2);
            assert_int_equal(*least[i], 101 - size);
            assert_true(*most[i] == 0.5f);
        }
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        free_words(comm, own);
        free_words(comm, all);
        free_words(comm, sums);
        gb_comm_close(comm);
    }
}

/* Each rank is called once, on its device; a failure ends it, and which one it was is told. */
static void each_rank_is_called(void **)
{
    for (const unsigned size : sizes) {
        gb_comm *comm = open_comm(size);
        gb_error error = {GB_OK, ""};
        std::vector<int> device(size, -1);
        const auto note = [&](unsigned i, gb_error *why) {
            GB_TRY(cudaGetDevice(&device[i]), why);
            return GB_OK;
        };
        assert_int_equal(gb_comm_each(comm, &error, note), GB_OK);
        for (unsigned i = 0; i < size; i++)
            assert_int_equal(device[i], (int)i);
        const auto fail_behind = [&](unsigned i, gb_error *why) {
            return i < size / 2 ? GB_OK : gb_fail(why, GB_WRONG, "rank %u", i);
        };
        assert_int_equal(gb_comm_each(comm, &error, fail_behind), GB_WRONG);
        assert_int_equal(error.text[5] - '0', (int)(size / 2));
        assert_int_equal(gb_comm_enter(comm, 0, &error), GB_OK);
        gb_comm_close(comm);
    }
}

/* ---- what cannot be had, and shares ---------------------------------------------------------- */

static void refusals_say_why(void **)
{
    assert_null(gb_comm_refusal(8, GB_NEEDS_PEERS | GB_NEEDS_NCCL));
    assert_non_null(strstr(gb_comm_refusal(9, 0), "SIMT_DEVICES"));
    simt::config.peers = false;
    assert_null(gb_comm_refusal(8, GB_NEEDS_NCCL));
    assert_null(gb_comm_refusal(1, GB_NEEDS_PEERS));
    assert_non_null(strstr(gb_comm_refusal(2, GB_NEEDS_PEERS), "cannot reach the memory"));
    simt::config.peers = true;
}

static void shares_cover_all(void **)
{
    for (unsigned size = 1; size <= GB_MOST_RANKS; size++)
        for (const uint64_t n : {0ull, 1ull, 31ull, 97ull, 1000003ull, 1ull << 40})
            for (const bool uneven : {false, true}) {
                assert_int_equal(gb_share_begin(n, size, 0, uneven), 0);
                assert_int_equal(gb_share_begin(n, size, size, uneven), n);
                for (unsigned r = 0; r < size; r++)
                    assert_true(gb_share_begin(n, size, r, uneven) <=
                                gb_share_begin(n, size, r + 1, uneven));
            }
    /* one of three and more has nothing */
    assert_int_equal(gb_share_begin(1000, 3, 1, true), gb_share_begin(1000, 3, 2, true));
}

int main()
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barriers_order_ranks),
        cmocka_unit_test(a_missing_barrier_is_found),
        cmocka_unit_test(a_foreign_stream_is_refused),
        cmocka_unit_test(a_launch_keeps_its_limit),
        cmocka_unit_test(work_that_is_left_is_told),
        cmocka_unit_test(streams_that_wait_for_each_other_end),
        cmocka_unit_test(pieces_arrive),
        cmocka_unit_test(numbers_are_gathered_and_reduced),
        cmocka_unit_test(each_rank_is_called),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(shares_cover_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
