/* gpubench run --aa: the same three times, to know by how much equal runs differ on a device. */
#ifndef GB_COMPARE_EQUAL_RUNS_H
#define GB_COMPARE_EQUAL_RUNS_H

#include "common/text/error.h"

#include <stdbool.h>
#include <stdio.h>

enum { GB_AA_PASSES = 3 };

/* The folder of a pass below a results folder: "FOLDER/aa/first". False if it is too long. */
bool gb_aa_folder(char *folder, size_t capacity, const char *results, int pass);

/* Compares every two passes, writes FOLDER/aa/noise.csv and prints what was found. False and *error
 * if there is nothing to compare or the file cannot be written. */
bool gb_aa_settle(const char *results, FILE *file, gb_error *error);

#endif
