/* Multipartition: keys on a GPU into contiguous bins, with or without payloads, for other programs.
 *
 * A request says what is to be done. mp_partition_scratch says how much device memory it needs
 * beside its arrays, mp_partition queues it: nothing is allocated and nothing waits for the device,
 * so that a stream's capture into a CUDA graph works. All functions are about the current device
 * and may be called by any thread.
 *
 *     mp_request request = {.keys_in = in, .keys_out = out, .offsets = offsets, .n = n,
 *                           .key_bytes = 4, .function = MP_RANGE, .bins = 256};
 *     uint64_t bytes;
 *     if (mp_partition_scratch(&request, &bytes) == MP_OK && cudaMalloc(&scratch, bytes) == 0)
 *         status = mp_partition(&request, scratch, bytes, stream);
 *
 * Set a whole request to 0 before its fields: what is 0 is the common case, also of fields that are
 * still to come. Included by C11 and C++17; no CUDA type appears here. */
#ifndef GB_MULTIPARTITION_H
#define GB_MULTIPARTITION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bin of key x among B bins; w is the key's width in bits. */
typedef enum mp_function_kind {
    MP_RANGE,     /* floor(x B / 2^w) */
    MP_MODULO,    /* x mod B */
    MP_HASH,      /* MP_RANGE of a mix of x: MurmurHash3's finaliser, or SplitMix64's */
    MP_SPLITTERS, /* how many of B - 1 ascending limits are <= x */
    /* floor(x B / (max + 1)), max being the largest key: gpubench's papers have it, requests do
     * not. MP_SPLITTERS says the same by the limits ceil(b (max + 1) / B), b = 1 to B - 1. */
    MP_MAX
} mp_function_kind;

/* How to go about it. */
typedef enum mp_method {
    MP_AUTO,                   /* as was measured to be the fastest for such a request */
    MP_UNSTABLE,               /* one pass, into regions foreseen from a sample */
    MP_UNSTABLE_COUNTED,       /* one pass, into regions counted before */
    MP_UNSTABLE_TILES,         /* as MP_UNSTABLE, tiles are sorted on the chip: for wide elements */
    MP_UNSTABLE_TILES_COUNTED, /* the same, counted before */
    MP_UNSTABLE_RESIDENT, /* on the chip: as much as the multiprocessors' shared memory holds */
    MP_UNSTABLE_TWO_PASS, /* by the upper bits, then by the lower ones; runs in one pass */
    MP_UNSTABLE_SAMPLED_TWO_PASS, /* the same, by a sample first; bins are counted in passing */
    MP_UNSTABLE_TILES_TWO_PASS,   /* as MP_UNSTABLE_TWO_PASS, by tiles that are counted before */
    MP_STABLE,                    /* one pass, counted before */
    MP_STABLE_TWO_PASS,           /* by the lower bits, then by the upper ones */
    MP_STABLE_DRAWN,          /* one pass as MP_STABLE, slots drawn in turn rather than voted on */
    MP_STABLE_DRAWN_TWO_PASS, /* two of those */
    MP_STABLE_DRAWN_THREE_PASS, /* three, of fewer bits each: for very many bins */
    MP_STABLE_TILES,            /* as MP_STABLE, tiles are sorted on the chip: for wide elements */
    MP_STABLE_TILES_TWO_PASS,   /* two of those */
    MP_STABLE_RESIDENT,         /* as MP_UNSTABLE_RESIDENT, of up to 2048 bins */
    MP_METHODS
} mp_method;

/* What is known of the keys; wrong knowledge costs time, never the answer. */
typedef enum mp_keys {
    MP_KEYS_ANY,    /* nothing */
    MP_KEYS_SKEWED, /* a few values, or bins, have a large share */
    MP_KEYS_SORTED, /* bins ascend: keys are copied then; where they do not, it costs up to twice
                       MP_KEYS_ANY, which finds out by itself that neighbours share bins */
    MP_KEYS_FEW     /* a few values are all that there are; else as MP_KEYS_SKEWED */
} mp_keys;

/* All arrays are in device memory, aligned to 16 bytes, and do not overlap. */
typedef struct mp_request {
    /* n of each, left as they are; payload: NULL where payload_bytes is 0 */
    const void *keys_in, *payload_in;
    void *keys_out, *payload_out;      /* the same, grouped by bin, bins in ascending order */
    uint64_t *offsets;                 /* out: where each bin begins; bins + 1, the last is n */
    uint64_t n;                        /* 0 is fine; 64 bits count */
    unsigned key_bytes, payload_bytes; /* 4 or 8; 0, 4, 8 or 16 */
    mp_function_kind function;
    uint32_t bins;      /* 1 to 2^20 */
    const void *limits; /* MP_SPLITTERS: bins - 1, as wide as keys; else NULL */
    mp_method method;
    int stable;   /* MP_AUTO: whether the order within a bin has to be that of the input */
    mp_keys keys; /* MP_AUTO: what is known of them */
    /* where methods that foresee look at the keys; 0: the device's clock says, anew in each run, so
     * that no input can be made to mislead them */
    uint32_t salt;
} mp_request;

typedef enum mp_status {
    MP_OK,
    MP_INVALID,     /* the request contradicts what is said above */
    MP_UNSUPPORTED, /* the method cannot do it, on this device or at all */
    MP_NO_SCRATCH,  /* scratch is too small or not aligned to 256 bytes */
    MP_CUDA         /* a call of the CUDA runtime failed */
} mp_status;

/* *bytes: of device memory for mp_partition; arrays may be NULL yet. At most 1.1 times the keys
 * (and payloads) and some tables whose size depends on bins and device alone. */
mp_status mp_partition_scratch(const mp_request *request, uint64_t *bytes);

/* Queues the partition on stream (a cudaStream_t, NULL being the default one). The arrays, limits
 * and scratch stay the caller's, and have to live until it has run; what scratch holds before and
 * after is of no interest. */
mp_status mp_partition(const mp_request *request, void *scratch, uint64_t scratch_bytes,
                       void *stream);

/* *method: what MP_AUTO stands for in this request, so that it need not be looked up every time;
 * *measured_on, unless NULL: the GPU whose measurements say so ("" if there are none; "this
 * device": those that were loaded). */
mp_status mp_partition_choose(const mp_request *request, mp_method *method,
                              const char **measured_on);

/* From here on MP_AUTO goes, in this process, by what `gpubench tune` has measured on the current
 * device: by the result file `path`, or, where that is NULL, by the one in the cache folder of who
 * runs the program ($XDG_CACHE_HOME, else ~/.cache). Without this call nothing is read from there:
 * MP_AUTO goes by what is compiled in, and a program chooses alike wherever it runs. MP_INVALID if
 * there is no such file, or it is broken or of another device; nothing has changed then. */
mp_status mp_partition_load_tuning(const char *path);

/* Why the calling thread's last call failed: a sentence, valid until its next one. */
const char *mp_partition_error(void);

#ifdef __cplusplus
}
#endif
#endif
