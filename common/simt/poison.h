/* Garbage in shared memory, and what kernels did to it (poison.cpp). */
#ifndef GB_SIMT_POISON_H
#define GB_SIMT_POISON_H

#include "common/simt/runtime.h"

namespace simt
{
/* What is known of a kernel from all its launches; NULL: no memory for that. */
footprint *find_footprint(kernel_address kernel);
/* Before a block: fills its shared memory with garbage. After it: learns what it has changed. */
void poison_shared(worker *w);
void search_shared(worker *w);
/* The calling thread's own thread-local storage is kept before it is filled, and brought back.
 * False: no memory for that. */
bool save_locals(worker *w);
void restore_locals(worker *w);
} // namespace simt

#endif
