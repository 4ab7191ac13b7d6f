/* --filter expressions: comparisons over axes and the variant, joined by && and ||.
 *
 *   expression := and { "||" and }          and := term { "&&" term }
 *   term := "(" expression ")" | "!" term | name op value
 *   op := == = != < <= > >= (names: only = == !=)      value := 32M | 16Ki | uniform | 'quoted' */
#ifndef GB_CONFIG_FILTER_H
#define GB_CONFIG_FILTER_H

#include "bench/worker/catalogue.h"

typedef struct gb_filter gb_filter;

/* NULL and *error (column, what was found, which names exist) if the text is no expression. */
gb_filter *gb_filter_parse(const char *text, const gb_catalogue_primitive *primitive,
                           gb_error *error);
/* variant: index into the primitive's variants, or -1 to ask "could any variant pass?" (then every
 * comparison with `variant` counts as true). Without a filter (NULL) all pass. */
bool gb_filter_passes(const gb_filter *filter, const gb_params *point, int variant);
void gb_filter_free(gb_filter *filter);

#endif
