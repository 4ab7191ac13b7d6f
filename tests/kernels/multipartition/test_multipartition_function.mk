# Three times the engine's templates: to compile them quickly counts for more here than their speed.
$(BUILD)/simt/tests/kernels/multipartition/test_multipartition_function.cu.o: private OPT = -O1 -g1
