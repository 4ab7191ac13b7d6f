TEST_HELPERS += $(BUILD)/tests/driver/on_terminal
