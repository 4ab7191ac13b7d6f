/* Writing results in the format of another tool. */
#include "bench/foreign/export.h"

#include "bench/util/replace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const gb_export_names[GB_EXPORT_FORMATS + 1] = {
    [GB_EXPORT_NVBENCH] = "nvbench", [GB_EXPORT_GOOGLE] = "google-benchmark"};

bool gb_foreign_export(const gb_foreign *file, const gb_export_run *run, gb_export_format format,
                       const char *path, gb_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool good = out != NULL;
    if (!good) gb_fail(error, GB_CRASHED, "%s: out of memory", path);
    if (good)
        good = format == GB_EXPORT_NVBENCH ? gb_export_nvbench(file, run, path, out, error)
                                           : gb_export_google(file, run, out, error);
    if (out && fclose(out) != 0 && good) {
        gb_fail(error, GB_CRASHED, "%s: out of memory", path);
        good = false;
    }
    good = good && gb_files_replace(path, text, size, error);
    free(text);
    return good;
}
