/* What the tables of formats share. */
#include "bench/exporter.h"

#include "bench/arena.h"

#include <stdio.h>
#include <string.h>

static gb_arena words; /* of help and messages */

const gb_exporter *gb_exporter_find(const gb_exporter *exporters, const char *name)
{
    for (; exporters->name; exporters++)
        if (strcmp(exporters->name, name) == 0) return exporters;
    return NULL;
}

const gb_exporter *gb_exporter_parse(const char *command, const gb_exporter *exporters,
                                     const char *argument)
{
    const gb_exporter *found = gb_exporter_find(exporters, argument);
    if (!found)
        fprintf(stderr, "gpubench %s: --format %.60s: the formats are %s\n", command, argument,
                gb_exporter_words(exporters, ", ", " and "));
    return found;
}

const char *gb_exporter_words(const gb_exporter *exporters, const char *between, const char *last)
{
    const char *text = exporters->name;
    while ((++exporters)->name)
        text = gb_arena_printf(&words, "%s%s%s", text, exporters[1].name ? between : last,
                               exporters->name);
    return text;
}

void gb_exporter_begin(const gb_exporter *exporter, void *to)
{
    if (exporter->begin) exporter->begin(to);
}

void gb_exporter_end(const gb_exporter *exporter, void *to)
{
    if (exporter->end) exporter->end(to);
}
