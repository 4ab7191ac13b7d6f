/* `gpubench info`: what passes between the GPUs of a set. */
#include "bench/commands/info.h"

#include "bench/util/columns.h"
#include "bench/util/wrap.h"
#include "common/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 24, NCCL_SIZES = 3 };

static const cJSON *item_in(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static double number_in(const cJSON *object, const char *name)
{
    const cJSON *item = item_in(object, name);
    return cJSON_IsNumber(item) && item->valuedouble > 0 ? item->valuedouble : 0;
}

/* A worker's text for people; "" if there is none. */
static const char *text_in(const cJSON *object, const char *name, char text[300])
{
    const char *found = cJSON_GetStringValue(item_in(object, name));
    snprintf(text, 300, "%s", found ? found : "");
    gb_text_tame(text);
    return text;
}

/* A number in another unit; "-" where it was not measured. */
static const char *cell(char text[CELL], const cJSON *object, const char *name, double scale)
{
    const double value = number_in(object, name);
    snprintf(text, CELL, "-");
    if (value > 0) snprintf(text, CELL, "%.4g", value * scale);
    return text;
}

/* By the same columns: bytes a second for so many bytes, in the order of the answer. */
static void nccl_cells(const cJSON *pair, char texts[NCCL_SIZES][CELL])
{
    const cJSON *list = item_in(pair, "nccl");
    for (int i = 0; i < NCCL_SIZES; i++)
        cell(texts[i], cJSON_GetArrayItem(list, i), "bytes_per_s", 1e-9);
}

static bool is_measured(const cJSON *pairs)
{
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs) if (number_in(pair, "copy_bytes_per_s") > 0) return true;
    return false;
}

/* Of how many pairs each can load and store what the other has. */
static int peers_in(const cJSON *pairs)
{
    int count = 0;
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs) count += cJSON_IsTrue(item_in(pair, "peer"));
    return count;
}

static void print_pairs(const cJSON *pairs)
{
    static const char *const headers[] = {"FROM",        "TO",           "PEER",      "COPY",
                                          "BOTH WAYS",   "COPY 8 B",     "STORE 8 B", "NCCL 1 MiB",
                                          "NCCL 16 MiB", "NCCL 256 MiB", "NCCL 8 B",  NULL};
    gb_columns *columns = gb_columns_new(headers);
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs)
    {
        char from[CELL], to[CELL], copy[CELL], both[CELL], copy_us[CELL], store_us[CELL],
            nccl[NCCL_SIZES][CELL], nccl_us[CELL];
        snprintf(from, CELL, "%.0f", number_in(pair, "from"));
        snprintf(to, CELL, "%.0f", number_in(pair, "to"));
        nccl_cells(pair, nccl);
        gb_columns_add(
            columns, (const char *[]){from, to, cJSON_IsTrue(item_in(pair, "peer")) ? "yes" : "no",
                                      cell(copy, pair, "copy_bytes_per_s", 1e-9),
                                      cell(both, pair, "both_bytes_per_s", 1e-9),
                                      cell(copy_us, pair, "copy_s", 1e6),
                                      cell(store_us, pair, "store_s", 1e6), nccl[0], nccl[1],
                                      nccl[2], cell(nccl_us, pair, "nccl_s", 1e6)});
    }
    gb_columns_print(stdout, columns, 2);
    gb_columns_free(columns);
    gb_put_line(stdout, 2,
                "GB/s from one to the other (BOTH WAYS: of the two directions together), us for 8 "
                "bytes to arrive");
}

void gb_info_print_links(const gb_session *session)
{
    const cJSON *links = session->links, *pairs = item_in(links, "pairs");
    char text[300];
    const int count = cJSON_GetArraySize(pairs);
    if (!links || (!count && !item_in(links, "reason"))) return;
    printf("links\n");
    if (*text_in(links, "reason", text)) gb_put_line(stdout, 2, "none: %s", text);
    if (is_measured(pairs))
        print_pairs(pairs);
    else if (count)
        gb_put_line(stdout, 2,
                    "%.0f GPUs, of which %d of %d pairs reach each other's memory; what passes "
                    "between them is not timed here",
                    number_in(links, "gpus"), peers_in(pairs), count);
    if (*text_in(links, "nccl", text)) printf("  %-26s%s\n", "NCCL", text);
    if (*text_in(links, "no_nccl", text)) gb_put_line(stdout, 2, "no NCCL: %s", text);
}
