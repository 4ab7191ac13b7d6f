# shellcheck shell=bash
guard 'the operators of the CPU sort: a payload goes where its key goes' kernels/radix-sort/cpu_lsd1_operators.c \
    'scatter32(n, from->payload, me->address, to->payload);' 'scatter32(n, from->payload, me->f, to->payload);' \
    test_radix_sort_cpu
guard 'the operators of the CPU sort: negative floats come in the order of their numbers' \
    kernels/radix-sort/cpu_lsd1_operators.c '(sign & negative)' '0' test_radix_sort_cpu
