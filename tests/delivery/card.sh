#!/bin/bash
# test: long 20
# scripts/card.sh: what it runs, in which order, into which folders; what is done is not done again, what failed stops
# nothing and is said, what was interrupted or had no time left goes on; what a folder lacks.
. "$(dirname "$0")/../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1
mkdir -p tree/scripts tree/build/tests
cp "$root"/scripts/{card,lib}.sh tree/scripts/
cp -r "$root/configs" tree/
cd tree || exit 1

# What it calls writes down how it was called. "slow" lasts until somebody ends it, once; "fails" fails.
cat >called <<'END'
#!/bin/bash
case "$*" in 'info '*)
    [ -e device ] && printf '{\n\t"selected":\t{\n\t\t"name":\t"Card",\n\t\t"slug":\t"card"\n\t}\n}\n'
    exit ;;
esac
echo "${0##*/} $*" >>runs
[ ! -e fails ] || ! grep -qF -- "$(cat fails)" <<<"$*" || exit 1
if [ -e slow ] && grep -qF -- "$(cat slow)" <<<"$*"; then
    rm slow
    trap 'echo "${0##*/} ended" >>runs; exit 143' TERM
    touch waits
    for ((i = 0; i < 300; i++)); do sleep 0.1; done
fi
exit 0
END
chmod +x called
for program in scripts/{reproduce,profile,old-code}.sh build/gpubench build/tests/gpubench-cuda; do cp called "$program"; done

card() { scripts/card.sh "$@" >out 2>err; }
says() { cat out err; cat out err | grep -qxF -- "$1"; }
ran() { cat runs; [ "$(grep -cF -- "$1" runs)" = "$2" ]; }

card build auto
check "without a device there is nothing" test $? = 3
check "... and it says so" says "card: there is no usable device auto: gpubench info says why"
touch device
card --limit soon build
check "a limit is seconds" test $? = 2
card --lacks build
check "what a folder lacks: everything at first" says "results/card lacks equal/octree: there is no aa/third/octree.csv"
check "... and nothing is run" test ! -e runs
card build 1
check "all steps pass" test $? = 0
steps=$(grep -c . runs)
check "... where" says "$steps of $steps steps done, in results/card"
check "the papers first" sh -c "head -n 1 runs | grep -qxF 'reproduce.sh build 1 all'"
check "then the rest" sh -c "sed -n 2p runs | grep -qxF 'reproduce.sh build 1 rest'"
check "equal runs, at some points" ran "gpubench run configs/octree.json --full --device 1 --filter n != 4M --samples 15 --aa --out results/card" 1
check "... of eight configs" ran " --aa " 8
check "parts of the multiprocessors, in folders of their own" \
    ran "gpubench run configs/octree.json --full --device 1 --filter n == 8M --samples 8 --multiprocessors 96 --out results/card/under/multiprocessors-96" 1
check "... four of them" ran " --multiprocessors " 32
check "planted faults, by the tests' worker" ran "faults.json --full --device 1 --worker build/tests/gpubench-cuda --out results/card/faults" 1
check "a profile" ran "profile.sh configs/multipartition-modern.json --device 1 --out results/card/profile --worker build/gpubench-cuda" 1
check "old code: checks, then times" ran "old-code.sh --device 1 --out results/card/under --only measure table build" 1
check "nothing is left of its state" sh -c "! ls build/*.state"
# A name that an axis does not have would leave a step without a point.
filters()
{
    local config filter
    sed -n 's/^gpubench run \(configs.*\) --full .* --filter \(.*\) --samples .*/\1 \2/p' runs | sort -u >filters
    [ "$(wc -l <filters)" = 16 ] || return 1
    while read -r config filter; do
        "$gpubench" run "$config" --dry-run --full --device simt --filter "$filter" >dry 2>&1 || { cat dry && return 1; }
    done <filters
}
check "every filter leaves points" filters

rm runs
echo "--aa" >fails
card build auto equal/octree limits/64/octree equal/octree-modern
check "what fails does not stop the rest" ran " --multiprocessors 64 " 1
check "... and is said" says "card: equal/octree failed"
check "... each" says "card: equal/octree-modern failed"
rm fails runs

echo "n == 8M --samples 8 --multiprocessors 64" >slow
card --limit 7 build auto equal/octree limits/64
check "who has no time left ends" test $? = 1
check "... in the midst of a step" ran "gpubench ended" 1
check "... says where" says "== stopped in limits/64/octree; the same command goes on from there"
check "... and keeps how far it came" test -e build/card-card.state
rm runs
card --limit 100 build auto equal/octree limits/64
check "the same goes on" says "9 of $steps steps done, in results/card"
check "... not with what was done" ran " --aa " 0
check "... with what is left of the step" ran "--samples 8 --resume --multiprocessors 64" 1
check "... and after it" ran "configs/octree-modern.json" 1

# As Ctrl-C by a terminal: the script has a process group of its own.
interrupted()
{
    rm -f waits runs
    echo " rest" >slow
    set -m
    scripts/card.sh "$@" build auto reproduce rest >out 2>err &
    set +m
    await 20 test -e waits || return 1
    kill -INT -- -$!
    wait $!
    [ $? = 130 ] && ran "reproduce.sh build auto rest" 1 && ran "reproduce.sh ended" "${ended:-1}" &&
        scripts/card.sh build auto reproduce rest >out 2>err && ran "reproduce.sh build auto all" 1 &&
        ran "reproduce.sh build auto rest" 2
}
check "a limited one can be interrupted, and its step with it" interrupted --limit 100

mkdir -p results/card/aa/third && touch results/card/aa/third/octree.csv
card --lacks build auto equal
check "what is there is not lacking" sh -c "! grep -q equal/octree: out"
check "... the others of the part are" says "results/card lacks equal/octree-modern: there is no aa/third/octree-modern.csv"
check "... and no other part" sh -c "! grep -qv equal/ out"
rm device
card --lacks build results/card reproduce
check "of a folder, without its device" says "results/card lacks reproduce/all: there is no octree.csv"
check "... a line a config" test "$(grep -vc dump/ out)" = "$(grep -LE '"reproduce": *false' configs/*.json | wc -l)"
check "... and one a dump" says "results/card lacks reproduce/all: there is no dump/octree-depth.csv"
touch device
card build auto limit
check "what is no step is refused" test $? = 2
check "... and it is said what there is" sh -c "cat err; grep -qF 'there is no step limit: reproduce rest equal limits faults profile old-code, or one of reproduce/all rest/all' err"
rm build/tests/gpubench-cuda
card build auto faults
check "what is not built is said" says "card: faults/faults needs build/tests/gpubench-cuda: make build/tests/gpubench-cuda builds it"

# With the program itself.
rm build/gpubench
ln -s "$gpubench" build/gpubench
card --quick build simt equal/multipartition-small
check "equal runs of a device" test -s results/simt/aa/noise.csv -a -s results/simt/aa/third/multipartition-small.csv
card --quick build simt limits/16/octree
check "a device that has no parts says so" sh -c "cat err; grep -q multiprocessors err"
finish
