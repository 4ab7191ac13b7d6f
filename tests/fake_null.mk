TEST_HELPERS += $(BUILD)/tests/fake_null
$(BUILD)/tests/test_info: | $(BUILD)/tests/fake_null
