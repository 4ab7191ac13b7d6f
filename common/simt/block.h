/* A block from its first thread to the end of its last one (block.cpp). */
#ifndef GB_SIMT_BLOCK_H
#define GB_SIMT_BLOCK_H

#include "common/simt/runtime.h"

namespace simt
{
/* Runs block number `number` of w's job to its end, or until the job fails. */
void run_block(worker *w, unsigned number);
} // namespace simt

#endif
