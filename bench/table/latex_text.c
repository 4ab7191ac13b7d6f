/* Text as LaTeX sets it, and how wide that becomes. */
#include "bench/table/latex_text.h"

#include <stdbool.h>
#include <string.h>

/* Of cmr8's characters from blank to tilde, in thousandths of an em (its TFM file; a blank as
 * between words). */
static const short widths[] = {
    354, 295, 531, 885, 531, 885, 826, 295, 413, 413, 531, 826, 295, 354, 295, 531, 531, 531,  531,
    531, 531, 531, 531, 531, 531, 531, 295, 295, 826, 826, 826, 502, 826, 796, 752, 767, 811,  723,
    693, 834, 796, 383, 545, 825, 664, 973, 796, 826, 723, 826, 782, 590, 767, 796, 796, 1091, 796,
    796, 649, 295, 531, 295, 531, 400, 295, 531, 590, 472, 590, 472, 325, 531, 590, 295, 325,  561,
    295, 885, 590, 531, 590, 561, 414, 419, 413, 590, 561, 767, 561, 561, 472, 531, 295, 531,  531};
enum { WIDTH_OTHER = 850, WIDTH_SUPERSCRIPT = 460, SCRIPT_SPACE = 63, LONG_WORD = 20 };

/* What LaTeX cannot take as it is, longer texts first; widths as above. */
static const struct {
    const char *text, *latex;
    short width;
} forms[] = {
    {" %", "\\,\\%", 1060},
    {"--", "-{}-", 708},
    {"...", "\\dots{}", 1030},
    {"\\", "\\textbackslash{}", 531},
    {"&", "\\&", 826},
    {"%", "\\%", 885},
    {"$", "\\$", 531},
    {"#", "\\#", 885},
    {"_", "\\_", 400},
    {"{", "\\{", 531},
    {"}", "\\}", 531},
    {"~", "\\textasciitilde{}", 531},
    {"^", "\\textasciicircum{}", 531},
    {"`", "\\`{}", 531},
    {"|", "$|$", 295},
    {"<", "$<$", 826},
    {">", "$>$", 826},
    {"±", "$\\pm$", 826},
    {"·", "$\\cdot$", 295},
    {"×", "$\\times$", 826},
    {"−", "$-$", 826},
    {"≥", "$\\ge$", 826},
    {"≤", "$\\le$", 826},
    {"≠", "$\\ne$", 826},
    {"≈", "$\\approx$", 826},
    {"→", "$\\to$", 1063},
    {"∞", "$\\infty$", 1063},
    {"µ", "$\\mu$", 640},
    {"μ", "$\\mu$", 640},
    {"α", "$\\alpha$", 680},
    {"σ", "$\\sigma$", 620},
    {"Δ", "$\\Delta$", 885},
    {"⌊", "$\\lfloor$", 472},
    {"⌋", "$\\rfloor$", 472},
    {"⌈", "$\\lceil$", 472},
    {"⌉", "$\\rceil$", 472},
    {"–", "--", 531},
    {"—", "---", 1063},
    {"…", "\\dots{}", 1030},
};

int gb_latex_superscript(const char *text, size_t *bytes)
{
    static const char *const digits[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    for (int i = 0; i < 10; i++) {
        *bytes = strlen(digits[i]);
        if (strncmp(text, digits[i], *bytes) == 0) return i;
    }
    return -1;
}

/* Digits and a minus before them: one exponent, lest they stand one above the other. Returns how
 * many bytes it took; file may be NULL. */
static size_t take_superscript(FILE *file, const char *text, double *width)
{
    static const char minus[] = "⁻";
    const char *at = text;
    size_t bytes;
    if (strncmp(at, minus, sizeof minus - 1) == 0) at += sizeof minus - 1;
    if (gb_latex_superscript(at, &bytes) < 0) return 0;
    if (file) fputs(at > text ? "$^{-" : "$^{", file);
    *width += at > text ? WIDTH_OTHER / 1000. : 0;
    for (int digit; (digit = gb_latex_superscript(at, &bytes)) >= 0; at += bytes) {
        if (file) fprintf(file, "%d", digit);
        *width += WIDTH_SUPERSCRIPT / 1000.;
    }
    if (file) fputs("}$", file);
    *width += SCRIPT_SPACE / 1000.;
    return (size_t)(at - text);
}

/* A form of the table, or 0 bytes. */
static size_t take_form(FILE *file, const char *text, double *width)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t bytes = strlen(forms[i].text);
        if (strncmp(text, forms[i].text, bytes) != 0) continue;
        if (file) fputs(forms[i].latex, file);
        *width += forms[i].width / 1000.;
        return bytes;
    }
    return 0;
}

/* A minus before a number is one, not a hyphen; one alone, or with a mark behind, a dash. */
static size_t take_minus(FILE *file, const char *text, bool at_start, double *width)
{
    size_t bytes;
    const char behind = text[1] == ' ' ? text[2] : text[1];
    const bool number = behind >= '0' && behind <= '9';
    const bool alone =
        text[1] == '\0' || text[1] == ' ' || gb_latex_superscript(text + 1, &bytes) >= 0;
    if (!at_start || !(number || alone)) return 0;
    if (file) fputs(number ? "$-$" : "--", file);
    *width += number ? WIDTH_OTHER / 1000. : 0.531;
    return 1;
}

/* Opening quotes at the beginning of a word, closing ones behind. */
static size_t take_quotes(FILE *file, const char *text, bool at_start, double *width)
{
    if (*text != '"') return 0;
    if (file) fputs(at_start ? "``" : "''", file);
    *width += 0.531;
    return 1;
}

static size_t take_other(FILE *file, const char *text, double *width)
{
    const unsigned char first = (unsigned char)*text;
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xC0) == 0x80)
        bytes++;
    if (file) fwrite(text, 1, bytes, file);
    *width += (first >= ' ' && first <= '~' ? widths[first - ' '] : WIDTH_OTHER) / 1000.;
    return bytes;
}

static size_t take(FILE *file, const char *text, char before, double *width)
{
    const bool at_start = before == '\0' || before == ' ' || before == '(';
    size_t bytes = take_superscript(file, text, width);
    if (bytes == 0 && *text == '-') bytes = take_minus(file, text, at_start, width);
    if (bytes == 0) bytes = take_quotes(file, text, at_start, width);
    if (bytes == 0) bytes = take_form(file, text, width);
    return bytes ? bytes : take_other(file, text, width);
}

void gb_latex_put(FILE *file, const char *text)
{
    double width = 0;
    for (const char *at = text; *at;)
        at += take(file, at, at > text ? at[-1] : '\0', &width);
}

void gb_latex_put_running(FILE *file, const char *text)
{
    double width = 0;
    size_t word = 0; /* bytes of the word around */
    for (const char *at = text; *at;) {
        const char before = at > text ? at[-1] : '\0';
        if (before == ' ' || before == '\0') word = strcspn(at, " ");
        at += take(file, at, before, &width);
        if (word > LONG_WORD && *at && *at != ' ' && strchr("/,;=_:.>(", at[-1]))
            fputs("\\allowbreak{}", file);
    }
}

double gb_latex_width(const char *text, size_t bytes)
{
    double width = 0;
    for (const char *at = text; *at && at < text + bytes;)
        at += take(NULL, at, at > text ? at[-1] : '\0', &width);
    return width;
}
