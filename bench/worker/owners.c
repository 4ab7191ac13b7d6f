/* Whose a variant is, as the workers' catalogues say. */
#include "bench/worker/owners.h"

#include <string.h>

bool gb_owners_ask(gb_owners *owners, const char *ours, gb_error *error)
{
    *owners = (gb_owners){.ours = ours};
    if (!gb_asked_all(&owners->workers, NULL, NULL, error)) return false;
    for (size_t i = 0; i < owners->workers.count; i++)
        if (owners->workers.list[i].catalogue) return true;
    *error = owners->workers.list[0].error;
    return false;
}

void gb_owners_free(gb_owners *owners)
{
    gb_asked_free(&owners->workers);
    *owners = (gb_owners){0};
}

gb_owner gb_owner_of(const gb_owners *owners, const char *primitive, const char *name,
                     const gb_catalogue_variant **variant)
{
    for (size_t i = 0; i < owners->workers.count; i++) {
        const gb_catalogue *catalogue = owners->workers.list[i].catalogue;
        const gb_catalogue_primitive *found =
            catalogue ? gb_catalogue_find(catalogue, primitive) : NULL;
        const int index = found ? gb_catalogue_variant_index(found, name) : -1;
        if (index < 0) continue;
        *variant = &found->variants[index];
        const size_t length = strlen(owners->ours);
        const char *origin = (*variant)->origin;
        const bool begins = strncmp(origin, owners->ours, length) == 0;
        return begins && (origin[length] == '\0' || origin[length] == ',') ? GB_OWNER_OURS
                                                                           : GB_OWNER_OTHERS;
    }
    return GB_OWNER_UNKNOWN;
}
