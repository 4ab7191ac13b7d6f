TEST_HELPERS += $(BUILD)/tests/driver/fake_null
$(BUILD)/tests/driver/test_info: | $(BUILD)/tests/driver/fake_null
