#!/bin/bash
# test: thorough turns 53
# Mistakes planted in the stencils as the paper prints them, in those on the CPU, and in their
# checker: gpubench check or a unit test finds each (lib_planted.sh).
primitive=stencil
. "$(dirname "$0")/lib_planted.sh"

in_unit_test() { plant_in "${@:1:4}" test_stencil "$5"; }
in_checker() { plant_in "${@:1:4}" test_stencil_check "$5"; }

plant "the planes ahead and behind have one weight" printed_cell \
    'coeff[6 * k] * st_printed_read' 'coeff[6 * k - 1] * st_printed_read' base-as-printed
plant "a block of fewer rows than the radius reads the halo once" 'comp*as*printed:fill' \
    'if (BY >= R) break;' 'break;' comp-as-printed --case x=64,y=16,z=2,radius=3,block=32x1x1
plant "cells right of the box are written" base:one_cell \
    'if (x >= shape.x || y' 'if (y' base
plant "rows of the halo are not loaded" one_tile \
    '(int)threadIdx.y < R;' '(int)threadIdx.y + 1 < R;' comp
plant "the last cells of a row are not copied" copy_rows \
    'else if (at == whole)' 'else if (at < whole)' copy
plant "the cells of no whole group are forgotten" compute_row \
    'for (; x < cells; x++)' 'for (; x < cells - 1; x++)' cpu-parallel

plant "cells right of the box are written, as printed" printed_cell \
    'if (x >= task.shape.x || y' 'if (y' csl-as-printed
plant "columns right of a tile that is cut off are not loaded, as printed" 'comp*as*printed:fill' \
    'if (WHOLE || (x + BX < end_x && y' 'if (WHOLE || (x + BX < end_x - R && y' \
    comp-as-printed --case x=63,y=15,z=2,radius=2,block=32x8x1
plant "rows behind the box are written" base:one_cell \
    '|| y >= shape.y ||' '||' csl
plant "columns of the halo are not loaded" one_tile \
    'after = own[BX];' 'after = own[0];' comp
plant "groups behind the row are copied" copy_rows \
    'if (at < whole)' 'if (at <= whole)' copy
plant "eight cells of a group take their neighbours from others" 'cpu*parallel:add' \
    'sum->c += weight * CELLS8(at + 16);' 'sum->c += weight * CELLS8(at + 8);' cpu-parallel

plant "the last row of blocks is missing" base:blocks \
    'return ((unsigned)cells + threads - 1) / threads;' 'return ((unsigned)cells + threads) / threads - 1 + (threads == 1);' base
plant "rows below a tile that is cut off are not loaded" one_tile \
    'y + i * BY + BY < task.shape.y + R)' 'y + i * BY + BY < task.shape.y)' comp

plant "two neighbours change their weights" base:one_cell \
    'weights.w[6 * k - 5] * read' 'weights.w[6 * k - 4] * read' csl
plant "ghosts right of a tile that is cut off are not loaded" one_tile \
    'in_x = x < task.shape.x + R' 'in_x = x < task.shape.x' comp

plant "a radius is another one's" /base.:sweep \
    'one_cell<4, read_only>' 'one_cell<3, read_only>' base
plant "cells below the box are written" one_tile \
    ' || y >= task.shape.y) return' ') return' comp

in_unit_test "blocks of few rows load no more of them than they have" one_tile \
    'PASSES = (R + BY - 1) / BY' 'PASSES = 1' 'comp_in_every_block'
in_unit_test "a block's tile is another one's" /comp.:all_kernels \
    'kernels_of<512, 2>()' 'kernels_of<512, 1>()' 'comp_in_every_block'
in_unit_test "nobody waits for the tile" one_tile \
    '__syncthreads();' ';' 'comp_in_every_block'
plant "the oracle forgets a neighbour" st_oracle_step \
    'sum += (double)w[6] *' 'sum += 0.0 * (double)w[6] *' cpu
in_unit_test "halves of eight cells that go around the cache change places" store8 \
    '_mm_stream_ps(to + 4, (__m128)__builtin_shufflevector(*cells, *cells, 4, 5, 6, 7));' \
    '_mm_stream_ps(to + 4, (__m128)__builtin_shufflevector(*cells, *cells, 0, 1, 2, 3));' 'cpu_variants*'
in_unit_test "the columns behind the first tile are forgotten" 'cpu*parallel:sweep' \
    'b.x0 < shape->x; b.x0 = b.x1' 'b.x0 < 1; b.x0 = b.x1' 'cpu_variants*'
in_unit_test "sweeps always read the input" sweeps \
    'from = to;' ';' 'cpu_variants*'
in_unit_test "the copy leaves the cells behind its last line" copy_box \
    '(size_t)(cells - x) * sizeof' '(size_t)(cells - x - 1) * sizeof' 'variants_of*'
in_unit_test "ghosts beyond the planes count as cells" st_place_of \
    'place.z >= 0 && place.z < shape->z' 'place.z >= 0' 'every_element*'

in_checker "a NaN is within the tolerance" \
    check:judge 'if (!(off <= tolerance && off >= -tolerance))' 'if (off > tolerance || off < -tolerance)' 'a_nan'
in_checker "what is too small is within the tolerance" \
    check:judge 'off <= tolerance && off >= -tolerance' 'off <= tolerance' 'a_cell_that_is_off'
in_checker "the tolerance is twice as wide" \
    st_tolerance '(6.0 * shape->radius + 2)' '2 * (6.0 * shape->radius + 2)' 'a_cell_that_is_off'
in_checker "the tolerance is that of one step" \
    st_tolerance 'return shape->steps *' 'return 0.5 *' 'a_cell_within*'
in_checker "ghosts are not looked at" \
    check:judge 'if (place.kind != ST_CELL) {' 'if (place.kind == ST_PADDING) {' 'ghosts*'
in_checker "padding is not looked at" \
    check:judge 'if (place.kind != ST_CELL) {' 'if (place.kind == ST_GHOST) {' 'padding*'
in_checker "the input is not looked at" \
    st_check 'check_subject(job, &input, THE_INPUT, stream)' 'check_subject(job, &input, ANYTHING, stream)' 'the_input*'
in_checker "the other field is not looked at" \
    st_check 'status == GB_OK && f < 2; f++' 'status == GB_OK && f < 1; f++' 'ghosts*'
in_checker "what was spoilt stays spoilt" \
    report_written 'status = restore(job, subject, stream, &job->error);' ';' 'ghosts*'
in_checker "what was downloaded is not looked at" \
    st_check 'status == GB_OK && locked' 'status == GB_OK && false' 'the_download*'
in_checker "a copy is held to the truth of the stencil" \
    st_check 'st_copies(job->variant) ?' 'false ?' 'a_copy*'
in_checker "the truth is the step before" \
    make_truth 'float *from = p->shape.steps % 2 ? c->stage : c->truth;' \
    'float *from = p->shape.steps % 2 ? c->truth : c->stage;' 'a_cell_within*'
finish
