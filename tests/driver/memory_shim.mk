TEST_HELPERS += $(BUILD)/tests/driver/memory_shim.so
$(BUILD)/tests/driver/memory_shim.so: tests/driver/memory_shim.c $(BUILD)/c/flags.h
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(C_FLAGS) -fPIC -shared $< -o $@
