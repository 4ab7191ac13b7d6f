/* Octrees: the cut of coordinates, digits and common depths; the bodies of every distribution; what
 * a point may say. */
#include "tests/kernels/octree/octree.cuh"

#include <algorithm>
#include <math.h>
#include <set>

/* ---- places ---------------------------------------------------------------------------------- */

/* Any float, of any size. */
static float any_float(uint64_t i)
{
    uint32_t bits = gb_random(1, 0, i).word[0];
    float value;
    if ((bits & 0x7F800000u) == 0x7F800000u) bits ^= 0x40000000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void cut_is_monotone(void **)
{
    const float scales[] = {1.0f, 16777216.0f, 1e-30f, 1e37f, 0.3f};
    for (float scale : scales)
        for (uint64_t i = 0; i < 2000; i++) {
            float a = any_float(2 * i), b = any_float(2 * i + 1);
            const float lowest = any_float(i + 10000);
            if (i % 2) b = nextafterf(a, INFINITY); /* neighbours */
            if (a > b) std::swap(a, b);
            const uint32_t at_a = oc_cut(a, lowest, scale), at_b = oc_cut(b, lowest, scale);
            assert_true(at_a <= at_b);
            assert_true(at_b < 1u << OC_DEPTH);
        }
    assert_int_equal(oc_cut(NAN, 0, 1), 0);
    assert_int_equal(oc_cut(-INFINITY, 0, 1), 0);
    assert_int_equal(oc_cut(INFINITY, 0, 1), (1u << OC_DEPTH) - 1);
}

/* Digits of both, one after the other, until they differ. */
static int depth_by_digits(oc_place a, oc_place b)
{
    int depth = 0;
    while (depth < OC_DEPTH && oc_digit(a, depth) == oc_digit(b, depth))
        depth++;
    return depth;
}

static void digits_and_common_depth(void **)
{
    const uint32_t most = (1u << OC_DEPTH) - 1, half = 1u << (OC_DEPTH - 1);
    const oc_place corner = {0, 0, 0}, far_corner = {most, most, most};
    assert_int_equal(oc_common_depth(corner, corner), OC_DEPTH);
    assert_int_equal(oc_common_depth(corner, far_corner), 0);
    assert_int_equal(oc_common_depth(corner, oc_place{0, 0, 1}), OC_DEPTH - 1);
    assert_int_equal(oc_common_depth(oc_place{half - 1, 0, 0}, oc_place{half, 0, 0}), 0);
    assert_int_equal(oc_common_depth(oc_place{half, 0, 0}, oc_place{half + 1, 0, 0}), OC_DEPTH - 1);
    assert_int_equal(oc_digit(far_corner, 0), 7);
    assert_int_equal(oc_digit(far_corner, OC_DEPTH - 1), 7);
    assert_int_equal(oc_digit(oc_place{half, 0, 0}, 0), 4);
    assert_int_equal(oc_digit(oc_place{0, half, 0}, 0), 2);
    assert_int_equal(oc_digit(oc_place{0, 0, 1}, OC_DEPTH - 1), 1);
    for (uint64_t i = 0; i < 5000; i++) {
        const gb_random4 r = gb_random(2, 0, i), s = gb_random(3, 0, i);
        const oc_place a = {r.word[0] & most, r.word[1] & most, r.word[2] & most};
        const unsigned agree = r.word[3] % (OC_DEPTH + 1); /* leading bits that b shares */
        const uint32_t below = agree ? (1u << (OC_DEPTH - agree)) - 1 : most;
        const oc_place b = {(a.x & ~below) | (s.word[0] & below),
                            (a.y & ~below) | (s.word[1] & below),
                            (a.z & ~below) | (s.word[2] & below)};
        assert_int_equal(oc_common_depth(a, b), depth_by_digits(a, b));
        uint32_t x = 0, y = 0, z = 0;
        for (int depth = 0; depth < OC_DEPTH; depth++) {
            const uint32_t digit = oc_digit(a, depth);
            x = x << 1 | digit >> 2;
            y = y << 1 | (digit >> 1 & 1);
            z = z << 1 | (digit & 1);
        }
        assert_true(x == a.x && y == a.y && z == a.z);
    }
}

static void slots_tell_what_they_hold(void **)
{
    const uint32_t leaves[] = {0, 1, OC_CELL - 1}, cells[] = {OC_CELL, OC_CELL | OC_MOST_CELLS};
    for (uint32_t value : leaves)
        assert_true(oc_is_leaf(value) && !oc_is_cell(value));
    for (uint32_t value : cells)
        assert_true(oc_is_cell(value) && !oc_is_leaf(value));
    for (uint32_t value : {OC_EMPTY, OC_LOCKED})
        assert_true(!oc_is_cell(value) && !oc_is_leaf(value));
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static const char *const all_dists[] = {"plummer",         "cube",     "cube-morton", "uniform",
                                        "soneira-peebles", "clusters", "disc",        "line",
                                        "duplicates:7"};

static std::vector<oc_body> bodies_of(const gb_problem *p)
{
    std::vector<oc_body> bodies(p->shape.n);
    assert_int_equal(
        cudaMemcpy(bodies.data(), p->bodies, p->shape.n * sizeof(oc_body), cudaMemcpyDeviceToHost),
        cudaSuccess);
    return bodies;
}

/* Made on the device they are, to the bit, what the CPU makes of seed and number; the box holds
 * them, and none of its sides could be shorter. */
static void bodies_are_reproducible(void **)
{
    const uint64_t n = 3001;
    for (const char *dist : all_dists) {
        const gb_params params = point(n, dist, 1);
        gb_problem *p = open_problem(&params, 11);
        const oc_shape shape = oc_shape_of(&params);
        const oc_bodies made = oc_bodies_of(&shape, 11), others = oc_bodies_of(&shape, 12);
        const std::vector<oc_body> bodies = bodies_of(p);
        unsigned differ = 0;
        uint32_t most = 0;
        for (uint64_t i = 0; i < n; i++) {
            const oc_body b = oc_make_body(&made, i), other = oc_make_body(&others, i);
            assert_memory_equal(&b, &bodies[i], sizeof b);
            assert_true(isfinite(b.x) && isfinite(b.y) && isfinite(b.z) && b.mass == 1.0f);
            const double widest = fmax(b.x - p->box.x, fmax(b.y - p->box.y, b.z - p->box.z));
            assert_true(b.x >= p->box.x && b.y >= p->box.y && b.z >= p->box.z);
            assert_true(widest * p->box.scale <= (1 << OC_DEPTH) * 1.000001);
            differ += b.x != other.x || b.y != other.y || b.z != other.z;
            const oc_place at = oc_place_at(p->box, b.x, b.y, b.z);
            most = std::max({most, at.x, at.y, at.z});
        }
        assert_true(differ > n / 2); /* another seed, other bodies */
        assert_true(most >= (1u << OC_DEPTH) - 2);
        oc_close(p);
    }
}

static double radius_of(const oc_body &b)
{
    return sqrt((double)b.x * b.x + (double)b.y * b.y + (double)b.z * b.z);
}

/* The median distance of the bodies from the origin, and the greatest. */
static double median_radius(const char *dist, uint64_t n, double *greatest)
{
    const gb_params params = point(n, dist, 1);
    const oc_shape shape = oc_shape_of(&params);
    const oc_bodies made = oc_bodies_of(&shape, 5);
    std::vector<double> radius(n);
    for (uint64_t i = 0; i < n; i++)
        radius[i] = radius_of(oc_make_body(&made, i));
    std::sort(radius.begin(), radius.end());
    *greatest = radius[n - 1];
    return radius[n / 2];
}

/* Against the mass within a radius, which the models give in closed form. */
static void profiles(void **)
{
    double greatest;
    const double plummer = median_radius("plummer", 20001, &greatest);
    const double share = pow(0.4995, 1.0 / 3); /* of the cube root: half of 99.9 % */
    assert_true(fabs(plummer - share / sqrt(1 - share * share)) < 0.04);
    assert_true(greatest < 38.8 && greatest > 10);
    const double disc = median_radius("disc", 20001, &greatest);
    assert_true(fabs(disc - sqrt(1 / (0.525 * 0.525) - 1)) < 0.06);
    assert_true(greatest < 20 && greatest > 10);
}

/* How many of the cells of a depth, in a cube of side 2 around the unit cube, have bodies. */
static double occupied(const oc_bodies &made, int depth)
{
    std::set<uint64_t> cells;
    const double scale = (double)(1u << depth) / 2;
    for (uint64_t i = 0; i < made.n; i++) {
        const oc_body b = oc_make_body(&made, i);
        cells.insert(((uint64_t)((b.x + 0.5) * scale) << 40) |
                     ((uint64_t)((b.y + 0.5) * scale) << 20) | (uint64_t)((b.z + 0.5) * scale));
    }
    return (double)cells.size();
}

/* Cells half as large are more by two to the power of the dimension: of galaxies that is 1.23, from
 * the largest spheres down to where bodies are alone. */
static void a_dimension_below_three(void **)
{
    const gb_params params = point(200000, "soneira-peebles", 1);
    const oc_shape shape = oc_shape_of(&params);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const oc_bodies made = oc_bodies_of(&shape, seed);
        const double dimension = log2(occupied(made, 9) / occupied(made, 6)) / 3;
        if (fabs(dimension - 1.23) > 0.15) fail_msg("seed %d: %.3f", (int)seed, dimension);
    }
}

static void shapes_of_distributions(void **)
{
    const uint64_t n = 4096; /* a lattice of 16 a side */
    gb_params params = point(n, "cube-morton", 1);
    oc_shape shape = oc_shape_of(&params);
    const oc_bodies curve = oc_bodies_of(&shape, 5);
    params = point(n, "cube", 1);
    shape = oc_shape_of(&params);
    const oc_bodies rows = oc_bodies_of(&shape, 5);
    params = point(n, "disc", 1);
    shape = oc_shape_of(&params);
    const oc_bodies disc = oc_bodies_of(&shape, 5);
    params = point(n, "line", 1);
    shape = oc_shape_of(&params);
    const oc_bodies line = oc_bodies_of(&shape, 5);
    for (uint64_t i = 0; i < n; i++) {
        oc_body b = oc_make_body(&rows, i);
        assert_int_equal(
            ((uint64_t)(b.x * 16) * 16 + (uint64_t)(b.y * 16)) * 16 + (uint64_t)(b.z * 16), i);
        b = oc_make_body(&curve, i);
        const oc_place at = {(uint32_t)(b.x * 16), (uint32_t)(b.y * 16), (uint32_t)(b.z * 16)};
        uint64_t along = 0;
        for (int depth = OC_DEPTH - 4; depth < OC_DEPTH; depth++)
            along = along << 3 | oc_digit(at, depth);
        assert_int_equal(along, i);
        b = oc_make_body(&disc, i);
        assert_true(fabsf(b.z) <= 0.2f);
        b = oc_make_body(&line, i);
        assert_true(fabs(b.y - 0.618 * b.x) < 1e-6 && fabs(b.z - 0.25 * b.x) < 1e-6);
    }
}

/* duplicates:K has about n / K places, and no more. */
static void duplicates_share_places(void **)
{
    for (const char *dist : {"duplicates:1", "duplicates:10", "duplicates:1000000", "duplicates"}) {
        const uint64_t n = 1000, copies = strchr(dist, ':') ? strtoull(dist + 11, NULL, 10) : 16;
        const gb_params params = point(n, dist, 1);
        gb_problem *p = open_problem(&params, 4);
        std::vector<oc_body> bodies = bodies_of(p);
        const uint64_t most = (n + copies - 1) / copies;
        std::sort(bodies.begin(), bodies.end(),
                  [](const oc_body &a, const oc_body &b) { return a.x < b.x; });
        uint64_t places = 1;
        for (uint64_t i = 1; i < n; i++)
            places += bodies[i].x != bodies[i - 1].x;
        assert_true(places <= most && 2 * places >= most);
        oc_close(p);
    }
}

/* ---- points ---------------------------------------------------------------------------------- */

static void refuses(const char *dist, const char *grid, const char *words)
{
    gb_params params = point(5, dist, 1);
    params.value[OC_GRID].text = gb_text_kept(grid);
    const char *reason = oc_invalid(&params);
    if (!words) {
        if (reason) fail_msg("dist %s, grid %s: %s", dist, grid, reason);
    } else if (!reason || !strstr(reason, words)) {
        fail_msg("dist %s, grid %s: said %s, not ...%s...", dist, grid, reason ? reason : "nothing",
                 words);
    }
}

static void points(void **)
{
    for (const char *dist : all_dists)
        refuses(dist, "full", NULL);
    refuses("duplicates", "sms:1", NULL);
    refuses("duplicates:1073741824", "sms:4096", NULL);
    for (const char *dist :
         {"duplicates:0", "duplicates:", "duplicates:-1", "duplicates:1073741825",
          "duplicates:99999999999999999999", "duplicates:5x"})
        refuses(dist, "full", "takes a K from 1 to 1073741824");
    for (const char *grid : {"sms:0", "sms:", "sms:4097", "sms:x", "sms:1 "})
        refuses("cube", grid, "with K from 1 to 4096");
    const gb_params small = point(1000, "cube", 1, 50), large = point(1 << 30, "cube", 1, 3000);
    assert_int_equal(oc_shape_of(&small).pool, 500 + 4096);
    assert_int_equal(oc_shape_of(&large).pool, OC_MOST_CELLS);
    const gb_params many = point(5, "cube", 8), file = point(5, "file:a b.csv", 1);
    assert_non_null(strstr(oc_one_body(&many, &device), "leaf must be 1"));
    assert_null(oc_one_body(&small, &device));
    gb_params limited = point(5, "cube", 1);
    assert_null(oc_full_grid(&limited, &device));
    limited.value[OC_GRID].text = "sms:2";
    assert_non_null(strstr(oc_full_grid(&limited, &device), "grid must be full"));
    assert_string_equal(oc_shape_of(&file).path, "a b.csv");
}

/* An argument is a pattern of the cases to run: all without. */
int main(int argc, char **argv)
{
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_is_monotone),
        cmocka_unit_test(digits_and_common_depth),
        cmocka_unit_test(slots_tell_what_they_hold),
        cmocka_unit_test(bodies_are_reproducible),
        cmocka_unit_test(profiles),
        cmocka_unit_test(a_dimension_below_three),
        cmocka_unit_test(shapes_of_distributions),
        cmocka_unit_test(duplicates_share_places),
        cmocka_unit_test(points),
    };
    return cmocka_run_group_tests_name("octrees", tests, get_octree_device, NULL);
}
