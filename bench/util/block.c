/* Lines that are written anew in their place. */
#include "bench/util/block.h"

#include <stdlib.h>

void gb_block_take(gb_block *block, char *text)
{
    free(block->text);
    *block = (gb_block){.text = text};
    for (; text && *text; text++)
        block->lines += *text == '\n';
}

void gb_block_show(gb_block *block, FILE *terminal)
{
    if (block->shown || !block->text) return;
    fprintf(terminal, "\r\033[K%s", block->text);
    block->shown = true;
}

void gb_block_hide(gb_block *block, FILE *terminal)
{
    if (block->shown && block->lines) fprintf(terminal, "\r\033[%zuA\033[J", block->lines);
    block->shown = false;
}

void gb_block_free(gb_block *block)
{
    gb_block_take(block, NULL);
}
