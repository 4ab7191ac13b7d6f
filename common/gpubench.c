/* What primitives and variants call of the interface. */
#include "common/gpubench.h"

#include <stdarg.h>
#include <stdio.h>

const int GB_INTERFACE_SYMBOL = GB_INTERFACE;

const char *gb_reason(const char *format, ...)
{
    static _Thread_local char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return text;
}
