/* Results in the formats of other tools, for what reads those: their scripts, dashboards. */
#ifndef GB_FOREIGN_EXPORT_H
#define GB_FOREIGN_EXPORT_H

#include "bench/foreign/foreign.h"

#include <cjson/cJSON.h>

typedef enum gb_export_format {
    GB_EXPORT_NVBENCH,
    GB_EXPORT_GOOGLE,
    GB_EXPORT_FORMATS
} gb_export_format;
extern const char *const gb_export_names[GB_EXPORT_FORMATS + 1]; /* as options have them */

/* What a file says of the run besides its entries; texts may be "". */
typedef struct gb_export_run {
    const char *date, *host;
    double sms, l2_bytes; /* 0: unknown */
    const char *const *command;
    size_t command_count;
} gb_export_run;

/* Writes the entries of a file to path, whole or not at all; NVBench's samples lie in files below
 * the folder PATH-bin. Entries have names (experiment, primitive) and the samples that were kept.
 * What the format has no room for stands in a member "gpubench" of each, so that reading it again
 * gives the same entries. False and *error. */
bool gb_foreign_export(const gb_foreign *file, const gb_export_run *run, gb_export_format format,
                       const char *path, gb_error *error);

/* ---- for the writers ------------------------------------------------------------------------- */

/* Both write to `out`; of NVBench's path the files of samples hang. */
bool gb_export_nvbench(const gb_foreign *file, const gb_export_run *run, const char *path,
                       FILE *out, gb_error *error);
bool gb_export_google(const gb_foreign *file, const gb_export_run *run, FILE *out, gb_error *error);

/* Adds the member "gpubench" to an object. */
void gb_export_own(cJSON *object, const gb_foreign_entry *entry);
/* What an entry is called where variants alone may not differ: with its experiment, cache or scope
 * where the file has several. The caller frees it. */
char *gb_export_name(const gb_foreign *file, const gb_foreign_entry *entry);
/* Prints an object, indented by two blanks a level, and deletes it; false without memory. */
bool gb_export_put(FILE *out, cJSON *object, bool first);

#endif
