TEST_HELPERS += $(BUILD)/tests/fake_worker
# So that the test can be built by itself.
$(BUILD)/tests/test_worker_process: | $(BUILD)/tests/fake_worker
$(BUILD)/tests/fake_worker: $(BUILD)/c/tests/fake_worker_faults.c.o
