TEST_HELPERS += $(BUILD)/tests/worker/kernel_usage
