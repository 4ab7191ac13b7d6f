/* The bodies of every distribution, one by one: body i depends on (distribution, seed, i, n) alone.
 *
 * Only +, -, *, / and sqrt of doubles are used, which IEEE 754 rounds the same everywhere, and none
 * is fused with another: so the CPU and the GPU make the same bits without a transcendental. */
#ifndef GB_OCTREE_BODIES_H
#define GB_OCTREE_BODIES_H

#include "kernels/octree/octree.h"

#include <math.h>

/* Streams of the generator. A body's numbers come from the streams from its first one on. */
enum { OC_STREAM_BODY = 64, OC_STREAM_RETRY = 80, OC_STREAM_CLUSTER = 120 };
enum { OC_CLUSTERS = 64, OC_SPHERE_LEVELS = 24 };

#if defined(__CUDA_ARCH__)
#define OC_MUL(a, b) __dmul_rn(a, b)
#define OC_ADD(a, b) __dadd_rn(a, b)
#else
#define OC_MUL(a, b) ((a) * (b))
#define OC_ADD(a, b) ((a) + (b))
#endif

typedef struct oc_point {
    double x, y, z;
} oc_point;

/* Strictly between 0 and 1. */
GB_RANDOM_FN double oc_unit(uint32_t word)
{
    return OC_MUL(OC_ADD((double)word, 0.5), 1.0 / 4294967296.0);
}

/* Between -1 and 1. */
GB_RANDOM_FN double oc_signed(uint32_t word)
{
    return OC_ADD(OC_MUL(2.0, oc_unit(word)), -1.0);
}

/* A uniform point of the unit disc without its centre, and its squared distance from there: pairs
 * are drawn until one falls into it (von Neumann 1951), so few miss that a limit is never met. */
GB_RANDOM_FN double oc_disc(uint64_t seed, uint64_t i, double *a, double *b)
{
    double square = 2.0;
    *a = *b = 0.5;
    for (uint32_t k = 0; k < 32 && !(square < 1.0 && square > 0.0); k++) {
        const gb_random4 r = gb_random(seed, OC_STREAM_RETRY + k / 2, i);
        *a = oc_signed(r.word[2 * (k & 1)]);
        *b = oc_signed(r.word[2 * (k & 1) + 1]);
        square = OC_ADD(OC_MUL(*a, *a), OC_MUL(*b, *b));
    }
    return square;
}

/* A uniform direction (Marsaglia 1972, "Choosing a point from the surface of a sphere"). */
GB_RANDOM_FN oc_point oc_direction(uint64_t seed, uint64_t i)
{
    double a, b;
    const double square = oc_disc(seed, i, &a, &b);
    const double root = OC_MUL(2.0, sqrt(OC_ADD(1.0, -square)));
    oc_point p;
    p.x = OC_MUL(a, root);
    p.y = OC_MUL(b, root);
    p.z = OC_ADD(1.0, -OC_MUL(2.0, square));
    return p;
}

GB_RANDOM_FN oc_point oc_scaled(oc_point p, double by)
{
    p.x = OC_MUL(p.x, by);
    p.y = OC_MUL(p.y, by);
    p.z = OC_MUL(p.z, by);
    return p;
}

/* The cube root of a uniform number: it is distributed as the largest of three. */
GB_RANDOM_FN double oc_cube_root(gb_random4 r)
{
    double u = oc_unit(r.word[0]);
    for (int k = 1; k < 3; k++)
        if (oc_unit(r.word[k]) > u) u = oc_unit(r.word[k]);
    return u;
}

/* Plummer's sphere (Plummer 1911) with scale radius 1, cut where it holds 99.9 % of its mass: the
 * radius that holds the share m is 1 / sqrt(m^(-2/3) - 1) (Aarseth, Henon, Wielen 1974). */
GB_RANDOM_FN oc_point oc_plummer(uint64_t seed, uint64_t i)
{
    const double most = 0.99966655548; /* the cube root of 0.999 */
    const double u = OC_MUL(oc_cube_root(gb_random(seed, OC_STREAM_BODY, i)), most);
    const double radius = u / sqrt(OC_ADD(1.0, -OC_MUL(u, u)));
    return oc_scaled(oc_direction(seed, i), radius);
}

/* Kuzmin's disc (Kuzmin 1956), a flat galaxy: m of its mass lies within sqrt(1 / (1 - m)^2 - 1),
 * cut at 95 %; its height is the sum of four uniform numbers, a twentieth of the scale radius. */
GB_RANDOM_FN oc_point oc_galaxy(uint64_t seed, uint64_t i)
{
    const gb_random4 r = gb_random(seed, OC_STREAM_BODY, i);
    const gb_random4 h = gb_random(seed, OC_STREAM_BODY + 1, i);
    const double rest = OC_ADD(1.0, -OC_MUL(0.95, oc_unit(r.word[0])));
    const double radius = sqrt(OC_ADD(1.0 / OC_MUL(rest, rest), -1.0));
    double a, b, height = 0.0;
    const double scale = radius / sqrt(oc_disc(seed, i, &a, &b));
    for (int k = 0; k < 4; k++)
        height = OC_ADD(height, oc_signed(h.word[k]));
    oc_point p;
    p.x = OC_MUL(a, scale);
    p.y = OC_MUL(b, scale);
    p.z = OC_MUL(height, 0.05);
    return p;
}

/* One of 64 clusters, anywhere in the unit cube, of widths from 1/16 to 1/2048 of it; inside it
 * each coordinate is the sum of twelve uniform numbers (Irwin-Hall), which is close to Gauss's. */
GB_RANDOM_FN oc_point oc_cluster(uint64_t seed, uint64_t i)
{
    const gb_random4 r = gb_random(seed, OC_STREAM_BODY, i);
    const uint32_t which = r.word[0] % OC_CLUSTERS;
    const gb_random4 at = gb_random(seed, OC_STREAM_CLUSTER, which);
    const double width = 1.0 / (double)(16u << which % 8);
    double sum[3];
    for (int c = 0; c < 3; c++) {
        sum[c] = 0.0;
        for (uint32_t k = 0; k < 3; k++) {
            const gb_random4 some = gb_random(seed, OC_STREAM_BODY + 1 + 3 * (uint32_t)c + k, i);
            for (int j = 0; j < 4; j++)
                sum[c] = OC_ADD(sum[c], oc_signed(some.word[j]));
        }
    }
    oc_point p;
    p.x = OC_ADD(oc_unit(at.word[0]), OC_MUL(sum[0], width));
    p.y = OC_ADD(oc_unit(at.word[1]), OC_MUL(sum[1], width));
    p.z = OC_ADD(oc_unit(at.word[2]), OC_MUL(sum[2], width));
    return p;
}

/* A uniform point of the unit ball. */
GB_RANDOM_FN oc_point oc_ball(uint64_t seed, uint64_t i)
{
    return oc_scaled(oc_direction(seed, i), oc_cube_root(gb_random(seed, OC_STREAM_BODY, i)));
}

/* Galaxies as Soneira and Peebles draw them (1978, "A computer model universe: simulation of the
 * nature of the galaxy distribution in the Lick catalog"): in a sphere lie the centres of two
 * spheres 1.76 times as small, anywhere, and so on 24 times; from an eighth of the unit cube's side
 * down to what 24 bits tell apart. A body is in a smallest sphere of one of 64 such trees. It is as
 * clustered at every scale, with the dimension log 2 / log 1.76 = 1.23. */
GB_RANDOM_FN oc_point oc_soneira_peebles(uint64_t seed, uint64_t i)
{
    const gb_random4 r = gb_random(seed, OC_STREAM_BODY, i);
    const uint64_t tree = r.word[0] % OC_CLUSTERS;
    const gb_random4 at = gb_random(seed, OC_STREAM_CLUSTER, tree);
    double radius = 0.125;
    oc_point p = {oc_unit(at.word[0]), oc_unit(at.word[1]), oc_unit(at.word[2])};
    for (int level = 1; level <= OC_SPHERE_LEVELS; level++) {
        /* a sphere's number, which is no body's: the way to it, behind a one */
        const uint64_t way = 1u << level | r.word[1] >> (32 - level);
        const oc_point from = oc_ball(seed, (uint64_t)1 << 40 | tree << 32 | way);
        p.x = OC_ADD(p.x, OC_MUL(from.x, radius));
        p.y = OC_ADD(p.y, OC_MUL(from.y, radius));
        p.z = OC_ADD(p.z, OC_MUL(from.z, radius));
        radius = OC_MUL(radius, 1.0 / 1.76);
    }
    return p;
}

GB_RANDOM_FN oc_point oc_uniform(uint64_t seed, uint64_t i)
{
    const gb_random4 r = gb_random(seed, OC_STREAM_BODY, i);
    oc_point p;
    p.x = oc_unit(r.word[0]);
    p.y = oc_unit(r.word[1]);
    p.z = oc_unit(r.word[2]);
    return p;
}

/* A lattice whose points are moved by up to 0.3 of their distance. */
GB_RANDOM_FN oc_point oc_lattice(uint64_t seed, uint64_t i, uint64_t side, uint64_t x, uint64_t y,
                                 uint64_t z)
{
    const gb_random4 r = gb_random(seed, OC_STREAM_BODY, i);
    const double width = 1.0 / (double)side;
    oc_point p;
    p.x = OC_MUL(OC_ADD((double)x, OC_ADD(0.5, OC_MUL(0.3, oc_signed(r.word[0])))), width);
    p.y = OC_MUL(OC_ADD((double)y, OC_ADD(0.5, OC_MUL(0.3, oc_signed(r.word[1])))), width);
    p.z = OC_MUL(OC_ADD((double)z, OC_ADD(0.5, OC_MUL(0.3, oc_signed(r.word[2])))), width);
    return p;
}

/* Every third bit of i, from `first` on. */
GB_RANDOM_FN uint64_t oc_third_bits(uint64_t i, int first)
{
    uint64_t value = 0;
    for (int b = 0; b < 16; b++)
        value |= (i >> (3 * b + first) & 1u) << b;
    return value;
}

/* The bodies of a point; passed to kernels by value. */
typedef struct oc_bodies {
    oc_dist_kind kind;
    uint64_t seed;
    uint64_t n;
    uint64_t side;     /* of the lattice */
    uint64_t distinct; /* OC_DIST_DUPLICATES: positions */
} oc_bodies;

static inline oc_bodies oc_bodies_of(const oc_shape *shape, uint64_t seed)
{
    oc_bodies bodies = {shape->dist, seed, shape->n, 1, 1};
    if (shape->dist == OC_DIST_CUBE_MORTON)
        while (bodies.side * bodies.side * bodies.side < shape->n)
            bodies.side *= 2;
    else
        while (bodies.side * bodies.side * bodies.side < shape->n)
            bodies.side++;
    if (shape->copies) bodies.distinct = (shape->n + shape->copies - 1) / shape->copies;
    return bodies;
}

/* Body i < n of any distribution but OC_DIST_FILE. */
GB_RANDOM_FN oc_body oc_make_body(const oc_bodies *b, uint64_t i)
{
    oc_point p;
    switch (b->kind) {
    case OC_DIST_PLUMMER:
        p = oc_plummer(b->seed, i);
        break;
    case OC_DIST_CUBE: /* in row order: z fastest */
        p = oc_lattice(b->seed, i, b->side, i / (b->side * b->side), i / b->side % b->side,
                       i % b->side);
        break;
    case OC_DIST_CUBE_MORTON: /* in curve order over a lattice whose side is a power of two */
        p = oc_lattice(b->seed, i, b->side, oc_third_bits(i, 2), oc_third_bits(i, 1),
                       oc_third_bits(i, 0));
        break;
    case OC_DIST_CLUSTERS:
        p = oc_cluster(b->seed, i);
        break;
    case OC_DIST_SONEIRA_PEEBLES:
        p = oc_soneira_peebles(b->seed, i);
        break;
    case OC_DIST_DISC:
        p = oc_galaxy(b->seed, i);
        break;
    case OC_DIST_LINE: { /* along the diagonal of a box, in random order */
        const double t = oc_unit(gb_random(b->seed, OC_STREAM_BODY, i).word[0]);
        p.x = t;
        p.y = OC_MUL(t, 0.618);
        p.z = OC_MUL(t, 0.25);
        break;
    }
    case OC_DIST_DUPLICATES: /* a scattered number below n, so that copies lie apart in memory */
        p = oc_uniform(b->seed, gb_random(b->seed, OC_STREAM_BODY + 1, i).word[0] % b->distinct);
        break;
    case OC_DIST_UNIFORM:
    default:
        p = oc_uniform(b->seed, i);
        break;
    }
    oc_body body;
    body.x = (float)p.x;
    body.y = (float)p.y;
    body.z = (float)p.z;
    body.mass = 1.0f;
    return body;
}

#endif
