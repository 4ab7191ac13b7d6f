/* A primitive that is made from a description (gb_primitive.provide): what all such have in common
 * is read here, axes, unit, amounts and the names of variants; and how they read the rest. */
#ifndef GB_WORKER_MADE_H
#define GB_WORKER_MADE_H

#include "common/gpubench.h"
#include "common/protocol/expression.h"

#include <cjson/cJSON.h>

/* One that was made. Its own texts and lists are the description's copy and what hangs on it. */
typedef struct gb_made {
    gb_primitive primitive; /* first: a pointer to it is one to this */
    gb_axis axes[GB_MAX_AXES];
    gb_expression_axes terms;  /* the axes as amounts name them */
    const char *items, *bytes; /* amounts; "": one item a run, no bytes */
    cJSON *description;        /* a copy, which lives as long as this */
    const cJSON *settings;     /* of it: what the config says beyond what every config may */
    const char *folder;        /* of the config, absolute: relative paths begin there */
    const gb_variant **variants;
    unsigned variant_count;
} gb_made;

/* What a kind of primitive reads by itself. Lists end with NULL. */
typedef struct gb_made_kind {
    const char *const *keys;         /* of the settings, beyond "unit", "items", "bytes", "on" */
    const char *const *variant_keys; /* of an entry of "variants", beyond "name" */
    uint64_t most;                   /* of an axis of sizes */
    bool words;                      /* axes of words are taken as well */
    bool on_host;                    /* where "on" is not said */
    /* A variant's structure, all zero but for the gb_variant that it begins with, whose name,
     * summary, origin and flags this fills if they are NULL; entry: what is asked about it
     * (gb_made_text). False after gb_made_refuse. */
    size_t variant_bytes;
    bool (*read_variant)(gb_provision *provision, const gb_made *made, int entry,
                         gb_variant *variant);
} gb_made_kind;

/* Reads a description. NULL, and the provision says what is wrong, if it has a mistake. The rest of
 * the primitive is the caller's to fill. */
gb_made *gb_made_read(gb_provision *provision, const gb_made_kind *kind,
                      const gb_primitive *registered);

/* What a variant (an entry of "variants", from 0; -1: there are none) says of a key, else what all
 * say; NULL if nobody does. *path, unless NULL, has room for GB_MAX_TEXT bytes and is where. */
const cJSON *gb_made_item(const gb_made *made, int entry, const char *key, char *path);
/* The same of a text, which must not be empty. False after gb_made_refuse; *text is NULL where it
 * is not said and not required. */
bool gb_made_text(gb_provision *provision, const gb_made *made, int entry, const char *key,
                  bool required, const char **text);
/* Fills the provision's path and error: GB_UNSUPPORTED. Always false. */
bool gb_made_refuse(gb_provision *provision, const char *path, const char *format, ...)
    GB_PRINTF(3, 4);
/* An object's keys are all known. Each of the lists may be NULL. False after gb_made_refuse. */
bool gb_made_check_keys(gb_provision *provision, const cJSON *object, const char *path,
                        const char *const *known, const char *const *besides);

/* A path of a config: as it is if it is absolute, else within the config's folder. False if it is
 * longer than the capacity. */
bool gb_made_path(const gb_made *made, const char *path, char *whole, size_t capacity);

#endif
