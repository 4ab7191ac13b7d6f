# shellcheck shell=bash
# Guards about what people's files, shells and disks do: see tests/mutation/guards.sh.

guard 'closed standard descriptors are held' gb_descriptors_hold 'number <= STDERR_FILENO' 'number < STDIN_FILENO' descriptors.sh
guard 'what is held cannot be written to' gb_descriptors_hold 'number == STDIN_FILENO ? O_WRONLY : O_RDONLY' 'O_RDWR' descriptors.sh
