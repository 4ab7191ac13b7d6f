/* The table at the end of a run. */
#ifndef GB_COMMANDS_RUN_TABLE_H
#define GB_COMMANDS_RUN_TABLE_H

/* Prints on stdout what `gpubench table` prints of a result file, unless that is longer than people
 * read at the end of a run; then how long it would be and the command for it. Says on stderr why
 * there is none where the table cannot be made. */
void gb_run_table_print(const char *csv);

#endif
