# Completion of gpubench's command line for fish: bash's knows what there is.
set --global _gpubench_asked (status dirname)/completion.bash
complete --command gpubench --no-files --arguments '(bash $_gpubench_asked (commandline --tokenize --cut-at-cursor --current-process) (commandline --current-token --cut-at-cursor) 2>/dev/null)'
