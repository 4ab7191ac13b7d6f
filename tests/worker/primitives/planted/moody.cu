/* A variant that depends on what ran before in its process: it is right once. No schedule replays
 * that, which a check has to tell. */
#include "tests/worker/primitives/planted/planted.cuh"

static __global__ void copy(const unsigned *in, unsigned *out, unsigned *)
{
    out[threadIdx.x] = in[threadIdx.x];
}

static unsigned expect(const unsigned *in, unsigned *out)
{
    memcpy(out, in, planted_words * sizeof *out);
    return planted_words;
}

static gb_status run_once(gb_job *job, gb_stream stream)
{
    static bool ran;
    if (ran) return GB_OK;
    ran = true;
    return planted_run(job, stream);
}

extern const gb_planted planted_moody = {{"moody", "does its work once in a process", "gpubench", 0,
                                          planted_unsupported, planted_prepare, planted_reset,
                                          run_once, planted_cleanup},
                                         copy,
                                         1,
                                         planted_words,
                                         0,
                                         planted_exact,
                                         expect};
