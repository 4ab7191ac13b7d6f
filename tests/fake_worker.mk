# A program that tests start, no test itself.
FAKE_WORKER_TESTS = test_worker_process
$(patsubst %,$(BUILD)/tests/%,$(FAKE_WORKER_TESTS)): | $(BUILD)/tests/fake_worker
