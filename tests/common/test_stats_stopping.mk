# Its worker and its clock take the place of the driver's own, whichever objects these come in with.
$(BUILD)/tests/common/test_stats_stopping: TEST_LINK += -Wl,-z,muldefs
