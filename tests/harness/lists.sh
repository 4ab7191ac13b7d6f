#!/bin/bash
# test: fast
# Which tests there are, which are meant, and in which order they are begun (tests/harness/list.sh), in a made-up
# tree; and that every script of the real one that makes checks says that it is a test.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
mkdir -p tree/tests/{harness,driver,kernels/octree,fixtures,fuzz} && cp "$root/tests/harness/list.sh" tree/tests/harness/
cd tree || exit 1
unset TEST_TURN
echo '/* No word of how long. */' >tests/driver/test_config.c
printf '/* Long. */\n/* test: long 40 */\n' >tests/driver/test_table.c
printf '/* Long, too. */\n/* test: long alone 300 */\n' >tests/driver/test_alone.c
printf '#!/bin/bash\n# test: thorough 90\n' >tests/kernels/octree/planted.sh
printf '#!/bin/bash\n# test: fast\n' >tests/kernels/octree/quick.sh
printf '/* On the device. */\n' >tests/kernels/octree/test_octree.cu
printf '#!/bin/bash\necho a tool\n' | tee tests/driver/lib_x.sh >tests/harness/run.sh
printf '#!/bin/bash\n# test: fast\n' | tee tests/fixtures/worker.sh >tests/fuzz/run.sh

# lists CLASSES PATTERN EXPECTED [PROGRAM...]: these, with blanks between.
lists()
{
    local said
    said=$(tests/harness/list.sh "$1" "$2" "${@:4}" 2>&1 | paste -sd ' ')
    [ "$said" = "$3" ] || { echo "$said"; return 1; }
}
in_turn() { TEST_TURN=$1 lists thorough "$2" "$3"; }
refuses_turn() { ! TEST_TURN=$1 tests/harness/list.sh fast '*' 2>"$scratch/turn" && grep -qF "TEST_TURN=$1: not K/N" "$scratch/turn"; }
everything="fast long thorough"
check "fast ones" lists fast '*' "tests/driver/test_config.c tests/kernels/octree/quick.sh tests/kernels/octree/test_octree.cu"
check "the longest are begun first, short ones between, what is alone comes last" lists "$everything" '*' \
    "tests/kernels/octree/planted.sh tests/driver/test_config.c tests/kernels/octree/quick.sh tests/kernels/octree/test_octree.cu tests/driver/test_table.c --alone tests/driver/test_alone.c"
short_ones=()
for i in $(seq 0 12); do short_ones+=("build/tests/s_$i"); done
check "... not all at once" lists "fast long" 's_*' \
    "build/tests/s_long $(printf 'build/tests/s_%d ' 0 1 2 3 4 5 6)build/tests/s_later $(printf 'build/tests/s_%d ' 7 8 9 10 11 12)--alone build/tests/s_alone" \
    "${short_ones[@]}" --long build/tests/s_long build/tests/s_later --alone build/tests/s_alone
check "by a name" lists "$everything" config tests/driver/test_config.c
check "by its program's name" lists "$everything" test_config tests/driver/test_config.c
check "by a pattern" lists "$everything" 't*le' tests/driver/test_table.c
check "by a path" lists "$everything" driver/test_table tests/driver/test_table.c
check "by a folder" lists "$everything" octree \
    "tests/kernels/octree/planted.sh tests/kernels/octree/quick.sh tests/kernels/octree/test_octree.cu"
check "by a folder and a class" lists thorough octree tests/kernels/octree/planted.sh
check "none" lists "$everything" nothing ""
check "programs of rules of their own" lists "fast long" 'simt_*' \
    "build/tests/simt_long build/tests/simt_a --alone build/tests/simt_alone" \
    build/tests/simt_a build/tests/other --long build/tests/simt_long --alone build/tests/simt_alone
printf '#!/bin/bash\n# test: thorough turns 50\n' | tee tests/driver/planted_{a,b,c}.sh >tests/driver/planted_d.sh
check "those that take turns are all meant without one" lists thorough driver \
    "$(printf 'tests/driver/planted_%s.sh ' a b c)tests/driver/planted_d.sh"
check "... with one the rest is left to the others" in_turn 0/3 driver "tests/driver/planted_a.sh tests/driver/planted_d.sh"
check "... which take it up" in_turn 1/3 driver tests/driver/planted_b.sh
check "... and all others run" in_turn 2/3 '*' "tests/kernels/octree/planted.sh tests/driver/planted_c.sh"
check "a turn that is none is said" refuses_turn 3
echo '# test: slow' >>tests/kernels/octree/quick.sh
sed -i '/# test: fast/d' tests/kernels/octree/quick.sh
said() { tests/harness/list.sh "$everything" '*' 2>&1 >/dev/null | grep -qF "$1"; }
check "a word that is none is said" said 'tests/kernels/octree/quick.sh: test: what is slow?'

# silent: scripts that make checks and say nothing, which would never be run.
silent()
{
    cd "$root" && ! grep -rlE '^finish$' tests --include=*.sh | grep -vE '/(lib[a-z_]*|guards)\.sh$' |
        xargs grep -LE '^# test: ' | grep .
}
check "every script that makes checks is a test" silent
finish
