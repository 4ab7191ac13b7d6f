// test: fast
/* How right auto is where it was not measured: at points that are taken out of the H200's table,
 * and at those of an H100, by the H200's table alone. Everything is read from results/. */
#include "tests/harness/device.cuh"

#include "common/text/csv.h"
#include "common/text/file.h"
#include "kernels/multipartition/partition/partition.h"
#include "kernels/multipartition/partition/tuning.h"

#include <cjson/cJSON.h>
#include <map>
#include <math.h>
#include <string.h>
#include <string>
#include <vector>

static gb_device h200()
{
    gb_device device = {};
    device.arch = 900;
    device.sms = 132;
    device.shared_per_sm = 228 << 10;
    device.shared_optin = 227 << 10;
    device.l2_bytes = 62914560;
    return device;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

static double number_of(const char *path, const char *group, const char *name)
{
    gb_error error;
    size_t length;
    char *text = gb_file_read(path, "a meta file", 1 << 26, &length, GB_WRONG, &error);
    assert_non_null(text);
    cJSON *meta = cJSON_Parse(text);
    const cJSON *number =
        cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(meta, group), name);
    assert_true(cJSON_IsNumber(number));
    const double value = number->valuedouble;
    cJSON_Delete(meta);
    free(text);
    return value;
}

/* The rows of a point: mean seconds of each of our methods, and what auto and auto-stable chose. */
struct rows_of_point {
    mp_request request;
    double seconds[MP_METHODS];
    std::string chosen[2];
    bool uniform; /* keys, and bins by MP_RANGE: as in most of the table */
};

static unsigned bytes_of(const std::string &type)
{
    return type == "u32" ? 4 : type == "u64" ? 8 : type == "u128" ? 16 : 0;
}

static mp_keys keys_of(const std::string &dist)
{
    if (dist == "sorted") return MP_KEYS_SORTED;
    if (dist == "zipf") return MP_KEYS_SKEWED;
    return dist == "constant" || dist.compare(0, 9, "distinct:") == 0 ? MP_KEYS_FEW : MP_KEYS_ANY;
}

static std::vector<rows_of_point> read_rows(const char *path)
{
    gb_error error;
    gb_csv *csv = gb_csv_read(path, &error);
    assert_non_null(csv);
    std::map<std::string, size_t> at;
    std::vector<rows_of_point> points;
    for (size_t i = 0; i < csv->row_count; i++) {
        const auto field = [&](const char *name) {
            return std::string(gb_csv_field(csv, i, name));
        };
        if (field("status") != "ok" || field("function") == "max") continue;
        const std::string point = field("n") + field("bins") + ";" + field("dist") + ";" +
                                  field("function") + ";" + field("type") + field("payload");
        if (!at.count(point)) {
            at[point] = points.size();
            points.push_back(rows_of_point());
            mp_request &r = points.back().request;
            r.n = strtoull(field("n").c_str(), NULL, 10);
            r.bins = (uint32_t)strtoul(field("bins").c_str(), NULL, 10);
            r.key_bytes = bytes_of(field("type"));
            r.payload_bytes = bytes_of(field("payload"));
            r.keys = keys_of(field("dist"));
            points.back().uniform = field("dist") == "uniform" && field("function") == "range";
        }
        rows_of_point &p = points[at[point]];
        for (int m = MP_AUTO + 1; m < MP_METHODS; m++)
            if (field("variant") == mp_method_name((mp_method)m))
                p.seconds[m] = strtod(field("time_mean_s").c_str(), NULL);
        if (field("variant") == "auto") p.chosen[0] = field("instance");
        if (field("variant") == "auto-stable") p.chosen[1] = field("instance");
    }
    gb_csv_free(csv);
    return points;
}

/* The compiled-in points of one GPU. */
static std::vector<mp_tuned> table_of(const char *gpu)
{
    std::vector<mp_tuned> table;
    for (unsigned i = 0; i < mp_tuning_count; i++)
        if (strcmp(mp_tuning[i].gpu, gpu) == 0) table.push_back(mp_tuning[i]);
    assert_true(table.size() > 100);
    return table;
}

/* ---- judging ----------------------------------------------------------------------------------
 */

struct losses {
    unsigned points, missed; /* by more than 3 % */
    double worst, sum;
};

/* What taking a method costs where seconds were measured; one that was not measured is no loss of
 * this table's: nobody can say. */
static void judge(losses *l, const double seconds[MP_METHODS], bool stable, mp_method taken)
{
    double least = 0;
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++) {
        if (!(seconds[m] > 0) || (stable && !mp_is_stable((mp_method)m))) continue;
        if (least == 0 || seconds[m] < least) least = seconds[m];
    }
    if (least == 0 || !(seconds[taken] > 0)) return;
    const double ratio = least / seconds[taken];
    l->points++;
    l->missed += ratio < 0.97;
    l->worst = l->points == 1 ? ratio : fmin(l->worst, ratio);
    l->sum += log(ratio);
}

static void print(const char *what, const losses *l)
{
    print_message("%-52s %3u points, %2u missed by more than 3 %%, worst %.3f, mean loss %.2f %%\n",
                  what, l->points, l->missed, l->worst, 100 * (1 - exp(l->sum / l->points)));
}

/* The rule of before: the fastest at the nearest point. */
static mp_method nearest_point(const std::vector<mp_tuned> &table, const mp_request *r,
                               const gb_device *device)
{
    const auto octaves = [](double a, double b) { return fabs(log2((a + 1) / (b + 1))); };
    const mp_tuned *found = NULL;
    double least = INFINITY;
    for (const mp_tuned &t : table) {
        double far = t.keys == r->keys ? 0 : t.keys == MP_KEYS_ANY ? 1000 : 2000;
        far +=
            100 * (octaves(t.key_bytes, r->key_bytes) + octaves(t.payload_bytes, r->payload_bytes));
        far += octaves((double)t.n, (double)r->n) + octaves(t.bins, r->bins);
        if (far < least) found = &t;
        least = fmin(least, far);
    }
    /* Of one point alone, on its own device, the chooser takes the fastest there. */
    mp_tuned alone = *found;
    gb_device there = *device;
    there.arch = alone.arch;
    there.sms = alone.sms;
    alone.copy_bytes_per_s = 0;
    return mp_choose_from(&alone, 1, r, &there, NULL);
}

static void points_that_are_taken_out_are_chosen_by_their_neighbours(void **state)
{
    (void)state;
    const std::vector<mp_tuned> table = table_of("NVIDIA H200");
    losses before[2] = {}, now[2] = {};
    for (size_t i = 0; i < table.size(); i++) {
        std::vector<mp_tuned> others = table;
        others.erase(others.begin() + (long)i);
        gb_device device = h200();
        device.copy_bytes_per_s = table[i].copy_bytes_per_s;
        for (int stable = 0; stable < 2; stable++) {
            mp_request r = {};
            r.n = table[i].n;
            r.bins = table[i].bins;
            r.key_bytes = table[i].key_bytes;
            r.payload_bytes = table[i].payload_bytes;
            r.keys = table[i].keys;
            r.stable = stable;
            judge(&before[stable], table[i].seconds, stable, nearest_point(others, &r, &device));
            judge(&now[stable], table[i].seconds, stable,
                  mp_choose_from(others.data(), (unsigned)others.size(), &r, &device, NULL));
        }
    }
    print("H200, its own point taken out: nearest point", &before[0]);
    print("H200, its own point taken out: auto", &now[0]);
    print("H200, its own point taken out: nearest point, stable", &before[1]);
    print("H200, its own point taken out: auto-stable", &now[1]);
    assert_true(now[0].points > 280 && now[1].points > 280);
    assert_true(now[0].missed <= 29 && now[0].worst > 0.65);
    assert_true(now[1].missed <= 35 && now[1].worst > 0.39);
}

/* On a GPU by another one's table. */
static void another_gpu(const char *name, const char *folder, const char *experiment,
                        unsigned most_missed, unsigned most_missed_stable)
{
    const std::string stem = std::string("results/") + folder + "/" + experiment;
    const std::string meta = stem + ".meta.json";
    const std::vector<rows_of_point> points = read_rows((stem + ".csv").c_str());
    const std::vector<mp_tuned> table = table_of("NVIDIA H200");
    gb_device device = h200();
    device.copy_bytes_per_s = number_of(meta.c_str(), "ceilings", "copy_bytes_per_s");
    device.l2_bytes = (uint64_t)number_of(meta.c_str(), "device", "l2_bytes");
    const unsigned most[2] = {most_missed, most_missed_stable};
    for (int stable = 0; stable < 2; stable++) {
        losses then = {}, before = {}, now = {};
        for (const rows_of_point &p : points) {
            mp_request r = p.request;
            r.stable = stable;
            for (int m = MP_AUTO + 1; m < MP_METHODS; m++)
                if (p.chosen[stable] == mp_method_name((mp_method)m))
                    judge(&then, p.seconds, stable, (mp_method)m);
            judge(&before, p.seconds, stable, nearest_point(table, &r, &device));
            judge(&now, p.seconds, stable,
                  mp_choose_from(table.data(), (unsigned)table.size(), &r, &device, NULL));
        }
        const std::string of = std::string(name) + ", " + experiment + (stable ? ", stable" : "");
        print((of + ": as its rows say").c_str(), &then);
        print((of + ": nearest point").c_str(), &before);
        print((of + ": auto").c_str(), &now);
        assert_true(now.points >= 26);
        assert_true(now.missed <= most[stable] && now.missed <= before.missed);
    }
}

static void the_h200s_table_serves_an_h100(void **state)
{
    (void)state;
    another_gpu("H100", "nvidia-h100-80gb-hbm3", "multipartition-modern", 3, 3);
    another_gpu("H100", "nvidia-h100-80gb-hbm3", "multipartition-small", 1, 0);
}

static void between_its_points_the_h200s_table_serves_it(void **state)
{
    (void)state;
    another_gpu("H200", "nvidia-h200", "multipartition-modern", 1, 1);
    another_gpu("H200", "nvidia-h200", "multipartition-small", 0, 0);
}

/* Expected times of an H100 by the H200's rows are right on average. */
static void expected_times_are_right_on_average(void **state)
{
    (void)state;
    const std::vector<rows_of_point> points =
        read_rows("results/nvidia-h100-80gb-hbm3/multipartition-modern.csv");
    const std::vector<mp_tuned> table = table_of("NVIDIA H200");
    const char *meta = "results/nvidia-h100-80gb-hbm3/multipartition-modern.meta.json";
    gb_device device = h200();
    device.copy_bytes_per_s = number_of(meta, "ceilings", "copy_bytes_per_s");
    device.l2_bytes = (uint64_t)number_of(meta, "device", "l2_bytes");
    double sum = 0, squares = 0, expected[MP_METHODS];
    unsigned count = 0;
    for (const rows_of_point &p : points) {
        if (!p.uniform) continue;
        (void)mp_expect(table.data(), (unsigned)table.size(), &p.request, &device, expected);
        for (int m = MP_AUTO + 1; m < MP_METHODS; m++) {
            if (!(p.seconds[m] > 0) || !(expected[m] > 0)) continue;
            const double off = log(expected[m] / p.seconds[m]);
            count++;
            sum += off;
            squares += off * off;
        }
    }
    const double mean = sum / count, spread = sqrt(squares / count - mean * mean);
    print_message("H100's times by the H200's table: %u rows, off by %.1f %%, spread %.1f %%\n",
                  count, 100 * mean, 100 * spread);
    assert_true(count > 300 && fabs(mean) < 0.05 && spread < 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_are_taken_out_are_chosen_by_their_neighbours),
        cmocka_unit_test(the_h200s_table_serves_an_h100),
        cmocka_unit_test(between_its_points_the_h200s_table_serves_it),
        cmocka_unit_test(expected_times_are_right_on_average),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
