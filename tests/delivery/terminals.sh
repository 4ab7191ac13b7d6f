#!/bin/bash
# test: long 25
# The commands of the README's three doors, and those that show results, in terminals of 80x24 and of 60x20: they do
# what they say, no line of gpubench's is broken by the terminal's edge, and results are seen as numbers.
# shellcheck source=tests/harness/lib.sh
. "$(dirname "$0")/../harness/lib.sh"
if ! command -v tmux >/dev/null; then
    skip "terminals" "there is no tmux (scripts/setup.sh --check brings it)"
    finish
fi
tree=$scratch/tree
copy_tree "$tree" gpubench-cuda || exit 1
cd "$tree" || exit 1
unset BUILD MAKEFLAGS MAKELEVEL TMUX
# Without a GPU's worker "auto" is the CPU, whose inputs are the configs' quick ones.
export NVCC="" CUDA11="" TERM=xterm-256color GPUBENCH_PAGER=""
# A server that ends with its last session may take the next one along.
printf 'set -g history-limit 20000\nset -s exit-empty off\n' >"$scratch/tmux.conf"
server() { tmux -L "gpubench-$$" -f "$scratch/tmux.conf" "$@"; }
trap 'server kill-server 2>/dev/null; rm -rf "$scratch"' EXIT

# typed SIZE COMMAND: in a terminal of that size; its exit status. What was to be seen, from the first line on, is in
# $scratch/seen, and with lines that the terminal broke put together in $scratch/said.
typed()
{
    rm -f "$scratch/status" "$scratch/said"
    # shellcheck disable=SC2016 # the shell in the terminal expands them
    printf '%s\n' "$2" 'echo $? >"$0.new" && mv "$0.new" "$0"; exec sleep 1000' >"$scratch/script"
    server new-session -d -s walk -x "${1%x*}" -y "${1#*x}" "bash -c \"\$(cat '$scratch/script')\" '$scratch/status'" || return 1
    await 240 test -e "$scratch/status" || return 1
    server capture-pane -t walk -p -S - | sed 's/ *$//' >"$scratch/seen"
    server capture-pane -t walk -p -J -S - | sed 's/ *$//' >"$scratch/said"
    server kill-session -t walk
    cat "$scratch/seen"
    return "$(<"$scratch/status")"
}
# shows TEXT: extended regular expression.
shows() { grep -qE -- "$1" "$scratch/said"; }
# fits COLUMNS: no line of the last command was wider, but for sentences and for commands to copy.
fits()
{
    grep -vE '^(gpubench[ :]|note: |kept |  next: )' "$scratch/said" >"$scratch/lines"
    [ -s "$scratch/lines" ] && ! LC_ALL=C.UTF-8 grep -E "^.{$(($1 + 1)),}" "$scratch/lines"
}

mapfile -t doors < <(awk '/^## Three doors/ { here = 1 } /^## Words/ { exit } here && /^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md)
check "the three doors have five commands" test ${#doors[@]} = 5
for size in 80x24 60x20; do
    for command in "${doors[@]}"; do
        # What make says is not gpubench's, and is the same; what is new is so once.
        case $size:$command in 60x20:*make* | 60x20:*" new "*) continue ;; esac
        check "$size: $command" typed $size "$command"
        case $command in
        build/gpubench*) check "... fits" fits "${size%x*}" ;;
        esac
        case $command in
        *" run "*) check "... shows a rate" shows '[0-9] ?(k|M|G|[0-9]|10⁹)* ?[a-z]+/s' ;;
        *" compare "*) check "... in words" shows ' is faster' ;;
        esac
    done
    for command in "table my-results" "list variants multipartition" "list papers" "claims results/nvidia-h100-80gb-hbm3 --paper octree" \
        "standings results/nvidia-h100-80gb-hbm3" \
        "project results/nvidia-h100-80gb-hbm3/octree-contention.csv results/nvidia-h200/octree-contention.csv --validate" \
        "plot results/nvidia-h100-80gb-hbm3/multipartition.csv --figure multipartition-speedup --terminal"; do
        check "$size: gpubench $command" typed $size "build/gpubench $command"
        check "... fits" fits "${size%x*}"
    done
done
many="build/gpubench plot results/nvidia-h100-80gb-hbm3/multipartition.csv --figure multipartition-bins --terminal"
check "80x24: a figure of seven series" typed 80x24 "$many"
check "... fits" fits 80
not_drawn() { ! typed 60x20 "$many" && [ -s "$scratch/status" ] && [ "$(<"$scratch/status")" != 0 ]; }
check "60x20: is not drawn where nobody could read it" not_drawn
check "... which is said, with the way out" shows 'too many for 60 columns'
finish
