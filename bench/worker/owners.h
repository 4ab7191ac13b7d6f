/* Whose a variant is, as the workers' catalogues say. */
#ifndef GB_WORKER_OWNERS_H
#define GB_WORKER_OWNERS_H

#include "bench/worker/asking.h"

typedef struct gb_owners {
    gb_asked workers;
    const char *ours; /* the origin of our own variants */
} gb_owners;

typedef enum gb_owner {
    GB_OWNER_UNKNOWN, /* no worker lists it */
    GB_OWNER_OURS, /* its origin is `ours`, or begins with it and a comma: "gpubench, after ..." */
    GB_OWNER_OTHERS
} gb_owner;

/* Asks the workers that gb_executables_find finds. False and *error if none answers. Free in any
 * case. */
bool gb_owners_ask(gb_owners *owners, const char *ours, gb_error *error);
void gb_owners_free(gb_owners *owners);

/* *variant is how the first catalogue that has it lists it. */
gb_owner gb_owner_of(const gb_owners *owners, const char *primitive, const char *name,
                     const gb_catalogue_variant **variant);

#endif
