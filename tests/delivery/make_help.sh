#!/bin/bash
# test: long 16
# `make help` lists the targets that people are told about, and each of them exists.
. "$(dirname "$0")/../harness/lib.sh"
cd "$root" || exit 1
unset MAKEFLAGS MAKELEVEL
make help >"$scratch/help" 2>&1
for target in all check quickstart reproduce-all bundle install uninstall deb lint format clean help; do
    check "help lists $target" grep -qE "^  make $target +[a-z]" "$scratch/help"
    check "$target is a target" make -n BUILD="$scratch/build" PREFIX="$scratch" NVCC= "$target"
done
for config in configs/*.json; do
    name=$(basename "$config" .json)
    check "help lists the config $name" grep -qwF -- "$name" "$scratch/help"
    check "reproduce-$name is a target" make -n BUILD="$scratch/build" NVCC= "reproduce-$name"
done
unknown() { ! make -n reproduce-nothing; }
check "reproduce-NAME of an unknown config is refused" unknown
finish
