/* Comparing results, by files that are made and not mutated: what the input says is which values,
 * axes, samples and schemas they have, so that it is judging that is reached, not the checks before
 * it. A comparison the other way round must say the opposite, all formats must be printable, and
 * each sample must belong to a row. */
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/tables.h"

#include "bench/compare/print.h"
#include "common/protocol/columns.h"
#include "common/text/csv.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <unistd.h>

enum { MOST_ROWS = 12, MOST_SAMPLES = 40 };

/* ---- the input as choices -------------------------------------------------------------------- */

static const uint8_t *input, *input_end;

/* A number below count; 0 where the input has ended. */
static unsigned pick(unsigned count)
{
    return input < input_end ? *input++ % count : 0;
}

/* True once in `once`. */
static bool rarely(unsigned once)
{
    return pick(once) == once - 1;
}

#define PICK(list) list[pick(sizeof(list) / sizeof *(list))]

/* ---- files ----------------------------------------------------------------------------------- */

static char folder[64], paths[2][80], samples_paths[2][96], meta_paths[2][96];
static bool must_refuse; /* something was written that no run writes */

static void remove_files(void)
{
    for (int side = 0; side < 2; side++) {
        unlink(paths[side]);
        unlink(samples_paths[side]);
        unlink(meta_paths[side]);
    }
    rmdir(folder);
}

static void make_folder(void)
{
    if (*folder) return;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/gpubench-fuzz-XXXXXX"
                                                 : "/tmp/gpubench-fuzz-XXXXXX");
    REQUIRE(mkdtemp(folder));
    for (int side = 0; side < 2; side++) {
        snprintf(paths[side], sizeof paths[side], "%s/%c.csv", folder, 'a' + side);
        snprintf(samples_paths[side], sizeof samples_paths[side], "%s/%c.samples.csv", folder,
                 'a' + side);
        snprintf(meta_paths[side], sizeof meta_paths[side], "%s/%c.meta.json", folder, 'a' + side);
    }
    atexit(remove_files);
}

/* A number that a run can have written, or at times one that it cannot. */
static void put_value(FILE *file, double value)
{
    static const char *const bad[] = {"nan", "-inf", "fast", "1e999", "0x10", "1,5"};
    if (rarely(200)) {
        gb_csv_put(file, PICK(bad), false);
        must_refuse = true;
    } else {
        fprintf(file, ",%.9g", value);
    }
}

typedef struct side_plan {
    FILE *csv, *samples;
    const char *device, *backend, *end; /* of lines */
    bool with_samples;
} side_plan;

static void put_samples(const side_plan *p, const char *point, const char *variant,
                        const char *cache, const double *times, unsigned count)
{
    if (!p->with_samples) return;
    for (unsigned i = 0; i < count; i++) {
        if (rarely(150)) continue; /* a gap */
        fprintf(p->samples, "run,%s,%s,%s,%u,%.9g%s", point, variant, cache, i, times[i], p->end);
        if (rarely(150)) fprintf(p->samples, "run,%s,%s%s", point, variant, p->end);
    }
}

static void put_row(const side_plan *p)
{
    static const char *const variants[] = {"v", "w", "x"}, *const dists[] = {"uniform", "zipf:1.1"},
                             *const ns[] = {"1", "2", "1000000", "3"},
                             *const caches[] = {"warm", "warm", "cold"},
                             *const scopes[] = {"device", "device", "host-to-host"},
                             *const states[] = {"ok", "ok", "ok",          "ok",    "ok",
                                                "ok", "ok", "unsupported", "wrong", "timeout"},
                             *const flags[] = {"", "drift", "throttled;cache-resident", "outliers"};
    static const double means[] = {1e-3, 1.01e-3, 1.001e-3, 2e-3, 1e-9, 1e-6, 1, 1e6, 1e-12};
    static const double spreads[] = {0.01, 0.001, 0.1, 0, 1e-9, 0.9};
    static const unsigned counts[] = {10, 30, 3, 1, 2, MOST_SAMPLES};
    const char *variant = PICK(variants), *n = PICK(ns), *dist = PICK(dists), *cache = PICK(caches),
               *scope = PICK(scopes), *state = PICK(states);
    const double mean = PICK(means), spread = PICK(spreads);
    const unsigned count = PICK(counts);
    double times[MOST_SAMPLES], sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += times[i] = mean * (1 + spread * ((double)(i * 7 % count) / count - 0.5));
    const double middle = sum / count;
    const char *schema = rarely(200) ? "2" : "1";
    must_refuse |= *schema == '2';
    fprintf(p->csv, "%s,run,e,p,%s,,%s,%s,%s,%s,%s,%s,%s,", schema, variant, p->backend, p->device,
            n, dist, cache, scope, state);
    if (strcmp(state, "ok") != 0) {
        fprintf(p->csv, "because,,items,,,,,,,,,,,%s", p->end);
        return;
    }
    fprintf(p->csv, ",%u,items,1000", count);
    put_value(p->csv, middle);
    put_value(p->csv, middle * (1 - spread));
    put_value(p->csv, middle * (1 + spread));
    put_value(p->csv, 1000 / middle);
    put_value(p->csv, 1000 / (middle * (1 + spread)));
    put_value(p->csv, 1000 / (middle * (1 - spread)));
    fprintf(p->csv, ",%u,%u,%u,%s%s", 1000 + pick(3) * 100, pick(2) * 2000, pick(2) * 300,
            PICK(flags), p->end);
    char point[64];
    snprintf(point, sizeof point, "n=%s;dist=%s", n, dist);
    put_samples(p, point, variant, cache, times, count);
}

static void write_side(int side)
{
    static const char *const devices[] = {"device A", "device A", "device B", "CPU"},
                             *const backends[] = {"cuda", "cuda", "opencl", "simt"},
                             *const ends[] = {"\n", "\n", "\r\n"},
                             *const marks[] = {"", "", "\xEF\xBB\xBF"};
    const char *mark = PICK(marks);
    side_plan p = {.csv = fopen(paths[side], "w"),
                   .device = PICK(devices),
                   .backend = PICK(backends),
                   .end = PICK(ends),
                   .with_samples = !rarely(6)};
    unlink(samples_paths[side]);
    if (p.with_samples) p.samples = fopen(samples_paths[side], "w");
    REQUIRE(p.csv && (p.samples || !p.with_samples));
    fprintf(p.csv,
            "%sschema,run_id,experiment,primitive,variant,instance,backend,device,n,dist,cache,"
            "scope,status,reason,samples,unit,items,time_mean_s,time_ci95_lo_s,time_ci95_hi_s,rate,"
            "rate_ci95_lo,rate_ci95_hi,sm_clock_mhz,mem_clock_mhz,power_w,flags%s",
            mark, p.end);
    if (p.with_samples)
        fprintf(p.samples, "%srun_id,point,variant,cache,index,time_s%s", mark, p.end);
    const unsigned rows = 1 + pick(MOST_ROWS);
    for (unsigned i = 0; i < rows; i++)
        put_row(&p);
    REQUIRE(fclose(p.csv) == 0);
    if (p.with_samples) REQUIRE(fclose(p.samples) == 0);
    FILE *meta = fopen(meta_paths[side], "w");
    REQUIRE(meta);
    fprintf(meta,
            "{\"schema\": 1, \"worker\": {\"toolkit\": \"12.%u\"}, \"device\": {\"sms\": %u}, "
            "\"ceilings\": {\"copy_bytes_per_s\": %u}}",
            pick(2), pick(200), pick(3) * 1000000);
    REQUIRE(fclose(meta) == 0);
}

/* ---- what must hold -------------------------------------------------------------------------- */

static const gb_judging *judging_of(void)
{
    static const double alphas[] = {0.05, 0.001}, effects[] = {0.01, 0, 0.2};
    static gb_judging judging;
    judging = (gb_judging){
        .alpha = PICK(alphas), .min_effect = PICK(effects), .view = pick(GB_VIEW_COUNT)};
    return &judging;
}

static void require_counts(const gb_comparison *c)
{
    size_t verdicts[GB_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < c->pair_count; i++) {
        const gb_pair *pair = &c->pairs[i];
        REQUIRE(pair->a->status == GB_OK && pair->b->status == GB_OK);
        REQUIRE(pair->verdict >= 0 && pair->verdict < GB_VERDICT_COUNT);
        REQUIRE(isfinite(pair->ratio.value) && pair->ratio.value >= 0);
        /* Rates and samples have nine digits. */
        REQUIRE(pair->ratio.lo <= pair->ratio.value * (1 + 1e-7));
        REQUIRE(pair->ratio.lo <= 0 || pair->ratio.hi >= pair->ratio.value * (1 - 1e-7));
        REQUIRE(!pair->tested || (pair->p >= 0 && pair->p <= 1 && pair->p_holm >= pair->p));
        verdicts[pair->verdict]++;
    }
    for (int v = 0; v < GB_VERDICT_COUNT; v++)
        REQUIRE(verdicts[v] == c->verdicts[v]);
}

/* B against A says the opposite of A against B, row by row; but for rows that are there twice. */
static void require_opposite(const gb_comparison *c, const gb_comparison *back)
{
    for (size_t i = 0; i < c->pair_count; i++)
        for (size_t k = 0; k < back->pair_count; k++) {
            const gb_pair *one = &c->pairs[i], *other = &back->pairs[k];
            if (one->a != other->b || one->b != other->a) continue;
            REQUIRE((one->ratio.value > 0) == (other->ratio.value > 0));
            if (one->ratio.value > 0)
                REQUIRE(fabs(one->ratio.value * other->ratio.value - 1) < 1e-7);
            REQUIRE(one->tested == other->tested);
            REQUIRE((one->verdict == GB_FASTER) == (other->verdict == GB_SLOWER) || !one->tested);
        }
}

static void print_everywhere(gb_sides *sides, const gb_judging *judging, const gb_comparison *c)
{
    char *text = NULL;
    size_t size = 0;
    gb_compare_output output = {.sides = sides,
                                .judging = judging,
                                .rows = GB_ALL_ROWS,
                                .file = open_memstream(&text, &size)};
    REQUIRE(output.file);
    gb_compare_begin_csv(&output);
    gb_compare_put_csv(&output, c);
    REQUIRE(fclose(output.file) == 0);
    gb_error error = {GB_OK, ""};
    gb_csv *csv = gb_csv_parse(text, size, "out.csv", &error);
    REQUIRE(csv && csv->row_count == (c->pair_count ? c->pair_count + c->unpaired_count : 0));
    gb_csv_free(csv);
    output.file = open_memstream(&text, &size);
    REQUIRE(output.file);
    gb_compare_begin_json(&output);
    gb_compare_put_json(&output, c);
    gb_compare_end_json(&output);
    REQUIRE(fclose(output.file) == 0);
    cJSON *json = cJSON_Parse(text);
    REQUIRE(json);
    cJSON_Delete(json);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *operands[] = {paths[0], paths[1]};
    gb_error error = {GB_OK, ""};
    gb_sides sides = {0};
    gb_choices none = {0};
    input = data;
    input_end = data + size;
    must_refuse = false;
    make_folder();
    const gb_judging *judging = judging_of();
    write_side(0);
    write_side(1);
    const bool good = gb_sides_load(&sides, operands, 2, &error);
    REQUIRE(good != must_refuse);
    if (!good) require_message(&error, folder);
    for (size_t i = 1; good && i < sides.count; i++) {
        gb_comparison c = {0}, back = {0};
        gb_compare_join(&sides, &sides.items[0], &sides.items[i], &none, &c);
        gb_compare_judge(&sides, judging, &c);
        gb_compare_join(&sides, &sides.items[i], &sides.items[0], &none, &back);
        gb_compare_judge(&sides, judging, &back);
        require_counts(&c);
        require_counts(&back);
        require_opposite(&c, &back);
        print_everywhere(&sides, judging, &c);
    }
    for (size_t s = 0; good && s < sides.operands[0].set_count; s++)
        fuzz_draw(&sides.arena, &sides.operands[0].sets[s], NULL);
    gb_sides_free(&sides);
    return 0;
}
