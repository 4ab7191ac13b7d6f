# shellcheck shell=bash
# Sourced by scripts that run gpubench, in the folder with configs/ and results/.

# use_build NAME [BUILD]: sets build, BUILD or else the bundle that this is, or else the folder of that name, and gpubench,
# the program in it. Without one the script NAME ends.
use_build()
{
    build=${2:-}
    [ -n "$build" ] || { build=.; [ -x gpubench ] || build=build; }
    gpubench=$build/gpubench
    [ -x "$gpubench" ] || { echo "$1: there is no $gpubench: make builds it" >&2; exit 1; }
}

# info_of GPUBENCH DEVICE: what `gpubench info` says of a device to programs, on one line.
info_of() { "$1" info --device "$2" --json | tr -d '\n\t'; }

# results_of GPUBENCH DEVICE: the folder in results/ that runs on a device write to; false if it cannot be used.
results_of()
{
    local slug
    slug=$(info_of "$1" "$2" 2>/dev/null | sed -nE 's/.*"selected":.*"slug": *"([^"]*)".*/\1/p')
    [ -n "$slug" ] && echo "results/$slug"
}

# configs_of all|rest|together: those that reproduce a paper; those that say "reproduce": false; and of these those that
# several GPUs run together.
configs_of()
{
    case $1 in
    all) grep -LE '"reproduce": *false' configs/*.json ;;
    rest) grep -lE '"reproduce": *false' configs/*.json | grep -v -- '-multi\.json$' ;;
    together) ls configs/*-multi.json ;;
    esac
}
