/* A worker's answer in JSON, read with checks. Workers may be older, newer or at the other end of
 * an ssh connection: what a function here returns need not be checked again. */
#ifndef GB_WORKER_ANSWER_READER_H
#define GB_WORKER_ANSWER_READER_H

#include "common/gpubench.h"

#include <cjson/cJSON.h>

/* Where in the answer the reader stands, and the first thing that was wrong. */
typedef struct gb_answer_reader {
    gb_error *error;
    char where[160]; /* "primitives[0].axes[2]", "" at the top */
    bool failed;
} gb_answer_reader;

/* Notes what is wrong with a member, unless something was wrong before. */
void gb_answer_refuse(gb_answer_reader *r, const char *member, const char *what);
/* Memory that is 0, and the copy of a text; both the caller's, by free. NULL, and refused, without
 * memory. */
void *gb_answer_allocate(gb_answer_reader *r, size_t count, size_t size);
char *gb_answer_copy(gb_answer_reader *r, const char *text);

/* The members of an object; a value that means nothing (NULL, 0, false) if they are refused. Texts
 * are the caller's, by free. */
/* A printable string: these texts go into tables and CSV files. An absent one is refused if
 * required, else "". */
char *gb_answer_text(gb_answer_reader *r, const cJSON *object, const char *member, bool required);
/* A name that serves as a CSV column, a command-line word, a file or a folder. */
char *gb_answer_name(gb_answer_reader *r, const cJSON *object, const char *member);
/* From 0 to most; an absent one is refused if required, else 0. */
double gb_answer_number(gb_answer_reader *r, const cJSON *object, const char *member, bool required,
                        double most);
int gb_answer_int(gb_answer_reader *r, const cJSON *object, const char *member, bool required);
/* JSON numbers are exact below 2^53, which no device's memory reaches. */
uint64_t gb_answer_bytes(gb_answer_reader *r, const cJSON *object, const char *member);
bool gb_answer_flag(gb_answer_reader *r, const cJSON *object, const char *member);
/* A list, which stays the object's, and its length. */
const cJSON *gb_answer_list(gb_answer_reader *r, const cJSON *object, const char *member,
                            unsigned *count);
/* A limit of an axis: a decimal string, because JSON numbers end at 2^53. */
uint64_t gb_answer_limit(gb_answer_reader *r, const cJSON *object, const char *member);
/* A list of words, NULL-terminated; list and words are the caller's, by free. */
char **gb_answer_strings(gb_answer_reader *r, const cJSON *object, const char *member);

#endif
