/* Options of a command line: what each kind takes, and in which words it refuses the rest. */
#include "bench/commands/commands.h"
#include "bench/util/options.h"

#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_WORDS = 16, MOST_LIST = 2 };

static const char *const colours[] = {"red", "green", "blue", NULL};

/* A table whose entries begin with their names. */
static const struct {
    const char *name;
    double litres;
} tins[] = {{"small", 0.5}, {"large", 5}, {NULL, 0}};

/* Everything that an option of the table below can fill. */
static struct {
    bool flag;
    const char *text;
    const char *list[MOST_LIST];
    unsigned list_count;
    uint64_t size;
    double part;
    unsigned colour, shade, tin, tone;
    char special[64];
} got;

static int status;
static char printed[4096]; /* what the last parse printed, to stdout and stderr */
static const char *operands[MOST_WORDS];

static bool take_special(void *to, const char *option, const char *argument, gb_error *error)
{
    if (strcmp(argument, "bad") == 0) {
        gb_fail(error, GB_WRONG, "--%s %s: is not good", option, argument);
        return false;
    }
    snprintf(to, sizeof got.special, "%s=%s", option, argument);
    return true;
}

/* Sends stdout and stderr to a file until they are given back; false where that fails. */
static bool redirect(FILE *file, int kept[2])
{
    fflush(stdout);
    kept[0] = dup(STDOUT_FILENO);
    kept[1] = dup(STDERR_FILENO);
    return dup2(fileno(file), STDOUT_FILENO) >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0;
}

static void give_back(FILE *file, const int kept[2])
{
    fflush(stdout);
    dup2(kept[0], STDOUT_FILENO);
    dup2(kept[1], STDERR_FILENO);
    close(kept[0]);
    close(kept[1]);
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = '\0';
    fclose(file);
}

/* Parses words, separated by blanks ("_" is an empty one), as those behind `gpubench paint`. */
static bool parse(const char *line)
{
    static const gb_command_help help = {.usage = "paint WALL... [options]",
                                         .summary = "Paints walls.\n",
                                         .examples = "  gpubench paint north\n"};
    static char copy[1024];
    memset(&got, 0, sizeof got);
    got.size = 7;
    got.colour = 9;
    const gb_option options[] = {
        gb_option_flag("flag", "a flag", &got.flag),
        gb_option_text("text", "TEXT", "a text", &got.text),
        gb_option_list("list", "NAME", "a list", got.list, &got.list_count, MOST_LIST),
        gb_option_size("size", "N", "a size", &got.size, 2, 1000000),
        gb_option_part("part", "P", "a part", &got.part),
        gb_option_word("colour", "red|green|blue", "a word", &got.colour, colours),
        gb_option_word("shade", NULL, "any word", &got.shade, colours),
        gb_option_entry("tin", "an entry", &got.tin, &tins->name, sizeof *tins),
        gb_option_choice("tone", "alone, or a word", &got.tone, colours),
        gb_option_special("special", "X", "a special one", take_special, got.special),
        gb_option_verbose("show all"),
        {0}};
    char *argv[MOST_WORDS] = {"paint"};
    int argc = 1, kept[2];
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "_") == 0 ? "" : word;

    FILE *file = tmpfile();
    assert_non_null(file);
    status = -1;
    const bool ready = redirect(file, kept);
    const bool goes_on = gb_options_parse(argc, argv, &help, options, &status);
    give_back(file, kept);
    assert_true(ready);
    memset(operands, 0, sizeof operands);
    for (int i = optind; goes_on && i < argc; i++)
        operands[i - optind] = argv[i];
    return goes_on;
}

static void takes(const char *line)
{
    if (!parse(line)) fail_msg("%s: refused: %s", line, printed);
    assert_string_equal(printed, "");
}

/* The message, without the command's name in front and the line feed behind. */
static void refuses(const char *line, const char *message)
{
    char whole[sizeof printed];
    snprintf(whole, sizeof whole, "gpubench paint: %s\n", message);
    if (parse(line)) fail_msg("%s: not refused", line);
    assert_string_equal(printed, whole);
    assert_int_equal(status, GB_EXIT_USAGE);
}

/* ---- the kinds ------------------------------------------------------------------------------- */

static void flags(void **state)
{
    (void)state;
    takes("--flag");
    assert_true(got.flag);
    takes("--text --flag");
    assert_false(got.flag);
    assert_string_equal(got.text, "--flag");
    refuses("--flag=yes", "--flag takes no argument; `gpubench paint --help` lists the options");
}

static void texts(void **state)
{
    (void)state;
    takes("--text a --text=b");
    assert_string_equal(got.text, "b");
    takes("--text _");
    assert_string_equal(got.text, "");
    refuses("--text", "--text needs an argument; `gpubench paint --help` lists the options");
}

static void lists(void **state)
{
    (void)state;
    takes("--list a north --list b");
    assert_int_equal(got.list_count, 2);
    assert_string_equal(got.list[0], "a");
    assert_string_equal(got.list[1], "b");
    assert_string_equal(operands[0], "north");
    refuses("--list a --list b --list c", "--list may be given 2 times at most");
}

static void sizes(void **state)
{
    (void)state;
    takes("north");
    assert_int_equal(got.size, 7); /* the default stays */
    takes("--size 2");
    assert_int_equal(got.size, 2);
    takes("--size 1M");
    assert_int_equal(got.size, 1000000);
    refuses("--size 1", "--size must be from 2 to 1000000");
    refuses("--size 1000001", "--size must be from 2 to 1000000");
    refuses("--size x", "--size x: a size begins with a digit");
    refuses("--size 1.5", "--size 1.5: a size has no fraction");
    assert_int_equal(got.size, 7);
}

static void parts(void **state)
{
    (void)state;
    static const char *const mistakes[] = {"1", "-0.1", "100%", "%", "5%%", "x", "nan", "0x1"};
    takes("--part 0.25");
    assert_true(got.part == 0.25);
    takes("--part 5%");
    assert_true(got.part == 5.0 / 100);
    takes("--part 0.25 --part 0");
    assert_true(got.part == 0);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char line[64], message[256];
        snprintf(line, sizeof line, "--part %s", mistakes[i]);
        snprintf(message, sizeof message,
                 "--part %s: takes a number from 0 to 1 or a percentage, such as 0.02 or 2%%",
                 mistakes[i]);
        refuses(line, message);
    }
    /* More digits than a number has are none, rather than the first of them. */
    assert_false(parse("--part 0.10000000000000000000000000000000000000"));
    assert_false(parse("--part _"));
}

static void words(void **state)
{
    (void)state;
    takes("north");
    assert_int_equal(got.colour, 9);
    takes("--colour red");
    assert_int_equal(got.colour, 0);
    takes("--colour red --colour blue");
    assert_int_equal(got.colour, 2);
    refuses("--colour grey", "--colour grey: found \"grey\", allowed are red, green and blue");
    refuses("--colour re", "--colour re: found \"re\", allowed are red, green and blue");
    refuses("--colour Red", "--colour Red: found \"Red\", allowed are red, green and blue");
    assert_int_equal(got.colour, 9);
    takes("--shade green");
    assert_int_equal(got.shade, 1);
    refuses("--shade", "--shade needs an argument; `gpubench paint --help` lists the options");
}

static void entries(void **state)
{
    (void)state;
    takes("--tin large");
    assert_int_equal(got.tin, 1);
    takes("--tin large --tin small");
    assert_int_equal(got.tin, 0);
    refuses("--tin huge", "--tin huge: found \"huge\", allowed are small and large");
    refuses("--tin", "--tin needs an argument; `gpubench paint --help` lists the options");
}

static void choices(void **state)
{
    (void)state;
    takes("north");
    assert_int_equal(got.tone, 0);
    takes("--tone red"); /* which is an operand */
    assert_int_equal(got.tone, 1);
    assert_string_equal(operands[0], "red");
    takes("--tone=green north");
    assert_int_equal(got.tone, 3);
    assert_string_equal(operands[0], "north");
    refuses("--tone=grey", "--tone grey: found \"grey\", allowed are red, green and blue");
}

static void special_ones(void **state)
{
    (void)state;
    takes("--special good");
    assert_string_equal(got.special, "special=good");
    refuses("--special bad", "--special bad: is not good");
}

static void verbose(void **state)
{
    (void)state;
    unsetenv("GPUBENCH_VERBOSE");
    takes("north");
    assert_null(getenv("GPUBENCH_VERBOSE"));
    takes("--verbose");
    assert_string_equal(getenv("GPUBENCH_VERBOSE"), "1");
    unsetenv("GPUBENCH_VERBOSE");
}

/* ---- the command line ------------------------------------------------------------------------ */

static void operands_and_options_mix(void **state)
{
    (void)state;
    takes("north --flag south -- --text west");
    assert_true(got.flag);
    assert_null(got.text);
    assert_string_equal(operands[0], "north");
    assert_string_equal(operands[1], "south");
    assert_string_equal(operands[2], "--text");
    assert_string_equal(operands[3], "west");
    assert_null(operands[4]);
    takes("--fl"); /* a beginning that only one has */
    assert_true(got.flag);
}

static void unknown_options(void **state)
{
    (void)state;
    refuses("--colur red",
            "unknown option --colur (did you mean --colour?); `gpubench paint --help` lists the "
            "options");
    refuses("--xyzzy", "unknown option --xyzzy; `gpubench paint --help` lists the options");
    refuses("-x", "unknown option -x; `gpubench paint --help` lists the options");
    refuses("--s 3",
            "--s is the beginning of more than one option; `gpubench paint --help` lists the "
            "options");
}

/* The first mistake ends it: nothing behind it is taken or complained of. */
static void first_mistake_counts(void **state)
{
    (void)state;
    refuses("--colour grey --flag --size x",
            "--colour grey: found \"grey\", allowed are red, green and blue");
    assert_false(got.flag);
    assert_false(parse("--flag --colour grey --help"));
    assert_int_equal(status, GB_EXIT_USAGE);
    assert_true(got.flag);
}

static void help_text(void **state)
{
    (void)state;
    static const char *const lines[] = {"--help", "-h", "north --help --colour grey"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_false(parse(lines[i]));
        assert_int_equal(status, GB_EXIT_OK);
        assert_string_equal(printed, "usage: gpubench paint WALL... [options]\n"
                                     "\n"
                                     "Paints walls.\n"
                                     "\n"
                                     "options:\n"
                                     "  --flag                   a flag\n"
                                     "  --text TEXT              a text\n"
                                     "  --list NAME              a list\n"
                                     "  --size N                 a size\n"
                                     "  --part P                 a part\n"
                                     "  --colour red|green|blue  a word\n"
                                     "  --shade red|green|blue   any word\n"
                                     "  --tin small|large        an entry\n"
                                     "  --tone[=red|green|blue]  alone, or a word\n"
                                     "  --special X              a special one\n"
                                     "  --verbose                show all\n"
                                     "  --help                   this text\n"
                                     "\n"
                                     "examples:\n"
                                     "  gpubench paint north\n");
    }
}

/* However many there are, the last counts as the first does. */
static void many_options(void **state)
{
    (void)state;
    enum { MANY = 200 };
    static const gb_command_help help = {.usage = "paint", .summary = "Paints walls.\n"};
    static char names[MANY][8];
    bool given[MANY] = {false};
    gb_option options[MANY + 1] = {{0}};
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "o%03u", i);
        options[i] = gb_option_flag(names[i], "one of many", &given[i]);
    }
    char *argv[] = {"paint", "--o000", "--o199", NULL};
    int ends;
    assert_true(gb_options_parse(3, argv, &help, options, &ends));
    for (unsigned i = 0; i < MANY; i++)
        assert_int_equal(given[i], i == 0 || i == MANY - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flags),
        cmocka_unit_test(texts),
        cmocka_unit_test(lists),
        cmocka_unit_test(sizes),
        cmocka_unit_test(parts),
        cmocka_unit_test(words),
        cmocka_unit_test(entries),
        cmocka_unit_test(choices),
        cmocka_unit_test(special_ones),
        cmocka_unit_test(verbose),
        cmocka_unit_test(operands_and_options_mix),
        cmocka_unit_test(unknown_options),
        cmocka_unit_test(first_mistake_counts),
        cmocka_unit_test(help_text),
        cmocka_unit_test(many_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
