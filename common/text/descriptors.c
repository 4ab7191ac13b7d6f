/* Holding stdin, stdout and stderr. */
#include "common/text/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool gb_descriptors_hold(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) >= 0) continue;
        if (errno != EBADF) return false;
        /* Against its direction, so that using it fails. The lowest free number is this one, for
         * those below are held. */
        if (open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return false;
    }
    return true;
}
