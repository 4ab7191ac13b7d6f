/* Kernels that are broken on purpose, each with its sound twin: how one is described. Mistake and
 * twin are one template, so that what tells them apart is a line or two. */
#ifndef GB_PLANTED_CUH
#define GB_PLANTED_CUH

#include "common/cuda/device.cuh"

#include <string.h>

/* Every kernel has the same arguments: planted_words words of input, each from 1 to 65535, as many
 * of output, which hold garbage, and planted_scratch_words that are 0 when it starts. */
enum { planted_words = 256, planted_scratch_words = 1024 };
typedef void (*planted_kernel)(const unsigned *in, unsigned *out, unsigned *scratch);

enum planted_kind {
    planted_exact,
    planted_any_order,   /* the output is right in any order */
    planted_not_cleared, /* scratch holds what the device has left there */
};

struct gb_planted {
    gb_variant variant; /* first: the worker knows only this */
    planted_kernel kernel;
    unsigned blocks, threads, shared_bytes;
    planted_kind kind;
    /* The output that is right; returns how many words of it count. */
    unsigned (*expect)(const unsigned *in, unsigned *out);
};

gb_status planted_run(gb_job *job, gb_stream stream);
gb_status planted_prepare(gb_job *job);
gb_status planted_reset(gb_job *job, gb_stream stream);
void planted_cleanup(gb_job *job);
/* A mistake is for the simt device alone: a GPU would hang. */
const char *planted_unsupported(const gb_params *params, const gb_device *device);

#define PLANTED_VARIANT(symbol, name, summary, unsupported, ...)                              \
    extern const gb_planted planted_##symbol = {{name, summary, "gpubench", 0, unsupported,   \
                                                 planted_prepare, planted_reset, planted_run, \
                                                 planted_cleanup},                            \
                                                __VA_ARGS__}

/* Makes planted_NAME and planted_NAME_sound from the kernel NAME<sound>, a template. text: the
 * variant's name; then what is wrong, and what the twin does instead. */
#define PLANTED(symbol, text, wrong, right, blocks, threads, shared_bytes, kind, expect)       \
    PLANTED_VARIANT(symbol, text, wrong, planted_unsupported, symbol<false>, blocks, threads,  \
                    shared_bytes, kind, expect);                                               \
    PLANTED_VARIANT(symbol##_sound, text "-sound", right, NULL, symbol<true>, blocks, threads, \
                    shared_bytes, kind == planted_not_cleared ? planted_exact : kind, expect)

#endif
