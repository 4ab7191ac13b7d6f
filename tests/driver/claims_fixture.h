/* What tests of claims share: a file of published rows, written claim by claim. */
#ifndef GB_TESTS_DRIVER_CLAIMS_FIXTURE_H
#define GB_TESTS_DRIVER_CLAIMS_FIXTURE_H

#include "bench/claims/claims.h"
#include "tests/driver/fixture.h"

#include <unistd.h>

#define CLAIM_HEADER                                                                            \
    "schema,paper,primitive,variant,device,n,dist,radius,kind,scope,locator,quantity,baseline," \
    "status,value,unit,ci95_rel,assumption,note,experiment,where,along,best_over,holds_if,"     \
    "statement,class\n"

/* A claim without what is always the same. */
typedef struct said {
    const char *variant, *quantity, *baseline, *where, *along, *holds_if;
} said;
/* Of the claims that are written next. */
static const char *said_best_over = "", *said_class = "measured";

static char claims_path[64];

static inline int set_up(void **state)
{
    (void)state;
    strcpy(claims_path, "/tmp/test_claims_XXXXXX");
    const int fd = mkstemp(claims_path);
    return fd < 0 ? -1 : close(fd);
}

static inline int tear_down(void **state)
{
    (void)state;
    return unlink(claims_path);
}

static inline void write_claims(const char *header, const char *line)
{
    FILE *file = fopen(claims_path, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", header, line);
    assert_int_equal(fclose(file), 0);
}

#endif
