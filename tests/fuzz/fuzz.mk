# Fuzzing: `make fuzz` runs every target with libFuzzer; the tests corpus_NAME take the kept inputs
# again, with gcc's sanitizers and without libFuzzer.
#
# FUZZ_RUNS inputs a target, FUZZ_JOBS targets at a time, FUZZ_TARGETS="csv size" for some of them.
FUZZ_ALL := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_TARGETS ?= $(FUZZ_ALL)
FUZZ_RUNS ?= 1000000
FUZZ_JOBS ?= $(JOBS)
CLANG ?= clang

FUZZ_C = $(COMMON_C) $(filter-out bench/commands/main.c,$(BENCH_C)) \
  $(filter-out common/worker/main.c,$(wildcard common/worker/*.c)) \
  $(addprefix tests/fuzz/,catalogue.c tables.c worker_stub.c) $(wildcard kernels/octree/file.c kernels/octree/formats/*.c)
# Fewer points than a config may have: a thousand times as many inputs in the time. Rows of CSV that are shorter than
# inputs, so that the buffer's end is met.
FUZZ_FLAGS = -std=c11 -D_GNU_SOURCE -O1 -g $(WARN) -I. -DGB_MOST_POINTS=1000 -DGB_CSV_MOST_ROW=1500 -include $(BUILD)/c/flags.h \
  -fno-omit-frame-pointer -fno-sanitize-recover=all

# ---- the kept inputs, a part of `make check` -----------------------------------------------------

CORPUS_FLAGS = $(FUZZ_FLAGS) -fsanitize=address,undefined

$(BUILD)/corpus/%.c.o: %.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(CORPUS_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/corpus/replay-of-%.c.o: tests/fuzz/replay.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$< for $*) $(CC) $(CORPUS_FLAGS) -DCORPUS='"tests/fuzz/corpus/$*"' -MMD -MP -c $< -o $@

$(BUILD)/libcorpus.a: $(call o,corpus,$(FUZZ_C))

$(BUILD)/tests/corpus_%: $(BUILD)/corpus/tests/fuzz/fuzz_%.c.o $(BUILD)/corpus/replay-of-%.c.o $(BUILD)/libcorpus.a
	@mkdir -p $(@D)
	$(call say,LINK) $(CC) $(CORPUS_FLAGS) $^ -o $@ -lcjson -lm -ldl -lpthread

TEST_PROGRAMS += $(patsubst %,$(BUILD)/tests/corpus_%,$(FUZZ_ALL))
.SECONDARY: $(call o,corpus,$(wildcard tests/fuzz/*.c)) $(patsubst %,$(BUILD)/corpus/replay-of-%.c.o,$(FUZZ_ALL))

# ---- libFuzzer -----------------------------------------------------------------------------------

CLANG_FLAGS = $(FUZZ_FLAGS) -I$(BUILD)/fuzz/include -fsanitize=address,undefined

# cJSON from the distribution's source package, so that coverage counts in it as well; where that
# cannot be had, a file that says so, and the static library.
$(BUILD)/fuzz/cjson.c: tests/fuzz/cjson-source.sh
	@tests/fuzz/cjson-source.sh $(BUILD)/fuzz

$(BUILD)/fuzz/cjson.o: $(BUILD)/fuzz/cjson.c
	$(call say,CLANG,$<) $(CLANG) $(CLANG_FLAGS) -fsanitize=fuzzer-no-link -w -c $< -o $@

$(BUILD)/fuzz/%.c.o: %.c $(BUILD)/fuzz/cjson.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CLANG,$<) $(CLANG) $(CLANG_FLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

$(BUILD)/libfuzz.a: $(call o,fuzz,$(FUZZ_C)) $(BUILD)/fuzz/cjson.o

$(BUILD)/fuzz/fuzz_%: $(BUILD)/fuzz/tests/fuzz/fuzz_%.c.o $(BUILD)/libfuzz.a
	$(call say,LINK) $(CLANG) $(CLANG_FLAGS) -fsanitize=fuzzer $^ -o $@ $$(cat $(BUILD)/fuzz/link) -lm -ldl -lpthread

.SECONDARY: $(call o,fuzz,$(wildcard tests/fuzz/*.c))

.PHONY: fuzz fuzzers
fuzz: ## fuzz the parsers with libFuzzer (FUZZ_RUNS=1000000 FUZZ_JOBS= FUZZ_TARGETS=)
	@scripts/setup.sh --fuzz
	@$(MAKE) --no-print-directory $(PARALLEL) fuzzers
	@tests/fuzz/run.sh '$(BUILD)/fuzz' $(FUZZ_RUNS) $(FUZZ_JOBS) $(FUZZ_TARGETS)
fuzzers: $(patsubst %,$(BUILD)/fuzz/fuzz_%,$(FUZZ_TARGETS))
