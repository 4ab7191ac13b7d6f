/* Errors as values. Messages quote what came from outside, so each is made printable here. */
#include "common/error.h"

#include "common/gpubench.h"
#include "common/text.h"

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

const char *gb_reason(const char *format, ...)
{
    static _Thread_local char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}
