#!/bin/bash
# test: fast 2
# Completion in bash, as the shell calls it, and in zsh and fish where these are installed: commands, options,
# values, configs, results; and what a new command and a new option have, without being told of them.
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
export GPUBENCH=$BUILD/gpubench
unset GPUBENCH_SHARE GPUBENCH_WORKER_PATH GPUBENCH_WORKERS
program=$GPUBENCH
# shellcheck source=scripts/completion.bash
. scripts/completion.bash

# completions WORD...: what the shell would offer, one a line; the last word is incomplete.
completions()
{
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _gpubench
    printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort
}

# gives "THIS THAT" WORD...: these and no others, of a command line of gpubench with these words.
gives()
{
    local expected
    read -r -a expected <<<"$1"
    diff <(printf '%s\n' "${expected[@]}" | LC_ALL=C sort) <(completions "$program" "${@:2}")
}

commands=$("$GPUBENCH" --help | sed -nE '/^commands:/,/^$/s/^  ([a-z]+) .*/\1/p' | tr '\n' ' ')
check "commands" gives "$commands" ''
check "what a command begins with" gives "list" li
check "no command" gives "" frob
check "options without a command" gives "--help --version" -
for command in $commands; do
    its_options=$("$GPUBENCH" "$command" --help | sed -nE 's/^  (--[^ []+)\[=([^]|]+)\].*/\1 \1=\2/p; t; s/^  (--[^ ]+).*/\1/p' | tr '\n' ' ')
    check "options of $command" gives "$its_options" "$command" --
done
check "one option" gives "--samples" run configs/null.json --sa
check "one that may have a value" gives "--all-devices --all-devices=side-by-side" run --all
check "... and the value" gives "side-by-side" run --all-devices = si
check "an unknown command has none" gives "" frobnicate --
check "values that the help writes a|b|c" gives "text markdown latex csv json" table --format ''
check "of which some begin so" gives "markdown" table --format m
check "behind =, which bash takes for a word" gives "markdown" table --format = m
check "and all" gives "text markdown latex csv json" table --format =
check "a|b|c,..." gives "svg pdf png eps" plot --format ''
check "device" gives "auto all simt opencl python" run --device ''
mkdir "$scratch/workers"
printf "#!/bin/sh\ncat '%s'\n" "$root/tests/fixtures/describe.json" >"$scratch/workers/gpubench-cuda11"
chmod +x "$scratch/workers/gpubench-cuda11"
check "device by index, as a worker tells" env -i PATH="$PATH" GPUBENCH_WORKER_PATH="$scratch/workers" \
    sh -c "bash scripts/completion.bash '$program' info --device '' | tr '\n' ' ' | grep -x 'auto all simt opencl python 0 1 '"
check "a number has none" gives "" run --samples 1
check "a folder" gives "configs" plot --out conf
check "a file" gives "README.md" table --published READ
check "what a folder holds by name, as the help text writes it" gives "null-copy null-timer" plot --figure null-
check "and what it names besides" gives "plain" table --table pl
check "not what the figures share" gives "" plot --figure common
check "variants of a primitive" gives "multisplit-block multisplit-reduced-bit multisplit-warp" check multipartition --variant multisplit-
check "of any" gives "lfvector-busy-wait-acquire" check --variant lfvector-busy-wait-a
check "primitives" gives "multipartition multipartition-multi" check multi
check "primitives behind variants" gives "octree octree-multi octree-nbody octree-neighbours octree-update" list variants oct
check "or a folder of workers, written as a path" gives "./configs" list variants ./conf
check "or a config" gives "configs/octree.json" check configs/octree.j
check "workers of a folder" gives "configs" run --worker conf
mkdir "$scratch/outside"
printf "#!/bin/sh\nexec '%s' '%s'\n" "$root/tests/fixtures/worker.sh" 's/"multipartition"/"mine"/; s/"multisplit"/"my-way"/' >"$scratch/outside/gpubench-simt-mine"
chmod +x "$scratch/outside/gpubench-simt-mine"
check "primitives of GPUBENCH_WORKERS" env GPUBENCH_WORKERS="$scratch/outside" sh -c \
    "bash scripts/completion.bash '$program' list variants mi | grep -x 'mine.*'"
check "variants of a folder's workers" gives "my-way" check "$scratch/outside/" --variant my
check "not after an operand that comes once" gives "" list variants octree ''
check "variants of results" gives "multisplit-block multisplit-reduced-bit multisplit-warp" table results/published --variant multisplit-
check "words that the usage has" gives "papers primitives published" list p
check "the second operand" gives "slice depth contention" dump octree ''
check "not a third one" gives "" dump octree slice ''
check "options' arguments are no operands" gives "papers primitives published" list --device simt p
check "nor is --option=argument" gives "papers primitives published" list --device = simt p

configs=$(find configs -name '*.json' | tr '\n' ' ')
check "configs" gives "$configs" run ''
check "configs by name" gives "null-bus" run null-
check "the second by name" gives "octree-stars" run null octree-st
check "more than one" gives "configs/null.json configs/null-bus.json" run configs/octree.json configs/null
mkdir -p "$scratch/here/of mine.d" "$scratch/here/configs" "$scratch/share/configs" "$scratch/share/plots"
cd "$scratch/here" || exit 1
touch configs/own.json own.json own.csv own.samples.csv own.retried.csv ../share/configs/other.json ../share/plots/other.gp
check "of the working folder first, then those that gpubench came with" sh -c \
    "bash '$root/scripts/completion.bash' '$program' run '' | tr '\n' ' ' | grep '^configs/own.json ' | grep -v other"
check "none but those where GPUBENCH_SHARE says" env GPUBENCH_SHARE="$scratch/share" sh -c \
    "bash '$root/scripts/completion.bash' '$program' run '' | tr '\n' ' ' | grep -x '$scratch/share/configs/other.json '"
check "figures too" env GPUBENCH_SHARE="$scratch/share" sh -c \
    "bash '$root/scripts/completion.bash' '$program' plot --figure '' | tr '\n' ' ' | grep -x 'other '"
check "other files that end so, and a config's name" gives "own own.json" run ow
touch own.meta.json own.unfinished.json
for command in table plot; do
    check "$command: results, other tools' too, and no samples" gives "own.csv own.json" $command ow
done
blanks() { [ "$(completions "$program" table of)" = "of mine.d" ]; }
check "a name with a blank" blanks
cd "$root" || exit 1

# ---- what is new ---------------------------------------------------------------------------------------

program=tests/fixtures/gpubench_with_toy.sh
check "a new command" gives "toy" to
check "its options" gives "--colour --help" toy -
check "their values" gives "red green" toy --colour ''
check "its words" gives "slow fast" toy ''
check "its files" gives "results/published/octree-claims.csv" toy fast results/published/octree
check "which come more than once" gives "results/published/octree-claims.csv" toy fast a.csv b.csv results/published/octree
check "a new option of an old command" gives "--frobnicate" list --fr
check "its value" gives "much" list --frobnicate ''
check "and its description" sh -c "bash scripts/completion.bash $program list --fr | grep -x '\-\-frobnicate	how much to frobnicate'"
program=$GPUBENCH
check "a program that is not there" sh -c "[ -z \"\$(bash scripts/completion.bash /no/gpubench run '' 2>&1 | grep -v json)\" ]"

# ---- the shells -----------------------------------------------------------------------------------------

registered() { bash -c '. scripts/completion.bash && complete -p gpubench' | grep -x 'complete -F _gpubench gpubench'; }
check "bash is told" registered
if command -v zsh >/dev/null; then
    cat >"$scratch/try.zsh" <<'END'
compadd() { print -r -- "compadd $*" }
_describe() { print -rl -- "${(@P)2}" }
fpath=($1 $fpath)
autoload -Uz _gpubench
words=("${@:2}") CURRENT=$(($# - 1))
_gpubench
END
    mkdir "$scratch/zsh" && ln -s "$root/scripts/completion.zsh" "$scratch/zsh/_gpubench"
    in_zsh() { zsh -f "$scratch/try.zsh" "$scratch/zsh" "$program" "${@:2}" | tee "$scratch/zsh.out" && grep -qxF -- "$1" "$scratch/zsh.out"; }
    check "zsh, with descriptions" in_zsh "info:devices, workers, measured ceilings" inf
    check "zsh, values" in_zsh "compadd -f -- text markdown latex" table --format ''
    check "zsh, folders" in_zsh "compadd -f -S / -q -- results/published" table results/pub
else
    skip "zsh" "it is not installed"
fi
if command -v fish >/dev/null; then
    in_fish() { PATH=$BUILD:$PATH HOME=$scratch fish -c "source scripts/completion.fish; complete -C '$2'" | grep -xF "$1"; }
    check "fish, with descriptions" in_fish "info	devices, workers, measured ceilings" "gpubench inf"
    check "fish, values" in_fish "markdown" "gpubench table --format m"
else
    skip "fish" "it is not installed"
fi
finish
