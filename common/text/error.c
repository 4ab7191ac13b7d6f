/* Errors as values. Messages quote what came from outside, so each is made printable here. */
#include "common/text/error.h"

#include "common/text/text.h"

#include <stdarg.h>
#include <stdio.h>

gb_status gb_fail(gb_error *error, gb_status status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
        gb_text_tame(error->text);
    }
    return status;
}
