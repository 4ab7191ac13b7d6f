#!/bin/sh
# Installs what gpubench needs and this machine lacks, through apt; without apt or without root it
# prints what to install. Quick when nothing is missing.
set -u

usage() {
    cat <<'EOF'
usage: scripts/setup.sh [--check] [--dev] [--coverage] [--fuzz] [--slurm] [--browser] [--latex] [--tools]
                        [--cuda] [--cuda11] [--cccl] [--dry-run]
  (no option)  what `make` and `make quickstart` need
  --check      also what `make check` needs, with what the OpenCL worker is built from and tested on
  --dev        also what `make lint` and `make format` need
  --coverage   also what `make coverage` needs
  --fuzz       also what `make fuzz` needs
  --slurm      also what tests/delivery/slurm.sh starts a cluster of its own from: Slurm and munge. Their
               services are neither started nor enabled (CI asks for this; `make check` does without)
  --browser    also what tests/driver/report_browser.sh and tests/driver/report.sh look at the page with: Chromium
               and tidy (CI asks for this; `make check` does without)
  --latex      also what tests/driver/article.sh typesets figures and tables in an article with: pdflatex, booktabs,
               pdftotext (CI asks for this; `make check` does without)
  --tools      also the tools whose results tests/driver/foreign.sh reads: google/benchmark and hyperfine, and
               those that tests/delivery/stranger.sh builds a kernel with: CMake and pkg-config (CI asks for this;
               `make check` does without)
  --cuda       also the CUDA Toolkit of the distribution (several GB; never without being asked)
  --cuda11     also CUDA 11.8 for GPUs before Turing, unpacked from Debian's packages into cuda-11.8/ (0.9 GB to
               fetch, 0.25 GB to keep; no root, nothing of the system changes): make builds gpubench-cuda11
               with it. CUDA11=FOLDER names another folder, here and to make
  --cccl       also NVIDIA's newest CCCL (CUB and its like: headers) from PyPI into cccl/ (4 MB): make builds the
               second baselines, *-latest, with it. CCCL=FOLDER names another folder, here and to make
  --dry-run    say what is missing, install nothing; exit 1 if anything is
EOF
}

with_check=no with_dev=no with_coverage=no with_fuzz=no with_slurm=no with_browser=no with_latex=no with_tools=no
with_cuda=no with_cuda11=no with_cccl=no dry_run=no
for option; do
    case $option in
    --check) with_check=yes ;;
    --dev) with_check=yes with_dev=yes ;;
    --coverage) with_coverage=yes ;;
    --fuzz) with_fuzz=yes ;;
    --slurm) with_slurm=yes ;;
    --browser) with_browser=yes ;;
    --latex) with_latex=yes ;;
    --tools) with_tools=yes ;;
    --cuda) with_cuda=yes ;;
    --cuda11) with_cuda11=yes ;;
    --cccl) with_cccl=yes ;;
    --dry-run) dry_run=yes ;;
    -h | --help) usage; exit 0 ;;
    *) echo "setup.sh: unknown option '$option'" >&2; usage >&2; exit 2 ;;
    esac
done

have() { command -v "$1" >/dev/null 2>&1; }

# have_daemon PROGRAM: also where only root looks.
have_daemon() { PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1; }

# have_header HEADERS...: the C compiler finds them, wherever they are installed.
have_header() {
    have gcc || return 1
    for header; do echo "#include <$header>"; done | gcc -E -x c - >/dev/null 2>&1
}

# clang comes with libFuzzer and its sanitizers only where their libraries are installed, too.
have_libfuzzer() {
    have clang || return 1
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n == 0; }' |
        clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null
}

have_booktabs() { have kpsewhich && [ -n "$(kpsewhich booktabs.sty)" ]; }

# What -lOpenCL finds. The C compiler knows where it looks.
have_opencl_loader() {
    have gcc && echo 'int main(void) { return 0; }' | gcc -x c - -o /dev/null -lOpenCL 2>/dev/null
}

have_benchmark() { have g++ && echo '#include <benchmark/benchmark.h>' | g++ -E -x c++ - >/dev/null 2>&1; }

# NumPy, of whichever Python comes first or of the system's.
have_numpy() { python3 -c 'import numpy' 2>/dev/null || /usr/bin/python3 -c 'import numpy' 2>/dev/null; }

# What makes a wheel (scripts/wheel.sh), likewise.
have_wheel() { python3 -c 'import setuptools, wheel' 2>/dev/null || /usr/bin/python3 -c 'import setuptools, wheel' 2>/dev/null; }

# The Debian packages of what is missing.
missing_packages() {
    have make || echo make
    have gcc && have_header stdio.h || echo gcc libc6-dev
    have g++ || echo g++
    have_header cjson/cJSON.h || echo libcjson-dev
    have gnuplot || echo gnuplot-nox
    if [ $with_check = yes ]; then
        have_header stdarg.h stddef.h stdint.h setjmp.h cmocka.h || echo libcmocka-dev
    fi
    if [ $with_dev = yes ]; then
        for tool in clang-format clang-tidy cppcheck shellcheck pyflakes3; do
            have $tool || echo $tool
        done
    fi
    [ $with_coverage = no ] || have gcovr || echo gcovr
    if [ $with_fuzz = yes ]; then
        have_libfuzzer || echo clang libclang-rt-dev
        have dpkg-source || echo dpkg-dev # unpacks the source package of cJSON
    fi
    if [ $with_slurm = yes ]; then
        have sbatch && have_daemon munged && have_daemon slurmctld && have_daemon slurmd ||
            echo munge slurmctld slurmd slurm-client
    fi
    if [ $with_browser = yes ]; then
        have chromium || echo chromium
        have tidy || echo tidy
    fi
    if [ $with_latex = yes ]; then
        have pdflatex || echo texlive-latex-base
        have_booktabs || echo texlive-latex-recommended
        have pdftotext || echo poppler-utils
    fi
    if [ $with_tools = yes ]; then
        have_benchmark || echo libbenchmark-dev
        [ -e /usr/share/benchmark/compare.py ] || echo libbenchmark-tools
        have hyperfine || echo hyperfine
        have cmake || echo cmake
        have pkg-config || echo pkg-config
    fi
    if [ $with_cuda = yes ]; then
        have nvcc || [ -x /usr/local/cuda/bin/nvcc ] || echo nvidia-cuda-toolkit
    fi
    if [ $with_check = yes ]; then
        have_header CL/cl.h || echo opencl-headers
        have_opencl_loader || echo ocl-icd-opencl-dev
        [ -e /etc/OpenCL/vendors/pocl.icd ] || echo pocl-opencl-icd # OpenCL on the CPU
        # Tests of the manual page, of packages, of NumPy's files, of workers in Python and of terminals do without
        # where apt-get cannot bring these.
        if have apt-get; then
            have mandoc || echo mandoc
            have tmux || echo tmux # what a user of a small terminal sees
            have tidy || echo tidy # whether a report is valid HTML
            have_numpy || echo python3-numpy
            have_wheel || echo python3-setuptools python3-wheel
            have dpkg-shlibdeps || echo dpkg-dev
        fi
    fi
}

# With the names of other distributions for those who have no apt.
explain() {
    echo "setup.sh: $1. Please install these Debian/Ubuntu packages, or what your system calls them:"
    echo
    echo "    apt-get install $missing"
    echo
    echo "Elsewhere the compilers, cJSON, gnuplot and cmocka are called:"
    echo "    Fedora:  gcc gcc-c++ make cjson-devel gnuplot-minimal libcmocka-devel"
    echo "    Arch:    base-devel cjson gnuplot cmocka"
    echo "    conda:   gcc gxx make cjson gnuplot cmocka (from conda-forge)"
    [ $with_check = no ] || echo "and OpenCL: opencl-headers, ocl-icd (Fedora: ocl-icd-devel), pocl"
    [ $with_cuda = no ] || explain_cuda
}

explain_cuda() {
    echo
    echo "The CUDA Toolkit: on Debian, nvidia-cuda-toolkit is in the section non-free; add 'non-free' to"
    echo "the Components of /etc/apt/sources.list.d/debian.sources (or to the lines of"
    echo "/etc/apt/sources.list) and run this again. It may be older than the GPU: NVIDIA's own packages"
    echo "(https://developer.nvidia.com/cuda-downloads) serve every GPU since Turing. Put nvcc on PATH."
}

# Installs what is missing; 1 if anything still is.
install_missing() {
    missing=$(missing_packages | tr '\n' ' ' | sed 's/ $//')
    [ -n "$missing" ] || return 0
    if [ $dry_run = yes ]; then
        echo "missing: $missing"
        return 1
    fi
    if ! have apt-get; then
        explain "there is no apt-get here"
        return 1
    fi
    if [ "$(id -u)" != 0 ]; then
        if have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
            as_root=sudo
        else
            explain "installing packages needs root, and there is no way to become root here"
            return 1
        fi
    fi

    echo "setup.sh: installing $missing"
    log=$(mktemp) || return 1
    trap 'rm -f "$log"; $as_root rm -f $policy' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    forbid_services || return 1
    # The package lists may be missing or old: fetch them, once, when an install fails without.
    # shellcheck disable=SC2086
    if ! apt install --no-install-recommends $missing; then
        if ! { apt update && apt install --no-install-recommends $missing; }; then
            tail -n 20 "$log" >&2
            explain "apt-get could not install the packages (its words are above)"
            return 1
        fi
    fi
    if [ -n "$new_services" ] && have systemctl; then
        # shellcheck disable=SC2086
        $as_root systemctl disable $new_services >"$log" 2>&1 </dev/null # nor at the machine's next start
    fi
    $as_root rm -f $policy
    missing=$(missing_packages | tr '\n' ' ' | sed 's/ $//')
    [ -z "$missing" ] || explain "apt-get reported success, yet something is still missing"
    [ -z "$missing" ]
}

# A package of a service starts it when it is installed, unless a file says no (exit status 101).
forbid_services() {
    [ $with_slurm = yes ] || return 0
    have_daemon munged || new_services=munge
    have_daemon slurmctld || new_services="$new_services slurmctld"
    have_daemon slurmd || new_services="$new_services slurmd"
    [ ! -e /usr/sbin/policy-rc.d ] || return 0
    policy=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >"$log" && $as_root chmod 755 $policy
}

apt() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" >"$log" 2>&1 </dev/null
}

# The older CUDA needs none of the packages but g++'s libraries; where it cannot be had, the rest is.
fetch_cuda11() {
    folder=${CUDA11:-cuda-11.8}
    if [ -x "$folder/bin/nvcc" ]; then return 0; fi
    if [ $dry_run = yes ]; then
        echo "missing: CUDA 11.8 in $folder (0.9 GB to fetch)"
        return 1
    fi
    scripts/cuda11.sh "$folder"
}

fetch_cccl() {
    folder=${CCCL:-cccl}
    if [ -e "$folder/include/cub/version.cuh" ]; then return 0; fi
    if [ $dry_run = yes ]; then
        echo "missing: CCCL in $folder (4 MB to fetch)"
        return 1
    fi
    scripts/cccl.sh "$folder"
}

as_root='' policy='' new_services='' status=0
install_missing || status=1
[ $with_cuda11 = no ] || fetch_cuda11 || status=1
[ $with_cccl = no ] || fetch_cccl || status=1
exit $status
