# shellcheck shell=bash
# shellcheck disable=SC2016 # what stands in the files
guard 'the manual has every variable that the code reads' 'gpubench.1:*' \
    '.B GPUBENCH_ANONYMOUS' '.B GPUBENCH_NAMELESS' manual.sh
guard 'its config is one that gpubench takes' 'gpubench.1:*' '"samples": 30' '"sample": 30' manual.sh
guard 'its words are not broken' 'gpubench.1:*' '.nr HY 0' '.\"' manual.sh
guard 'it has every option' 'manual.awk:*' \
    'range == "options:" {' 'range == "options:" && !/worker/ {' manual.sh
guard 'a line of help that begins with a dot is no request' manual.awk:line \
    '(text ~ /^\./ ? "\\&" : "") text' 'text' manual.sh
guard 'help without options makes no page' 'manual.awk:*' \
    'part == "section" && options && text' 'part == "section"' manual.sh
guard 'the argument of an option is no operand' _gpubench_candidates 'pending=$option' ':' completion.sh
guard 'the second operand is not the first' _gpubench_candidates 'at=$((at + 1))' 'at=1' completion.sh
guard 'behind = bash expects the value alone' _gpubench \
    'COMPREPLY=("${COMPREPLY[@]#--*=}")' ':' completion.sh
guard 'samples are no results' _gpubench_offer_files '$path == *.samples.csv || ' '' completion.sh
guard 'what was copied is listed' install.sh:put \
    'installed+=("$folder/$(basename "$file")")' ':' install.sh
guard 'all workers for GPUs are copied' 'install.sh:*' '/gpubench-cuda* ' '/gpubench-cuda ' install.sh
guard 'a package has the sums of all of its files' 'deb.sh:*' 'find usr -type f' 'find usr -name "*.json"' deb.sh
guard 'its programs are stripped' 'deb.sh:*' 'strip --strip-unneeded' 'true' deb.sh
guard 'and everybody can run them' 'install.sh:*' 'put 755 bin' 'put 700 bin' deb.sh
