# What tests preload into gpubench to end it, or to let its calls fail, at a moment of their choice.
TEST_HELPERS += $(BUILD)/tests/driver/crash_shim.so
$(BUILD)/tests/driver/crash_shim.so: tests/driver/crash_shim.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -shared $< -o $@ -ldl
# So that the tests can be built by themselves.
$(BUILD)/tests/driver/test_crash: | $(BUILD)/tests/driver/crash_shim.so $(BUILD)/tests/driver/fake_worker
$(BUILD)/tests/driver/test_crash_random: | $(BUILD)/gpubench-simt
