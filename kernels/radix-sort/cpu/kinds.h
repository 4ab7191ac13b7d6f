/* Includes the file RS_BODY once for each kind of element. No include guard: that is its purpose.
 *
 * An element is one unsigned number: the image of a key (keys.h; complemented where the order is
 * descending), above its payload if it has one. Digits are cut out of it by shifts, and it is moved
 * in one piece. In RS_BODY, RS_OF(name) is the name's form for the kind at hand, RS_KEY a key,
 * RS_ELEMENT an element, RS_PAIRED whether it has a payload; rs_for_kind leads from a shape to the
 * form for its kind. */
#include "kernels/radix-sort/cpu/ends.h"

#define RS_KIND keys32
#define RS_KEY uint32_t
#define RS_ELEMENT uint32_t
#define RS_PAIRED 0
#include "kernels/radix-sort/cpu/element.h"
#include RS_BODY
#undef RS_KIND
#undef RS_KEY
#undef RS_ELEMENT
#undef RS_PAIRED

#define RS_KIND keys64
#define RS_KEY uint64_t
#define RS_ELEMENT uint64_t
#define RS_PAIRED 0
#include "kernels/radix-sort/cpu/element.h"
#include RS_BODY
#undef RS_KIND
#undef RS_KEY
#undef RS_ELEMENT
#undef RS_PAIRED

#define RS_KIND pairs32
#define RS_KEY uint32_t
#define RS_ELEMENT uint64_t
#define RS_PAIRED 1
#include "kernels/radix-sort/cpu/element.h"
#include RS_BODY
#undef RS_KIND
#undef RS_KEY
#undef RS_ELEMENT
#undef RS_PAIRED

#define RS_KIND pairs64
#define RS_KEY uint64_t
#define RS_ELEMENT unsigned __int128
#define RS_PAIRED 1
#include "kernels/radix-sort/cpu/element.h"
#include RS_BODY
#undef RS_KIND
#undef RS_KEY
#undef RS_ELEMENT
#undef RS_PAIRED
