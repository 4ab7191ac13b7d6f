/* What the tables of formats share. */
#include "bench/util/exporter.h"

gb_option gb_exporter_option(const char *help, const gb_exporter *exporters, unsigned *to)
{
    return gb_option_entry("format", help, to, &exporters->name, sizeof *exporters);
}

void gb_exporter_begin(const gb_exporter *exporter, void *to)
{
    if (exporter->begin) exporter->begin(to);
}

void gb_exporter_end(const gb_exporter *exporter, void *to)
{
    if (exporter->end) exporter->end(to);
}
