# test_nvml finds a libnvidia-ml.so.1 of its own beside it.
$(BUILD)/tests/worker/nvml/libnvidia-ml.so.1: tests/worker/nvml/fake_nvml.c tests/worker/nvml/fake_nvml.h $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -shared $< -o $@

$(BUILD)/tests/worker/test_nvml: LDFLAGS += -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/nvml'
$(BUILD)/tests/worker/test_nvml: | $(BUILD)/tests/worker/nvml/libnvidia-ml.so.1
