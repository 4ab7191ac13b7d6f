/* What all passes of a partition work on: their scratch, taken piece by piece in the same order
 * whether it is there or only measured, and the queue. */
#ifndef GB_MULTIPARTITION_ROOM_CUH
#define GB_MULTIPARTITION_ROOM_CUH

#include "kernels/multipartition/dispatch.cuh"
#include "kernels/multipartition/partition/combine.cuh"
#include "kernels/multipartition/partition/types.cuh"

template <class Key, int WORDS> struct mp_context {
    const gb_device *device;
    uint64_t n;
    unsigned char *memory; /* NULL: only measured, and nothing is queued */
    uint64_t used;
    uint32_t salt; /* of the request, as the keys are */
    mp_keys keys;
    mp_scratch_map *map; /* its failed_at and failures are filled in */
    cudaStream_t stream;
    gb_status status; /* of what was queued: the first failure */
    gb_error *error;

    uint64_t sms() const { return device->sms > 0 ? (uint64_t)device->sms : 1; }
    bool skewed() const { return mp_is_skewed(keys); }
    bool goes_on() const { return memory && status == GB_OK; }

    void note(cudaError_t code, const char *what)
    {
        if (code != cudaSuccess) status = gb_cuda_status(code, what, error);
    }

    /* Room for `count` of T, aligned to 256 bytes. */
    template <class T> T *take(uint64_t count)
    {
        T *at = memory ? reinterpret_cast<T *>(memory + used) : NULL;
        used += (count * sizeof(T) + 255) / 256 * 256;
        return at;
    }
    /* A word that becomes MP_FAILED where a pass has to be done anew; to be cleared. */
    unsigned *take_failed()
    {
        map->failed_at[map->failures++] = used;
        return take<unsigned>(1);
    }
    mp_elements<Key, WORDS> take_elements(uint64_t count)
    {
        mp_elements<Key, WORDS> elements = {take<Key>(count), NULL};
        if (WORDS) elements.payload = take<typename mp_elements<Key, WORDS>::payload_type>(count);
        return elements;
    }

    /* Queues that all that was taken from `from` on becomes 0. */
    void clear_from(uint64_t from)
    {
        if (goes_on())
            note(cudaMemsetAsync(memory + from, 0, used - from, stream), "clearing of tables");
    }

    /* Queues a kernel with so much dynamic shared memory. */
    template <class... P, class... A>
    void start(void (*kernel)(P...), uint64_t blocks, unsigned threads, size_t shared,
               const A &...arguments)
    {
        if (ready(kernel, shared))
            note(
                launch(kernel, dim3((unsigned)blocks), dim3(threads), shared, stream, arguments...),
                "a kernel of the partition");
    }
    /* The same for one that calls gb_wait_for_previous: short ones are made ready meanwhile. (What
     * moves keys gets its shared memory later then, and is slower.) */
    template <class... P, class... A>
    void start_next(void (*kernel)(P...), uint64_t blocks, unsigned threads, size_t shared,
                    const A &...arguments)
    {
        if (ready(kernel, shared))
            note(launch_next(kernel, dim3((unsigned)blocks), dim3(threads), shared, stream,
                             arguments...),
                 "a kernel of the partition");
    }
    /* The same for one whose blocks wait for each other. */
    template <class... P, class... A>
    void start_together(void (*kernel)(P...), uint64_t blocks, unsigned threads, size_t shared,
                        const A &...arguments)
    {
        if (ready(kernel, shared))
            note(launch_together(kernel, dim3((unsigned)blocks), dim3(threads), shared, stream,
                                 arguments...),
                 "a kernel of the partition");
    }

  private:
    template <class Kernel> bool ready(Kernel kernel, size_t shared)
    {
        if (goes_on()) status = gb_allow_shared(kernel, shared, error);
        return goes_on();
    }
};

#endif
