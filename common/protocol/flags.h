/* The flags of a row: what makes its number less than it seems. Result files write them in the
 * column `flags`, as words with ';' between them. */
#ifndef GB_PROTOCOL_FLAGS_H
#define GB_PROTOCOL_FLAGS_H

enum {
    GB_FLAG_THROTTLED = 1u << 0,
    GB_FLAG_UNSTABLE = 1u << 1,
    GB_FLAG_OUTLIERS = 1u << 2,
    GB_FLAG_DRIFT = 1u << 3,
    GB_FLAG_CACHE_RESIDENT = 1u << 4,
    GB_FLAG_AUTOCORRELATED = 1u << 5,
    GB_FLAG_REDONE = 1u << 6,
    GB_FLAG_UNGATED = 1u << 7,
    GB_FLAG_COUNT = 8
};

/* Each flag's word and, for a reader of results, what it means and what to do, by its bit's number.
 */
typedef struct gb_flag_word {
    const char *name, *meaning;
} gb_flag_word;
extern const gb_flag_word gb_flag_words[GB_FLAG_COUNT];

/* The set that a text names: bits of GB_FLAG_*. Words that are none of ours, as of a newer version,
 * are in no set and no mistake: who prints a row prints the text. */
unsigned gb_flags_parse(const char *text);

/* Writes the words of a set, in the order of the bits; "" for none. Returns text. */
enum { GB_FLAGS_TEXT = 128 };
char *gb_flags_format(unsigned flags, char text[GB_FLAGS_TEXT]);

#endif
