/* Reading files of float32. */
#include "bench/foreign/samples.h"

#include "common/text/file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sum of float32 has their mean as near as this. */
static const double same_mean = 1e-5;

/* The folder of the JSON, with its slash; "" where it names none. */
static const char *folder_of(const gb_foreign_reader *reader)
{
    const char *slash = strrchr(reader->json.file, '/');
    return slash ? gb_arena_strndup(reader->arena, reader->json.file,
                                    (size_t)(slash + 1 - reader->json.file))
                 : "";
}

/* "out/base.json-bin/3.bin" -> "base.json-bin/3.bin" */
static const char *last_two(const char *name)
{
    const char *slash = strrchr(name, '/'), *at = slash;
    while (at && at > name && at[-1] != '/')
        at--;
    return at ? at : name;
}

static const char *find(gb_foreign_reader *reader, const char *name)
{
    const char *folder = folder_of(reader);
    const char *places[] = {gb_arena_printf(reader->arena, "%s%s", folder, name),
                            gb_arena_printf(reader->arena, "%s%s", folder, last_two(name)), name};
    for (size_t i = *name == '/' ? 1 : 0; i < sizeof places / sizeof *places; i++)
        if (access(places[i], F_OK) == 0) return places[i];
    gb_json_refuse(&reader->json,
                   "there is no file of samples %s; NVBench's --jsonbin writes them into a folder "
                   "beside the file: they go together",
                   places[1]);
    return NULL;
}

static double float_at(const unsigned char *at)
{
    const uint32_t bits =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool decode(gb_foreign_reader *reader, const char *path, const unsigned char *bytes,
                   size_t count, gb_foreign_entry *entry)
{
    double *times = gb_arena_alloc(reader->arena, count * sizeof *times), sum = 0;
    for (size_t i = 0; i < count; i++) {
        times[i] = float_at(bytes + 4 * i);
        if (!isfinite(times[i]) || times[i] < 0)
            return gb_json_refuse(&reader->json, "%s: sample %zu is %g; a time in s is allowed",
                                  path, i + 1, times[i]);
        sum += times[i];
    }
    const double mean = sum / (double)count;
    if (fabs(mean - entry->mean) > same_mean * entry->mean)
        return gb_json_refuse(&reader->json,
                              "%s: the mean of its samples is %.9g s, that of the state %.9g s: "
                              "was the file of samples written by another run?",
                              path, mean, entry->mean);
    entry->times = times;
    entry->count = count;
    return true;
}

bool gb_samples_binary(gb_foreign_reader *reader, const char *name, size_t count,
                       gb_foreign_entry *entry)
{
    const char *path = find(reader, name);
    size_t size;
    gb_error error = {GB_OK, ""};
    if (!path) return false;
    char *bytes = gb_file_read(path, "a file of samples", 4 * count, &size, GB_WRONG, &error);
    if (!bytes) return gb_json_refuse(&reader->json, "%s", error.text);
    bool good = size == 4 * count;
    if (good)
        good = decode(reader, path, (const unsigned char *)bytes, count, entry);
    else
        gb_json_refuse(&reader->json,
                       "%s has %zu bytes; %zu samples of 4 bytes are said to be in it", path, size,
                       count);
    free(bytes);
    return good;
}
