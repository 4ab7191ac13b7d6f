/* The formats for programs (records.c). */
#ifndef GB_PROJECT_PRINT_H
#define GB_PROJECT_PRINT_H

#include "bench/project/project.h"

/* As gb_exporter.item: a gb_projection or a gb_validation, to a gb_project_output. */
void gb_projection_put_csv(void *output, const void *item);
void gb_projection_put_json(void *output, const void *item);
void gb_validation_put_csv(void *output, const void *item);
void gb_validation_put_json(void *output, const void *item);

#endif
