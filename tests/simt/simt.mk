# The tests of the simt device: its own programs, because each set of flags has its own runtime.
SIMT_TEST_FLAGS = $(filter-out -DGB_ARCH=%,$(SIMT_FLAGS)) -Wshadow -fno-strict-aliasing
# As fast as with -O2, where hooks take most of the time, and compiled in two thirds of it.
SIMT_HOOK_FLAGS = -DGB_SIMT_HOOKS -O1 -fsanitize=thread \
  $(if $(findstring clang,$(CXX)),-mllvm -tsan-distinguish-volatile=1,--param tsan-distinguish-volatile=1)

# $(call simt_tests,SET,FLAGS,FLAGS OF THE KERNELS ALONE,PROGRAMS): tests/simt/PROGRAM.cu becomes
# the test simt_SET_PROGRAM.
define simt_tests
$(BUILD)/simt-$(1)/%.cpp.o: %.cpp $(BUILD)/simt/flags.h
	@mkdir -p $$(@D)
	$$(call say,SIMT $(1),$$<) $$(CXX) $$(SIMT_TEST_FLAGS) $(2) -MMD -MP -c $$< -o $$@

$(BUILD)/simt-$(1)/%.cu.o: %.cu $(BUILD)/simt/flags.h
	@mkdir -p $$(@D)
	$$(call say,SIMT $(1),$$<) $$(CXX) $$(SIMT_TEST_FLAGS) $(2) $(3) -MMD -MP -x c++ -c $$< -o $$@

$(patsubst %,$(BUILD)/tests/simt_$(1)_%,$(4)): $(BUILD)/tests/simt_$(1)_%: \
    $(BUILD)/simt-$(1)/tests/simt/%.cu.o $(call o,simt-$(1),$(SIMT_CPP)) $(call o,c,common/text/error.c common/text/limits.c common/text/text.c)
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@) $$(CXX) $$(OPT) -pthread $$^ -o $$@ $$(LDFLAGS)

.SECONDARY: $(patsubst %,$(BUILD)/simt-$(1)/tests/simt/%.cu.o,$(4))
TEST_PROGRAMS += $(patsubst %,$(BUILD)/tests/simt_$(1)_%,$(4))
endef

$(eval $(call simt_tests,900,-DGB_ARCH=900,,collectives failures host chain schedules))
$(eval $(call simt_tests,350,-DGB_ARCH=350,,collectives failures chain))
$(eval $(call simt_tests,ucontext,-DGB_ARCH=900 -DGB_SIMT_UCONTEXT,,collectives failures chain))
$(eval $(call simt_tests,hooks,-DGB_ARCH=$(SIMT_ARCH) -DGB_SIMT_HOOKS,$(SIMT_HOOK_FLAGS) $(SIMT_KERNEL_FLAGS) -Wno-shadow,hooks weak chain))

# Whole workers of the hooks build: that of `make simt-hooks`, and the one with the tests' primitives.
# The former is the newer one of two workers with the same kernels: check says when it is not.
$(BUILD)/gpubench-simt-hooks: $(WORKER_O) $(COMMON_O) $(call o,simt-hooks,$(DEVICE_CU) $(SIMT_CPP)) | $(BUILD)/gpubench-simt
$(BUILD)/tests/gpubench-simt-hooks: $(TEST_WORKER_O) \
  $(call o,simt-hooks,$(TEST_PRIMITIVE_CU) $(COMMON_CU) $(SIMT_CPP))
$(BUILD)/gpubench-simt-hooks $(BUILD)/tests/gpubench-simt-hooks:
	@mkdir -p $(@D)
	$(call say,LINK) $(CXX) $(OPT) -pthread $^ -o $@.new $(RPATH) $(STATIC_CXX) -lcjson -lm -ldl $(LDFLAGS)
	@mv -f $@.new $@

TEST_LONG += $(addprefix $(BUILD)/tests/simt_,350_chain ucontext_chain hooks_chain)
# It asserts times.
TEST_ALONE += $(BUILD)/tests/simt_900_chain

# The SDK's hooks library is of the same objects.
TEST_HELPERS += $(if $(TEST_PRIMITIVES),$(BUILD)/tests/gpubench-simt-hooks) $(BUILD)/libgpubench_worker_simt_hooks.a
