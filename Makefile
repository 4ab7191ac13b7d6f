# gpubench: the only build file. `make help` lists the targets.
BUILD ?= build
CC ?= gcc
CXX ?= g++
NVCC ?= $(shell command -v nvcc 2>/dev/null)
OPT ?= -O2 -g

WARN = -Wall -Wextra -Wshadow
CFLAGS_ALL = -std=c11 -D_GNU_SOURCE $(OPT) $(WARN) -Wstrict-prototypes -I. $(CFLAGS)
SIMT_ARCH ?= 900
SIMT_FLAGS = -std=c++17 $(OPT) -Wall -Wextra -Wno-unknown-pragmas -pthread -I. -DGB_ARCH=$(SIMT_ARCH) \
  $(if $(findstring clang,$(CXX)),,-fno-extern-tls-init)

# The GPU of this machine if there is one, else a spread of generations.
GPU_ARCH := $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | grep -E '^[0-9]+$$' | sort -u)
CUDA_ARCHS ?= $(if $(GPU_ARCH),$(GPU_ARCH),80 90)
NVCC_FLAGS = -std=c++17 -O3 -lineinfo -I. -diag-suppress 20012 -Xcompiler -Wall \
  $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$(a),code=sm_$(a)) \
  -gencode arch=compute_$(lastword $(CUDA_ARCHS)),code=compute_$(lastword $(CUDA_ARCHS))

PRIMITIVES := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard kernels/*/primitive.c)))))

COMMON_C  := $(wildcard common/*.c)
BENCH_C   := $(wildcard bench/*.c)
WORKER_C  := $(wildcard common/worker/*.c) $(wildcard kernels/*/*.c)
DEVICE_CU := $(wildcard common/cuda/*.cu) $(wildcard kernels/*/*.cu)
SIMT_CPP  := $(wildcard common/simt/*.cpp)

o = $(patsubst %,$(BUILD)/$(1)/%.o,$(2))
COMMON_O = $(call o,c,$(COMMON_C))
BENCH_O  = $(call o,c,$(BENCH_C))
WORKER_O = $(call o,c,$(WORKER_C)) $(BUILD)/c/registry.c.o
SIMT_O   = $(call o,simt,$(DEVICE_CU)) $(call o,simt,$(SIMT_CPP))
CUDA_O   = $(call o,cuda,$(DEVICE_CU))

RPATH = -Wl,-rpath,'$$ORIGIN/lib'

.PHONY: all
all: $(BUILD)/gpubench $(BUILD)/gpubench-simt $(if $(NVCC),$(BUILD)/gpubench-cuda,no-nvcc) ## build everything that can be built here

.PHONY: no-nvcc
no-nvcc:
	@echo "nvcc is not on PATH: built the simt worker only (install the CUDA Toolkit, or set NVCC=, for GPUs)"

$(BUILD)/gpubench: $(BENCH_O) $(COMMON_O)
	$(CC) $(OPT) $^ -o $@ $(RPATH) -lcjson -lm $(LDFLAGS)

$(BUILD)/gpubench-simt: $(WORKER_O) $(COMMON_O) $(SIMT_O)
	$(CXX) $(OPT) -pthread $^ -o $@ $(RPATH) -lcjson -lm -ldl $(LDFLAGS)

$(BUILD)/gpubench-cuda: $(WORKER_O) $(COMMON_O) $(CUDA_O)
	$(NVCC) -cudart static $^ -o $@ -Xlinker -rpath -Xlinker '$$ORIGIN/lib' -lcjson -lm -ldl -lpthread

$(BUILD)/registry.c: Makefile $(wildcard kernels/*/primitive.c)
	@mkdir -p $(@D)
	@{ echo '#include "common/gpubench.h"'; \
	   for p in $(subst -,_,$(PRIMITIVES)); do echo "extern const gb_primitive gb_primitive_$$p;"; done; \
	   echo 'const gb_primitive *const gb_registry[] = {'; \
	   for p in $(subst -,_,$(PRIMITIVES)); do echo "    &gb_primitive_$$p,"; done; \
	   echo '    NULL};'; } > $@

$(BUILD)/c/registry.c.o: $(BUILD)/registry.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(BUILD)/c/%.c.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(BUILD)/simt/%.cu.o: %.cu
	@mkdir -p $(@D)
	$(CXX) $(SIMT_FLAGS) -MMD -MP -x c++ -c $< -o $@

$(BUILD)/simt/%.cpp.o: %.cpp
	@mkdir -p $(@D)
	$(CXX) $(SIMT_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/cuda/%.cu.o: %.cu
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_FLAGS) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD) bundle

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 26
