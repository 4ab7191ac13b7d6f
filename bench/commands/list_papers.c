/* gpubench list papers: what is reproduced, and what it is compared with. */
#include "bench/commands/list.h"
#include "bench/rows/papers.h"
#include "bench/util/wrap.h"

#include <stdio.h>
#include <string.h>

enum { USUAL_WIDTH = 100 };

static void fold(const char *text)
{
    gb_put_wrapped(stdout, "", text, 0, gb_page_columns(stdout, USUAL_WIDTH));
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_text(gb_arena *arena, const gb_papers *papers)
{
    for (size_t i = 0; i < papers->count; i++) {
        const gb_paper *paper = &papers->items[i];
        fold(gb_arena_printf(arena, "%s: %s", paper->name, paper->title));
        fold(paper->reference ? gb_reference_line(arena, paper->reference)
                              : "results/published/papers.json does not say what it is");
        if (*gb_paper_compared(arena, paper))
            fold(
                gb_arena_printf(arena, "Compared there with %s.", gb_paper_compared(arena, paper)));
        if (i + 1 < papers->count) putchar('\n');
    }
}

/* ---- Markdown -------------------------------------------------------------------------------- */

/* The line of a reference with a link. */
static const char *linked(gb_arena *arena, const gb_reference *reference)
{
    const char *line = gb_reference_line(arena, reference),
               *address = gb_reference_address(arena, reference);
    if (!address) return line;
    const char *doi = reference->doi ? strstr(line, ", doi:") : NULL;
    if (!doi)
        return gb_arena_printf(arena, "%.*s, [%s](%s).", (int)strlen(line) - 1, line, address,
                               address);
    const char *behind = doi + strlen(", doi:") + strlen(reference->doi);
    return gb_arena_printf(arena, "%.*s, [doi:%s](%s)%s", (int)(doi - line), line, reference->doi,
                           address, behind);
}

static void put_markdown(gb_arena *arena, const gb_papers *papers)
{
    for (size_t i = 0; i < papers->count; i++) {
        const gb_paper *paper = &papers->items[i];
        printf("- **%s** (`%s`): ", paper->title, paper->name);
        if (paper->reference) fputs(linked(arena, paper->reference), stdout);
        if (*gb_paper_compared(arena, paper))
            printf(" Compared with %s.", gb_paper_compared(arena, paper));
        putchar('\n');
    }
}

/* ---- the references of others
 * --------------------------------------------------------------------- */

/* Whether it is one of the papers. */
static bool is_paper(const gb_papers *papers, const gb_reference *reference)
{
    for (size_t i = 0; i < papers->count; i++)
        if (papers->items[i].reference == reference) return true;
    return false;
}

static void put_works(gb_arena *arena, const gb_papers *papers, bool markdown)
{
    for (size_t i = 0; i < papers->references.count; i++) {
        const gb_reference *reference = &papers->references.items[i];
        if (is_paper(papers, reference)) continue;
        if (markdown)
            printf("- %s\n", linked(arena, reference));
        else
            fold(gb_reference_line(arena, reference));
    }
}

/* ---- BibTeX ---------------------------------------------------------------------------------- */

static void put_bibtex(gb_arena *arena, const gb_papers *papers)
{
    puts("% What gpubench reproduces, compares with and is made after: gpubench list papers "
         "--format bibtex");
    for (size_t i = 0; i < papers->references.count; i++)
        printf("\n%s", gb_reference_bibtex(arena, &papers->references.items[i]));
}

/* ---- the list -------------------------------------------------------------------------------- */

bool gb_list_papers(bool others, const char *format)
{
    gb_arena arena = {0};
    gb_papers papers = {0};
    gb_error error = {GB_OK, ""};
    const bool markdown = strcmp(format, "markdown") == 0;
    const bool good = gb_papers_load(&arena, &papers, &error);
    if (!good)
        fprintf(stderr, "gpubench list: %s\n", error.text);
    else if (strcmp(format, "bibtex") == 0)
        put_bibtex(&arena, &papers);
    else if (others)
        put_works(&arena, &papers, markdown);
    else if (markdown)
        put_markdown(&arena, &papers);
    else
        put_text(&arena, &papers);
    gb_arena_free(&arena);
    return good;
}
