/* A config's file before any worker is asked: which primitive it names says whom to ask. */
#ifndef GB_CONFIG_SOURCE_H
#define GB_CONFIG_SOURCE_H

#include "common/text/error.h"

typedef struct gb_config_source {
    char *path, *text; /* text: length bytes and a NUL */
    size_t length;
    char *primitive; /* NULL: it names none, and gb_config_parse will say what is wrong */
} gb_config_source;

/* Reads the file, once: it may be a pipe. False and *error if it cannot be read. Free in any case.
 */
bool gb_config_read(gb_config_source *source, const char *path, gb_error *error);
void gb_config_source_free(gb_config_source *source);
/* Gives the text away, as gb_config_parse takes it. */
char *gb_config_take_text(gb_config_source *source);

/* Puts before a message about the primitive where in the file it is named. */
void gb_config_blame_primitive(const gb_config_source *source, gb_error *error);

#endif
