/* Writes a file as NVBench's --jsonbin does, by its documented format alone and not by our own
 * writer: nvbench_file FILE reads lines BENCHMARK AXES MEAN-US SD SAMPLES from standard input, the
 * axes as "n=1024,type=I32" or "-", the deviation as a part of the mean. The samples have exactly
 * that mean and deviation. SAMPLES "skip": the state was skipped. Lines of one benchmark stand
 * together. NVBENCH_KEEP=no: as --json, without files of samples; NVBENCH_DEVICE names the device.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct state {
    char benchmark[64], axes[256], samples[16];
    double mean, sd;
} state;

static void put_value(FILE *out, const char *name, const char *type, const char *value)
{
    fprintf(out, "{\"name\": \"%s\", \"type\": \"%s\", \"value\": \"%s\"}", name, type, value);
}

static void put_summary(FILE *out, const char *tag, const char *type, double value, int first)
{
    char text[64];
    snprintf(text, sizeof text, strcmp(type, "int64") == 0 ? "%.0f" : "%.17g", value);
    fprintf(out, "%s\n{\"tag\": \"%s\", \"name\": \"x\", \"hint\": \"x\", \"data\": [",
            first ? "" : ",", tag);
    put_value(out, "value", type, text);
    fputs("]}", out);
}

/* The samples stand in a row of even distances, out of order, about the mean. */
static double sample(const state *s, int i, int count)
{
    const double place = (i * 7 % count - (count - 1) / 2.0) / sqrt(count * (count + 1) / 12.0);
    return s->mean * 1e-6 * (count > 1 ? 1 + s->sd * place : 1);
}

static void put_samples(FILE *out, const char *path, const state *s, int count, int number)
{
    char folder[512], name[600], size[16];
    snprintf(folder, sizeof folder, "%s-bin", path);
    snprintf(name, sizeof name, "%s/%d.bin", folder, number);
    snprintf(size, sizeof size, "%d", count);
    mkdir(folder, 0777);
    FILE *bin = fopen(name, "wb");
    if (!bin) exit(1);
    for (int i = 0; i < count; i++) {
        const float value = (float)sample(s, i, count);
        uint32_t bits;
        memcpy(&bits, &value, 4);
        for (int b = 0; b < 4; b++)
            putc((int)(bits >> 8 * b & 255), bin);
    }
    fclose(bin);
    fputs(",\n{\"tag\": \"nv/json/bin:nv/cold/sample_times\", \"name\": \"Samples Times File\", "
          "\"hint\": \"file/sample_times\", \"data\": [",
          out);
    put_value(out, "filename", "string", name);
    fputs(", ", out);
    put_value(out, "size", "int64", size);
    fputs("]}", out);
}

static void put_axes(FILE *out, char *axes)
{
    int first = 1;
    for (char *axis = strtok(axes, ","); axis; axis = strtok(NULL, ",")) {
        char *equals = strchr(axis, '=');
        if (!equals) break;
        *equals = '\0';
        if (!first) fputs(", ", out);
        first = 0;
        put_value(out, axis,
                  strspn(equals + 1, "0123456789") == strlen(equals + 1) ? "int64" : "string",
                  equals + 1);
    }
}

static void put_state(FILE *out, const char *path, state *s, int number)
{
    const int skipped = strcmp(s->samples, "skip") == 0, count = atoi(s->samples);
    const char *keep = getenv("NVBENCH_KEEP");
    fprintf(out, "{\"name\": \"Device=0 %s\", \"device\": 0, \"type_config_index\": 0, ", s->axes);
    if (strcmp(s->axes, "-") == 0) {
        fputs("\"axis_values\": null, \"summaries\": ", out);
    } else {
        fputs("\"axis_values\": [", out);
        put_axes(out, s->axes);
        fputs("], \"summaries\": ", out);
    }
    if (skipped) {
        fputs("null, \"is_skipped\": true, \"skip_reason\": \"too large\"}", out);
        return;
    }
    putc('[', out);
    put_summary(out, "nv/cold/sample_size", "int64", count, 1);
    put_summary(out, "nv/cold/time/cpu/mean", "float64", 1, 0);
    put_summary(out, "nv/cold/time/gpu/mean", "float64", s->mean * 1e-6, 0);
    put_summary(out, "nv/cold/time/gpu/stdev/relative", "float64", s->sd, 0);
    put_summary(out, "nv/cold/bw/item_rate", "float64", 1000 / (s->mean * 1e-6), 0);
    put_summary(out, "nv/cold/bw/global/utilization", "float64", 0.5, 0);
    put_summary(out, "nv/cold/sm_clock_rate/mean", "float64", 1.5e9, 0);
    if (!keep || strcmp(keep, "no") != 0) put_samples(out, path, s, count, number);
    fputs("], \"is_skipped\": false}", out);
}

int main(int argc, char **argv)
{
    const char *device = getenv("NVBENCH_DEVICE");
    char before[64] = "";
    state s;
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!out) return 1;
    fprintf(
        out,
        "{\"meta\": {\"argv\": [\"bench\"], \"version\": {\"json\": {\"major\": 1, \"minor\": 0, "
        "\"patch\": 0, \"string\": \"1.0.0\"}}},\n\"devices\": [{\"id\": 0, \"name\": \"%s\", "
        "\"sm_version\": 900}],\n\"benchmarks\": [",
        device ? device : "device A");
    for (int number = 0;
         scanf("%63s %255s %lf %lf %15s", s.benchmark, s.axes, &s.mean, &s.sd, s.samples) == 5;
         number++) {
        if (strcmp(before, s.benchmark) != 0)
            fprintf(out, "%s{\"name\": \"%s\", \"index\": 0, \"axes\": null, \"states\": [",
                    *before ? "]},\n" : "\n", s.benchmark);
        else
            fputs(",\n", out);
        strcpy(before, s.benchmark);
        put_state(out, argv[1], &s, number);
    }
    fputs(*before ? "]}\n]}\n" : "]}\n", out);
    return fclose(out) != 0;
}
