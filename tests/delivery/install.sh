#!/bin/bash
# test: long 18
# What `make install` copies runs from any folder and finds its plots and published numbers; the manual and
# completion are where others look for them; `make uninstall` leaves nothing.
. "$(dirname "$0")/../harness/lib.sh"
tree=$scratch/tree prefix=$scratch/prefix
copy_tree "$tree" || exit 1
unset MAKEFLAGS MAKELEVEL
cd "$tree" || exit 1
touch build/gpubench-cuda11 # a second worker for GPUs
check "make install PREFIX=" make BUILD=build NVCC= PREFIX="$prefix" install
check "all workers for GPUs" test -x "$prefix/bin/gpubench-cuda11"
rm -f build/gpubench-cuda11 "$prefix/bin/gpubench-cuda11"
check "make install DESTDIR= PREFIX=" make BUILD=build NVCC= DESTDIR="$scratch/stage" PREFIX=/usr install
check "goes below DESTDIR" test -x "$scratch/stage/usr/bin/gpubench"
(cd "$scratch/stage" && find . -type f | sed 's|^./usr/||' | grep -v gpubench/installed | LC_ALL=C sort) >"$scratch/staged"
LC_ALL=C sort "$scratch/stage/usr/share/gpubench/installed" >"$scratch/listed"
check "all that is there is listed as installed" diff "$scratch/staged" "$scratch/listed"
mkdir -p "$scratch/stage/usr/share/gpubench/configs" && touch "$scratch/stage/usr/share/gpubench/configs/mine.json"
check "make uninstall" make DESTDIR="$scratch/stage" PREFIX=/usr uninstall
nothing_but() { diff <(echo "$1") <(find "$scratch/stage" -type f); }
check "leaves what it did not install" nothing_but "$scratch/stage/usr/share/gpubench/configs/mine.json"
check "and no folder of its own that is empty" test ! -e "$scratch/stage/usr/share/doc/gpubench"
again() { ! make DESTDIR="$scratch/stage" PREFIX=/usr uninstall; }
check "twice is a mistake" again
rm -rf "$tree"
mkdir "$scratch/elsewhere" && cd "$scratch/elsewhere" || exit 1

config=$prefix/share/gpubench/configs/multipartition.json
check "runs a config" "$prefix/bin/gpubench" run "$config" --device simt --filter 'bins == 40 || bins == 64' --out out
check "or the name of one" "$prefix/bin/gpubench" run null --device simt --dry-run
check "... which is an installed one" sh -c "'$prefix/bin/gpubench' run null --device simt --dry-run | grep -F 'share/gpubench/configs/null.json'"
check "finds the published numbers" sh -c "'$prefix/bin/gpubench' list published | grep multipartition-table1"
check "... and what others printed" sh -c "'$prefix/bin/gpubench' list published | grep results/published/elsewhere/radix-sort.csv"
check "lists the installed configs" sh -c "'$prefix/bin/gpubench' list configs | grep multipartition"
check "draws with the installed plots" "$prefix/bin/gpubench" plot out
check "wrote a figure" test -s out/multipartition-bins.svg

check "the licence" grep -q "MIT License" "$prefix/share/doc/gpubench/LICENSE"
check "the README's documents" test -s "$prefix/share/doc/gpubench/docs/statistics.md"
if command -v man >/dev/null; then
    check "man finds the page" sh -c "man -M '$prefix/share/man' -w gpubench | grep -x '$prefix/share/man/man1/gpubench.1'"
else
    skip "man finds the page" "man is not installed"
fi
check "the page is this gpubench's" grep -q '^\.SS \\fBdump\\fP' "$prefix/share/man/man1/gpubench.1"
# As a shell of a user who has it on PATH.
completes()
{
    # shellcheck disable=SC2016 # that shell's
    PATH=$prefix/bin:$PATH bash -c '. "$1" && COMP_WORDS=(gpubench "${@:2}") COMP_CWORD=$(($# - 1)) && _gpubench
        printf "%s\n" "${COMPREPLY[@]}"' - "$prefix/share/bash-completion/completions/gpubench" "${@:2}" | grep -xF -- "$1"
}
check "bash completes a command" completes table tab
check "bash completes an installed config" completes "$config" run "$prefix/share/gpubench/configs/multipartition.j"
check "bash completes an installed figure" completes null-copy plot --figure null-c
for shell in zsh:site-functions/_gpubench fish:vendor_completions.d/gpubench.fish; do
    file=$prefix/share/${shell%%:*}/${shell#*:}
    asks=$(grep -oE '/\.\./[^ ]*/gpubench' "$file")
    check "${shell%%:*}'s completion finds bash's" test -s "$(dirname "$file")$asks"
done
if command -v fish >/dev/null; then
    in_fish() { PATH=$prefix/bin:$PATH HOME=$scratch fish -c "source '$file'; complete -C 'gpubench tab'" | grep '^table'; }
    check "fish completes a command" in_fish
else
    skip "fish completes a command" "fish is not installed"
fi
profiler() { "$prefix/share/gpubench/scripts/profile.sh" "$config" 2>&1 | tee "$scratch/said"; grep -qE 'Nsight|profile:' "$scratch/said" && ! grep -q "there is no gpubench" "$scratch/said"; }
check "the script for the profiler finds gpubench" profiler
finish
