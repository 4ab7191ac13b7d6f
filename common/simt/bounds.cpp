/* Array indices out of bounds: kernels compiled with -fsanitize=bounds call these functions instead
 * of libubsan's, so that the launch fails, with the place, in every build and without that library.
 *
 * An array is checked where its length is part of its type, so not behind a pointer, and the
 * dynamic shared memory not at all (poison.cpp guards what lies behind it). */
#include "common/simt/report.h"

#include "common/simt/sanitizers.h"

#include <stdlib.h>

#if !defined(GB_SIMT_ASAN) /* libubsan comes with AddressSanitizer */

namespace simt
{
/* The compilers' interface (compiler-rt, lib/ubsan/ubsan_value.h and ubsan_handlers.h). */
struct place {
    const char *file;
    uint32_t line, column;
};
struct type_descriptor {
    uint16_t kind, info; /* of integers: whether signed, and the logarithm of the bits twice */
    char name[1];        /* as in the source, in quotes */
};
struct out_of_bounds {
    place at;
    const type_descriptor *array, *index;
};

/* What does not fit in a pointer is behind one. */
static long long value_of(const type_descriptor *type, uintptr_t value)
{
    const unsigned bits = 1u << (type->info >> 1);
    if (bits > 8 * sizeof value) return 0;
    const unsigned unused = 64 - bits;
    if (type->info & 1) return (long long)((uint64_t)value << unused) >> unused;
    return (long long)value;
}

static void report_index(const out_of_bounds *data, uintptr_t index)
{
    char what[512];
    (void)snprintf(what, sizeof what, "index %lld is out of bounds of %s at %s:%u",
                   value_of(data->index, index), data->array->name, data->at.file, data->at.line);
    if (!here.thread) { /* host code */
        fprintf(stderr, "%s\n", what);
        abort();
    }
    enter();
    task *t = current_task();
    t->file = data->at.file;
    t->line = (int)data->at.line;
    fail(cudaErrorIllegalAddress, what);
}
} // namespace simt

extern "C" {
void __ubsan_handle_out_of_bounds(const simt::out_of_bounds *data, uintptr_t index)
{
    simt::report_index(data, index);
}
void __ubsan_handle_out_of_bounds_abort(const simt::out_of_bounds *data, uintptr_t index)
{
    simt::report_index(data, index);
}
}

#endif
