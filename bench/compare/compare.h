/* Comparing results: which rows of two sides belong together, what their ratio is, and what can be
 * said of it. */
#ifndef GB_COMPARE_COMPARE_H
#define GB_COMPARE_COMPARE_H

#include "bench/rows/noise.h"
#include "bench/rows/select.h"
#include "bench/rows/sides.h"
#include "common/stats/two.h"

/* What rates are divided by before they are compared, so that generations meet on equal terms. */
typedef enum gb_view {
    GB_VIEW_PLAIN,
    GB_VIEW_SM_CLOCK,  /* multiprocessors times their clock */
    GB_VIEW_BANDWIDTH, /* what a copy was measured to move */
    GB_VIEW_WATT,      /* power */
    GB_VIEW_COUNT
} gb_view;
extern const char *const gb_view_names[GB_VIEW_COUNT + 1]; /* as --per has them; NULL ends them */

typedef enum gb_verdict {
    GB_FASTER,
    GB_SLOWER,
    GB_SAME,    /* sure to lie within the smallest effect */
    GB_UNCLEAR, /* neither */
    GB_VERDICT_COUNT
} gb_verdict;
extern const char *const gb_verdict_names[GB_VERDICT_COUNT];
/* For people, who are told which of the two is the faster. */
extern const char *const gb_verdict_words[GB_VERDICT_COUNT];

/* What else differs between the rows of a pair. */
enum {
    GB_DIFFERS_CACHE = 1u << 0,
    GB_DIFFERS_SCOPE = 1u << 1,
    GB_DIFFERS_TOOLKIT = 1u << 2,
    GB_DIFFERS_DRIVER = 1u << 3,
    GB_DIFFERS_CLOCKS = 1u << 4,
    GB_DIFFERS_COUNT = 5
};
extern const char *const gb_differs_names[GB_DIFFERS_COUNT];

/* A row of A, a row of B about the same work, and what became of it. */
typedef struct gb_pair {
    const gb_result_set *set;   /* of a, the set that is shown */
    const gb_result_set *set_b; /* its axes may be in another order */
    const gb_result_row *a, *b; /* both ok */
    gb_ratio ratio;             /* rate of B over rate of A, in the view; 0: none */
    bool tested;                /* both have samples: p counts */
    double p, p_holm;
    double effect; /* the smallest difference that matters here: wanted, or the noise of either */
    gb_verdict verdict;
    unsigned differs;
} gb_pair;

/* A row that has no partner, or none that can be compared with it, and why. */
typedef struct gb_unpaired {
    const gb_result_set *set;
    const gb_result_row *row;
    bool of_b;
    const char *why; /* "" where the other side just lacks it */
} gb_unpaired;

typedef struct gb_comparison {
    const gb_side *a, *b;
    gb_pair *pairs; /* in the order of A's rows */
    size_t pair_count, pair_capacity;
    gb_unpaired *unpaired;
    size_t unpaired_count, unpaired_capacity;
    size_t broken; /* rows that are ok in A, and wrong or failed in B */
    size_t verdicts[GB_VERDICT_COUNT];
    size_t differing[GB_DIFFERS_COUNT]; /* pairs */
    size_t tests, hopeless;             /* pairs that were tested; that no difference could pass */
    const char *wrong;                  /* why a paper's rows could not be looked for; NULL */
    const char *axes_differ;            /* experiments left out because of that; NULL: none */
    bool simt_apart;  /* times of the CPU stand-in met a GPU's and were left out */
    unsigned said_by; /* sides (1: A, 2: B) whose unit in the view is a data sheet's */
} gb_comparison;

/* How to judge. */
typedef struct gb_judging {
    double alpha;      /* of all tests together */
    double min_effect; /* 0.01: one per cent */
    gb_view view;
    const gb_noise *noise; /* NULL: none was measured */
} gb_judging;

/* Finds the pairs of two sides: rows of the same experiment, variant and axes, with the same cache
 * mode and scope where both have them, else with others, which is noted. A published side meets all
 * experiments of its primitive. chosen: only rows with these values of axes, "cache", "scope",
 * "variant" and "experiment". Everything lives in the sides' arena. */
void gb_compare_join(gb_sides *sides, const gb_side *a, const gb_side *b, const gb_choices *chosen,
                     gb_comparison *comparison);

/* Fills in ratios, tests and verdicts. */
void gb_compare_judge(gb_sides *sides, const gb_judging *judging, gb_comparison *comparison);

/* "bins 256, dist uniform": the axes of a row, those that are the same for all pairs of the
 * comparison's rows of that set left out. */
const char *gb_pair_point(gb_arena *arena, const gb_result_set *set, const gb_result_row *row,
                          const bool shown[GB_MAX_AXES]);

/* Whether a comparison is left out, as it has no pair; says so on stderr. */
bool gb_compare_left_out(const gb_comparison *comparison);

#endif
