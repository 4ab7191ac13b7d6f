/* Schedules of the simt device: what is read, written and read again is the same. */
#include "tests/fuzz/fuzz.h"

#include "common/protocol/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), written[GB_SCHEDULE_TEXT];
    gb_schedule schedule, again;
    gb_error error = {GB_OK, ""};
    if (gb_schedule_parse(text, &schedule, &error)) {
        REQUIRE(schedule.policy < GB_POLICY_COUNT);
        REQUIRE(schedule.preempt_atomic <= GB_PREEMPT_ALWAYS);
        REQUIRE(schedule.preempt_plain <= GB_PREEMPT_ALWAYS);
        REQUIRE(schedule.weak <= GB_PREEMPT_ALWAYS);
        REQUIRE(schedule.resident >= 1 && schedule.resident <= GB_MOST_RESIDENT);
        REQUIRE(gb_schedule_parse(gb_schedule_format(&schedule, written), &again, &error));
        REQUIRE(again.policy == schedule.policy && again.seed == schedule.seed);
        REQUIRE(again.preempt_atomic == schedule.preempt_atomic);
        REQUIRE(again.preempt_volatile == schedule.preempt_volatile);
        REQUIRE(again.preempt_plain == schedule.preempt_plain);
        REQUIRE(again.weak == schedule.weak);
        REQUIRE(again.resident == schedule.resident);
    } else {
        require_message(&error, "");
    }
    free(text);
    return 0;
}
