/* The words of the flags, said once for those who write, read and explain them. */
#include "common/protocol/flags.h"

#include "common/text/text.h"

#include <stdio.h>

const gb_flag_word gb_flag_words[GB_FLAG_COUNT] = {
    {"throttled", "The clock was held down while it ran, by power or temperature. Cool the device, "
                  "or let it rest (\"rest\" in the config), and measure again."},
    {"unstable", "The 95 % interval is wider than the config asked for. Take more samples."},
    {"outliers", "Some samples lie far from the others. They are not removed."},
    {"drift", "The samples trend with time: something was still changing. Warm up for longer."},
    {"cache-resident", "Input and output fit in the last cache: this is not the memory's speed."},
    {"autocorrelated",
     "Samples resemble those before them, so that the interval is too narrow. Trust differences "
     "of a few per cent only where another run agrees."},
    {"redone", "The run did its work anew, as what it had gone by did not hold for these keys."},
    {"ungated",
     "It could not be queued without waiting for the device: the time it took the host to "
     "launch it is in its time."}};

unsigned gb_flags_parse(const char *text)
{
    unsigned flags = 0;
    for (int i = 0; i < GB_FLAG_COUNT; i++)
        if (gb_text_lists(text, gb_flag_words[i].name)) flags |= 1u << i;
    return flags;
}

char *gb_flags_format(unsigned flags, char text[GB_FLAGS_TEXT])
{
    int used = 0;
    text[0] = '\0';
    for (int i = 0; i < GB_FLAG_COUNT; i++) {
        if (!(flags & 1u << i)) continue;
        used += snprintf(text + used, GB_FLAGS_TEXT - (size_t)used, "%s%s", used ? ";" : "",
                         gb_flag_words[i].name);
    }
    return text;
}
