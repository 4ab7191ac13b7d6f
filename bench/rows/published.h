/* Published numbers: reading them, and which stand beside measured ones. */
#ifndef GB_ROWS_PUBLISHED_H
#define GB_ROWS_PUBLISHED_H

#include "bench/rows/rows.h"

/* Reads a file of published numbers: a path, or the name of a file in results/published/. The
 * result holds published sets only. False and *error if it is missing, unreadable or not one. */
bool gb_published_load(gb_results *published, const char *name, gb_error *error);

/* Whether a published set is about the primitive of a measured one, with the same axes in any
 * order.
 */
bool gb_published_is_about(const gb_result_set *printed, const gb_result_set *measured);

/* Of the papers' sets the one about this primitive, with the same axes in any order; NULL if
 * there is none. */
const gb_result_set *gb_published_for(const gb_results *published, const gb_result_set *measured);

/* The published numbers to set beside a set: those of the file that the user named (NULL: none),
 * else those among the results themselves, else those of the file that the layout names (NULL:
 * none), which need not be about this set. *paper is NULL if there are none, and always for the
 * simt device, whose times never stand beside a GPU's. *published holds what was read: start it
 * from {0} and free it when the paper is no longer used. False and *error. */
bool gb_published_pair(const gb_results *results, const gb_result_set *set, const char *named,
                       const char *fallback, gb_results *published, const gb_result_set **paper,
                       gb_error *error);
/* Whether a published set stands beside a measured set of the same results, and so needs no table
 * of its own; one that was printed elsewhere has it in any case. */
bool gb_published_serves(const gb_results *results, const gb_result_set *set);

/* What stands beside rows of `set` in this scope: itself if it is published, the paper if it timed
 * the same scope or does not say which, else NULL. paper may be NULL. */
const gb_result_set *gb_published_beside(const gb_result_set *set, const char *scope,
                                         const gb_result_set *paper);

/* Whether a published row was timed with the caches as a measured one (its `cache`), or does not
 * say with which. */
bool gb_published_fits_cache(const gb_result_row *printed, const char *cache);

/* The published row at the point (axis[]) of a row of `set` for this variant, device and quantity
 * ("rate", "time", "speedup"). NULL if the paper has none. paper may be set itself. */
const gb_result_row *gb_published_find(const gb_result_set *paper, const gb_result_set *set,
                                       const gb_result_row *point, const char *variant,
                                       const char *device, const char *quantity);

#endif
