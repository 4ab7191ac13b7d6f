/* The pieces of an HTML page: text, and files inside it. */
#include "bench/report/html.h"

#include "common/text/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 256 << 20 };

void gb_html_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            putc(*text, file);
        }
    }
}

void gb_html_element(FILE *file, const char *begin, const char *text, const char *end)
{
    fputs(begin, file);
    gb_html_text(file, text);
    fputs(end, file);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put_base64(FILE *file, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const unsigned block = (unsigned)bytes[i] << 16 |
                               (i + 1 < count ? (unsigned)bytes[i + 1] << 8 : 0) |
                               (i + 2 < count ? bytes[i + 2] : 0);
        putc(digits[block >> 18], file);
        putc(digits[block >> 12 & 63], file);
        putc(i + 1 < count ? digits[block >> 6 & 63] : '=', file);
        putc(i + 2 < count ? digits[block & 63] : '=', file);
    }
}

/* What `gzip` makes of a file, size bytes that the caller frees; NULL if it cannot. */
static unsigned char *compressed(const char *path, size_t *size)
{
    int ends[2];
    if (pipe(ends) != 0) return NULL;
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("gzip", "gzip", "-9nc", "--", path, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    unsigned char *bytes = NULL;
    size_t capacity = 0;
    *size = 0;
    for (ssize_t got = 1; child > 0 && got > 0;) {
        if (*size == capacity) {
            unsigned char *larger = realloc(bytes, capacity = capacity ? 2 * capacity : 1 << 16);
            if (!larger) break;
            bytes = larger;
        }
        got = read(ends[0], bytes + *size, capacity - *size);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got > 0)
            *size += (size_t)got;
    }
    close(ends[0]);
    int status = -1;
    if (child > 0) waitpid(child, &status, 0);
    if (status == 0) return bytes;
    free(bytes);
    return NULL;
}

bool gb_html_file(FILE *file, const char *path, gb_error *error)
{
    size_t size, length;
    char *text = gb_file_read(path, "a result file", MOST_BYTES, &length, GB_WRONG, error);
    if (!text) return false;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    unsigned char *bytes = compressed(path, &size);
    gb_html_element(file, "<a download=\"", name,
                    bytes ? ".gz\" href=\"data:application/gzip;base64,"
                          : "\" href=\"data:text/csv;base64,");
    put_base64(file, bytes ? bytes : (unsigned char *)text, bytes ? size : length);
    gb_html_element(file, "\">", name, bytes ? ".gz</a>" : "</a>");
    free(bytes);
    free(text);
    return true;
}
