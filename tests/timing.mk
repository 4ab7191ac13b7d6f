# Tests that assert how long something takes.
TEST_ALONE += $(BUILD)/tests/test_resume
