#!/bin/bash
# test: fast
# scripts/setup.sh where it cannot install: it names exactly what is missing, and fails.
. "$(dirname "$0")/../harness/lib.sh"

# A machine that has the named commands alone: make_host FOLDER COMMAND...
make_host()
{
    local host=$1 tool
    shift
    mkdir -p "$host"
    for tool in sh env cat tr sed tail mktemp rm grep "$@"; do
        ln -sf "$(type -P "$tool")" "$host/$tool"
    done
}
command_of() { printf '#!/bin/sh\n%s\n' "$2" >"$1"; chmod +x "$1"; }
setup() { env -i PATH="$1" sh "$root/scripts/setup.sh" "${@:2}" </dev/null >"$scratch/said" 2>&1; }
refuses() { ! setup "$@"; }
says() { cat "$scratch/said"; grep -qF -- "$1" "$scratch/said"; }

all="make gcc libc6-dev g++ libcjson-dev gnuplot-nox"

make_host "$scratch/bare"
check "without apt it fails" refuses "$scratch/bare"
check "it says why" says "there is no apt-get here"
check "it says exactly what to install" says "apt-get install $all"
check "with --check it fails" refuses "$scratch/bare" --check
check "with --check, cmocka and OpenCL too" says "apt-get install $all libcmocka-dev opencl-headers ocl-icd-opencl-dev"
check "but not what only Debian's tests need" sh -c "! grep -E 'mandoc|tmux|tidy|dpkg-dev' '$scratch/said'"
check "with --dev it fails" refuses "$scratch/bare" --dev
check "with --dev, the linters too" says "libcmocka-dev clang-format clang-tidy cppcheck shellcheck"
check "nothing of CUDA unless asked" sh -c "! grep -qi cuda '$scratch/said'"
check "with --cuda it fails" refuses "$scratch/bare" --cuda
check "with --cuda, the toolkit and where it is" says "nvidia-cuda-toolkit is in the section non-free"
check "with --fuzz it fails" refuses "$scratch/bare" --fuzz
check "with --fuzz, libFuzzer and what unpacks cJSON" says "apt-get install $all clang libclang-rt-dev dpkg-dev"
check "with --slurm it fails" refuses "$scratch/bare" --slurm
check "with --slurm, Slurm and munge" says "apt-get install $all munge slurmctld slurmd slurm-client"
check "with --latex it fails" refuses "$scratch/bare" --latex
check "with --latex, pdflatex, booktabs and what reads PDF" says "apt-get install $all texlive-latex-base texlive-latex-recommended poppler-utils"
check "with --browser it fails" refuses "$scratch/bare" --browser
check "with --browser, Chromium and what checks HTML" says "apt-get install $all chromium tidy"
check "an unknown option is refused" refuses "$scratch/bare" --colour
check "and named" says "unknown option '--colour'"

make_host "$scratch/user"
command_of "$scratch/user/id" 'echo 1000'
command_of "$scratch/user/apt-get" "touch $scratch/apt-was-run"
check "without root it fails" refuses "$scratch/user"
check "it says that root is needed" says "needs root"
check "and what to install" says "apt-get install $all"
check "with --check it fails, too" refuses "$scratch/user" --check
check "and names what reads the manual and makes packages" says " mandoc tmux tidy dpkg-dev"
check "it did not run apt-get" test ! -e "$scratch/apt-was-run"

make_host "$scratch/broken"
command_of "$scratch/broken/id" 'echo 0'
command_of "$scratch/broken/apt-get" 'echo "E: no network"; exit 100'
check "when apt-get fails it fails" refuses "$scratch/broken"
check "it shows the words of apt-get" says "E: no network"
command_of "$scratch/broken/apt-get" 'exit 0'
check "when apt-get installs nothing it fails" refuses "$scratch/broken"
check "it says that something is still missing" says "still missing"

partly=$scratch/partly
make_host "$partly" gcc g++ make as
command_of "$partly/id" 'echo 0'
command_of "$partly/apt-get" "echo \"\$*\" >>$scratch/apt-log; $(type -P ln) -sf '$(type -P true)' $partly/gnuplot"
check "it installs what is missing" setup "$partly"
check "and no more" grep -q 'install --no-install-recommends gnuplot-nox$' "$scratch/apt-log"
rm -f "$scratch/apt-log"
check "when nothing is missing it succeeds" setup "$partly"
check "in silence" test ! -s "$scratch/said"
check "without apt-get" test ! -e "$scratch/apt-log"
finish
