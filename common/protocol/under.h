/* Under what conditions a device is used, where it is not used as it is: with code of an older
 * generation, with a part of its multiprocessors or of its shared memory, or together with others
 * of its make. A run has one set of them; its rows say it. */
#ifndef GB_PROTOCOL_UNDER_H
#define GB_PROTOCOL_UNDER_H

#include <stdbool.h>

/* Whoever adds one adds a line to the table in under.c. */
typedef struct gb_under {
    char code[16];            /* of which generation its code is, "sm_35"; "": as usual */
    unsigned multiprocessors; /* that its kernels have; 0: all */
    unsigned shared_kib;      /* of shared memory that a block may have; 0: all that it can */
    unsigned gpus;            /* devices of this make that work together; 0: this one alone */
    unsigned ranks;           /* that share those, where they are more than devices, as of a device
                                 that was named twice; 0: each has one of its own */
} gb_under;

enum { GB_UNDER_TEXT = 128 }; /* holds any of the texts below */

bool gb_under_none(const gb_under *under);
/* Whether each device is used as it is, however many work together. */
bool gb_under_whole(const gb_under *under);
bool gb_under_same(const gb_under *a, const gb_under *b);
/* As result files have it: "code=sm_35;multiprocessors=64", in this order; "" where there is none.
 * Returns text. */
char *gb_under_format(const gb_under *under, char text[GB_UNDER_TEXT]);
/* False if the text is none that gb_under_format writes. */
bool gb_under_parse(const char *text, gb_under *under);
/* For people, behind a device's name: "code of sm_35, 64 multiprocessors", "2 GPUs". Returns text.
 */
char *gb_under_words(const gb_under *under, char text[GB_UNDER_TEXT]);
/* A folder's name: "code-sm_35-and-multiprocessors-64". Returns text. */
char *gb_under_folder(const gb_under *under, char text[GB_UNDER_TEXT]);

/* Whether a text can be gb_under.code: sm_ and digits, with a letter behind them at most. */
bool gb_under_is_code(const char *text);

#endif
