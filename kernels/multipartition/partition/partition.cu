/* Partitions of our own: the entry, which finds the request's types. */
#include "kernels/multipartition/partition/types.cuh"

static mp_partition_of *find(const mp_request *r)
{
    static mp_partition_of *const all[2][4] = {
        {mp_partition_k4_p0, mp_partition_k4_p4, mp_partition_k4_p8, mp_partition_k4_p16},
        {mp_partition_k8_p0, mp_partition_k8_p4, mp_partition_k8_p8, mp_partition_k8_p16}};
    const unsigned payload = r->payload_bytes;
    return all[r->key_bytes == 8][payload == 16 ? 3 : payload / 4];
}

extern "C" const char *mp_measure(const mp_request *request, const gb_device *device,
                                  uint64_t *bytes)
{
    gb_error error;
    mp_scratch_map map = {};
    const gb_status status = find(request)(request, device, NULL, 0, &map, &error);
    *bytes = map.used;
    return status == GB_OK ? NULL : gb_reason("%s", error.text);
}

extern "C" const char *mp_refusal(const mp_request *request, const gb_device *device)
{
    uint64_t bytes;
    return mp_measure(request, device, &bytes);
}

extern "C" uint64_t mp_scratch_bytes(const mp_request *request, const gb_device *device)
{
    uint64_t bytes;
    (void)mp_measure(request, device, &bytes);
    return bytes;
}

extern "C" gb_status mp_queue_partition(const mp_request *request, const gb_device *device,
                                        void *scratch, gb_stream stream, gb_error *error)
{
    cudaStream_t queue = gb_cuda_stream(stream);
    if (request->n == 0) {
        GB_TRY(cudaMemsetAsync(request->offsets, 0, 8 * ((size_t)request->bins + 1), queue), error);
        return GB_OK;
    }
    mp_scratch_map map;
    return find(request)(request, device, scratch, queue, &map, error);
}

extern "C" gb_status mp_partition_redone(const mp_request *request, const gb_device *device,
                                         const void *scratch, bool *redone, gb_error *error)
{
    mp_scratch_map map = {};
    *redone = false;
    if (request->n == 0) return GB_OK;
    const gb_status status = find(request)(request, device, NULL, 0, &map, error);
    for (unsigned i = 0; status == GB_OK && i < map.failures; i++) {
        unsigned failed;
        GB_TRY(cudaMemcpy(&failed, (const unsigned char *)scratch + map.failed_at[i], sizeof failed,
                          cudaMemcpyDeviceToHost),
               error);
        *redone |= failed == MP_FAILED;
    }
    return status;
}
