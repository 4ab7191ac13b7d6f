/* Partitions of our own: the entry, which finds the request's types. */
#include "kernels/multipartition/partition_types.cuh"

static mp_partition_of *find(const mp_request *r)
{
    static mp_partition_of *const all[2][4] = {
        {mp_partition_k4_p0, mp_partition_k4_p4, mp_partition_k4_p8, mp_partition_k4_p16},
        {mp_partition_k8_p0, mp_partition_k8_p4, mp_partition_k8_p8, mp_partition_k8_p16}};
    const unsigned payload = r->payload_bytes;
    return all[r->key_bytes == 8][payload == 16 ? 3 : payload / 4];
}

extern "C" uint64_t mp_partition_scratch(mp_method method, const mp_request *request,
                                         const gb_device *device)
{
    uint64_t bytes = 0;
    gb_error error;
    (void)find(request)(method, request, device, NULL, 0, &bytes, &error);
    return bytes;
}

extern "C" gb_status mp_partition(mp_method method, const mp_request *request,
                                  const gb_device *device, void *scratch, gb_stream stream,
                                  gb_error *error)
{
    cudaStream_t queue = gb_cuda_stream(stream);
    if (request->n == 0) {
        GB_TRY(cudaMemsetAsync(request->offsets, 0, 8 * ((size_t)request->bin.bins + 1), queue),
               error);
        return GB_OK;
    }
    uint64_t bytes;
    return find(request)(method, request, device, scratch, queue, &bytes, error);
}

extern "C" const char *mp_partition_refuses(mp_method method, unsigned key_bytes,
                                            unsigned payload_bytes, uint32_t bins,
                                            const gb_device *device)
{
    mp_request request = {};
    gb_error error;
    uint64_t bytes;
    request.n = (uint64_t)1 << 30;
    request.key_bytes = key_bytes;
    request.payload_bytes = payload_bytes;
    request.bin.bins = bins;
    const gb_status status = find(&request)(method, &request, device, NULL, 0, &bytes, &error);
    return status == GB_OK ? NULL : gb_reason("%s", error.text);
}
