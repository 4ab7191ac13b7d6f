/* What methods take where nothing was measured: between the points of a table, and on a device that
 * differs from the table's. */
#include "kernels/multipartition/partition/partition.h"

#include <math.h>
#include <string.h>

/* ---- which part of a table ------------------------------------------------------------------- */

/* A part of a table: the points of one GPU, one kind of keys and one size of elements. */
static bool same_part(const mp_tuned *a, const mp_tuned *b)
{
    return a->arch == b->arch && a->sms == b->sms && a->copy_bytes_per_s == b->copy_bytes_per_s &&
           a->keys == b->keys && a->key_bytes == b->key_bytes &&
           a->payload_bytes == b->payload_bytes;
}

/* Octaves between two numbers. */
static double octaves(double a, double b)
{
    return fabs(log2((a + 1) / (b + 1)));
}

/* The same where 0 is unknown. */
static double octaves_if_known(double a, double b)
{
    return a > 0 && b > 0 ? fabs(log2(a / b)) : 0;
}

/* By how many octaves more than one a number is outside of what was measured. */
static double outside(double least, double most, double number)
{
    const double far = number < least  ? octaves(least, number)
                       : number > most ? octaves(number, most)
                                       : 0;
    return far > 1 ? far - 1 : 0;
}

/* The n whose share of a multiprocessor is there what it is here. */
static double n_there(const mp_tuned *there, const mp_request *r, const gb_device *device)
{
    const double scale = there->sms > 0 && device->sms > 0 ? (double)there->sms / device->sms : 1;
    return (double)r->n * scale;
}

/* How far a part is from a request, in octaves: another generation counts most, then what is known
 * of the keys, multiprocessors, bandwidth and the element's size, then sizes beyond what was
 * measured, and least another name, where nobody knows the bandwidth. */
static double distance(const mp_tuned *table, unsigned count, const mp_tuned *part,
                       const mp_request *r, const gb_device *device)
{
    static const double generation = 10, skewed_keys = 1, any_keys = 3, other_keys = 6,
                        beyond = 0.25, name = 0.001;
    double n_least = INFINITY, n_most = 0, bins_least = INFINITY, bins_most = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!same_part(&table[i], part)) continue;
        n_least = fmin(n_least, (double)table[i].n);
        n_most = fmax(n_most, (double)table[i].n);
        bins_least = fmin(bins_least, table[i].bins);
        bins_most = fmax(bins_most, table[i].bins);
    }
    double far = octaves(part->sms, device->sms) +
                 octaves_if_known(part->copy_bytes_per_s, device->copy_bytes_per_s);
    if (part->arch != device->arch) far += generation * (1 + octaves(part->arch, device->arch));
    if (strcmp(part->gpu, device->name) != 0) far += name;
    if (part->keys != r->keys)
        far += mp_is_skewed(part->keys) && mp_is_skewed(r->keys) ? skewed_keys
               : part->keys == MP_KEYS_ANY                       ? any_keys
                                                                 : other_keys;
    far += octaves(part->key_bytes, r->key_bytes) + octaves(part->payload_bytes, r->payload_bytes);
    return far + beyond * (outside(n_least, n_most, n_there(part, r, device)) +
                           outside(bins_least, bins_most, r->bins));
}

/* A point of the nearest part; NULL if the table is empty. */
static const mp_tuned *nearest_part(const mp_tuned *table, unsigned count, const mp_request *r,
                                    const gb_device *device)
{
    const mp_tuned *found = NULL;
    double least = INFINITY;
    for (unsigned i = 0; i < count; i++) {
        if (i && same_part(&table[i], &table[i - 1])) continue;
        const double far = distance(table, count, &table[i], r, device);
        if (far >= least) continue;
        least = far;
        found = &table[i];
    }
    return found;
}

/* ---- between its points -----------------------------------------------------------------------
 */

/* What is interpolated: of MP_AUTO the logarithm of the least time of any method, of a method how
 * far above it is. So a method that was measured to one side only is taken to keep its distance.
 * NAN: it was not measured. */
static double value_of(const mp_tuned *at, int method)
{
    double least = INFINITY;
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++)
        if (at->seconds[m] > 0) least = fmin(least, at->seconds[m]);
    if (isinf(least)) return NAN;
    if (method == MP_AUTO) return log(least);
    return at->seconds[method] > 0 ? log(at->seconds[method] / least) : NAN;
}

/* The nearest known places to both sides of one that is asked for, and what is known there. */
typedef struct span {
    double low, high, at_low, at_high; /* places: 0 and INFINITY where there is none */
    double far_low, far_high;          /* octaves to what is known there */
} span;

static const span nowhere = {0, INFINITY, NAN, NAN, INFINITY, INFINITY};

/* A place, in which what is known lies `aside` octaves away in another direction. */
static void narrow(span *s, double place, double asked, double value, double aside)
{
    if (isnan(value)) return;
    const double far = fabs(log2(asked / place)) + aside;
    if (place <= asked && far < s->far_low) {
        s->low = place;
        s->at_low = value;
        s->far_low = far;
    }
    if (place >= asked && far < s->far_high) {
        s->high = place;
        s->at_high = value;
        s->far_high = far;
    }
}

/* By the octaves to both sides; outside of what is known the last value. NAN: nothing is known. */
static double between(const span *s)
{
    if (s->low == 0) return isinf(s->high) ? NAN : s->at_high;
    if (isinf(s->high) || s->far_low == 0) return s->at_low;
    const double part = s->far_low / (s->far_low + s->far_high);
    return (1 - part) * s->at_low + part * s->at_high;
}

/* Whether a point says something of a method; of MP_AUTO each does. */
static bool says(const mp_tuned *at, int method)
{
    return method == MP_AUTO || at->seconds[method] > 0;
}

/* Along the bins, of points with the same n; *aside: octaves to the nearest of them. */
static double at_level(const mp_tuned *table, unsigned count, const mp_tuned *part, uint64_t n,
                       double bins, int method, double *aside)
{
    const mp_tuned *low = NULL, *high = NULL;
    for (unsigned i = 0; i < count; i++) {
        const mp_tuned *at = &table[i];
        if (at->n != n || !says(at, method) || !same_part(at, part)) continue;
        if (at->bins <= bins && (!low || at->bins > low->bins)) low = at;
        if (at->bins >= bins && (!high || at->bins < high->bins)) high = at;
    }
    span s = nowhere;
    if (low) narrow(&s, low->bins, bins, value_of(low, method), 0);
    if (high) narrow(&s, high->bins, bins, value_of(high, method), 0);
    *aside = fmin(s.far_low, s.far_high);
    return between(&s);
}

/* Along n, then: a level that has nothing near those bins stands back behind one that has, farther
 * off. *most: the largest n. */
static double at_point(const mp_tuned *table, unsigned count, const mp_tuned *part, double n,
                       double bins, int method, double *most)
{
    span s = nowhere;
    uint64_t before = 0;
    for (unsigned i = 0; i < count; i++) {
        double aside;
        if (table[i].n == before || !same_part(&table[i], part)) continue;
        before = table[i].n;
        *most = fmax(*most, (double)before);
        const double value = at_level(table, count, part, before, bins, method, &aside);
        narrow(&s, (double)before, n, value, aside);
    }
    return between(&s);
}

/* ---- on another device ------------------------------------------------------------------------
 */

/* Bytes that a method moves at least, of n elements. */
static double moved(int method, double n, uint32_t bins, double key, double payload)
{
    enum { COUNTED_AT_ONCE = 24000 }; /* to so many bins two stable passes are */
    const double element = key + payload;
    switch (method) {
    case MP_UNSTABLE_TILES:
    case MP_UNSTABLE: /* a sample of one line in 16 */
        return n * (2 * element + key / 16);
    case MP_UNSTABLE_RESIDENT:
    case MP_STABLE_RESIDENT:
        return n * 2 * element;
    case MP_UNSTABLE_SAMPLED_TWO_PASS:
        return n * (4 * element + key / 16);
    case MP_UNSTABLE_TWO_PASS:
    case MP_UNSTABLE_TILES_TWO_PASS:
        return n * (4 * element + key);
    case MP_STABLE_TWO_PASS:
    case MP_STABLE_DRAWN_TWO_PASS:
    case MP_STABLE_TILES_TWO_PASS:
        return n * (4 * element + (bins > COUNTED_AT_ONCE ? 2 * key : key));
    case MP_STABLE_DRAWN_THREE_PASS:
        return n * (6 * element + 3 * key);
    default: /* counted, one pass */
        return n * (2 * element + key);
    }
}

/* Seconds that the memory is at work: input is read, and of the rest what the L2 does not hold. */
static double memory_seconds(int method, double n, const mp_request *r, double l2_bytes,
                             double bytes_per_s)
{
    const double input = n * (r->key_bytes + r->payload_bytes), footprint = 2 * input;
    const double kept = footprint > 0 ? fmin(1, l2_bytes / footprint) : 0;
    const double all = moved(method, n, r->bins, r->key_bytes, r->payload_bytes);
    return (input + (1 - kept) * (all - input)) / bytes_per_s;
}

/* What a method takes here more than there for n elements a share: the part of the memory's time
 * that its work does not hide. Over an H200's and an H100's rows of equal points the expected times
 * are right on average with it (tests/kernels/multipartition/test_multipartition_expect.cu). */
static double memory_differs(int method, double n, const mp_tuned *there, const mp_request *r,
                             const gb_device *device)
{
    static const double unhidden = 0.55;
    if (!(there->copy_bytes_per_s > 0) || !(device->copy_bytes_per_s > 0)) return 0;
    return unhidden *
           (memory_seconds(method, (double)r->n, r, (double)device->l2_bytes,
                           device->copy_bytes_per_s) -
            memory_seconds(method, n, r, (double)there->l2_bytes, there->copy_bytes_per_s));
}

const mp_tuned *mp_expect(const mp_tuned *table, unsigned count, const mp_request *request,
                          const gb_device *device, double seconds[MP_METHODS])
{
    for (int m = 0; m < MP_METHODS; m++)
        seconds[m] = 0;
    const mp_tuned *part = nearest_part(table, count, request, device);
    if (!part || !request->n) return part;
    const double n = n_there(part, request, device), bins = request->bins;
    double most = 0;
    double least = at_point(table, count, part, n, bins, MP_AUTO, &most);
    if (n > most) least += log(n / most);
    for (int m = MP_AUTO + 1; m < MP_METHODS; m++) {
        const double above = at_point(table, count, part, n, bins, m, &most);
        if (isnan(above)) continue;
        const double there = exp(least + above);
        /* what bandwidth saves is never all of it */
        seconds[m] = fmax(there + memory_differs(m, n, part, request, device), 0.1 * there);
    }
    return part;
}
