TEST_HELPERS += $(BUILD)/tests/driver/nvbench_file
