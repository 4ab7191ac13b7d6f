/* A rank's own partition; a file of its own, since primitives have problems of one name. */
#include "kernels/radix-sort-multi/local_partition.h"

#include "kernels/multipartition/partition/partition.h"

gb_status ms_partition_choose(mp_request *request, const gb_device *device, uint64_t *bytes,
                              gb_error *error)
{
    *bytes = 0;
    if (request->n == 0) return GB_OK;
    if (mp_partition_choose(request, &request->method, NULL) != MP_OK)
        return gb_fail(error, GB_UNSUPPORTED, "%s", mp_partition_error());
    const char *refusal = mp_measure(request, device, bytes);
    return refusal ? gb_fail(error, GB_UNSUPPORTED, "%s", refusal) : GB_OK;
}

gb_status ms_partition(const mp_request *request, const gb_device *device, void *scratch,
                       cudaStream_t stream, gb_error *error)
{
    return mp_queue_partition(request, device, scratch, (gb_stream)stream, error);
}
