# Everything again under the sanitizers, without optimisation, which compiles in less than half the time:
# driver, unit tests and simt worker with AddressSanitizer and UndefinedBehaviorSanitizer in BUILD/asan,
# and a simt worker whose kernels ThreadSanitizer watches, BUILD/tests/gpubench-simt-tsan.
# tests/sanitized/asan.sh and tsan.sh run them.
# What accesses memory calls AddressSanitizer, as clang has it anyway where there is much: to write out the checks
# takes g++ a third of its time.
ASAN_OPT = -O0 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all \
  $(if $(findstring clang,$(CXX)),,--param asan-instrumentation-with-call-threshold=0)
# g++ warns of fences, which ThreadSanitizer does not follow; the atomics beside them it does.
TSAN_OPT = -O0 -g1 $(if $(findstring clang,$(CXX)),,-Wno-tsan)

# These load a library before AddressSanitizer's, assert times, or simulate for long: they say "test: ... unsanitized".
UNSANITIZED := $(shell grep -lE '^/\* test: .*unsanitized' $(TEST_C))

# Of the partitions for eight types two are sanitized, with the fewest bytes and the most; the others, instances of the
# same templates, would be half of what there is to compile.
SANITIZED_TYPES = k4_p0 k8_p16

# Whether a program can be linked so: the libraries are packages of their own in some distributions.
can_link = $(shell printf 'int main(void) { return 0; }' | $(CXX) -x c++ - -o /dev/null $(1) 2>/dev/null && echo yes)

# What tests need of these: sanitized_of TESTS.
sanitized_of = $(foreach s,asan tsan,$(if $(filter %/$(s).sh,$(1)),$(s)))

.PHONY: asan tsan asan-programs
asan:
	$(if $(call can_link,-fsanitize=address -fsanitize=undefined),@$(MAKE) --no-print-directory $(PARALLEL) \
	  BUILD='$(BUILD)/asan' NVCC= OPT='$(ASAN_OPT)' STATIC_CXX= PARTITION_TYPES='$(SANITIZED_TYPES)' asan-programs)
asan-programs: $(BUILD)/gpubench $(BUILD)/gpubench-simt $(filter-out %/gpubench-simt %/gpubench-simt-hooks,$(TEST_HELPERS)) \
  $(patsubst %,$(BUILD)/tests/%,$(patsubst tests/%.c,%,$(filter-out $(UNSANITIZED),$(TEST_C))))
tsan:
	$(if $(call can_link,-fsanitize=thread),@$(MAKE) --no-print-directory $(PARALLEL) $(BUILD)/tests/gpubench-simt-tsan)

# The kernels are instrumented; the runtime, which switches the fibers, tells what it does.
$(BUILD)/simt-tsan/%.cu.o: %.cu $(BUILD)/simt/flags.h
	@mkdir -p $(@D)
	$(call say,TSAN,$<) $(CXX) $(SIMT_FLAGS) $(TSAN_OPT) -fsanitize=thread -MMD -MP -x c++ -c $< -o $@

$(BUILD)/simt-tsan/%.cpp.o: %.cpp $(BUILD)/simt/flags.h
	@mkdir -p $(@D)
	$(call say,TSAN,$<) $(CXX) $(SIMT_FLAGS) $(TSAN_OPT) -DGB_SIMT_TSAN -MMD -MP -c $< -o $@

$(BUILD)/tests/gpubench-simt-tsan: $(WORKER_O) $(COMMON_O) $(call o,simt-tsan,$(KERNELS_CU) $(call partitions_cu,$(SANITIZED_TYPES)) $(SIMT_CPP))
	@mkdir -p $(@D)
	$(call say,LINK) $(CXX) $(TSAN_OPT) -fsanitize=thread -pthread $^ -o $@.new -lcjson -lm -ldl $(LDFLAGS)
	@mv -f $@.new $@
