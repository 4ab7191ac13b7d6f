/* Bodies from files: what is taken, in which order, and what is said of a file that is none. */
#include "kernels/octree/file.h"

#include "tests/driver/fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/gpubench-octree-file-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static const char *write_bytes(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
    return path_of(name);
}

static const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

/* Reads n bodies, `piece` at a time. */
static gb_status read_all(const char *path, uint64_t n, uint64_t piece, oc_body *bodies,
                          gb_error *error)
{
    oc_file *file;
    gb_status status = oc_file_open(path, n, &file, error);
    assert_true((file != NULL) == (status == GB_OK));
    for (uint64_t at = 0; status == GB_OK && at < n; at += piece)
        status = oc_file_read(file, bodies + at, n - at < piece ? n - at : piece, error);
    oc_file_close(file);
    return status;
}

static void refused(const char *path, uint64_t n, const char *says, const char *says_too)
{
    oc_body bodies[64];
    gb_error error = {GB_OK, ""};
    assert_true(n <= 64);
    assert_int_equal(read_all(path, n, 64, bodies, &error), GB_UNSUPPORTED);
    assert_says(error.text, path, "the file's name");
    assert_says(error.text, says, path);
    assert_says(error.text, says_too, path);
}

/* The file holds exactly these bodies. */
static void holds(const char *path, const float (*expected)[3], uint64_t count)
{
    for (uint64_t piece = 1; piece <= count; piece += 2) {
        oc_body bodies[64];
        gb_error error = {GB_OK, ""};
        if (read_all(path, count, piece, bodies, &error) != GB_OK) fail_msg("%s", error.text);
        for (uint64_t i = 0; i < count; i++) {
            const oc_body found = bodies[i];
            if (found.x != expected[i][0] || found.y != expected[i][1] ||
                found.z != expected[i][2] || found.mass != 1.0f)
                fail_msg("%s: body %d is (%g, %g, %g), mass %g", path, (int)i, (double)found.x,
                         (double)found.y, (double)found.z, (double)found.mass);
        }
    }
    char says[64];
    snprintf(says, sizeof says, "holds %d bodies, n asks for %d: choose n up to %d", (int)count,
             (int)count + 1, (int)count);
    refused(path, count + 1, says, "choose");
}

static const float three[3][3] = {{1.5f, -2.0f, 3e10f}, {0.0f, -0.25f, 1e-40f}, {7.0f, 8.0f, 9.0f}};

static void triples(void **state)
{
    (void)state;
    unsigned char bytes[36];
    for (int i = 0; i < 9; i++) {
        uint32_t bits;
        memcpy(&bits, &three[i / 3][i % 3], 4);
        for (int b = 0; b < 4; b++)
            bytes[4 * i + b] = (unsigned char)(bits >> 8 * b);
    }
    holds(write_bytes("a.f32", bytes, 36), three, 3);
    holds(write_bytes("a.bin", bytes, 36), three, 3);
    holds(write_bytes("A.F32", bytes, 12), three, 1);
    refused(write_bytes("a.f32", bytes, 35), 1, "has 35 bytes", "multiple of 12");
    bytes[18] = 0xC0; /* y of the second body: 0xFFC00000 */
    bytes[19] = 0xFF;
    refused(write_bytes("a.f32", bytes, 36), 3, "body 1 at byte 16: its y is no number (NaN)",
            "finite");
    bytes[18] = 0x80;
    bytes[19] = 0x7F;
    refused(write_bytes("a.f32", bytes, 36), 3, "body 1 at byte 16: its y is infinite", "finite");
    /* What is not asked for is not looked at. */
    holds(write_bytes("a.f32", bytes, 12), three, 1);
}

static void text(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "1.5,-2,3e10\n0,-.25,1e-40\n7,8,9\n",
        "x,y,z\n1.5,-2,3e10\n0,-.25,1e-40\n7,8,9",
        "1.5 ,\t-2.0, +3E+10\r\n\r\n\n  0,-0.25,1e-40\r\n7,8,9\r\n\n",
        "name,Z,\"x\",mass,Y\nSun,3e10,1.5,1,-2\n,1e-40,0,,-0.25\nMoon,9,7,2,8\n",
        "1.5,-2,3e10,12\n0,-.25,1e-40\n7,8,9,,,\n",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        holds(write_text("b.csv", forms[i]), three, 3);
}

static void mistakes(void **state)
{
    (void)state;
    refused(write_text("b.csv", "x,y,z\n1,2,3\n\n1,two,3\n"), 2, "line 4: its y is 'two'",
            "no decimal number");
    refused(write_text("b.csv", "1,2,3\n4,5\n"), 2, "line 2: it has 2 columns",
            "z stands in column 3");
    refused(write_text("b.csv", "1,2,3\n4 5 6\n"), 2, "line 2: it has 1 column,", "commas");
    refused(write_text("b.csv", "1,2,3\n4,nan,6\n"), 2, "line 2: its y is 'nan'", "finite");
    refused(write_text("b.csv", "1,2,-inf\n"), 1, "line 1: its z is '-inf'", "finite");
    refused(write_text("b.csv", "1,2,1e39\n"), 1, "line 1: its z is '1e39'", "3.4e38");
    refused(write_text("b.csv", "1,2,0x10\n"), 1, "line 1: its z is '0x10'", "no decimal number");
    refused(write_text("b.csv", "1,,3\n"), 1, "line 1: its y is ''", "no decimal number");
    refused(write_text("b.csv", "1,2,3e\n"), 1, "its z is '3e'", "no decimal number");
    refused(write_text("b.csv", "ra,dec,z\n1,2,3\n"), 1, "line 1", "lack x");
    refused(write_text("b.csv", "x,y,z\nx,y,z\n"), 1, "line 2: its x is 'x'", "no decimal number");
    refused(write_text("b.csv", "x,y,z\n"), 1, "holds 0 bodies, n asks for 1", "up to 0");
    refused(write_text("b.csv", ""), 1, "is empty", ".csv");
    refused(write_bytes("b.csv", "1,2\0,3\n", 7), 1, "line 1", "column");
    char *line = malloc(70001);
    assert_non_null(line);
    memset(line, '1', 70000);
    line[70000] = '\0';
    refused(write_text("b.csv", line), 1, "line 1: it is longer than 64 KiB", "CSV");
    memset(line, ',', 60000);
    line[60000] = '\0';
    refused(write_text("b.csv", line), 1, "line 1", "lack x");
    free(line);
}

static void no_files(void **state)
{
    (void)state;
    refused(path_of("none.csv"), 1, "cannot be opened: No such file", "none.csv");
    refused("none/such.f32", 1, "the worker looked in /", "No such file");
    write_text("c.txt", "1,2,3\n");
    refused(path_of("c.txt"), 1, "does not say what it holds", ".csv");
    assert_int_equal(mkdir(path_of("d.csv"), 0777), 0);
    refused(path_of("d.csv"), 1, "is a folder", ".f32");
    assert_int_equal(mkfifo(path_of("e.bin"), 0666), 0);
    refused(path_of("e.bin"), 1, "is no plain file", ".f32");
    assert_int_equal(chmod(write_text("f.csv", "1,2,3\n"), 0), 0);
    if (geteuid() != 0) refused(path_of("f.csv"), 1, "Permission denied", "cannot be opened");
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"a.f32", "a.bin", "A.F32", "b.csv",
                                        "c.txt", "d.csv", "e.bin", "f.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triples),
        cmocka_unit_test(text),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(no_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
