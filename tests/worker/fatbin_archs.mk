TEST_HELPERS += $(BUILD)/tests/worker/fatbin_archs
