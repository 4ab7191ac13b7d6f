# shellcheck shell=bash
# results_of GPUBENCH DEVICE: the folder in results/ that runs on a device write to; false if it cannot be used.
results_of()
{
    local slug
    slug=$("$1" info --device "$2" --json 2>/dev/null | tr -d '\n\t' | sed -nE 's/.*"selected":.*"slug": *"([^"]*)".*/\1/p')
    [ -n "$slug" ] && echo "results/$slug"
}
