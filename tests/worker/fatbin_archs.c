/* Lists what a program or object has for GPUs, one line an entry of its fat binaries: "sm_90" is
 * machine code, "compute_90" PTX. */
#include "tests/worker/fatbin.h"

static void print(const fatbin_entry *entry, void *what)
{
    (void)what;
    if (entry->kind == FATBIN_PTX || entry->kind == FATBIN_MACHINE_CODE)
        printf("%s_%u\n", entry->kind == FATBIN_PTX ? "compute" : "sm", entry->arch);
}

int main(int argc, char **argv)
{
    return argc == 2 && fatbin_read(argv[1], print, NULL) ? 0 : 2;
}
