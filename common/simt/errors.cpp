/* The last error, with a text that says more than its name. */
#include "common/simt/errors.h"

#include <mutex>
#include <stdarg.h>
#include <stdio.h>

namespace simt
{
static std::mutex errors_mutex;
static cudaError_t last_error = cudaSuccess;
static cudaError_t text_code = cudaSuccess; /* the code that text explains */
static char text[4096];

cudaError_t set_error(cudaError_t code, const char *format, ...)
{
    const std::lock_guard<std::mutex> lock(errors_mutex);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    last_error = text_code = code;
    return code;
}
} // namespace simt

cudaError_t cudaGetLastError()
{
    const std::lock_guard<std::mutex> lock(simt::errors_mutex);
    const cudaError_t code = simt::last_error;
    simt::last_error = cudaSuccess;
    return code;
}

cudaError_t cudaPeekAtLastError()
{
    const std::lock_guard<std::mutex> lock(simt::errors_mutex);
    return simt::last_error;
}

const char *cudaGetErrorName(cudaError_t code)
{
    switch (code) {
#define SIMT_ERROR(name, number, meaning) \
    case name:                            \
        return #name;
        SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t code)
{
    {
        const std::lock_guard<std::mutex> lock(simt::errors_mutex);
        if (code != cudaSuccess && code == simt::text_code) return simt::text;
    }
    switch (code) {
#define SIMT_ERROR(name, number, meaning) \
    case name:                            \
        return meaning;
        SIMT_ERRORS(SIMT_ERROR)
#undef SIMT_ERROR
    }
    return "unrecognized error code";
}
