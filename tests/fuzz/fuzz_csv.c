/* CSV: what is read, written and read again is the same; what is torn off is at the end alone. */
#include "tests/fuzz/fuzz.h"

#include "common/text/csv.h"
#include "common/text/kind.h"

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

/* Read a row at a time, the file is what the table has. */
static void require_streamed(const uint8_t *data, size_t size, const gb_csv *csv)
{
    gb_error error = {GB_OK, ""};
    FILE *file = fmemopen((void *)data, size, "rb");
    REQUIRE(file);
    gb_csv_stream *stream = gb_csv_open(file, "in.csv", GB_WRONG, &error);
    REQUIRE(stream);
    gb_csv_row row;
    gb_csv_step step;
    size_t rows = 0;
    for (; (step = gb_csv_next(stream, &row, &error)) == GB_CSV_ROW; rows++) {
        REQUIRE(row.count == csv->columns && rows <= csv->row_count);
        for (size_t c = 0; c < row.count; c++)
            REQUIRE(strcmp(row.fields[c], rows ? csv->rows[rows - 1][c] : csv->header[c]) == 0);
    }
    REQUIRE(rows == csv->row_count + (csv->columns > 0));
    REQUIRE(step == (csv->torn_line ? GB_CSV_TORN : GB_CSV_END));
    if (step == GB_CSV_TORN) require_message(&error, "in.csv:");
    gb_csv_close(stream);
    fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gb_error error = {GB_OK, ""};
    gb_csv *csv = parse((const char *)data, size, &error);
    if (!csv) {
        require_message(&error, "in.csv:");
        return 0;
    }
    REQUIRE(csv->terminated_bytes <= csv->complete_bytes && csv->complete_bytes <= size);
    REQUIRE(csv->unterminated == (csv->terminated_bytes < csv->complete_bytes));
    if (size) require_streamed(data, size, csv);
    /* what --resume keeps of a torn file is whole */
    gb_csv *kept = parse((const char *)data, csv->complete_bytes, &error);
    require_same(csv, kept);
    REQUIRE(kept->complete_bytes == csv->complete_bytes);
    gb_csv_free(kept);

    size_t written = 0;
    char *text = write_out(csv, &written);
    /* a header whose line has no end may have a name twice, as long as it has none; and quotes may
     * have hidden what a file begins like that is no text, or a byte order mark */
    if (!gb_csv_twice(csv->header, csv->columns) && !gb_kind_of_no_text(text, written) &&
        strncmp(text, "\xEF\xBB\xBF", 3) != 0) {
        gb_csv *again = parse(text, written, &error);
        REQUIRE(again);
        require_same(csv, again);
        REQUIRE(again->complete_bytes == written);
        gb_csv_free(again);
    }
    free(text);
    gb_csv_free(csv);
    return 0;
}
