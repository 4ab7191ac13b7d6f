# shellcheck shell=bash
guard 'a number beyond 64 bits is no size' common/size.c \
    '(value > (UINT64_MAX - digit) / 10)' '(value > UINT64_MAX)' test_size
guard 'nor is one that its unit takes there' common/size.c \
    '(value > UINT64_MAX / units[i].factor)' '(value > UINT64_MAX)' test_size
