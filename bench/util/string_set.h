/* A set of strings, for "is this row there already?". */
#ifndef GB_UTIL_STRING_SET_H
#define GB_UTIL_STRING_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_string_set {
    char **slots; /* a power of two of them; NULL: free */
    size_t capacity, count;
} gb_string_set;

/* The 64-bit FNV-1a hash (Fowler, Noll, Vo). */
uint64_t gb_fnv1a64(const char *bytes, size_t count);

/* Adds a copy. False if there is no memory for it. Start from {0}. */
bool gb_string_set_add(gb_string_set *set, const char *text);
bool gb_string_set_has(const gb_string_set *set, const char *text);
void gb_string_set_free(gb_string_set *set);

#endif
