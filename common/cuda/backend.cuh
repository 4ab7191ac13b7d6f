/* The back-end's inside, shared by backend.cu, timing.cu, evict.cu and ceilings.cu. */
#ifndef GB_CUDA_BACKEND_CUH
#define GB_CUDA_BACKEND_CUH

#include "common/cuda/sweep.cuh"
#include "common/worker/backend.h"

/* The gate's two words, in host memory that the device sees. */
struct gb_gate_words {
    unsigned open;    /* host to device: pass */
    unsigned expired; /* device to host: passed without being asked to */
};

struct gb_backend {
    gb_device device;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    volatile gb_gate_words *gate;        /* host address; NULL: no gate on this back-end */
    volatile gb_gate_words *gate_device; /* the same words as the device addresses them */
    uint4 *evict_buffer;                 /* evict_units; NULL until asked for */
    uint64_t evict_units;                /* of 16 bytes */
    struct gb_other_evict *evict_others; /* those of the set's other devices */
    unsigned *sink;                      /* one word: where kernels could store what they read */
};

/* What comes on the stream right before a timed region where other processes have their part of it
 * (common/comm/team.cu): a meeting of all. NULL: there are none. */
typedef gb_status gb_meeting_of_processes(cudaStream_t stream, gb_error *error);
extern gb_meeting_of_processes *gb_before_region;

/* What gb_backend_stream and gb_backend_sync do, for the back-end's own files. */
static inline gb_stream gb_stream_of(const gb_backend *backend)
{
    return reinterpret_cast<gb_stream>(backend->stream);
}

static inline gb_status gb_wait(const gb_backend *backend, gb_error *error)
{
    GB_TRY(cudaStreamSynchronize(backend->stream), error);
    GB_TRY(cudaPeekAtLastError(), error);
    return GB_OK;
}

/* timing.cu: makes and frees stream, events and gate. */
gb_status gb_timing_open(gb_backend *backend, gb_error *error);
void gb_timing_close(gb_backend *backend);
/* evict.cu: frees the evictor's buffer. */
void gb_evict_close(gb_backend *backend);

#endif
