/* Thread block clusters: up to 8 blocks that run at the same time, meet in hardware, and reach each
 * other's shared memory (CUDA C++ Programming Guide, "Thread Block Clusters"). From Hopper on. On
 * the simt device a cluster is all of a grid, whose blocks meet in device memory. */
#ifndef GB_CUDA_CLUSTER_CUH
#define GB_CUDA_CLUSTER_CUH

#include "common/cuda/meeting.cuh"

#include <atomic>

/* Blocks of a cluster that every device with clusters can hold; some can hold 16, if asked for. */
enum { GB_PORTABLE_CLUSTER = 8, GB_MOST_CLUSTER = 16 };

/* What the simt device needs to let blocks meet: device memory, 0 at the start, and at the end. */
typedef struct gb_cluster_room {
    unsigned arrived, left;
    unsigned char *shared[GB_MOST_CLUSTER]; /* where the blocks' dynamic shared memory lies */
} gb_cluster_room;

/* Whether launch_cluster serves a device. */
static inline bool gb_has_clusters(const gb_device *device)
{
#if defined(__CUDACC__) && CUDART_VERSION < 12000
    (void)device;
    return false;
#else
    return device->arch >= 900;
#endif
}

#if !defined(__CUDACC__)
#define launch_cluster launch /* as many blocks as device.sms are */
template <class... P> bool gb_holds_cluster(void (*)(P...), unsigned, unsigned, size_t)
{
    return true;
}
#elif CUDART_VERSION >= 12000
/* Whether the current device holds a cluster of so many blocks of the kernel. It is asked once: all
 * calls in a program are about one kernel and number. */
template <class... P>
bool gb_holds_cluster(void (*kernel)(P...), unsigned blocks, unsigned threads, size_t shared_bytes)
{
    enum { DEVICES = 64 };
    static std::atomic<signed char> known[DEVICES]; /* 0: not yet; -1: no */
    int at = 0, clusters = 0;
    if (cudaGetDevice(&at) != cudaSuccess || at >= DEVICES) return false;
    if (known[at]) return known[at] > 0;
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeClusterDimension;
    together.val.clusterDim.x = blocks;
    together.val.clusterDim.y = together.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.attrs = &together;
    config.numAttrs = 1;
    cudaError_t code = cudaFuncSetAttribute((const void *)kernel,
                                            cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (code == cudaSuccess)
        code = cudaFuncSetAttribute((const void *)kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
    if (code == cudaSuccess) code = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    if (code != cudaSuccess) (void)cudaGetLastError(); /* it does not */
    known[at] = code == cudaSuccess && clusters > 0 ? 1 : -1;
    return known[at] > 0;
}

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments...), where all blocks of the grid are one
 * cluster. */
template <class... P, class... A>
cudaError_t launch_cluster(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                           cudaStream_t stream, A... arguments)
{
    if (grid.x > GB_PORTABLE_CLUSTER) {
        const cudaError_t code = cudaFuncSetAttribute(
            (const void *)kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
        if (code != cudaSuccess) return code;
    }
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeClusterDimension;
    together.val.clusterDim.x = grid.x;
    together.val.clusterDim.y = together.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &together;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, static_cast<P>(arguments)...);
}
#else
template <class... P> bool gb_holds_cluster(void (*)(P...), unsigned, unsigned, size_t)
{
    return false;
}
template <class... P, class... A>
cudaError_t launch_cluster(void (*)(P...), dim3, dim3, size_t, cudaStream_t, A...)
{
    return cudaErrorNotSupported;
}
#endif

/* The cluster as one of its blocks sees it. All threads of all blocks make one, call each function
 * that lets blocks meet, and leave in the end, before which no block may end. */
class gb_cluster
{
  public:
    const unsigned size, rank; /* blocks, and which of them this one is */

    /* room: unused on a GPU. */
    __device__ __forceinline__ explicit gb_cluster(gb_cluster_room *room)
        : size(gridDim.x), rank(blockIdx.x), meetings_(0), room_(room)
    {
#if !defined(__CUDACC__)
        if (threadIdx.x == 0) room_->shared[rank] = gb_shared_memory;
#endif
    }
    /* What the block has written until now, in shared and device memory, is there for all threads
     * of the cluster that have waited. Other barriers may lie between. */
    __device__ __forceinline__ void arrive()
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        __syncwarp();
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#elif !defined(__CUDACC__)
        meetings_++;
        __syncthreads();
        if (threadIdx.x == 0) gb_arrive(&room_->arrived);
#endif
    }
    __device__ __forceinline__ void wait() const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        __syncwarp();
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#elif !defined(__CUDACC__)
        if (threadIdx.x == 0) gb_await(&room_->arrived, meetings_ * size);
        __syncthreads();
#endif
    }
    /* The same place in the dynamic shared memory of another block, once all have met. */
    template <class T> __device__ __forceinline__ T *of_block(T *own, unsigned block) const
    {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        T *theirs;
        asm("mapa.u64 %0, %1, %2;" : "=l"(theirs) : "l"(own), "r"(block));
        return theirs;
#elif !defined(__CUDACC__)
        const size_t at = (size_t)((unsigned char *)own - gb_shared_memory);
        return (T *)(room_->shared[block] + at);
#else
        (void)block;
        return own; /* never called: gb_has_clusters */
#endif
    }
    __device__ __forceinline__ void leave()
    {
        arrive();
        wait();
#if !defined(__CUDACC__)
        if (threadIdx.x || atomicAdd(&room_->left, 1u) != size - 1) return;
        room_->arrived = room_->left = 0;
#endif
    }

  private:
    unsigned meetings_;
    gb_cluster_room *room_;
};

#endif
