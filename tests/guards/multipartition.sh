# shellcheck shell=bash
# ---- binomial:N:P
guard 'trials that fill no word' common/distributions.h \
    'word & (0xFFFFFFFFu >> (32 - now))' 'word' test_distributions
guard 'digits of P from the last one on' common/distributions.h \
    'dist->chance >> digit & 1 ? word | uniform' 'dist->chance >> (last + 15 - digit) & 1 ? word | uniform' \
    test_distributions
guard 'words of their own' common/distributions.h \
    'GB_STREAM_TRIALS + j - 2' 'GB_STREAM_KEYS' test_distributions
guard 'P is rounded' common/distributions.c \
    '(digits * one + scale / 2) / scale' 'digits * one / scale' test_distributions
