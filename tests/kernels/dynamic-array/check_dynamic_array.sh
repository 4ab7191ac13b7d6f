#!/bin/bash
# test: thorough turns 109
# Ten thousand schedules of every array that all threads push onto without locks: at a size where
# buckets and granules are taken all the time, with threads left at every atomic operation. And what
# is published broken fails as it should.
. "$(dirname "$0")/../../harness/lib.sh"
gpubench=$BUILD/gpubench
cd "$scratch" || exit 1

for variant in growable growable-push growable-readable growable-ordered lfvector-busy-wait-acquire lfvector-cas; do
    grid=full
    [ $variant != growable ] && [ $variant != growable-push ] || grid=blocks:2
    check "10000 schedules of $variant" "$gpubench" check dynamic-array --device simt --variant $variant \
        --case "n=600,granule=1Ki,grid=$grid" --schedules 10000
done

out() { "$gpubench" check dynamic-array --device simt "$@" >out 2>&1; echo "exit status $?" >>out; cat out; }
lost()
{
    out --variant lfvector-cas --case n=500k,heap=1Mi
    grep -qE '^wrong .*: [0-9]+ of 450000 pushes were lost, as reported' out
}
check "what a heap too small loses is what is reported" lost
left_out()
{
    out --variant cpu --case n=33
    ! grep -q lfvector out || return 1
    out --case n=33
    [ "$(grep -c 'left out .*known to fail' out)" = 3 ]
}
check "check leaves out what is known to fail, and says so" left_out
finish
