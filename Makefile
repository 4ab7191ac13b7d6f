# gpubench: the only build file. `make help` lists the targets.
#
# Folders are discovered: a new primitive is a folder under kernels/, a new experiment a file under
# configs/, a new test a file test_*.c or test_*.cu in a folder of tests/, or a script there that says
# "# test: ..." (tests/harness/list.sh). Tests that need rules of their own bring them in NAME.mk beside
# them; programs that are no file of their own are added to TEST_PROGRAMS.
VERSION := $(shell sed -nE 's/^.define GB_VERSION "(.*)"/\1/p' bench/util/version.h)
BUILD ?= build
ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin CXX),default)
CXX = g++
endif
NVCC ?= $(shell command -v nvcc 2>/dev/null)
OPT ?= -O2 -g1
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Which device the quickstart and the reproductions run on: auto is the first GPU, else the CPU.
DEVICE ?= auto

# ---- flags ---------------------------------------------------------------------------------------

WARN = -Wall -Wextra -Wshadow
C_FLAGS = -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -Wstrict-prototypes -I. $(CFLAGS)
SIMT_ARCH ?= 900
SIMT_FLAGS = -std=c++17 -fno-strict-aliasing $(OPT) -Wall -Wextra -Wno-unknown-pragmas -pthread -I. -DGB_ARCH=$(SIMT_ARCH) \
  $(if $(findstring clang,$(CXX)),,-fno-extern-tls-init) $(CXXFLAGS)
# Of the kernels alone: an index out of an array's bounds fails the launch (common/simt/bounds.cpp).
SIMT_KERNEL_FLAGS = -fsanitize=bounds

# The GPU of this machine if there is one, else one generation: CUB compiles slowly.
ifneq ($(NVCC),)
GPU_ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | grep -E '^[0-9]+$$' | sort -un)
NVCC_ARCHS := $(subst compute_,,$(shell $(NVCC) --list-gpu-arch 2>/dev/null))
endif
CUDA_ARCHS ?= $(or $(filter $(NVCC_ARCHS),$(GPU_ARCH)),$(filter 90,$(NVCC_ARCHS)),$(lastword $(NVCC_ARCHS)))
BUNDLE_ARCHS = $(filter $(NVCC_ARCHS),75 80 86 89 90 100 120)
# Half of the time goes to CUB's kernels, which know generations by themselves. To see that all compiles, and not
# for workers that are to run, CUB_ARCHS='70 90' has those for these alone, of CUDA_ARCHS and CUDA11_ARCHS.
CUB_ARCHS ?=
only_cub = $(if $(CUB_ARCHS),$(or $(filter $(CUB_ARCHS),$(1)),$(lastword $(1))),$(1))
cub_said = $(if $(CUB_ARCHS), (CUB for $(CUB_ARCHS) alone))
# Code for each generation of CUDA_ARCHS and, for those to come, the newest one's PTX.
NVCC_COMMON = -std=c++17 -O3 -lineinfo -I. -diag-suppress 20012 -Xcompiler -Wall
# The toolkit's libcu++ has a name space of its own: a newer one may be linked into the same worker (CCCL).
TOOLKIT_FLAGS = -D_LIBCUDACXX_ABI_NAMESPACE=__toolkit
# Toolkits that still have old generations warn that they will give them up.
HUSH = -Wno-deprecated-gpu-targets
NVCC_FLAGS = $(NVCC_COMMON)$(if $(filter 35 50,$(NVCC_ARCHS)), $(HUSH)) \
  $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a),code=sm_$(a)) \
  -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS)) $(NVCCFLAGS)

# A newer CUB than the toolkit's, for the baselines in *_latest.cu, which are unsupported without: where
# scripts/setup.sh --cccl has unpacked it, or the folder that is given; CCCL= does without.
CCCL ?= $(patsubst %/include/cub/version.cuh,%,$(wildcard cccl/include/cub/version.cuh))
CCCL_FLAGS = $(if $(CCCL),-I$(CCCL)/include -DGB_CCCL_LATEST)
ifneq ($(CCCL),)
ifeq ($(wildcard $(CCCL)/include/cub/version.cuh),)
$(error CCCL=$(CCCL): this folder has no include/cub/version.cuh; CCCL=$(CCCL) scripts/setup.sh --cccl fetches the newest CCCL into it, CCCL= does without)
endif
endif

# A second worker for the generations that newer toolkits have given up, built by CUDA 11.8 where
# scripts/setup.sh --cuda11 has unpacked it, or by the one whose folder is given; CUDA11= does without.
CUDA11 ?= $(patsubst %/bin/nvcc,%,$(wildcard cuda-11.8/bin/nvcc))
ifneq ($(CUDA11),)
ifeq ($(wildcard $(CUDA11)/bin/nvcc),)
$(error CUDA11=$(CUDA11): this folder has no bin/nvcc; CUDA11=$(CUDA11) scripts/setup.sh --cuda11 fetches CUDA 11.8 into it, CUDA11= does without)
endif
endif
# Without -ccbin it takes the version of the g++ on PATH for that of its own.
NVCC11 = $(CUDA11)/bin/nvcc$(patsubst %, -ccbin %,$(wildcard $(CUDA11)/bin/g++))
CUDA11_ARCHS ?= 35 37 50 52 60 61 70
# One pass of the front end for each major version, which has most of the work: a minor one has the
# code of the family's first, put in its own machine's words. So much code is compressed. To see that all
# compiles, and not for measuring, NVCC11FLAGS='-Xcicc -O1 -Xcicc -disable-allopts -Xptxas -O0' takes a third
# of the time.
NVCC11_FLAGS = $(NVCC_COMMON) $(HUSH) -Xfatbin -compress-all \
  $(foreach major,3 5 6 7 8 9,$(call family_code,$(sort $(filter $(major)%,$(CUDA11_ARCHS))))) \
  -gencode arch=compute_$(call newest,$(CUDA11_ARCHS)),code=compute_$(call newest,$(CUDA11_ARCHS)) $(NVCC11FLAGS)
family_code = $(foreach a,$(1),-gencode arch=compute_$(firstword $(1)),code=sm_$(a))
newest = $(lastword $(sort $(1)))

# Workers of old code: each has the PTX of one generation and no machine code, so that a newer GPU's driver compiles
# what that generation had (make old-code; docs/old-code.md). Generations before Turing are CUDA 11.8's.
OLD_CODE ?= 35 50 60 70 75 80
by_cuda11 = $(filter 35 37 50 52 53 60 61 62 70 72,$(1))
old_worker = $(BUILD)/gpubench-cuda$(if $(call by_cuda11,$(1)),11)-sm_$(1)
old_nvcc = $(if $(call by_cuda11,$(1)),$(NVCC11),$(NVCC))
old_host = $(if $(call by_cuda11,$(1)),$(CUDA11)/bin/g++,$(CXX))
old_flags = $(filter-out -lineinfo,$(NVCC_COMMON)) $(HUSH) -Xfatbin -compress-all -gencode arch=compute_$(1),code=compute_$(1) \
  $(if $(call by_cuda11,$(1)),$(NVCC11FLAGS),$(NVCCFLAGS))

# The executables run from a bundle, which carries libcjson and has no C++ run-time library.
RPATH = -Wl,-rpath,'$$ORIGIN/lib'
STATIC_CXX = -static-libstdc++ -static-libgcc
# Its unused parts are left out (--gc-sections): some need a newer glibc than all the rest.

# OpenCL for its worker, if the compiler finds headers and a loader (libOpenCL); OPENCL= does without.
hash := \#
ifeq ($(origin OPENCL),undefined)
OPENCL := $(shell printf '$(hash)include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0); }\n' | \
  $(CC) -DCL_TARGET_OPENCL_VERSION=120 -x c - -o /dev/null -lOpenCL 2>/dev/null && echo yes)
endif

# ---- what there is to build ----------------------------------------------------------------------

PRIMITIVES := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard kernels/*/primitive.c)))))
CONFIGS    := $(sort $(wildcard configs/*.json))
# Those that the OpenCL worker has, too: kernels/NAME/opencl/.
OPENCL_PRIMITIVES := $(sort $(patsubst kernels/%/opencl/primitive.c,%,$(wildcard kernels/*/opencl/primitive.c)))

# Multipartition's own engine is compiled for each type, bytes of a key and of what travels with it, from a pattern.
# Builds that are to show that all compiles, or are slow, may have fewer: the others are refused by their worker.
PARTITION       = kernels/multipartition/partition
EVERY_TYPE     := $(foreach key,4 8,$(foreach payload,0 4 8 16,k$(key)_p$(payload)))
PARTITION_TYPES ?= $(EVERY_TYPE)
CUDA_PARTITION_TYPES ?= $(PARTITION_TYPES)
partitions_cu   = $(foreach type,$(EVERY_TYPE),$(PARTITION)/$(if $(filter $(type),$(1)),of,without)_type_$(type).cu)
# $(call but_in,FOLDERS,FILES): the files that lie in none of these folders of a primitive.
but_in = $(foreach file,$(2),$(if $(filter $(1),$(subst /, ,$(dir $(file)))),,$(file)))
KERNELS_C := $(call but_in,opencl example,$(wildcard kernels/*/*.c kernels/*/*/*.c))

COMMON_C  := $(wildcard $(addprefix common/,*.c protocol/*.c stats/*.c text/*.c))
BENCH_C   := $(wildcard bench/*/*.c)
WORKER_C  := $(wildcard common/worker/*.c) $(KERNELS_C)
COMMON_CU := $(wildcard common/cuda/*.cu common/comm/*.cu)
KERNELS_CU := $(COMMON_CU) $(call but_in,example,$(wildcard kernels/*/*.cu kernels/*/*/*.cu))
DEVICE_CU := $(KERNELS_CU) $(call partitions_cu,$(PARTITION_TYPES))
CUB_CU    := $(wildcard kernels/*/cub/*.cu)
CUDA_CU   := $(KERNELS_CU) $(call partitions_cu,$(CUDA_PARTITION_TYPES))
SIMT_CPP  := $(wildcard common/simt/*.cpp)
OPENCL_C  := $(wildcard common/opencl/*.c) $(wildcard kernels/*/opencl/*.c)
OPENCL_CL := $(sort $(wildcard common/opencl/*.cl) $(wildcard kernels/*/opencl/*.cl))

# What the host worker has: primitives that are made from what a config says, and no kernels.
HOST_PRIMITIVES := call command
HOST_C    := $(wildcard common/host/*.c common/worker/*.c $(HOST_PRIMITIVES:%=kernels/%/*.c))

o = $(patsubst %,$(BUILD)/$(1)/%.o,$(2))
COMMON_O = $(call o,c,$(COMMON_C))
BENCH_O  = $(call o,c,$(BENCH_C))
WORKER_O = $(call o,c,$(WORKER_C)) $(BUILD)/c/registry.c.o $(BUILD)/c/multipartition_tuning.c.o
SIMT_O   = $(call o,simt,$(DEVICE_CU)) $(call o,simt,$(SIMT_CPP))
CUDA_O   = $(call o,cuda,$(CUDA_CU))
CUDA11_O = $(call o,cuda11,$(CUDA_CU))
LATEST_O = $(filter %_latest.cu.o,$(CUDA_O))
# The OpenCL worker takes what it needs of the kernels' plain C: shapes, oracles, variants on the CPU.
OPENCL_O = $(call o,c,$(wildcard common/worker/*.c) $(OPENCL_C)) $(BUILD)/c/opencl_registry.c.o $(BUILD)/c/opencl_sources.c.o
HOST_O   = $(call o,c,$(HOST_C)) $(BUILD)/c/host_registry.c.o
PLAIN_O  = $(call o,c,$(filter-out %/primitive.c,$(KERNELS_C)))

# What is being built, in a line each; V=1 prints the commands themselves.
ifeq ($(V),1)
say =
else
say = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,printf '  %-6s %s\n' '$(1)' '$(or $(2),$@)' &&)
endif

# What make install has for other programs: the primitives' library (docs/sort.md, docs/partition.md, docs/octree.md, growable.h), and
# workers without primitives (docs/sdk.md).
INSTALLED_LIBS = $(if $(NVCC),$(BUILD)/libgpubench.a $(BUILD)/libgpubench.so.$(VERSION) $(BUILD)/libgpubench_worker_cuda.a) \
  $(BUILD)/libgpubench_worker_simt.a $(wildcard $(BUILD)/libgpubench_worker_simt_hooks.a) $(BUILD)/sdk.mk
# The worker of check --hooks, once it has been built, is kept up to date.
PROGRAMS = $(BUILD)/gpubench $(BUILD)/gpubench-simt $(BUILD)/gpubench-host $(wildcard $(BUILD)/gpubench-simt-hooks) $(if $(NVCC),$(BUILD)/gpubench-cuda) $(CUDA11_WORKER) $(if $(OPENCL),$(BUILD)/gpubench-opencl)
CUDA11_WORKER = $(if $(CUDA11),$(BUILD)/gpubench-cuda11)

.PHONY: all
all: $(PROGRAMS) $(INSTALLED_LIBS) $(if $(NVCC),,no-nvcc) $(if $(OPENCL),,no-opencl) ## build everything that can be built here

.PHONY: no-nvcc
no-nvcc: $(PROGRAMS)
	@echo "nvcc is not on PATH: built the worker for the CPU$(if $(CUDA11), and the one for GPUs before Turing,) only. For $(if $(CUDA11),newer ,)GPUs install the"
	@echo "CUDA Toolkit (scripts/setup.sh --cuda says how), then run make again, or give its path: make NVCC=PATH"

.PHONY: no-opencl
no-opencl: $(PROGRAMS) $(if $(NVCC),,no-nvcc)
	@echo "Built no worker for OpenCL, which only opencl-* variants need: install opencl-headers and"
	@echo "ocl-icd-opencl-dev for it, then run make again."

# Programs are written beside and moved into place, so that one that is running is never overwritten.
$(BUILD)/gpubench: $(BENCH_O) $(COMMON_O)
	$(call say,LINK) $(CC) $(OPT) $^ -o $@.new $(RPATH) -lcjson -lm $(LDFLAGS)
	@mv -f $@.new $@

$(BUILD)/gpubench-simt: $(WORKER_O) $(COMMON_O) $(SIMT_O)
	@scripts/names.sh $(filter $(BUILD)/c/kernels/% $(BUILD)/simt/kernels/%,$^)
	$(call say,LINK) $(CXX) $(OPT) -pthread $^ -o $@.new $(RPATH) $(STATIC_CXX) -Wl,--gc-sections -lcjson -lm -ldl $(LDFLAGS)
	@mv -f $@.new $@

$(BUILD)/gpubench-cuda: $(WORKER_O) $(COMMON_O) $(CUDA_O)
	$(call say,LINK) $(NVCC) $(NVCC_FLAGS) $(NVCC_LINK)
	@mv -f $@.new $@

$(BUILD)/gpubench-cuda11: $(WORKER_O) $(COMMON_O) $(CUDA11_O)
	$(call say,LINK) $(NVCC11) $(NVCC11_FLAGS) $(NVCC_LINK)
	@mv -f $@.new $@
NVCC_LINK = -cudart static $^ -o $@.new $(addprefix -Xlinker --wrap=,$(LAUNCHES)) -Xlinker -rpath -Xlinker '$$ORIGIN/lib' \
  $(addprefix -Xcompiler ,$(STATIC_CXX)) -Xlinker --gc-sections -lcjson -lm -ldl -lpthread

# The runtime's functions that common/cuda/launches.cu looks in on.
LAUNCHES = __cudaLaunchKernel cudaLaunchKernel cudaLaunchKernelExC cudaLaunchCooperativeKernel

$(BUILD)/gpubench-opencl: $(OPENCL_O) $(COMMON_O) $(BUILD)/libplain.a
	$(call say,LINK) $(CC) $(OPT) -pthread $^ -o $@.new $(RPATH) -Wl,--gc-sections -lOpenCL -lcjson -lm -ldl $(LDFLAGS)
	@mv -f $@.new $@

$(BUILD)/gpubench-host: $(HOST_O) $(COMMON_O)
	$(call say,LINK) $(CC) $(OPT) -pthread $^ -o $@.new $(RPATH) -Wl,--gc-sections -lcjson -lm -ldl $(LDFLAGS)
	@mv -f $@.new $@

# The manual: what the program says of itself within docs/gpubench.1.in.
$(BUILD)/gpubench.1: $(BUILD)/gpubench docs/gpubench.1.in scripts/manual.sh scripts/manual.awk
	$(call say,MAN) scripts/manual.sh $< >$@.new
	@mv -f $@.new $@

# ---- generated files: rewritten only when their text changes -------------------------------------

.PHONY: FORCE
FORCE:

# $(call write_if_changed,file): standard input into the file.
write_if_changed = mkdir -p $(@D) && cat > $@.$$$$ && \
  if cmp -s $@.$$$$ $@; then rm -f $@.$$$$; else mv -f $@.$$$$ $@; fi

# All primitives, as the worker finds them: a table made from the names of the folders.
registry_of = { echo '\#include "common/gpubench.h"'; \
  for p in $(subst -,_,$(1)); do echo "extern const gb_primitive gb_primitive_$$p;"; done; \
  echo 'const gb_primitive *const gb_registry[] = {'; \
  for p in $(subst -,_,$(1)); do echo "    &gb_primitive_$$p,"; done; \
  echo '    NULL};'; }

$(BUILD)/registry.c: FORCE
	@$(call registry_of,$(PRIMITIVES)) | { $(write_if_changed); }
$(BUILD)/opencl_registry.c: FORCE
	@$(call registry_of,$(OPENCL_PRIMITIVES)) | { $(write_if_changed); }
$(BUILD)/host_registry.c: FORCE
	@$(call registry_of,$(HOST_PRIMITIVES)) | { $(write_if_changed); }

# The .cl files as C strings: the device's driver compiles them.
$(BUILD)/opencl_sources.c: FORCE
	@scripts/embed.sh $(OPENCL_CL) | { $(write_if_changed); }

# What Multipartition's methods took on the GPUs that were measured (gpubench run
# configs/multipartition-tuning.json): "auto" chooses by it.
$(BUILD)/multipartition_tuning.c: FORCE
	@scripts/tuning-table.sh $(sort $(wildcard results/*/multipartition-tuning.csv)) | { $(write_if_changed); }

# The source of a type's partitions names it and includes the rest; it is found by its name as if it lay in the folder.
$(BUILD)/generated/$(PARTITION)/%.cu: FORCE
	@printf '%s\n' '#include "$(PARTITION)/$(if $(filter of_%,$*),partition,types).cuh"' '' \
	  '$(if $(filter of_%,$*),MP_PARTITION_OF,MP_NO_PARTITION_OF)($(subst _,$(comma) ,$(subst p,,$(subst k,,$(subst without_type_,,$(subst of_type_,,$*))))))' | \
	  { $(write_if_changed); }
vpath %.cu $(BUILD)/generated
$(addprefix $(BUILD)/generated/,$(call partitions_cu,$(EVERY_TYPE)) $(call partitions_cu,)):

# How the objects of a folder are compiled, and for CUDA which generations have machine code. Every
# object includes its folder's header, so that a change of flags or compiler rebuilds what it concerns
# and nothing else.
comma := ,
blank := $(subst x,,x x)
nvcc_release = $(shell $(1) --version 2>/dev/null | sed -nE 's/.*release ([0-9]+).*/\1/p')
first_line = $(shell $(1) --version 2>/dev/null | sed -n $(2)p)
with_commas = $(subst $(blank),$(comma),$(strip $(1)))
flags_header = @printf '\#define GB_VERSION "%s"\n\#define GB_COMPILER "%s"\n\#define GB_FLAGS "%s"\n\#define GB_CUDA_ARCHS "%s"\n$(if $(4),$(hash)define GB_OLD_CODE $(4)\n)' \
  '$(VERSION)' '$(1)' '$(subst ",\",$(strip $(2)))' '$(strip $(3))' | { $(write_if_changed); }

$(BUILD)/c/flags.h: FORCE
	$(call flags_header,$(call first_line,$(CC),1),$(C_FLAGS),)
$(BUILD)/simt/flags.h: FORCE
	$(call flags_header,$(call first_line,$(CXX),1),$(SIMT_FLAGS) $(SIMT_KERNEL_FLAGS),)
$(BUILD)/cuda/flags.h: FORCE
	$(call flags_header,nvcc $(call first_line,$(NVCC),4) with $(call first_line,$(CXX),1),$(NVCC_FLAGS)$(cub_said),$(call with_commas,$(CUDA_ARCHS)))
# What kernels outside the tree are compiled and linked by (scripts/sdk/primitive.mk).
$(BUILD)/sdk.mk: FORCE
	@printf '%s\n' 'GB_SDK_VERSION := $(VERSION)' 'GB_SDK_SIMT_ARCH := $(SIMT_ARCH)' 'GB_SDK_CUDA_ARCHS := $(if $(NVCC),$(CUDA_ARCHS))' \
	  'GB_SDK_NVCC := $(NVCC)' 'GB_SDK_CUDA := $(if $(NVCC),$(call nvcc_release,$(NVCC)))' 'GB_SDK_HOOK_FLAGS := $(SIMT_HOOK_FLAGS)' \
	  'GB_SDK_LAUNCHES := $(LAUNCHES)' | { $(write_if_changed); }
$(BUILD)/cuda/cccl.h: FORCE
	@printf '/* %s */\n' '$(CCCL_FLAGS) $(if $(CCCL),$(shell grep -h "define CUB_VERSION" $(CCCL)/include/cub/version.cuh))' | { $(write_if_changed); }
$(BUILD)/cuda11/flags.h: FORCE
	$(call flags_header,nvcc $(call first_line,$(NVCC11),4) with $(call first_line,$(CUDA11)/bin/g++,1),$(NVCC11_FLAGS)$(cub_said),$(call with_commas,$(CUDA11_ARCHS)))

# ---- objects -------------------------------------------------------------------------------------

GENERATED_O = $(addprefix $(BUILD)/c/,registry.c.o multipartition_tuning.c.o host_registry.c.o opencl_registry.c.o opencl_sources.c.o)
$(GENERATED_O): $(BUILD)/c/%.c.o: $(BUILD)/%.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -include $(BUILD)/c/flags.h -MMD -MP -c $< -o $@

$(BUILD)/c/%.c.o: %.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -include $(BUILD)/c/flags.h -MMD -MP -c $< -o $@

$(BUILD)/pic/multipartition_tuning.c.o: $(BUILD)/pic/%.c.o: $(BUILD)/%.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -include $(BUILD)/c/flags.h -MMD -MP -c $< -o $@

$(BUILD)/pic/%.c.o: %.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -include $(BUILD)/c/flags.h -MMD -MP -c $< -o $@

$(BUILD)/simt/%.cu.o: %.cu $(BUILD)/simt/flags.h
	@mkdir -p $(@D)
	$(call say,SIMT,$<) $(CXX) $(SIMT_FLAGS) $(SIMT_KERNEL_FLAGS) -include $(BUILD)/simt/flags.h -MMD -MP -x c++ -c $< -o $@
# The partitions of each type are a third of all that is compiled for simt: two thirds of the time do for code that is
# as fast there.
$(call o,simt,$(call partitions_cu,$(EVERY_TYPE))): private OPT := $(OPT:-O2=-O1)

$(BUILD)/simt/%.cpp.o: %.cpp $(BUILD)/simt/flags.h
	@mkdir -p $(@D)
	$(call say,SIMT,$<) $(CXX) $(SIMT_FLAGS) -include $(BUILD)/simt/flags.h -MMD -MP -c $< -o $@

$(LATEST_O): $(BUILD)/cuda/cccl.h
$(CUDA_O): EXTRA = $(TOOLKIT_FLAGS)
$(LATEST_O): EXTRA = $(or $(CCCL_FLAGS),$(TOOLKIT_FLAGS))
$(call o,cuda,$(CUB_CU)): private override CUDA_ARCHS := $(call only_cub,$(CUDA_ARCHS))
$(BUILD)/cuda/%.cu.o: %.cu $(BUILD)/cuda/flags.h
	@mkdir -p $(@D)
	$(call say,NVCC,$<) $(NVCC) $(NVCC_FLAGS) $(EXTRA) -include $(BUILD)/cuda/flags.h -MMD -MP -MF $(@:.o=.d) -c $< -o $@

$(call o,cuda11,$(CUB_CU)): private override CUDA11_ARCHS := $(call only_cub,$(CUDA11_ARCHS))
$(BUILD)/cuda11/%.cu.o: %.cu $(BUILD)/cuda11/flags.h
	@mkdir -p $(@D)
	$(call say,NVCC11,$<) $(NVCC11) $(NVCC11_FLAGS) -include $(BUILD)/cuda11/flags.h -MMD -MP -MF $(@:.o=.d) -c $< -o $@

# $(call old_code,GENERATION): the rules of its worker.
define old_code
$(BUILD)/old/sm_$(1)/flags.h: FORCE
	$$(call flags_header,nvcc $$(call first_line,$$(call old_nvcc,$(1)),4) with $$(call first_line,$$(call old_host,$(1)),1),$$(call old_flags,$(1)),,$(1)0)
$(BUILD)/old/sm_$(1)/%.cu.o: %.cu $(BUILD)/old/sm_$(1)/flags.h
	@mkdir -p $$(@D)
	$$(call say,SM_$(1),$$<) $(call old_nvcc,$(1)) $(call old_flags,$(1)) $$(EXTRA) -include $(BUILD)/old/sm_$(1)/flags.h -MMD -MP -MF $$(@:.o=.d) -c $$< -o $$@
$(call old_worker,$(1)): $(WORKER_O) $(COMMON_O) $(call o,old/sm_$(1),$(CUDA_CU))
	$$(call say,LINK) $(call old_nvcc,$(1)) $(call old_flags,$(1)) -cudadevrt none $$(NVCC_LINK)
	@strip --strip-debug $$@.new
	@mv -f $$@.new $$@
$(if $(call by_cuda11,$(1)),,$(call as_in_cuda,$(call o,old/sm_$(1),$(CUDA_CU))))
endef
# What objects of gpubench-cuda are given besides.
define as_in_cuda
$(1): EXTRA = $(TOOLKIT_FLAGS)
$(filter %_latest.cu.o,$(1)): EXTRA = $(or $(CCCL_FLAGS),$(TOOLKIT_FLAGS))
$(filter %_latest.cu.o,$(1)): $(BUILD)/cuda/cccl.h
endef

# What lacks for a generation's worker, and what to do; nothing if it can be built.
old_lacks = $(strip $(if $(call by_cuda11,$(1)),$(if $(CUDA11),,code of sm_$(1) takes CUDA 11.8: scripts/setup.sh --cuda11 fetches it), \
  $(if $(NVCC),$(if $(filter $(1),$(NVCC_ARCHS)),,$(NVCC) has no sm_$(1)$(comma) only $(NVCC_ARCHS)),code of sm_$(1) takes nvcc on PATH or NVCC=PATH)))
$(foreach a,$(OLD_CODE),$(if $(call old_lacks,$(a)),,$(eval $(call old_code,$(a)))))
.PHONY: old-code
old-code: $(foreach a,$(OLD_CODE),$(if $(call old_lacks,$(a)),no-old-code-$(a))) $(foreach a,$(OLD_CODE),$(if $(call old_lacks,$(a)),,$(call old_worker,$(a)))) $(BUILD)/gpubench ## workers for run --code: the PTX of one old generation each (OLD_CODE="35 70")
no-old-code-%:
	@echo 'make old-code: $(call old_lacks,$*)' >&2; exit 1

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# ---- tests ---------------------------------------------------------------------------------------

# Test programs link against archives, so that each takes what it needs: the driver without its
# main and the C of the worker and of the kernels; those in CUDA C++ (test_*.cu) the kernels on
# the simt device as well. A test in C that needs them says so in a .mk file:
# $(BUILD)/tests/FOLDER/test_NAME: $(BUILD)/libsimt.a
# Programs that tests start and that are no tests themselves go to TEST_HELPERS.
$(BUILD)/libdriver.a: $(filter-out %/commands/main.c.o,$(BENCH_O)) $(COMMON_O)
$(BUILD)/libworker.a: $(WORKER_O)
$(BUILD)/libsimt.a: $(SIMT_O)
$(BUILD)/libplain.a: $(PLAIN_O)
# The library of the primitives that other programs use: of each its sources, and what of common/ it is made with.
GROWABLE_CU := $(patsubst %,kernels/dynamic-array/growable/%.cu,array pool memory)
PARTITION_CU = $(PARTITION)/library.cu $(PARTITION)/partition.cu $(call partitions_cu,$(CUDA_PARTITION_TYPES))
# What its MP_AUTO chooses by, and reading that from a file.
PARTITION_C := $(addprefix $(PARTITION)/,choose.c expect.c tuning.c) common/gpubench.c \
  $(addprefix common/protocol/,columns.c conditions.c measured.c tuning.c under.c) \
  $(addprefix common/text/,csv.c error.c file.c kind.c number.c status.c text.c)
# The sorts' variants are in the sorts' files, and come with the problem that they are variants of.
SORT_CU := $(wildcard $(addprefix kernels/radix-sort/,library/*.cu hybrid/*.cu onesweep/*.cu small/*.cu problem.cu check.cu) \
  $(addprefix kernels/segmented-sort/,segmented/*.cu problem.cu check.cu))
SORT_C := $(addprefix kernels/radix-sort/,axes.c oracle.c shape.c) $(addprefix kernels/segmented-sort/,axes.c lengths.c oracle.c) \
  $(addprefix common/,distributions.c gpubench.c worker/memory.c text/error.c text/text.c)
# Octrees are built by a sort where blocks have little shared memory.
OCTREE_CU := $(wildcard $(addprefix kernels/octree/,library/*.cu box.cu morton/builder.cu morton/sort.cu morton/rooms_*.cu) \
  $(addprefix kernels/radix-sort/,onesweep/*.cu small/*.cu problem.cu check.cu))
GROWABLE_O  = $(call o,cuda,$(GROWABLE_CU))
PARTITION_O = $(call o,cuda,$(PARTITION_CU)) $(call o,pic,$(PARTITION_C)) $(BUILD)/pic/multipartition_tuning.c.o
SORT_O      = $(call o,cuda,$(SORT_CU)) $(call o,pic,$(SORT_C))
OCTREE_O    = $(call o,cuda,$(OCTREE_CU)) $(call o,pic,$(SORT_C))
# Names that are unique in a process, as gcc makes those of static variables of templates, cannot be made its own.
$(sort $(GROWABLE_O) $(call o,cuda,$(PARTITION_CU) $(SORT_CU) $(OCTREE_CU))): EXTRA += -Xcompiler -fPIC -Xcompiler -fno-gnu-unique
# What programs see of it is what libgpubench.names lists. Each primitive is one object of the static library, whose other
# names are made its own: they clash with nobody's, and who uses one primitive links that alone. What templates and inline
# functions define several times becomes one before (--force-group-allocation), or a program's copy would displace ours.
LIBRARY_NAMES = scripts/sdk/libgpubench.names
LIBRARY_MAJOR := $(firstword $(subst ., ,$(VERSION)))
$(BUILD)/library/growable.o: $(GROWABLE_O)
$(BUILD)/library/multipartition.o: $(PARTITION_O)
$(BUILD)/library/sort.o: $(SORT_O)
$(BUILD)/library/octree.o: $(OCTREE_O)
$(BUILD)/library/%.o: $(LIBRARY_NAMES)
	@mkdir -p $(@D)
	$(call say,LD) ld -r --force-group-allocation -o $@.all $(filter %.o,$^)
	@grep -v '^#' $(LIBRARY_NAMES) >$@.names && objcopy --keep-global-symbols=$@.names $@.all $@ && rm $@.all
$(BUILD)/libgpubench.a: $(patsubst %,$(BUILD)/library/%.o,growable multipartition octree sort)
$(BUILD)/libgpubench.so.$(VERSION): $(sort $(GROWABLE_O) $(PARTITION_O) $(SORT_O) $(OCTREE_O)) $(LIBRARY_NAMES)
	@{ echo 'GPUBENCH_$(LIBRARY_MAJOR) { global:' && grep -v '^#' $(LIBRARY_NAMES) | sed 's/$$/;/' && echo 'local: *; };'; } >$@.map
	$(call say,LINK) $(NVCC) $(NVCC_FLAGS) -shared -cudart static $(filter %.o,$^) -o $@.new -Xlinker --version-script=$@.map \
	  -Xlinker -soname=libgpubench.so.$(LIBRARY_MAJOR) -Xlinker -z -Xlinker defs $(addprefix -Xcompiler ,$(STATIC_CXX)) -Xlinker --gc-sections
	@mv -f $@.new $@
# A worker but for its primitives, each member taken where it is needed.
SERVICE_O = $(call o,c,$(wildcard common/worker/*.c)) $(COMMON_O)
$(BUILD)/libgpubench_worker_simt.a: $(SERVICE_O) $(call o,simt,$(COMMON_CU) $(SIMT_CPP))
$(BUILD)/libgpubench_worker_simt_hooks.a: $(SERVICE_O) $(call o,simt-hooks,$(COMMON_CU) $(SIMT_CPP))
$(BUILD)/libgpubench_worker_cuda.a: $(SERVICE_O) $(call o,cuda,$(COMMON_CU))
$(BUILD)/lib%.a:
	@rm -f $@
	$(call say,AR) ar rcs $@ $^

TEST_LIBS = $(BUILD)/libdriver.a $(BUILD)/libworker.a
TEST_LINK = $(CXX) $(OPT) -pthread $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group \
  -o $@ -lcmocka -lcjson -lm -ldl $(LDFLAGS)

$(BUILD)/tests/%: $(BUILD)/c/tests/%.c.o $(TEST_LIBS)
	@mkdir -p $(@D)
	$(call say,LINK) $(TEST_LINK)

$(BUILD)/tests/%: $(BUILD)/simt/tests/%.cu.o $(TEST_LIBS) $(BUILD)/libsimt.a
	@mkdir -p $(@D)
	$(call say,LINK) $(TEST_LINK)

TEST_C  := $(wildcard tests/*/test_*.c tests/kernels/*/test_*.c)
TEST_CU := $(wildcard tests/*/test_*.cu tests/kernels/*/test_*.cu)
.SECONDARY: $(call o,c,$(wildcard tests/*/*.c tests/kernels/*/*.c)) $(call o,simt,$(TEST_CU))
-include $(wildcard tests/*/*/*/*.mk) $(wildcard tests/*/*/*.mk) $(wildcard tests/*/*.mk)

# Tests are chosen by what they say of themselves and by T, a pattern (tests/harness/list.sh). $(call tests,CLASSES):
# programs and scripts in the order in which they are begun, --alone among them.
T ?= *
tests = $(patsubst tests/%.c,$(BUILD)/tests/%,$(patsubst tests/%.cu,$(BUILD)/tests/%,$(shell tests/harness/list.sh '$(1)' '$(T)' \
  $(sort $(filter-out $(TEST_LONG) $(TEST_ALONE),$(TEST_PROGRAMS))) --long $(TEST_LONG) --alone $(TEST_ALONE))))
EVERY_TEST := $(call tests,fast long thorough)
programs_of = $(filter $(BUILD)/%,$(1))
# The shell is replaced, so that who ends make ends the runner.
RUN_TESTS = exec env BUILD='$(abspath $(BUILD))' CC='$(CC)' CXX='$(CXX)' CUDA11='$(abspath $(CUDA11))' tests/harness/run.sh

.PHONY: test-programs test-helpers
test-helpers: $(sort $(TEST_HELPERS))
test-programs: $(call programs_of,$(EVERY_TEST)) test-helpers

# A recursive make inherits -j; without one, all cores are used.
PARALLEL = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

.PHONY: test
test: ## the tests that match: make test T='config*', T=octree, T=driver/table, ...
	$(if $(filter-out --alone,$(EVERY_TEST)),,$(error T=$(T): no test is called so; T is a pattern for names such as table or test_config, \
	  paths such as driver/claims, or folders such as octree: docs/contributing.md))
	@scripts/setup.sh --check
	@$(MAKE) --no-print-directory $(PARALLEL) test-built
	@$(RUN_TESTS) $(EVERY_TEST)
# Scripts start programs of all kinds; unit tests need themselves alone.
.PHONY: test-built
test-built: $(call programs_of,$(EVERY_TEST)) \
  $(if $(filter %.sh,$(EVERY_TEST)),all test-helpers) $(call sanitized_of,$(EVERY_TEST))

.PHONY: check-fast check check-all check-rest
check-fast: ## build, run the tests that take seconds
	@scripts/setup.sh --check
	@$(MAKE) --no-print-directory $(PARALLEL) all test-programs
	@$(RUN_TESTS) $(call tests,fast)
check: ## install what is missing, build, run all tests that a user needs
	@scripts/setup.sh --check
	@$(MAKE) --no-print-directory $(PARALLEL) all test-programs
	@$(RUN_TESTS) $(call tests,fast long)
check-all: ## those and what developers need: sanitizers, planted mistakes, schedules, Slurm, browser
	@ALL_INPUTS_FOLLOW=1 $(MAKE) --no-print-directory check
	@$(MAKE) --no-print-directory check-rest
check-rest: # what check-all adds
	@scripts/setup.sh --check
	@$(MAKE) --no-print-directory $(PARALLEL) all test-programs $(call sanitized_of,$(call tests,thorough))
	@$(RUN_TESTS) $(call tests,thorough)

.PHONY: guards
guards: all test-programs ## take each guard out on a copy: its test must fail (GUARDS=lists)
	@exec env BUILD='$(abspath $(BUILD))' CC='$(CC)' CXX='$(CXX)' tests/mutation/guards.sh $(GUARDS)

.PHONY: coverage
coverage: ## lines that the tests run: 90 % of bench/ and common/, the rest explained
	@scripts/setup.sh --check --coverage
	@$(MAKE) --no-print-directory $(PARALLEL) BUILD='$(BUILD)/coverage' NVCC= CUDA11= OPT='-O0 -g --coverage' all test-programs
	@find '$(BUILD)/coverage' -name '*.gcda' -delete
	@exec env TEST_PATIENCE=20 TEST_TIMEOUT=900 $(MAKE) --no-print-directory BUILD='$(BUILD)/coverage' NVCC= CUDA11= \
	  OPT='-O0 -g --coverage' covered
	@scripts/coverage.sh '$(BUILD)/coverage'

# Not those that build copies of the tree, whose runs are not counted.
.PHONY: covered
covered:
	@$(RUN_TESTS) $(filter-out $(shell grep -lE '^[^#]*\bcopy_tree\b' tests/*/*.sh tests/kernels/*/*.sh),$(call tests,fast long))

# ---- experiments ---------------------------------------------------------------------------------

.PHONY: quickstart
quickstart: ## install what is missing, build, run Multipartition, show table and figure
	@scripts/setup.sh
	@$(MAKE) --no-print-directory $(PARALLEL) all
	@scripts/quickstart.sh '$(BUILD)' '$(DEVICE)'

.PHONY: reproduce-all reproduce-rest
reproduce-all: all ## the five papers: every table, figure and claim, and a report
	@scripts/reproduce.sh '$(BUILD)' '$(DEVICE)' all
reproduce-rest: all ## the configs that reproduce-all leaves out: tuning, CPUs, the instrument
	@scripts/reproduce.sh '$(BUILD)' '$(DEVICE)' rest
.PHONY: card
card: all ## all that the folder of a GPU in results/ has; goes on where it ended (scripts/card.sh --help)
	@scripts/card.sh '$(BUILD)' '$(DEVICE)'

.PHONY: readme
readme: $(BUILD)/gpubench $(BUILD)/gpubench-simt ## write the documents' generated blocks from results/
	@scripts/generated.sh '$(BUILD)'

.PHONY: $(patsubst configs/%.json,reproduce-%,$(CONFIGS))
$(patsubst configs/%.json,reproduce-%,$(CONFIGS)): reproduce-%: all
	@scripts/reproduce.sh '$(BUILD)' '$(DEVICE)' configs/$*.json

# ---- delivery ------------------------------------------------------------------------------------

# The GPU worker of a bundle has its own objects unless CUDA_ARCHS is given: it serves more generations.
BUNDLE_CUDA = $(if $(filter file,$(origin CUDA_ARCHS)),$(if $(BUNDLE_ARCHS),BUILD='$(BUILD)/bundle' CUDA_ARCHS='$(BUNDLE_ARCHS)'))
.PHONY: bundle cuda-worker
cuda-worker: $(BUILD)/gpubench-cuda
bundle: $(BUILD)/gpubench $(BUILD)/gpubench-simt $(BUILD)/gpubench-host $(CUDA11_WORKER) $(wildcard $(BUILD)/gpubench-cuda*-sm_*) $(if $(OPENCL),$(BUILD)/gpubench-opencl) ## a folder that runs on a host that has only the GPU's driver
	$(if $(NVCC),@$(MAKE) --no-print-directory $(PARALLEL) $(BUNDLE_CUDA) cuda-worker)
	@scripts/bundle.sh bundle '$(VERSION)' $^ $(if $(NVCC),$(if $(BUNDLE_CUDA),$(BUILD)/bundle,$(BUILD))/gpubench-cuda)

.PHONY: install
install: all $(BUILD)/gpubench.1 ## copy programs, manual, completion, configs and plots to PREFIX (/usr/local)
	@scripts/install.sh '$(BUILD)' '$(DESTDIR)$(PREFIX)'

.PHONY: uninstall
uninstall: ## take away what install has copied to PREFIX
	@scripts/install.sh --remove '$(DESTDIR)$(PREFIX)'

.PHONY: deb
deb: all $(BUILD)/gpubench.1 ## packages for Debian and Ubuntu: build/*.deb, the programs and what others are built with
	@scripts/deb.sh '$(BUILD)' '$(VERSION)'

WHEEL = $(BUILD)/gpubench-$(VERSION)-py3-none-any.whl
.PHONY: wheel
wheel: $(WHEEL) ## the package for workers in Python, for pip install: build/gpubench-VERSION-py3-none-any.whl
$(WHEEL): $(wildcard common/python/*.* common/python/gpubench/*.*) bench/util/version.h scripts/wheel.sh
	$(call say,WHEEL) scripts/wheel.sh '$(BUILD)' '$(VERSION)'

# ---- upkeep --------------------------------------------------------------------------------------

.PHONY: lint
lint: ## formatting, static analysis, shell scripts, configs
	@scripts/setup.sh --dev
	@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/gpubench $(BUILD)/gpubench-simt
	@scripts/lint.sh '$(BUILD)' '$(C_FLAGS)' '$(SIMT_FLAGS)'

.PHONY: format
format: ## format all sources
	@scripts/sources.sh c | xargs clang-format -i

.PHONY: kernel-usage accept-kernel-usage
kernel-usage: test-helpers ## registers, stack and shared memory of the kernels that are built, against the committed table
	@scripts/kernel-usage.sh read '$(BUILD)' >'$(BUILD)/kernel-usage.csv'
	@scripts/kernel-usage.sh compare tests/fixtures/kernel-usage.csv '$(BUILD)/kernel-usage.csv'
accept-kernel-usage: test-helpers ## write what is built to that table
	@scripts/kernel-usage.sh accept '$(BUILD)' tests/fixtures/kernel-usage.csv

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD) bundle

.PHONY: sanitized
sanitized: asan tsan ## driver, unit tests and CPU workers under ASan, UBSan and TSan

.PHONY: simt-hooks
simt-hooks: $(BUILD)/gpubench-simt-hooks $(BUILD)/libgpubench_worker_simt_hooks.a ## the CPU worker for check --hooks: threads are left at every memory access

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.* ## ' Makefile | sed -E 's/^([a-z-]+):.* ## (.*)/  make \1\t\2/' | expand -t 26
	@echo '  make reproduce-NAME     one config: $(patsubst configs/%.json,%,$(CONFIGS))'
	@echo 'Variables: BUILD=folder CC= CXX= NVCC= (empty: no CUDA) OPENCL= (empty: none) CUDA_ARCHS="80 90" OPT="-O2 -g1" SIMT_ARCH=900'
	@echo '           CUDA11=folder (of CUDA 11.8, for GPUs before Turing; empty: none) CUDA11_ARCHS="35 37 50 52 60 61 70"'
	@echo '           OLD_CODE="35 50 60 70 75 80" (of make old-code) JOBS=cores PREFIX=folder DEVICE=auto|simt|opencl|0 V=1 (show commands)'
