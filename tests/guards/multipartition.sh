# shellcheck shell=bash
# ---- function max: floor(key bins / (max + 1)) by a multiplication
guard 'bins / (max + 1) is rounded up' kernels/multipartition/shape.c \
    '((bins << 64) + keys - 1) / keys' '(bins << 64) / keys' test_bins_max
guard 'and not by more than the last bit' kernels/multipartition/shape.c \
    'data.word = (uint32_t)scale;' 'data.word = (uint32_t)scale | 1u << 20;' test_bins_max
guard 'of 64-bit keys, too' kernels/multipartition/shape.c \
    'if (low % keys && ++data.magic_low == 0)' 'if (data.magic_low == 0)' test_bins_max
guard 'there are max + 1 keys' kernels/multipartition/shape.c \
    '(wide)max + 1, bins' '(wide)max + (max == 0), bins' test_bins_max
guard 'fewer keys than bins' kernels/multipartition/shape.c \
    'data.word = (uint32_t)(bins / keys);' ';' test_bins_max
guard 'what the lower product carries' kernels/multipartition/bins.h \
    '((bin->magic * key + (low >> 32)) >> 32)' '((bin->magic * key) >> 32)' test_bins_max
guard 'and that of 64-bit keys' kernels/multipartition/bins.h \
    ' + (sum < low));' ');' test_bins_max
guard 'a checker stays inside the bins' kernels/multipartition/bins.h \
    'return b < bin->bins ? b : bin->bins - 1;' 'return b;' test_bins_max
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
