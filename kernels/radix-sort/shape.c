/* From a point's words to C types. */
#include "kernels/radix-sort/radix_sort.h"

#include <string.h>

/* One or two digits. */
static const char *parse_bit(const char *text, unsigned *bit)
{
    const char *at = text;
    *bit = 0;
    while (*at >= '0' && *at <= '9' && at - text < 2)
        *bit = *bit * 10 + (unsigned)(*at++ - '0');
    return at > text ? at : NULL;
}

/* "all", or "range:8-24": the bits 8 to 23. Anything else: an empty range. */
static void parse_bits(const char *text, unsigned width, unsigned *begin, unsigned *end)
{
    *begin = 0;
    *end = width;
    if (strcmp(text, "all") == 0) return;
    const char *at = strncmp(text, "range:", 6) == 0 ? parse_bit(text + 6, begin) : NULL;
    at = at && *at == '-' ? parse_bit(at + 1, end) : NULL;
    if (!at || *at || *end > width) *end = *begin;
}

bool rs_bits_can_be(const char *text)
{
    unsigned begin, end;
    parse_bits(text, 64, &begin, &end);
    return begin < end;
}

static unsigned payload_bytes(const char *text)
{
    return strcmp(text, "u32") == 0    ? 4
           : strcmp(text, "u64") == 0  ? 8
           : strcmp(text, "u128") == 0 ? 16
                                       : 0;
}

rs_shape rs_shape_of(const gb_params *params)
{
    static const char *const types[] = {[RS_U32] = "u32", [RS_U64] = "u64", [RS_I32] = "i32",
                                        [RS_F32] = "f32", [RS_I64] = "i64", [RS_F64] = "f64"};
    rs_shape shape = {.n = params->value[RS_N].size,
                      .type = RS_U32,
                      .payload = payload_bytes(params->value[RS_PAYLOAD].text),
                      .descending = strcmp(params->value[RS_ORDER].text, "descending") == 0,
                      .begin_bit = 0,
                      .end_bit = 0};
    for (int type = RS_U32; type < RS_TYPES; type++)
        if (strcmp(params->value[RS_TYPE].text, types[type]) == 0) shape.type = (rs_type)type;
    parse_bits(params->value[RS_BITS].text, 8 * (unsigned)rs_key_bytes(shape.type),
               &shape.begin_bit, &shape.end_bit);
    return shape;
}
