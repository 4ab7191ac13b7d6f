# What tests preload into gpubench to end it, or to let its calls fail, at a moment of their choice.
TEST_HELPERS += $(BUILD)/tests/crash_shim.so
$(BUILD)/tests/crash_shim.so: tests/crash_shim.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -shared $< -o $@ -ldl
# So that the tests can be built by themselves.
$(BUILD)/tests/test_crash: | $(BUILD)/tests/crash_shim.so $(BUILD)/tests/fake_worker
$(BUILD)/tests/test_crash_random: | $(BUILD)/gpubench-simt
