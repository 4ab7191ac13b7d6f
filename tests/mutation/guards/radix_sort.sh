# shellcheck shell=bash
guard 'the operators of the CPU sort: a payload goes where its key goes' sort_by_bit \
    'scatter32(n, from->payload, me->address, to->payload);' 'scatter32(n, from->payload, me->f, to->payload);' \
    test_radix_sort_cpu
guard 'the operators of the CPU sort: negative floats come in the order of their numbers' \
    find_predicates32 '(sign & negative)' '0' test_radix_sort_cpu
