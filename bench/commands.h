/* The commands of gpubench: one entry point each, and what their exit statuses mean. */
#ifndef GB_COMMANDS_H
#define GB_COMMANDS_H

#define GB_VERSION "0.1.0"

typedef enum gb_exit {
    GB_EXIT_OK = 0,            /* all points ok or unsupported */
    GB_EXIT_FAILED = 1,        /* some point failed */
    GB_EXIT_USAGE = 2,         /* command line or config; nothing was run */
    GB_EXIT_NO_DEVICE = 3,     /* no such device or worker */
    GB_EXIT_SLOWER = 4,        /* --fail-on met */
    GB_EXIT_INTERRUPTED = 130, /* SIGINT or SIGTERM */
} gb_exit;

/* argv[0] is the command's name. They return the exit status. */
int gb_command_run(int argc, char **argv);
int gb_command_list(int argc, char **argv);
int gb_command_info(int argc, char **argv);
int gb_command_check(int argc, char **argv);
int gb_command_dump(int argc, char **argv);
int gb_command_table(int argc, char **argv);
int gb_command_plot(int argc, char **argv);
int gb_command_compare(int argc, char **argv);
int gb_command_claims(int argc, char **argv);
int gb_command_audit(int argc, char **argv);
int gb_command_standings(int argc, char **argv);
int gb_command_report(int argc, char **argv);

#endif
