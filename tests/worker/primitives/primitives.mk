# Workers for tests: all of a worker but for its primitives, which are those of tests/worker/primitives/.
TEST_PRIMITIVES := $(sort $(notdir $(patsubst %/,%,$(dir $(wildcard tests/worker/primitives/*/primitive.c)))))
TEST_PRIMITIVE_C  := $(wildcard tests/worker/primitives/*/*.c)
TEST_PRIMITIVE_CU := $(wildcard tests/worker/primitives/*/*.cu)
TEST_WORKER_O = $(call o,c,$(TEST_PRIMITIVE_C) $(wildcard common/worker/*.c)) $(COMMON_O) $(BUILD)/c/test-registry.c.o

$(BUILD)/test-registry.c: FORCE
	@$(call registry_of,$(TEST_PRIMITIVES)) | { $(write_if_changed); }

$(BUILD)/c/test-registry.c.o: $(BUILD)/test-registry.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -include $(BUILD)/c/flags.h -MMD -MP -c $< -o $@

$(BUILD)/tests/gpubench-simt: $(TEST_WORKER_O) $(call o,simt,$(TEST_PRIMITIVE_CU) $(COMMON_CU) $(SIMT_CPP))
	@mkdir -p $(@D)
	$(call say,LINK) $(CXX) $(OPT) -pthread $^ -o $@ -lcjson -lm -ldl $(LDFLAGS)

$(BUILD)/tests/gpubench-cuda: $(TEST_WORKER_O) $(call o,cuda,$(TEST_PRIMITIVE_CU) $(COMMON_CU))
	@mkdir -p $(@D)
	$(call say,LINK) $(NVCC) $(NVCC_FLAGS) $(NVCC_LINK)
	@mv -f $@.new $@

TEST_HELPERS += $(if $(TEST_PRIMITIVES),$(BUILD)/tests/gpubench-simt)
