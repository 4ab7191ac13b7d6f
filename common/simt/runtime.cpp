/* What each OS thread is doing, and those that run blocks. */
#include "common/simt/runtime.h"

namespace simt
{
__thread context here;
worker *workers[max_workers];
} // namespace simt
