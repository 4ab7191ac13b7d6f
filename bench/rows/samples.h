/* NAME.samples.csv read whole: the samples of every row, found by the row they belong to. */
#ifndef GB_ROWS_SAMPLES_H
#define GB_ROWS_SAMPLES_H

#include "bench/rows/rows.h"

typedef struct gb_samples_file gb_samples_file;

/* Reads a samples file. An empty one where there is none. NULL and *error if it cannot be read or
 * does not begin as samples files do. Lines that make no sense are passed over: the row that they
 * belong to then lacks samples. So does a row whose samples do not have its mean: they are not what
 * it was made of, such as a last line that was cut. */
gb_samples_file *gb_samples_read(const char *path, gb_error *error);
void gb_samples_file_free(gb_samples_file *file);

/* The first line that makes no sense; 0: there is none. */
size_t gb_samples_bad_line(const gb_samples_file *file);

/* The samples of a row of that set in the order they were taken, in seconds: row->samples of them,
 * which live as long as the file. NULL if the file does not have exactly so many
 * of that mean. */
const double *gb_samples_of(const gb_samples_file *file, const gb_result_set *set,
                            const gb_result_row *row);

#endif
