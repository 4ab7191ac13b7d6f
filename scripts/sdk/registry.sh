#!/bin/sh
# The C file that makes a worker of a folder's sources: all primitives that they define (const gb_primitive
# gb_primitive_NAME) and all variants that they define by GB_VARIANT(NAME), for common/worker/registry.h.
# Usage: registry.sh SOURCE...
set -eu

fail()
{
    echo "gpubench: $*" >&2
    exit 1
}

primitives=$(sed -nE 's/^(extern "C" )?const gb_primitive (gb_primitive_[A-Za-z0-9_]+).*/\2/p' "$@" /dev/null)
[ -n "$primitives" ] || fail "none of these files has a line \"const gb_primitive gb_primitive_NAME = {\": $*"
variants=$(sed -nE 's/^GB_VARIANT\(([A-Za-z0-9_]+)\).*/\1/p' "$@" /dev/null)
if missed=$(grep -nE '^[^*/]*[^A-Za-z0-9_*/]GB_VARIANT\(' "$@" /dev/null); then
    fail "GB_VARIANT stands at the beginning of a line, or the build does not find it: $missed"
fi
if [ -n "$variants" ] && [ "$(echo "$primitives" | wc -l)" -gt 1 ]; then
    fail "GB_VARIANT is for folders with one primitive, and here are $(printf '%s' "$primitives" | tr '\n' ' '): each lists its own variants instead"
fi

echo '#include "common/worker/registry.h"'
for name in $primitives; do echo "extern const gb_primitive $name;"; done
for name in $variants; do echo "extern const gb_variant $name;"; done
echo 'const gb_variant *const gb_variants[] = {'
for name in $variants; do echo "    &$name,"; done
echo '    NULL};'
echo 'GB_REGISTRY('
separator=' '
for name in $primitives; do
    echo "   $separator&$name"
    separator=,
done
echo ')'
