# What tests preload into gpubench to end it, or to let its calls fail, at a moment of their choice.
CRASH_TESTS = test_crash test_crash_random
$(patsubst %,$(BUILD)/tests/%,$(CRASH_TESTS)): | $(BUILD)/tests/crash_shim.so $(BUILD)/tests/fake_worker
$(BUILD)/tests/crash_shim.so: tests/crash_shim.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -shared $< -o $@ -ldl
