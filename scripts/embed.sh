#!/bin/sh
# Prints the OpenCL sources as C: the table gb_opencl_sources (common/opencl/opencl.h). Each text
# begins with its path, so that the compiler's complaints name the file.
# Usage: scripts/embed.sh FILE.cl...
set -eu

# as_string: standard input as C string literals, a line each.
as_string()
{
    sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/    "&\\n"/'
}

echo '#include "common/opencl/opencl.h"'
number=0
for file; do
    echo "static const char text_${number}[] ="
    { echo "#line 1 \"$file\""; cat "$file"; } | as_string
    echo '    "";'
    number=$((number + 1))
done
echo 'const gb_opencl_source gb_opencl_sources[] = {'
number=0
for file; do
    echo "    {\"$file\", text_$number, sizeof text_$number - 1},"
    number=$((number + 1))
done
echo '    {NULL, NULL, 0}};'
