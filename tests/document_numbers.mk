# Programs that a test starts: what a document says, held against the CSV files.
$(BUILD)/tests/document_numbers: $(call o,c,tests/document_table.c tests/document_cells.c tests/document_verdicts.c tests/document_standings.c)
TEST_HELPERS += $(BUILD)/tests/document_numbers
