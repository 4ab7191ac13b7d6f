#!/bin/bash
# test: thorough turns 40
# The octrees as other programs take them: the example is built from what `make install` installs and run, on the
# simt device. (For GPUs: tests/delivery/library.sh. What the library builds and finds, and says of mistakes:
# test_octree_library.cu.)
. "$(dirname "$0")/../../harness/lib_installed.sh"
check "installs octree.h" test -s "$prefix/include/gpubench/octree.h"
check "the example in C builds" link "$examples/octree_example.c" example
check "the example in C runs" says example '^100000 bodies around \(0\.[45].., 0\.[45].., 0\.[45]..\), 4 nearest of 20 looked at, 0 wrong$'
finish
