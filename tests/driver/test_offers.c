/* Which worker serves which device, and why: by made-up catalogues. */
#include "tests/driver/fixture.h"

#include "bench/worker/offers.h"

enum { MOST_DEVICES = 3, MOST_WORKERS = 3 };

/* A worker in a line: the devices end with one that has no name. */
typedef struct made_up {
    const char *command, *backend, *toolkit;
    struct {
        const char *name, *uuid;
        int index, arch, code;
        bool usable;
        const char *reason;
    } devices[MOST_DEVICES];
} made_up;

static gb_catalogue catalogues[MOST_WORKERS];
static gb_catalogue_device devices[MOST_WORKERS][MOST_DEVICES];
static gb_described workers[MOST_WORKERS];

/* These workers' devices; the caller frees the list. */
static gb_offer *offers_of(const made_up *given, size_t count, size_t *offers)
{
    for (size_t i = 0; i < count; i++) {
        gb_catalogue *catalogue = &catalogues[i];
        *catalogue = (gb_catalogue){.backend = (char *)given[i].backend,
                                    .toolkit = (char *)given[i].toolkit,
                                    .devices = devices[i]};
        for (int j = 0; j < MOST_DEVICES && given[i].devices[j].name; j++) {
            const char *reason = given[i].devices[j].reason;
            devices[i][catalogue->device_count++] =
                (gb_catalogue_device){.name = (char *)given[i].devices[j].name,
                                      .uuid = (char *)given[i].devices[j].uuid,
                                      .index = given[i].devices[j].index,
                                      .arch = given[i].devices[j].arch,
                                      .code = given[i].devices[j].code,
                                      .usable = given[i].devices[j].usable,
                                      .reason = (char *)(reason ? reason : "")};
        }
        workers[i] = (gb_described){.command = (char *)given[i].command, .catalogue = catalogue};
    }
    return gb_offers(workers, count, offers);
}

static void assert_offer(const gb_offer *offer, const char *name, const char *worker, int index,
                         const char *why)
{
    assert_string_equal(offer->device->name, name);
    assert_string_equal(workers[offer->worker].command, worker);
    assert_ptr_equal(offer->catalogue, workers[offer->worker].catalogue);
    assert_int_equal(offer->index, index);
    assert_string_equal(offer->why, why);
}

#define NEW "/b/gpubench-cuda"
#define OLD "/b/gpubench-cuda11"

static void kepler_and_hopper(void **state)
{
    (void)state;
    static const made_up given[] = {
        {NEW,
         "cuda",
         "13.0",
         {{"Hopper", "GPU-h", 0, 900, 900, true, NULL},
          {"Kepler", "GPU-k", 1, 350, 0, false,
           "no code for sm_35 (this worker is built for sm_90); get CUDA 11.8"}}},
        {OLD,
         "cuda",
         "11.8",
         {{"Kepler", "GPU-k", 0, 350, 350, true, NULL},
          {"Hopper", "GPU-h", 1, 900, 0, true, NULL}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 2, &count);
    assert_int_equal(count, 2);
    assert_offer(&offers[0], "Hopper", NEW, 0,
                 "CUDA 13.0 has machine code for sm_90; gpubench-cuda11 (CUDA 11.8) has PTX only");
    /* its index is the newer worker's, where --device looks for it */
    assert_offer(&offers[1], "Kepler", OLD, 1,
                 "CUDA 11.8 has machine code for sm_35; gpubench-cuda (CUDA 13.0) has no code for "
                 "sm_35");
    assert_int_equal(offers[1].device->index, 0);
    free(offers);
}

/* In whatever order the workers are found. */
static void newer_toolkit_wins(void **state)
{
    (void)state;
    static const made_up given[] = {
        {OLD, "cuda", "9.2", {{"Volta", "GPU-v", 0, 700, 700, true, NULL}}},
        {NEW, "cuda", "12.10", {{"Volta", "GPU-v", 0, 700, 700, true, NULL}}},
        {"/b/gpubench-cuda12", "cuda", "12.9", {{"Volta", "GPU-v", 0, 700, 700, true, NULL}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 3, &count);
    assert_int_equal(count, 1);
    assert_offer(&offers[0], "Volta", NEW, 0,
                 "CUDA 12.10 has machine code for sm_70; gpubench-cuda11 (CUDA 9.2) is older; "
                 "gpubench-cuda12 (CUDA 12.9) is older");
    free(offers);
}

static void machine_code_beats_ptx(void **state)
{
    (void)state;
    static const made_up given[] = {
        {NEW, "cuda", "12.8", {{"Turing", "GPU-t", 0, 750, 0, true, NULL}}},
        {OLD, "cuda", "11.8", {{"Turing", "GPU-t", 0, 750, 700, true, NULL}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 2, &count);
    assert_int_equal(count, 1);
    assert_offer(
        &offers[0], "Turing", OLD, 0,
        "CUDA 11.8 has machine code for sm_70, which sm_75 runs; gpubench-cuda (CUDA 12.8) "
        "has PTX only");
    free(offers);
}

static void ptx_beats_nothing(void **state)
{
    (void)state;
    static const made_up given[] = {
        {NEW, "cuda", "13.0", {{"New", "GPU-n", 0, 1300, 0, false, "no code for sm_130"}}},
        {OLD, "cuda", "11.8", {{"New", "GPU-n", 0, 1300, 0, true, NULL}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 2, &count);
    assert_int_equal(count, 1);
    assert_offer(&offers[0], "New", OLD, 0,
                 "CUDA 11.8 has PTX, which the GPU's driver compiles for sm_130; gpubench-cuda "
                 "(CUDA 13.0) has no code for sm_130");
    free(offers);
}

/* A device that the newer toolkit does not see has an index that is another's there. */
static void different_sets(void **state)
{
    (void)state;
    static const made_up given[] = {
        {NEW, "cuda", "13.0", {{"Hopper", "GPU-h", 0, 900, 900, true, NULL}}},
        {OLD,
         "cuda",
         "11.8",
         {{"Kepler", "GPU-k", 0, 350, 350, true, NULL},
          {"Pascal", "GPU-p", 1, 600, 600, true, NULL}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 2, &count);
    assert_int_equal(count, 3);
    assert_offer(
        &offers[0], "Hopper", NEW, 0,
        "CUDA 13.0 has machine code for sm_90; gpubench-cuda11 (CUDA 11.8) does not see it");
    assert_offer(&offers[1], "Kepler", OLD, -1,
                 "CUDA 11.8 has machine code for sm_35; gpubench-cuda (CUDA 13.0) does not see it");
    assert_offer(&offers[2], "Pascal", OLD, 1,
                 "CUDA 11.8 has machine code for sm_60; gpubench-cuda (CUDA 13.0) does not see it");
    free(offers);
}

static void unusable_by_all(void **state)
{
    (void)state;
    static const made_up given[] = {
        {NEW, "cuda", "13.0", {{"Fermi", "GPU-f", 0, 200, 0, false, "no code; rebuild"}}},
        {OLD, "cuda", "11.8", {{"Fermi", "GPU-f", 0, 200, 0, false, "none either (built); no"}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 2, &count);
    assert_int_equal(count, 1);
    assert_offer(&offers[0], "Fermi", NEW, 0,
                 "no code; rebuild; gpubench-cuda11 (CUDA 11.8) has none either");
    assert_false(offers[0].device->usable);
    free(offers);
}

/* The same UUID on another back-end is another device: OpenCL's kernels are others. */
static void back_ends_apart(void **state)
{
    (void)state;
    static const made_up given[] = {
        {NEW, "cuda", "13.0", {{"GPU", "GPU-g", 0, 900, 900, true, NULL}}},
        {"/b/gpubench-simt",
         "simt",
         "none",
         {{"CPU", "", 0, 900, 0, true, NULL}, {"CPU 2", "", 1, 900, 0, true, NULL}}},
        {"/b/gpubench-opencl", "opencl", "3.0", {{"GPU", "GPU-g", 0, 0, 0, true, NULL}}},
    };
    size_t count;
    gb_offer *offers = offers_of(given, 3, &count);
    assert_int_equal(count, 4);
    assert_offer(&offers[0], "GPU", NEW, 0, "CUDA 13.0 has machine code for sm_90");
    assert_offer(&offers[1], "CPU", "/b/gpubench-simt", 0, "no other worker has it");
    assert_offer(&offers[2], "CPU 2", "/b/gpubench-simt", 1, "no other worker has it");
    assert_offer(&offers[3], "GPU", "/b/gpubench-opencl", 0, "no other worker has it");
    free(offers);
}

static void no_device(void **state)
{
    (void)state;
    static const made_up given[] = {{NEW, "cuda", "13.0", {{0}}}, {OLD, "cuda", "11.8", {{0}}}};
    size_t count;
    assert_null(offers_of(given, 2, &count));
    assert_int_equal(count, 0);
    workers[0].catalogue = workers[1].catalogue = NULL; /* neither answered */
    assert_null(gb_offers(workers, 2, &count));
    assert_int_equal(count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kepler_and_hopper),      cmocka_unit_test(newer_toolkit_wins),
        cmocka_unit_test(machine_code_beats_ptx), cmocka_unit_test(ptx_beats_nothing),
        cmocka_unit_test(different_sets),         cmocka_unit_test(unusable_by_all),
        cmocka_unit_test(back_ends_apart),        cmocka_unit_test(no_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
