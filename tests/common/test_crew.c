/* A crew of threads does every item of a call once and waits for all of them; of failures it tells
 * that of the lowest item. */
#include "common/worker/crew.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct call {
    unsigned number;
    unsigned
        done[GB_CREW_ITEMS]; /* by item: the call that did it last; written by whoever does it */
    atomic_uint times;
    uint64_t fails;  /* bits: items that fail */
    unsigned sleeps; /* item that takes long; GB_CREW_ITEMS: none */
} call;

static gb_status work(void *context, unsigned item, gb_error *error)
{
    call *c = context;
    if (item == c->sleeps) usleep(2000);
    c->done[item] = c->number;
    atomic_fetch_add(&c->times, 1);
    if (c->fails >> item & 1)
        return gb_fail(error, GB_WRONG, "item %u of call %u", item, c->number);
    return GB_OK;
}

static void run_and_look(gb_crew *crew, call *c, unsigned items, unsigned number)
{
    gb_error error = {0};
    c->number = number;
    atomic_store(&c->times, 0);
    assert_int_equal(gb_crew_run(crew, items, work, c, &error), GB_OK);
    assert_int_equal(atomic_load(&c->times), items);
    for (unsigned i = 0; i < items; i++)
        assert_int_equal(c->done[i], number);
}

static void every_item_once(void **state)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    (void)state;
    for (unsigned t = 0; t < 4; t++) {
        gb_crew *crew;
        gb_error error;
        call c = {.sleeps = GB_CREW_ITEMS};
        unsigned number = 0;
        assert_int_equal(gb_crew_open(threads[t], &crew, &error), GB_OK);
        for (unsigned k = 0; k < 3000; k++) {
            run_and_look(crew, &c, k % (GB_CREW_ITEMS + 1), ++number);
            if (k % 100 == 99) gb_crew_rest(crew);
            if (k % 300 == 99) usleep(1000); /* now they do sleep */
        }
        gb_crew_close(crew);
    }
    gb_crew_close(NULL);
}

/* The caller does what others are slow to take, and waits for what they are slow to end. */
static void slow_items_are_waited_for(void **state)
{
    gb_crew *crew;
    gb_error error;
    call c = {0};
    (void)state;
    assert_int_equal(gb_crew_open(4, &crew, &error), GB_OK);
    for (unsigned k = 0; k < 60; k++) {
        c.sleeps = k % 4;
        run_and_look(crew, &c, 4, k + 1);
    }
    gb_crew_close(crew);
}

static void the_lowest_failure_is_told(void **state)
{
    gb_crew *crew;
    gb_error error = {0};
    call c = {.sleeps = 3};
    (void)state;
    assert_int_equal(gb_crew_open(3, &crew, &error), GB_OK);
    c.fails = 1u << 3 | 1u << 5 | 1u << 6;
    c.number = 7;
    assert_int_equal(gb_crew_run(crew, 8, work, &c, &error), GB_WRONG);
    assert_string_equal(error.text, "item 3 of call 7");
    assert_int_equal(atomic_load(&c.times), 8);
    c.fails = 0; /* and is forgotten */
    run_and_look(crew, &c, 8, 8);
    gb_crew_close(crew);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_once),
        cmocka_unit_test(slow_items_are_waited_for),
        cmocka_unit_test(the_lowest_failure_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
