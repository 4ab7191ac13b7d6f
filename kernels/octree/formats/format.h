/* What the readers of the formats share: an open file, numbers of text and of bytes, and what is
 * said of those that cannot be. Of a reader nothing but its begin function is known elsewhere: it
 * reads the file's head and fills in how to go on. */
#ifndef GB_OCTREE_FORMAT_H
#define GB_OCTREE_FORMAT_H

#include "common/text/csv.h"
#include "kernels/octree/file.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>

enum { OC_SHOWN = 224, OC_LINE = 1 << 16, OC_WORDS = 1024 };

/* The type of a number in a binary file. */
typedef struct oc_number {
    char kind; /* 'f', 'i', 'u' */
    unsigned size;
    bool big_endian;
} oc_number;

/* Where the numbers lie: records of stride bytes, from byte begin[0] on, with coordinate c
 * offset[c] bytes within; or a plane of numbers for each coordinate (planes: 3), from byte begin[c]
 * on. */
typedef struct oc_binary {
    oc_number type[3];
    unsigned planes; /* 1 or 3 */
    uint64_t begin[3], offset[3], stride;
    unsigned char *piece;        /* what is in memory: of each plane as many records */
    uint64_t first, count, most; /* these bodies' records, and how many there is room for */
} oc_binary;

struct oc_file {
    FILE *stream;
    uint64_t bytes;       /* of the file */
    char shown[OC_SHOWN]; /* its name for messages, shortened in the middle */
    uint64_t n;           /* bodies asked for */
    uint64_t next;        /* the body that is read next */
    uint64_t holds;       /* how many there are, by the file's head; UINT64_MAX: it does not say */
    gb_status (*read)(oc_file *file, float xyz[3], gb_error *error);
    oc_binary binary;
    /* text */
    gb_csv_stream *csv;
    char *line;
    uint64_t number;    /* of the line, from 1 */
    unsigned column[3]; /* where x, y and z stand, from 0 */
    unsigned columns;   /* of every line; 0: not known yet */
    bool begun;         /* the first row has been read */
    char comment;       /* a line that begins with it is none; '\0': there are none */
    locale_t c_locale;  /* where the decimal point is a point */
};

extern const char oc_axis_names[3];

/* oc_file_open over a stream of so many bytes, which it closes; path says the format. NULL: over
 * the file of that name. */
gb_status oc_file_over(FILE *stream, uint64_t bytes, const char *path, uint64_t n, oc_file **file,
                       gb_error *error);

/* ---- messages: all are GB_NO_INPUT ------------------------------------------------------------
 */

/* "NAME: WHAT" */
gb_status oc_refuse(const oc_file *file, gb_error *error, const char *what, ...) GB_PRINTF(3, 4);
/* "NAME:LINE: WHAT", of the line that was read last */
gb_status oc_refuse_line(const oc_file *file, gb_error *error, const char *what, ...)
    GB_PRINTF(3, 4);
/* That reading failed, or came to the file's end too early. */
gb_status oc_cannot_read(const oc_file *file, gb_error *error);
gb_status oc_too_few(const oc_file *file, uint64_t holds, gb_error *error);

/* ---- text (text.c) ----------------------------------------------------------------------------
 */

/* The number of a coordinate. */
gb_status oc_parse(const oc_file *file, int axis, const char *text, float *value, gb_error *error);
bool oc_is_number(const oc_file *file, const char *text, double *value);
/* The next line, without its end, in file->line, blanks at its end taken off; *found is false after
 * the last. */
gb_status oc_next_line(oc_file *file, bool *found, gb_error *error);
/* Splits a line at its blanks, in place, into at most `most` words; returns how many it has. */
unsigned oc_split(char *line, char **words, unsigned most);
/* A body from a line of words. */
gb_status oc_read_words(oc_file *file, float xyz[3], gb_error *error);

/* ---- bytes (binary.c) -------------------------------------------------------------------------
 */

/* Whether a file's scalar of this many bytes is one. */
bool oc_is_number_type(char kind, unsigned size);
/* Goes on by file->binary, whose offsets are filled in; refused if file->holds bodies are not in
 * the file. */
gb_status oc_begin_binary(oc_file *file, gb_error *error);
/* ---- the formats ------------------------------------------------------------------------------
 */

gb_status oc_begin_triples(oc_file *file, gb_error *error);
gb_status oc_begin_csv(oc_file *file, gb_error *error);
gb_status oc_begin_xyz(oc_file *file, gb_error *error);
gb_status oc_begin_npy(oc_file *file, gb_error *error);
gb_status oc_begin_ply(oc_file *file, gb_error *error);
gb_status oc_begin_pcd(oc_file *file, gb_error *error);

#endif
