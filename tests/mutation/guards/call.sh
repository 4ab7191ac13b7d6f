# shellcheck shell=bash
guard 'what is made is made again by the worker that replaces one' devices:provide_anew \
    'if (gb_session_provide_again(session, description, error)) return true;' 'return true;' call.sh
guard 'each config has its own primitive, after another one as well' gb_session_provide_again \
    'if (!description || session->provided == description) return true;' 'return true;' call.sh
guard 'a library for another machine is told from one that is not there' call/library:check_head \
    '(head.e_machine == own.e_machine && head.e_ident[EI_CLASS] == own.e_ident[EI_CLASS]))' 'true)' call.sh
guard 'times longer than their run are not believed' command_times \
    'if (status == GB_OK && sum > clock_slack * most_s + clock_slack_s)' 'if (false)' call.sh
guard 'times that a run has told are not thrown away by another' take_turn \
    '&& !told(open, NULL);' ';' call.sh
guard 'what a run for judging tells is no sample' run_untimed \
    'for (double unused; told(open, &unused);) {' 'for (; false;) {' call.sh
guard 'an answer without what is expected is wrong' command/primitive:check \
    'if (!variant->has_expect ||' 'if (true ||' call.sh
guard 'amounts are tried at every point' gb_provided_check_amounts \
    'if (gb_expression_value(said, &axes, &config->points[at], &value, error)) continue;' 'continue;' call.sh
guard 'an amount has no word behind it' gb_expression_value 'if (*r.at) {' 'if (false) {' test_protocol_expression
guard 'a product is too large before it wraps' read_product \
    'if (factor && *value > most / factor) return too_large(r);' '' test_protocol_expression
