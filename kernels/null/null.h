/* The primitive that measures the instrument itself: what its files share. */
#ifndef GB_NULL_H
#define GB_NULL_H

#include "common/gpubench.h"
#include "common/random.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { NULL_NS, NULL_BYTES, NULL_AXES };

/* What lies untouched behind a copy's target, and all that there is where nothing is to be copied.
 */
enum { NULL_GUARD_BYTES = 4096 };
/* What poison leaves. It is even and every byte of the input is odd, so that no byte which was left
 * out looks right by chance. */
enum { NULL_POISON = 0xA4 };

/* What a spin says of itself, in nanoseconds of the device's clock. */
typedef struct null_record {
    uint64_t begin, end;
} null_record;

/* How the device's two clocks go: null_calibrate measures it. */
typedef struct null_clocks {
    uint64_t tick_ns;          /* the smallest step of the clock that counts nanoseconds */
    uint64_t ns_per_megacycle; /* nanoseconds that 2^20 cycles take */
} null_clocks;

struct gb_problem {
    uint64_t ns, bytes, seed;
    bool gpu;              /* lengths can be held to an upper bound */
    unsigned char *source; /* device: bytes, and room to the next whole unit */
    unsigned char *target; /* device: bytes, then the guard */
    null_record *record;   /* device */
    null_clocks clocks;
    unsigned long long *first_defect; /* device: the checker's */
};

/* The input as groups of 16 bytes. */
GB_RANDOM_FN gb_random4 null_unit(uint64_t seed, uint64_t unit)
{
    gb_random4 four = gb_random(seed, 0, unit);
    for (int i = 0; i < 4; i++)
        four.word[i] |= 0x01010101u;
    return four;
}

/* problem.cu, check.cu: what a primitive has. */
gb_status null_open(const gb_params *params, uint64_t seed, const gb_device *device,
                    struct gb_problem **out, gb_error *error);
void null_close(struct gb_problem *problem);
gb_status null_poison(gb_job *job, gb_stream stream);
gb_status null_check(gb_job *job, gb_stream stream);

/* spin.cu: whether the variant leaves a record, and the calibration of its clocks. */
bool null_spins(const gb_variant *variant);
gb_status null_calibrate(null_clocks *clocks, gb_error *error);
/* copy.cu: whether the variant fills the target by itself. */
bool null_copies(const gb_variant *variant);
/* round_trip.cu: what the state of such a job begins with: page-locked memory of the host, bytes of
 * source, bytes and the guard of target. */
typedef struct null_host {
    unsigned char *source, *target;
} null_locked;
/* Whether the variant crosses the bus; its target on the host is filled with poison; is judged. */
bool null_round_trips(const gb_variant *variant);
void null_round_trip_poison(gb_job *job);
gb_status null_round_trip_check(gb_job *job);

extern const gb_variant null_nothing, null_empty, null_waits, null_host, null_blocks;
extern const gb_variant null_spin, null_spin_host_clock;
extern const gb_variant null_copy, null_memcpy;
extern const gb_variant null_round_trip;

#ifdef __cplusplus
}
#endif
#endif
