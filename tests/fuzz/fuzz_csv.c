/* CSV: what is read, written and read again is the same; what is torn off is at the end alone. */
#include "tests/fuzz/fuzz.h"

#include "common/text/csv.h"

static gb_csv *parse(const char *bytes, size_t size, gb_error *error)
{
    return gb_csv_parse(fuzz_text((const uint8_t *)bytes, size), size, "in.csv", error);
}

static void require_same(const gb_csv *a, const gb_csv *b)
{
    REQUIRE(a->columns == b->columns && a->row_count == b->row_count);
    for (size_t c = 0; c < a->columns; c++)
        REQUIRE(strcmp(a->header[c], b->header[c]) == 0);
    for (size_t r = 0; r < a->row_count; r++)
        for (size_t c = 0; c < a->columns; c++)
            REQUIRE(strcmp(a->rows[r][c], b->rows[r][c]) == 0);
}

static char *write_out(const gb_csv *csv, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    REQUIRE(file);
    for (size_t r = 0; csv->columns && r <= csv->row_count; r++) {
        char **row = r ? csv->rows[r - 1] : csv->header;
        for (size_t c = 0; c < csv->columns; c++)
            gb_csv_put(file, row[c], c == 0);
        putc('\n', file);
    }
    REQUIRE(fclose(file) == 0);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_error error = {GB_OK, ""};
    gb_csv *csv = parse((const char *)data, size, &error);
    if (!csv) {
        require_message(&error, "in.csv:");
        return 0;
    }
    REQUIRE(csv->complete_bytes <= size);
    /* what --resume keeps of a torn file is whole */
    gb_csv *kept = parse((const char *)data, csv->complete_bytes, &error);
    require_same(csv, kept);
    REQUIRE(kept->complete_bytes == csv->complete_bytes);
    gb_csv_free(kept);

    /* a first field that begins with a byte order mark would lose it */
    if (csv->columns && strncmp(csv->header[0], "\xEF\xBB\xBF", 3) != 0) {
        size_t written;
        char *text = write_out(csv, &written);
        gb_csv *again = parse(text, written, &error);
        REQUIRE(again);
        require_same(csv, again);
        REQUIRE(again->complete_bytes == written);
        gb_csv_free(again);
        free(text);
    }
    gb_csv_free(csv);
    return 0;
}
