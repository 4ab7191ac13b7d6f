# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'a list that is full takes no more' add_to_list \
    'if (*option->count < option->most)' 'if (true)' test_options
guard 'a size has limits' take_size \
    'if (size < option->least || size > option->most)' 'if (size > option->most)' test_options
guard 'a part is less than the whole' take_part 'if (part >= 0 && part < 1)' 'if (part >= 0)' test_options
guard 'a percentage is a hundredth' take_part 'if (percent) part /= 100;' '' test_options
guard 'a number that is cut off is none' take_part 'length < sizeof number && ' '' test_options
guard 'a word is a whole one' take_word \
    'if (strcmp(word_of(option, i), argument) != 0) continue;' \
    'if (strncmp(word_of(option, i), argument, strlen(argument)) != 0) continue;' test_options
guard 'a mistake ends the command' options:parse \
    'if (take(argv[0], &options[code - CODE_FIRST], optarg)) continue;' \
    'take(argv[0], &options[code - CODE_FIRST], optarg); continue;' test_options
guard 'an entry is as wide as its table says' gb_option_entry 'option.stride = stride;' '' test_options
guard 'a word needs an argument' options:describe ' || options[i].words' '' test_options
