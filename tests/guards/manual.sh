# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'the manual has every variable that the code reads' docs/gpubench.1.in \
    '.B GPUBENCH_ANONYMOUS' '.B GPUBENCH_NAMELESS' manual.sh
guard 'its config is one that gpubench takes' docs/gpubench.1.in '"samples": 30' '"sample": 30' manual.sh
guard 'its words are not broken' docs/gpubench.1.in '.nr HY 0' '.\"' manual.sh
guard 'it has every option' scripts/manual.awk \
    'range == "options:" {' 'range == "options:" && !/worker/ {' manual.sh
guard 'a line of help that begins with a dot is no request' scripts/manual.awk \
    '(text ~ /^\./ ? "\\&" : "") text' 'text' manual.sh
guard 'help without options makes no page' scripts/manual.awk \
    'part == "section" && options && text' 'part == "section"' manual.sh
guard 'the argument of an option is no operand' scripts/completion.bash 'pending=$option' ':' completion.sh
guard 'the second operand is not the first' scripts/completion.bash 'at=$((at + 1))' 'at=1' completion.sh
guard 'behind = bash expects the value alone' scripts/completion.bash \
    'COMPREPLY=("${COMPREPLY[@]#--*=}")' ':' completion.sh
guard 'samples are no results' scripts/completion.bash '$path == *.samples.csv || ' '' completion.sh
guard 'what was copied is listed' scripts/install.sh \
    'installed+=("$folder/$(basename "$file")")' ':' install.sh
guard 'all workers for GPUs are copied' scripts/install.sh '/gpubench-cuda* ' '/gpubench-cuda ' install.sh
guard 'a package has the sums of all of its files' scripts/deb.sh 'find usr -type f' 'find usr -name "*.json"' deb.sh
guard 'its programs are stripped' scripts/deb.sh 'strip --strip-unneeded' 'true' deb.sh
guard 'and everybody can run them' scripts/install.sh 'put 755 bin' 'put 700 bin' deb.sh
