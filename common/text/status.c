/* The statuses' words, said once for those who write, read and explain them. */
#include "common/text/status.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *cell, *meaning;
} words[GB_STATUS_COUNT] = {
    [GB_OK] = {"ok", "", ""},
    [GB_UNSUPPORTED] = {"unsupported", "-",
                        "The variant does not take this point; the note below the table says why."},
    [GB_WRONG] = {"wrong", "wrong", "Its answer was checked and is wrong."},
    [GB_OUT_OF_MEMORY] = {"out_of_memory", "memory", "There was not memory enough for it."},
    [GB_TIMEOUT] = {"timeout", "timeout", "There was no answer within the time that it had."},
    [GB_CRASHED] = {"crashed", "crashed", "The program that ran it failed, and gave no answer."},
    [GB_NO_INPUT] = {"no_input", "input", "The file that it was to read could not be read."}};

const char *gb_status_name(gb_status status)
{
    return (unsigned)status < GB_STATUS_COUNT ? words[status].name : "?";
}

bool gb_status_parse(const char *name, gb_status *status)
{
    for (unsigned i = 0; i < GB_STATUS_COUNT; i++) {
        if (strcmp(name, words[i].name) == 0) {
            *status = (gb_status)i;
            return true;
        }
    }
    return false;
}

char *gb_status_list(char *text, size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < GB_STATUS_COUNT && used < capacity; i++) {
        const char *between = i == 0 ? "" : i + 1 < GB_STATUS_COUNT ? ", " : " or ";
        used += (size_t)snprintf(text + used, capacity - used, "%s%s", between, words[i].name);
    }
    return text;
}

const char *gb_status_cell(gb_status status)
{
    return words[status].cell;
}

const char *gb_status_meaning(gb_status status)
{
    return words[status].meaning;
}
