# shellcheck shell=bash
# ---- function max: floor(key bins / (max + 1)) by a multiplication
guard 'bins / (max + 1) is rounded up' mp_bin_data_by_max \
    '((bins << 64) + keys - 1) / keys' '(bins << 64) / keys' test_bins_max
guard 'and not by more than the last bit' mp_bin_data_by_max \
    'data.word = (uint32_t)scale;' 'data.word = (uint32_t)scale | 1u << 20;' test_bins_max
guard 'of 64-bit keys, too' mp_bin_data_by_max \
    'if (low % keys && ++data.magic_low == 0)' 'if (data.magic_low == 0)' test_bins_max
guard 'there are max + 1 keys' mp_bin_data_by_max \
    '(wide)max + 1, bins' '(wide)max + (max == 0), bins' test_bins_max
guard 'fewer keys than bins' mp_bin_data_by_max \
    'data.word = (uint32_t)(bins / keys);' ';' test_bins_max
guard 'what the lower product carries' mp_bin_max \
    '((bin->magic * key + (low >> 32)) >> 32)' '((bin->magic * key) >> 32)' test_bins_max
guard 'and that of 64-bit keys' mp_bin_max64 \
    ' + (sum < low));' ');' test_bins_max
guard 'a checker stays inside the bins' mp_bin_wide \
    'return b < bin->bins ? b : bin->bins - 1;' 'return b;' test_bins_max
# ---- binomial:N:P
guard 'trials that fill no word' gb_dist_successes \
    'word & (0xFFFFFFFFu >> (32 - now))' 'word' test_distributions
guard 'digits of P from the last one on' gb_dist_successes \
    'dist->chance >> digit & 1 ? word | uniform' 'dist->chance >> (last + 15 - digit) & 1 ? word | uniform' \
    test_distributions
guard 'words of their own' gb_dist_trial_stream \
    'GB_STREAM_TRIALS + j - 2' 'GB_STREAM_KEYS' test_distributions
guard 'P is rounded' parse_chance \
    '(digits * one + scale / 2) / scale' 'digits * one / scale' test_distributions
