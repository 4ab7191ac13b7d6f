/* `gpubench check --case`: a case that is taken, written and read again is the same case. */
#include "tests/fuzz/fuzz.h"

#include "common/text/kept.h"

#include "bench/config/cases.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const gb_catalogue_primitive *primitive = &fuzz_catalogue()->primitives[0];
    char *text = fuzz_text(data, size), written[2048];
    gb_params params, again;
    gb_error error = {GB_OK, ""};
    if (gb_check_case_parse(primitive, text, &params, &error)) {
        gb_check_case_format(primitive, &params, written, sizeof written);
        REQUIRE(gb_check_case_parse(primitive, written, &again, &error));
        REQUIRE(memcmp(&params, &again, sizeof params) == 0);
        for (unsigned a = 0; a < primitive->axis_count; a++) {
            const gb_catalogue_axis *axis = &primitive->axes[a];
            if (axis->type != GB_AXIS_SIZE) continue;
            REQUIRE(params.value[a].size >= axis->min && params.value[a].size <= axis->max);
        }
    } else {
        require_message(&error, "--case: ");
    }
    free(text);
    gb_text_forget();
    return 0;
}
