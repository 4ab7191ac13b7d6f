/* What each OS thread is doing, those that run blocks, and what the host may refuse. */
#include "common/simt/runtime.h"

#include "common/text/limits.h"

#include <errno.h>

namespace simt
{
__thread context here;
worker *workers[max_workers];

cudaError_t start_thread(const char *what, void *(*body)(void *), void *argument)
{
    pthread_t thread;
    gb_error error;
    const int code = pthread_create(&thread, NULL, body, argument);
    if (code == 0) {
        (void)pthread_detach(thread);
        return cudaSuccess;
    }
    return set_error(gb_thread_refused(code, what, &error) == GB_OUT_OF_MEMORY
                         ? cudaErrorMemoryAllocation
                         : cudaErrorLaunchOutOfResources,
                     "%s", error.text);
}

cudaError_t lacks_memory(const char *what)
{
    char limit[GB_LIMIT_TEXT];
    return set_error(cudaErrorMemoryAllocation, "no host memory for %s%s", what,
                     gb_limit_behind(ENOMEM, limit));
}
} // namespace simt
