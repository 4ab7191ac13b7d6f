/* What the tests of result files share: a small experiment in a folder of its own. */
#ifndef GB_TESTS_DRIVER_RESULTS_FIXTURE_H
#define GB_TESTS_DRIVER_RESULTS_FIXTURE_H

#include "bench/record/results.h"
#include "common/text/csv.h"
#include "tests/driver/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static gb_catalogue *catalogue;
static gb_config config;
static unsigned variants[] = {0, 1};
static gb_params points[3];
static char folder[64], csv_path[128], samples_path[128], meta_path[128];
static gb_output_setup setup;
static const double times[] = {1e-3, 1.1e-3, 1.2e-3, 1.1e-3, 1e-3};

static inline int prepare(void **state)
{
    (void)state;
    static const char *const values[3][5] = {{"1000000", "40", "uniform", "range", "none"},
                                             {"0", "40", "uniform", "range", "none"},
                                             {"1000000", "64", "distinct:2", "range", "u32"}};
    catalogue = fixture_catalogue();
    config = (gb_config){.name = "demo",
                         .text = "{}",
                         .path = "demo.json",
                         .primitive = &catalogue->primitives[0],
                         .variants = variants,
                         .variant_count = 2,
                         .points = points,
                         .point_count = 3,
                         .seed = 7};
    for (int p = 0; p < 3; p++) {
        for (int a = 0; a < 5; a++)
            points[p].value[a].text = values[p][a];
    }
    strcpy(folder, "/tmp/test_results_XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(csv_path, sizeof csv_path, "%s/demo.csv", folder);
    snprintf(samples_path, sizeof samples_path, "%s/demo.samples.csv", folder);
    snprintf(meta_path, sizeof meta_path, "%s/demo.meta.json", folder);
    setup = (gb_output_setup){.config = &config,
                              .device = &catalogue->devices[0],
                              .backend = "simt",
                              .copy_bytes_per_s = 1e9,
                              .folder = folder,
                              .run_id = "run-1"};
    return 0;
}

static inline int clean(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    gb_catalogue_free(catalogue);
    return system(command);
}

static inline gb_output open_output(void)
{
    gb_output output;
    gb_error error = {GB_OK, ""};
    if (!gb_output_open(&output, &setup, &error)) fail_msg("%s", error.text);
    return output;
}

static inline void refuse_output(const char *fragment)
{
    gb_output output;
    gb_error error = {GB_OK, ""};
    assert_false(gb_output_open(&output, &setup, &error));
    assert_says(error.text, fragment, "opening the output");
}

static inline gb_row make_row(int point, unsigned variant, gb_status status)
{
    gb_row row = {.point = &points[point],
                  .variant = variant,
                  .status = status,
                  .opened = true,
                  .work = {1000000, 8000000, 0, 8000000},
                  .started_utc = "2025-01-31T00:00:00Z"};
    if (status == GB_OK)
        row.stats = gb_stats_of(times, 5);
    else
        strcpy(row.reason, "because, \"so\"\nit is");
    return row;
}

static inline void write_row(gb_output *output, int point, unsigned variant, gb_status status)
{
    gb_row row = make_row(point, variant, status);
    gb_error error = {GB_OK, ""};
    bool good = gb_output_write(output, &row, times, status == GB_OK ? 5 : 0, &error);
    if (!good) fail_msg("%s", error.text);
}

static inline void append_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static inline gb_csv *read_csv(const char *path)
{
    gb_error error = {GB_OK, ""};
    gb_csv *csv = gb_csv_read(path, &error);
    if (!csv) fail_msg("%s", error.text);
    return csv;
}

static inline off_t size_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status.st_size : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, clean)

#endif
