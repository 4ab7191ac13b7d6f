/* The commands of gpubench: one entry point each, and what their exit statuses mean. */
#ifndef GB_COMMANDS_COMMANDS_H
#define GB_COMMANDS_COMMANDS_H

#include "bench/util/exit_status.h"

/* argv[0] is the command's name. They return the exit status. */
int gb_command_run(int argc, char **argv);
int gb_command_list(int argc, char **argv);
int gb_command_info(int argc, char **argv);
int gb_command_check(int argc, char **argv);
int gb_command_tune(int argc, char **argv);
int gb_command_dump(int argc, char **argv);
int gb_command_table(int argc, char **argv);
int gb_command_export(int argc, char **argv);
int gb_command_plot(int argc, char **argv);
int gb_command_compare(int argc, char **argv);
int gb_command_claims(int argc, char **argv);
int gb_command_audit(int argc, char **argv);
int gb_command_new(int argc, char **argv);
int gb_command_build(int argc, char **argv);
int gb_command_standings(int argc, char **argv);
int gb_command_history(int argc, char **argv);
int gb_command_watch(int argc, char **argv);
int gb_command_project(int argc, char **argv);
int gb_command_scaling(int argc, char **argv);
int gb_command_report(int argc, char **argv);
int gb_command_team(int argc, char **argv);

#endif
