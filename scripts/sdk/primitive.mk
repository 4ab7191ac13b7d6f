# How a folder of kernels outside gpubench's tree is built: all *.c and *.cu in it and one folder down, but for build/ and
# tests/, become gpubench-simt-NAME and, where nvcc is, gpubench-cuda-NAME. A Makefile there may set the variables that
# docs/sdk.md lists, then includes this file; `gpubench build FOLDER` does without one.
.DEFAULT_GOAL := all
# An environment may have a NAME, of the host for example, that means something else.
ifneq ($(filter undefined environment,$(origin NAME)),)
NAME := $(notdir $(CURDIR))
endif
SOURCES ?= $(filter-out build/% tests/%,$(sort $(wildcard *.c *.cu */*.c */*.cu)))
OPT ?= -O2 -g1
ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin CXX),default)
CXX = g++
endif

# ---- where headers and libraries are: beside this file's folder in a clone, or below the prefix ---

GB_SDK := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
ifneq ($(wildcard $(GB_SDK)/../../common/gpubench.h),)
GB_INCLUDE := $(abspath $(GB_SDK)/../..)
GPUBENCH_LIB ?= $(GB_INCLUDE)/build
GB_FACTS := $(GPUBENCH_LIB)/sdk.mk
else
GB_INCLUDE := $(abspath $(GB_SDK)/../../../include/gpubench)
GPUBENCH_LIB ?= $(abspath $(GB_SDK)/../../../lib)
GB_FACTS := $(GB_SDK)/sdk.mk
endif
ifeq ($(and $(wildcard $(GB_FACTS)),$(wildcard $(GPUBENCH_LIB)/libgpubench_worker_simt.a)),)
$(error gpubench's library is not in $(GPUBENCH_LIB): $(if $(wildcard $(GB_INCLUDE)/Makefile),run make in $(GB_INCLUDE) first,install gpubench anew))
endif
include $(GB_FACTS)
ifneq ($(or $(GPUBENCH_VERSION),$(GB_SDK_VERSION)),$(GB_SDK_VERSION))
$(error this gpubench is of version $(GPUBENCH_VERSION), its SDK in $(GB_SDK) of version $(GB_SDK_VERSION): install both anew, together)
endif
ifneq ($(shell printf '%s' '$(NAME)' | grep -xE '[a-z0-9]+([_-][a-z0-9]+)*' || echo no),$(NAME))
$(error NAME=$(NAME): a worker's name has lower-case letters, digits and single - or _ between them; the folder's name is taken where NAME is not set)
endif
ifeq ($(SOURCES),)
$(error there are no *.c and *.cu in $(CURDIR): `gpubench new primitive NAME` writes a folder to begin with)
endif

# $(call gb_need,COMPILER,LANGUAGE)
gb_need = $(if $(shell command -v $(firstword $(1)) 2>/dev/null),,$(error there is no compiler for $(2) here ($(firstword $(1))): install one \
  (on Debian and Ubuntu: apt-get install g++ gcc) or set $(3)=))
$(call gb_need,$(CC),C,CC)$(call gb_need,$(CXX),C++,CXX)

# ---- CUDA: the toolkit that the library is from, for generations that it has ----------------------

ifeq ($(origin NVCC),undefined)
NVCC := $(or $(shell command -v nvcc 2>/dev/null),$(shell command -v $(firstword $(GB_SDK_NVCC)) 2>/dev/null))
endif
CUDA_ARCHS ?= $(GB_SDK_CUDA_ARCHS)
ifneq ($(NVCC),)
ifeq ($(and $(GB_SDK_CUDA),$(wildcard $(GPUBENCH_LIB)/libgpubench_worker_cuda.a)),)
GB_NO_CUDA := gpubench was built without nvcc
else
GB_CUDA := yes
GB_NVCC_RELEASE := $(shell $(NVCC) --version 2>/dev/null | sed -nE 's/.*release ([0-9]+).*/\1/p')
ifneq ($(GB_NVCC_RELEASE),$(GB_SDK_CUDA))
$(error $(NVCC) is of CUDA $(or $(GB_NVCC_RELEASE),?), gpubench's library of CUDA $(or $(GB_SDK_CUDA),?): set NVCC to one of that, NVCC= for none, or build gpubench with this one)
endif
ifneq ($(filter-out $(GB_SDK_CUDA_ARCHS),$(CUDA_ARCHS)),)
$(error CUDA_ARCHS=$(CUDA_ARCHS): gpubench's library has code for $(GB_SDK_CUDA_ARCHS); build gpubench with CUDA_ARCHS='$(sort $(GB_SDK_CUDA_ARCHS) $(CUDA_ARCHS))' first)
endif
endif
else
GB_NO_CUDA := no nvcc is here
endif

# ---- flags ---------------------------------------------------------------------------------------

GB_FOLDERS = -I. $(INCLUDES:%=-I%) -I$(GB_INCLUDE)
GB_C_FLAGS = -std=c11 -D_GNU_SOURCE $(OPT) -Wall -Wextra -Wstrict-prototypes $(GB_FOLDERS) $(CFLAGS)
GB_SIMT_COMMON = -std=c++17 -fno-strict-aliasing $(OPT) -Wall -Wextra -Wno-unknown-pragmas -pthread $(GB_FOLDERS) \
  -DGB_ARCH=$(GB_SDK_SIMT_ARCH) $(if $(findstring clang,$(CXX)),,-fno-extern-tls-init) -fsanitize=bounds
GB_SIMT_FLAGS = $(GB_SIMT_COMMON) $(CXXFLAGS)
GB_HOOK_FLAGS = $(GB_SIMT_COMMON) $(GB_SDK_HOOK_FLAGS) $(CXXFLAGS)
GB_NVCC_FLAGS = -std=c++17 -O3 -lineinfo $(GB_FOLDERS) -diag-suppress 20012 -Xcompiler -Wall \
  $(if $(filter 11 12,$(GB_SDK_CUDA)),-Wno-deprecated-gpu-targets) \
  $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a),code=sm_$(a)) \
  -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS)) $(NVCCFLAGS)
# cJSON without its headers and its libcjson.so, as where gpubench came as a package.
GB_LIBS = $(LDFLAGS) $(LDLIBS) $(if $(findstring /,$(shell $(CC) -print-file-name=libcjson.so)),-lcjson,-l:libcjson.so.1) -lm -ldl

# ---- programs ------------------------------------------------------------------------------------

GB_C  := $(filter %.c,$(SOURCES))
GB_CU := $(filter %.cu,$(SOURCES))
gb_o = $(patsubst %,build/$(1)/%.o,$(2))
gb_worker_o = $(call gb_o,c,$(GB_C)) $(call gb_o,$(1),$(GB_CU)) build/$(1)/registry.c.o

.PHONY: all hooks clean
all: gpubench-simt-$(NAME) $(if $(GB_CUDA),gpubench-cuda-$(NAME)) $(wildcard gpubench-simt-$(NAME)-hooks)
	$(if $(GB_CUDA),,@echo '$(GB_NO_CUDA): built the worker for the CPU only.')
hooks: gpubench-simt-$(NAME)-hooks
clean:
	rm -rf build gpubench-simt-$(NAME) gpubench-simt-$(NAME)-hooks gpubench-cuda-$(NAME)

# What is being built, in a line each; V=1 prints the commands themselves.
ifeq ($(V),1)
gb_say =
else
gb_say = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,printf '  %-6s %s\n' '$(1)' '$(2)' &&)
endif

GB_SIMT_LINK = $(CXX) $(OPT) -pthread $^ -o $@.new -static-libstdc++ -static-libgcc
gpubench-simt-$(NAME): $(call gb_worker_o,simt) $(GPUBENCH_LIB)/libgpubench_worker_simt.a
	$(call gb_say,LINK,$@) $(GB_SIMT_LINK) -Wl,--gc-sections $(GB_LIBS)
	@mv -f $@.new $@

# For races of plain accesses: check --schedules.
gpubench-simt-$(NAME)-hooks: $(call gb_worker_o,simt-hooks) $(GPUBENCH_LIB)/libgpubench_worker_simt_hooks.a
	$(call gb_say,LINK,$@) $(GB_SIMT_LINK) $(GB_LIBS)
	@mv -f $@.new $@
$(GPUBENCH_LIB)/libgpubench_worker_simt_hooks.a:
	@echo 'gpubench was built without the library of its hooks worker: run make simt-hooks in its sources$(if \
	  $(wildcard $(GB_INCLUDE)/Makefile),, and install it anew)' >&2; exit 1

gpubench-cuda-$(NAME): $(call gb_worker_o,cuda) $(GPUBENCH_LIB)/libgpubench_worker_cuda.a
	$(call gb_say,LINK,$@) $(NVCC) $(GB_NVCC_FLAGS) -cudart static $^ -o $@.new $(addprefix -Xlinker --wrap=,$(GB_SDK_LAUNCHES)) \
	  -Xcompiler -static-libstdc++ -Xcompiler -static-libgcc -Xlinker --gc-sections $(patsubst -Wl$(gb_comma)%,-Xlinker %,$(GB_LIBS)) -lpthread
	@mv -f $@.new $@

# ---- objects: anew when a file, the way of compiling, or the list of variants changes --------------

.PHONY: FORCE
FORCE:
gb_comma := ,
gb_blank := $(subst x,,x x)
gb_if_changed = mkdir -p $(@D) && cat >$@.new && if cmp -s $@.new $@; then rm -f $@.new; else mv -f $@.new $@; fi

build/registry.c: FORCE
	@mkdir -p $(@D) && text=$$('$(GB_SDK)/registry.sh' $(SOURCES)) && printf '%s\n' "$$text" | { $(gb_if_changed); }

# $(call gb_flags,COMPILER,FLAGS,GENERATIONS): their header, which all objects include.
GB_OF_FILES := $(foreach v,$(sort $(filter FLAGS_%,$(.VARIABLES))),$(v): $($(v));)
gb_flags = @printf '$(if $(GB_OF_FILES),/* $(GB_OF_FILES) */\n)\#define GB_VERSION "%s"\n\#define GB_COMPILER "%s"\n\#define GB_FLAGS "%s"\n\#define GB_CUDA_ARCHS "%s"\n' \
  '$(GB_SDK_VERSION)' '$(1)' '$(subst ",\",$(strip $(2)))' '$(subst $(gb_blank),$(gb_comma),$(strip $(3)))' | { $(gb_if_changed); }
gb_compiler = $(shell $(1) --version 2>/dev/null | sed -n $(2)p)
build/c/flags.h: FORCE
	$(call gb_flags,$(call gb_compiler,$(CC),1),$(GB_C_FLAGS),)
build/simt/flags.h: FORCE
	$(call gb_flags,$(call gb_compiler,$(CXX),1),$(GB_SIMT_FLAGS),)
build/simt-hooks/flags.h: FORCE
	$(call gb_flags,$(call gb_compiler,$(CXX),1),$(GB_HOOK_FLAGS),)
build/cuda/flags.h: FORCE
	$(call gb_flags,nvcc $(call gb_compiler,$(NVCC),4) with $(call gb_compiler,$(CXX),1),$(GB_NVCC_FLAGS),$(CUDA_ARCHS))

# FLAGS_<file>: of one file alone, also where it is in a folder: FLAGS_cub/scan.cu = -Icccl/include
build/%/registry.c.o: build/registry.c build/%/flags.h
	$(call gb_say,CC,$<) $(CC) $(GB_C_FLAGS) -include build/$*/flags.h -MMD -MP -c $< -o $@
build/c/%.c.o: %.c build/c/flags.h
	@mkdir -p $(@D)
	$(call gb_say,CC,$<) $(CC) $(GB_C_FLAGS) $(FLAGS_$<) -include build/c/flags.h -MMD -MP -c $< -o $@
build/simt/%.cu.o: %.cu build/simt/flags.h
	@mkdir -p $(@D)
	$(call gb_say,SIMT,$<) $(CXX) $(GB_SIMT_FLAGS) $(FLAGS_$<) -include build/simt/flags.h -MMD -MP -x c++ -c $< -o $@
build/simt-hooks/%.cu.o: %.cu build/simt-hooks/flags.h
	@mkdir -p $(@D)
	$(call gb_say,HOOKS,$<) $(CXX) $(GB_HOOK_FLAGS) $(FLAGS_$<) -include build/simt-hooks/flags.h -MMD -MP -x c++ -c $< -o $@
build/cuda/%.cu.o: %.cu build/cuda/flags.h
	@mkdir -p $(@D)
	$(call gb_say,NVCC,$<) $(NVCC) $(GB_NVCC_FLAGS) $(FLAGS_$<) -include build/cuda/flags.h -MMD -MP -MF $(@:.o=.d) -c $< -o $@

-include $(shell find build -name '*.d' 2>/dev/null)
