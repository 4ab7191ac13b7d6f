# Tests that assert how long something takes, or what depends on it: test_info looks at turns, which
# get shorter where a request is held up. The sanitizers' build of it is one of sanitized.sh's.
TEST_ALONE += $(BUILD)/tests/test_resume $(BUILD)/tests/test_info tests/sanitized.sh
