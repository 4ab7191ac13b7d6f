TEST_HELPERS += $(BUILD)/tests/fatbin_archs
