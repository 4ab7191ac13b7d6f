/* Whose devices `gpubench info` shows. */
#include "bench/commands/info.h"

size_t gb_info_own_workers(const gb_described *workers, size_t count)
{
    size_t own = 0;
    while (own < count && workers[own].home != GB_HOME_LISTED)
        own++;
    return own ? own : count;
}
