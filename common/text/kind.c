/* The signatures are those of the formats' own specifications (RFC 1952 of gzip, RFC 8878 of
 * Zstandard, APPNOTE.TXT of zip, The Unicode Standard 23.8 of byte order marks, ...). */
#include "common/text/kind.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define UTF_16 "is UTF-16 text; save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE"

typedef struct signature {
    const char *bytes;
    size_t size;
    const char *what;
} signature;

#define SIGNATURE(bytes, what)        \
    {                                 \
        bytes, sizeof bytes - 1, what \
    }

/* A longer signature stands before one that it begins with. */
static const signature signatures[] = {
    SIGNATURE("\x1F\x8B", "is compressed by gzip; unpack it first: gunzip FILE"),
    SIGNATURE("\x28\xB5\x2F\xFD", "is compressed by zstd; unpack it first: zstd -d FILE"),
    SIGNATURE("\xFD"
              "7zXZ\0",
              "is compressed by xz; unpack it first: unxz FILE"),
    SIGNATURE("\x04\x22\x4D\x18", "is compressed by lz4; unpack it first: lz4 -d FILE"),
    SIGNATURE("BZh", "is compressed by bzip2; unpack it first: bunzip2 FILE"),
    SIGNATURE("PK\x03\x04", "is a zip archive or a spreadsheet (.xlsx, .ods); unpack it, or save "
                            "the table as CSV"),
    SIGNATURE("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
              "is an Office document (.xls, .doc); save its table as CSV"),
    SIGNATURE("\xFF\xFE\0\0", "is UTF-32 text; save it as UTF-8: iconv -f UTF-32 -t UTF-8 FILE"),
    SIGNATURE("\0\0\xFE\xFF", "is UTF-32 text; save it as UTF-8: iconv -f UTF-32 -t UTF-8 FILE"),
    SIGNATURE("\xFF\xFE", UTF_16),
    SIGNATURE("\xFE\xFF", UTF_16),
    SIGNATURE("\x93NUMPY", "is a NumPy array; its name should end in .npy"),
    SIGNATURE("\x89HDF\r\n\x1A\n", "is an HDF5 file; write its table as CSV, or as .npy"),
    SIGNATURE("PAR1", "is a Parquet file; write its table as CSV, or as .npy"),
    SIGNATURE("SIMPLE  =", "is a FITS file; write its table as CSV, or as .npy"),
    SIGNATURE("SQLite format 3\0", "is an SQLite database; write its table as CSV"),
    SIGNATURE("%PDF-", "is a PDF document"),
    SIGNATURE("\x89PNG\r\n\x1A\n", "is a picture (PNG)"),
    SIGNATURE("\xFF\xD8\xFF", "is a picture (JPEG)"),
    SIGNATURE("\x7F"
              "ELF",
              "is a program or a library (ELF)"),
};

/* Behind "BZh" stand a digit and the decimal digits of pi: text may well begin with those three. */
static bool is_bzip2(const char *bytes, size_t size)
{
    return size >= 10 && memcmp(bytes + 4, "1AY&SY", 6) == 0;
}

/* Latin text in UTF-16 without its mark: every other byte is 0. */
static bool is_bare_utf_16(const char *bytes, size_t size)
{
    enum { ENOUGH = 6 };
    size_t zero[2] = {0, 0};
    if (size > GB_KIND_BYTES) size = GB_KIND_BYTES;
    size -= size % 2;
    for (size_t i = 0; i < size; i++)
        zero[i % 2] += bytes[i] == '\0';
    return size >= ENOUGH &&
           ((zero[0] == size / 2 && zero[1] == 0) || (zero[1] == size / 2 && zero[0] == 0));
}

static bool is_web_page(const char *bytes, size_t size)
{
    static const char *const begins[] = {"<!doctype html", "<html"};
    if (size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        size -= 3;
    }
    while (size > 0 && strchr(" \t\r\n", *bytes) && *bytes) {
        bytes++;
        size--;
    }
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (size >= strlen(begins[i]) && strncasecmp(bytes, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

const char *gb_kind_of_no_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++) {
        const signature *s = &signatures[i];
        if (size < s->size || memcmp(bytes, s->bytes, s->size) != 0) continue;
        if (s->bytes[0] == 'B' && !is_bzip2(bytes, size)) continue;
        return s->what;
    }
    if (is_bare_utf_16(bytes, size)) return UTF_16;
    return is_web_page(bytes, size)
               ? "is a web page (HTML), not the file behind a link; fetch that one"
               : NULL;
}
