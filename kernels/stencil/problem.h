/* What problem.cu, check.cu and the tests share: what every element of an array holds. */
#ifndef GB_STENCIL_PROBLEM_H
#define GB_STENCIL_PROBLEM_H

#include "common/random.h"
#include "kernels/stencil/stencil.h"

#include <string.h>

/* NaNs with a payload of their own, so that an element tells what it is: padding, and a cell that
 * nobody has written. */
static const uint32_t st_padding_bits = 0x7FC0FADEu;
static const uint32_t st_poison_bits = 0x7FC0DEADu;

/* Up to so many cells the checker's truth is compared with the CPU oracle's. */
enum { ST_EXACT_LIMIT = 1 << 17 };

typedef enum st_kind { ST_CELL, ST_GHOST, ST_PADDING } st_kind;

/* What an element of an array is. Coordinates as in st_layout; of padding they mean nothing. */
typedef struct st_place {
    st_kind kind;
    int x, y, z;
} st_place;

GB_RANDOM_FN st_place st_place_of(const st_shape *shape, const st_layout *layout, int64_t element)
{
    const int r = shape->radius;
    st_place place = {ST_PADDING, 0, 0, 0};
    const int64_t rows_in_plane = shape->y + 2 * r;
    const int64_t from_first = element - ST_PAD + r; /* the ghost (-r, -r, -r) is element 0 */
    if (from_first < 0) return place;
    const int64_t row = from_first / layout->pitch;
    place.x = (int)(from_first % layout->pitch) - r;
    place.y = (int)(row % rows_in_plane) - r;
    place.z = (int)(row / rows_in_plane) - r;
    if (place.x >= shape->x + r || place.z >= shape->z + r) return place;
    const int inside = place.x >= 0 && place.x < shape->x && place.y >= 0 && place.y < shape->y &&
                       place.z >= 0 && place.z < shape->z;
    place.kind = inside ? ST_CELL : ST_GHOST;
    return place;
}

/* The input at (x, y, z), ghosts included: a multiple of 2^-24 in [0, 1) that depends on the seed
 * and the coordinates alone. */
GB_RANDOM_FN float st_input(uint64_t seed, int x, int y, int z)
{
    const uint64_t at = ((uint64_t)(z + ST_MAX_RADIUS) << 40) +
                        ((uint64_t)(y + ST_MAX_RADIUS) << 20) + (uint64_t)(x + ST_MAX_RADIUS) / 4;
    const gb_random4 four = gb_random(seed, 0, at);
    return (float)(four.word[(x + ST_MAX_RADIUS) % 4] >> 8) * 0x1p-24f;
}

GB_RANDOM_FN uint32_t st_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The bits of an array's element before any step. */
GB_RANDOM_FN uint32_t st_initial_bits(uint64_t seed, const st_place *place)
{
    if (place->kind == ST_PADDING) return st_padding_bits;
    return st_bits_of(st_input(seed, place->x, place->y, place->z));
}

#ifdef __cplusplus
extern "C" {
#endif

/* Fills an array in device memory: ghosts and padding, and the cells with the input or, if
 * `poisoned`, with poison. Waits for nothing. */
gb_status st_fill(const struct gb_problem *problem, bool poisoned, float *array, gb_stream stream,
                  gb_error *error);

/* Makes and frees what the checker remembers; little until something is checked. */
gb_status st_checker_open(struct gb_problem *problem, gb_error *error);
void st_checker_close(struct gb_problem *problem);
/* An array of device memory, st_layout.total floats, in which the checker and problem.cu prepare
 * what goes to host memory and look at what comes from there. */
gb_status st_stage(struct gb_problem *problem, float **stage, gb_error *error);
/* Bytes of device memory that the checker takes at most. */
uint64_t st_checker_bytes(const struct gb_problem *problem);

/* Whether the job leaves its result in page-locked host memory: locked_result. */
bool st_result_is_locked(const gb_job *job);

#ifdef __cplusplus
}
#endif
#endif
