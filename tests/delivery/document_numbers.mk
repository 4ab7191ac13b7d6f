# Programs that a test starts: what a document says, held against the CSV files.
$(BUILD)/tests/delivery/document_numbers: $(call o,c,tests/delivery/document_table.c tests/delivery/document_cells.c tests/delivery/document_verdicts.c tests/delivery/document_standings.c tests/delivery/document_papers.c tests/delivery/document_project.c tests/delivery/document_scaling.c tests/delivery/document_compare.c)
TEST_HELPERS += $(BUILD)/tests/delivery/document_numbers
