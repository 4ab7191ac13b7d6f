# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
# Guards of gpubench report: what is told is what is drawn, and of rows.

guard 'a figure ends' report/svg:take_all 'return r->depth == 0;' 'return true;' test_report
guard 'ends have their names' take_end 'if (name && strcmp(name, r->svg->nodes[begin].name) != 0) return false;' '' test_report
guard 'what is handed down is not said' svg_put:settle 'if (index >= 0 && strcmp(outer->values[index], a->value) == 0) continue;' '' test_report
guard 'what differs is handed down' svg_put:settle 'if (index >= 0) here->values[index] = a->value;' '' test_report
guard 'paths are rounded where they stand' draw_to 'p->x = x;' '' test_report
guard 'lines of a series are its own' put_node 'if (at >= w->series_end && is_lines(node)' 'if (is_lines(node)' test_report
guard 'looks are held apart' wait_with_lines 'strcmp(w->waiting[i].dashes, dashes) != 0))' 'false))' test_report
guard 'what waits is below what follows' put_node 'if (is_series(w->svg, at) || !lets_wait(node)) put_waiting(w);' '' test_report
guard 'titles are names' svg.c:label_of '|| strstr(label, " using ") ? "" : label' '? "" : label' test_report
guard 'marks lie where the data puts them' lies_on_line '> 0.5) return false;' '> 1e9) return false;' test_report
guard 'two points prove nothing' lies_on_line 'e->count < 3 ||' '' test_report
guard 'larger is above' lies_on_line 'return slope < 0;' 'return true;' test_report
guard 'a mark for each row' shown_rows 'return count == marks ? rows : NULL;' 'return count >= marks ? rows : NULL;' test_report
guard 'points are of rows that are shown' report/points:points_of 'if (!(s->rows[i][v->column] > 0)) continue;' '' test_report
guard 'names are encoded' encoded 'to += sprintf(to, "%%%02X", (unsigned char)*text);' '*to++ = *text;' test_report
guard 'digits stand below digits' html_table.c:put_number 'if (decimals == 0 && most > 0) fputs(point, file);' '' test_report
guard 'what follows a number stands beside it' put_value 'if (!of->rests) return;' 'return;' test_report
guard 'sizes are no numbers' html_table:column_of 'found.numbers &= is_rest(cell + length);' '' test_report
guard 'what contests leave out is not the fastest' is_ours 'if (does_less(r, set->experiment, row->variant)) return false;' '' report.sh
guard 'each device has its claims' entry_of 'e.rows > before && !e.under' '!e.under' report.sh
guard 'ids are there once' gb_report_id 'is_taken(plan, id)' 'false' report.sh
