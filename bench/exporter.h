/* The formats in which a command can write what it found: a table of them each, from which the
 * words of its --format, its help and its printing come. */
#ifndef GB_EXPORTER_H
#define GB_EXPORTER_H

/* to: the command's own, what it writes to and how; item: what it writes one after another, such as
 * a comparison. A table ends with one that has no name. */
typedef struct gb_exporter {
    const char *name;        /* as --format has it */
    void (*begin)(void *to); /* before the first item; NULL: nothing is written there */
    void (*item)(void *to, const void *item);
    void (*end)(void *to); /* behind the last; may be NULL */
} gb_exporter;

/* The one of that name; NULL if there is none. */
const gb_exporter *gb_exporter_find(const gb_exporter *exporters, const char *name);
/* The same for the argument of a command's --format, with a message if it is none of them. */
const gb_exporter *gb_exporter_parse(const char *command, const gb_exporter *exporters,
                                     const char *argument);
/* Their names, "text|markdown|csv" of "|" and "|", "text, markdown and csv" of ", " and " and ".
 * The text lives as long as the program. */
const char *gb_exporter_words(const gb_exporter *exporters, const char *between, const char *last);

void gb_exporter_begin(const gb_exporter *exporter, void *to);
void gb_exporter_end(const gb_exporter *exporter, void *to);

#endif
