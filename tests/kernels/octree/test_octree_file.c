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
    assert_int_equal(read_all(path, n, 64, bodies, &error), GB_NO_INPUT);
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
        "\xEF\xBB\xBFx,y,z\r\n1.5,-2,3e10\r\n0,-.25,1e-40\r\n7,8,9\r\n",
        "1.5 ,\t-2.0, +3E+10\r\n\r\n\n  0,-0.25,1e-40\r\n7,8,9\r\n\n",
        "name,Z,\"x\",mass,Y\nSun,3e10,1.5,1,-2\n,1e-40,0,,-0.25\nMoon,9,7,2,8\n",
        "name,mag,x,y,z\n\"Alpha, A\",9,1.5,-2,3e10\n\"a\nb\",8,0,-.25,1e-40\n\"\"\"\",,7,8,9\n",
    };
    static const char *const words[] = {
        "1.5 -2 3e10\n0 -.25 1e-40\n7 8 9",
        "\xEF\xBB\xBF# x y z\n\n 1.5\t-2 \t3e10 255 0\r\n0 -.25 1e-40 1 2\n\n7 8 9 3 4\n",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        holds(write_text("b.csv", forms[i]), three, 3);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        holds(write_text("b.xyz", words[i]), three, 3);
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says, *says_too;
    } csv[] = {
        {"x,y,z\n1,2,3\n\n1,two,3\n", ":4: its y is 'two'", "no decimal number"},
        {"1,2,3\n4,5\n", ":2: the file ends within this row", "complete"},
        {"1,2,3\n4,5\n1,2,3\n", ":2: 2 fields instead of 3", "repair"},
        {"x,y,z\n1,2,3,4\n1,2,3\n", ":2: 4 fields instead of 3", "repair"},
        {"1,2,3\n4 5 6\n1,2,3\n", ":2: 1 fields instead of 3", "repair"},
        {"1 2 3\n4 5 6\n", ":1: the columns' names lack x", "x, y and z"},
        {"1;2;3\n4;5;6\n", ":1: ';' separates the columns", "comma"},
        {"1,5;2,5;3,5\n4,5;5,5;6,5\n", ":1: 4 columns without names", "decimal commas?"},
        {"1\t2\t3\n", ":1: tabs separate the columns", "comma"},
        {"x,y,z\n1,5,2,5,3,5\n4,5,5,5,6,5\n", ":2: 6 fields instead of 3",
         "are these decimal commas?"},
        {"1,5,2,5,3,5\n4,5,5,5,6,5\n", ":1: 6 columns without names", "decimal commas?"},
        {"1.5,-2,3e10,12\n0,-.25,1e-40\n", ":1: 4 columns without names", "first line"},
        {"x,y,x,z\n1,2,3,4\n", ":1: two columns are called 'x'", "x"},
        {"x,y,X,z\n1,2,3,4\n", ":1: two columns are called x", "x"},
        {"id,x,y,z,id\n1,2,3,4,5\n", ":1: two columns are called 'id'", "id"},
        {"1,2,3\n4,nan,6\n", ":2: its y is 'nan'", "finite"},
        {"1,2,-inf\n", ":1: its z is '-inf'", "finite"},
        {"1,2,1e39\n", ":1: its z is '1e39'", "3.4e38"},
        {"1,2,0x10\n", ":1: its z is '0x10'", "no decimal number"},
        {"1,,3\n", ":1: its y is ''", "no decimal number"},
        {"1,2,3e\n", "its z is '3e'", "no decimal number"},
        {"1,\"2,5\",3\n", ":1: its y is '2,5'", "point"},
        {"ra,dec,z\n1,2,3\n", ":1: the columns' names lack x", "name three columns"},
        {"x,y,z\nx,y,z\n", ":2: its x is 'x'", "no decimal number"},
        {"x,y,z\n", ": holds no bodies", "no bodies"},
        {"1,2\n", ":1: 2 numbers, and a body has three", "commas"},
        {"\n1,2,3\n", ":1: the first line is empty", "table"},
        {"1,2,3\n4,\"5,6\n7,8,9\n", ":2: a quote that is never closed", "repair"},
        {"", "is empty", ".csv"},
    };
    for (size_t i = 0; i < sizeof csv / sizeof *csv; i++)
        refused(write_text("b.csv", csv[i].text), 2, csv[i].says, csv[i].says_too);
    refused(write_bytes("b.csv", "x,y,z\n1,2,3\0005\n4,5,6\n", 20), 2, ":2: a NUL byte", "repair");
    refused(write_bytes("b.csv", "\xFF\xFEx\0,\0y\0", 8), 1, "is UTF-16 text", "iconv");
    refused(write_bytes("b.csv", "x\0,\0y\0,\0z\0\n\0001\0", 14), 1, "is UTF-16 text", "iconv");
    refused(write_bytes("b.csv", "\x1F\x8B\x08\0", 4), 1, "is compressed by gzip", "gunzip");

    refused(write_text("b.xyz", "1 2 3\n4 5\n"), 2, ":2: 2 words instead of 3", "words");
    refused(write_text("b.xyz", "1 2 3\n4 5 6 7\n"), 2, ":2: 4 words instead of 3", "words");
    refused(write_text("b.xyz", "1,2,3\n"), 1, ":1: 1 words instead of 3", ".csv");
    refused(write_text("b.xyz", "2\nwater\nO 0 0 0\n"), 1, ":1: 1 words instead of 3", "molecule");
    refused(write_text("b.xyz", "1,5 2,5 3,5\n"), 1, ":1: its x is '1,5'", "have a point");
    refused(write_bytes("b.xyz", "1 2 3\n4 5\0 6\n", 13), 2, ":2: it has a NUL byte", "text");
    refused(write_text("b.xyz", "# nothing\n"), 1, ": holds no bodies", "no bodies");
    char *line = malloc(70001);
    assert_non_null(line);
    memset(line, '1', 70000);
    line[70000] = '\0';
    refused(write_text("b.xyz", line), 1, ":1: it is longer than 64 KiB", "text");
    memset(line, ',', 60000);
    line[60000] = '\0';
    refused(write_text("b.csv", line), 1, ":1: more than 1000 fields", "line");
    free(line);
}

/* ---- formats with a head: numbers in bytes, made here as their specifications have them --------
 */

typedef struct bytes {
    unsigned char at[1024];
    size_t size;
} bytes;

static void put_text(bytes *b, const char *words)
{
    memcpy(b->at + b->size, words, strlen(words));
    b->size += strlen(words);
}

static void put_number(bytes *b, const void *number, size_t size, bool big_endian)
{
    const uint16_t one = 1;
    const bool swap = big_endian == (*(const unsigned char *)&one == 1);
    for (size_t i = 0; i < size; i++)
        b->at[b->size++] = ((const unsigned char *)number)[swap ? size - 1 - i : i];
}

/* Between other values, of which the coordinates have to be found: y and z as doubles, x a float.
 */
static void put_points(bytes *b, bool big_endian)
{
    for (int i = 0; i < 3; i++) {
        const double y = (double)three[i][1], z = (double)three[i][2];
        put_number(b, &y, 8, big_endian);
        put_number(b, "\7", 1, big_endian);
        put_number(b, &three[i][0], 4, big_endian);
        put_number(b, &z, 8, big_endian);
    }
}

static void ply(void **state)
{
    (void)state;
    static const char *const ends[] = {"\n", "\r\n"};
    for (int order = 0; order < 2; order++) {
        bytes b = {.size = 0};
        put_text(&b, order ? "ply\nformat binary_big_endian 1.0\n"
                           : "ply\r\nformat binary_little_endian 1.0\r\n");
        put_text(&b, "comment by hand\nelement vertex 3\nproperty double y\nproperty uchar red\n"
                     "property float x\nproperty float64 z\nelement face 1\n"
                     "property list uchar int vertex_index\nend_header");
        put_text(&b, ends[1 - order]);
        put_points(&b, order == 1);
        put_text(&b, "\3....");
        holds(write_bytes("c.ply", b.at, b.size), three, 3);
        refused(write_bytes("c.ply", b.at, b.size - 8), 3, "announces 3 bodies of 21 bytes",
                "complete");
    }
    holds(write_text("c.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float y\n"
                              "property float x\nproperty float z\nproperty int id\nend_header\n"
                              "-2 1.5 3e10 1\n-.25 0 1e-40 2\n8 7 9 3\n"),
          three, 3);
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"x,y,z\n1,2,3\n", "is no PLY file"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n", "ends within its head"},
        {"ply\nformat utf8 1.0\n", ":2: this format of PLY is not known"},
        {"ply\nformat ascii 1.0\nelement face 1\n", ":3: the first elements are no vertices"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty list uchar int x\n",
         ":4: vertices with lists"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n", ":4: this property's type"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
         "end_header\n1 2\n",
         "its vertices have no z"},
        {"ply\nformat ascii 1.0\nelement vertex -1\n", "no number of vertices"},
        {"ply\nvertex 1\n", ":2: 'vertex' is no word of PLY"},
        {"ply\nend_header\n", "lacks the format or the vertices"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
         "property float z\nend_header\n1 2 x\n",
         ":8: its z is 'x'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(write_text("c.ply", bad[i].text), 1, bad[i].says, "");
}

static void pcd(void **state)
{
    (void)state;
    static const char head[] = "# .PCD v.7\nVERSION .7\nFIELDS y _ x z\nSIZE 8 1 4 8\n"
                               "TYPE F U F F\nCOUNT 1 1 1 1\nWIDTH 3\nHEIGHT 1\n"
                               "VIEWPOINT 0 0 0 1 0 0 0\nPOINTS 3\n";
    bytes b = {.size = 0};
    put_text(&b, head);
    put_text(&b, "DATA binary\n");
    put_points(&b, false);
    holds(write_bytes("d.pcd", b.at, b.size), three, 3);
    refused(write_bytes("d.pcd", b.at, b.size - 1), 3, "announces 3 bodies of 21 bytes",
            "complete");
    b.size = 0;
    put_text(&b, head);
    put_text(&b, "DATA ascii\n-2 7 1.5 3e10\n-.25 7 0 1e-40\n8 7 7 9\n");
    holds(write_bytes("d.pcd", b.at, b.size), three, 3);
    b.size = 0;
    put_text(&b, head);
    put_text(&b, "DATA binary_compressed\n");
    refused(write_bytes("d.pcd", b.at, b.size), 1, "'binary_compressed'", "binary are read");
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"FIELDS x y z\nSIZE 4 4\n", ":2: 'SIZE'"},
        {"FIELDS x y z\nSIZE 4 4 4\nTYPE F F Q\n", ":3: 'TYPE'"},
        {"FIELDS x y z\nDATA ascii\n", "lacks FIELDS, SIZE, TYPE or POINTS"},
        {"FIELDS x y w\nSIZE 4 4 4\nTYPE F F F\nPOINTS 1\nDATA ascii\n1 2 3\n", "no number z"},
        {"x y z\n", ":1: 'x'"},
        {"FIELDS x y z\n", "has no line DATA"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refused(write_text("d.pcd", bad[i].text), 1, bad[i].says, "");
}

/* What NumPy itself writes: run by test_octree_file, in the folder. Arrays that are read, then such
 * that are not. */
static const char numpy_script[] =
    "import sys, numpy as n\n"
    "a = n.array([[1.5, -2, 3e10], [0, -.25, 1e-40], [7, 8, 9]])\n"
    "for t in '<f4', '>f4', '<f8', '>f8':\n"
    "    for order in 'C', 'F':\n"
    "        n.save(t[1:].replace('f', order) + ('b' if t[0] == '>' else 'l') + '.npy',\n"
    "               n.array(a, dtype=t, order=order))\n"
    "n.lib.format.write_array(open('v2.npy', 'wb'), a.astype('f4'), version=(2, 0))\n"
    "n.save('int.npy', n.zeros((2, 3), 'i4'))\n"
    "n.save('half.npy', n.zeros((2, 3), 'f2'))\n"
    "n.save('flat.npy', a.astype('f4').ravel())\n"
    "n.save('four.npy', n.zeros((2, 4), 'f4'))\n"
    "n.save('rec.npy', n.zeros(2, [('x', 'f4'), ('y', 'f4'), ('z', 'f4')]))\n"
    "n.save('none.npy', n.zeros((0, 3), 'f4'))\n"
    "n.save('large.npy', a * 1e30)\n"
    "n.savez('many.npz', a=a)\n"
    "n.savetxt('s.csv', a.astype('f4'), delimiter=',', header='x,y,z', comments='')\n"
    "n.savetxt('s.xyz', a.astype('f4'))\n";

static bool run_numpy(void)
{
    static const char *const pythons[] = {"python3", "/usr/bin/python3"};
    char command[256];
    FILE *file = fopen(path_of("make.py"), "w");
    assert_non_null(file);
    fputs(numpy_script, file);
    assert_int_equal(fclose(file), 0);
    for (size_t i = 0; i < 2; i++) {
        snprintf(command, sizeof command, "%s -c 'import numpy' 2>/dev/null", pythons[i]);
        if (system(command) != 0) continue;
        snprintf(command, sizeof command, "cd '%s' && %s make.py", folder, pythons[i]);
        assert_int_equal(system(command), 0);
        return true;
    }
    return false;
}

static void numpy(void **state)
{
    (void)state;
    static const char *const good[] = {"C4l.npy", "C4b.npy", "F4l.npy", "F4b.npy",
                                       "C8l.npy", "C8b.npy", "F8l.npy", "F8b.npy",
                                       "v2.npy",  "s.csv",   "s.xyz"};
    if (!run_numpy()) {
        puts("# there is no NumPy here: its files are not read (scripts/setup.sh --check gets it)");
        skip();
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        holds(path_of(good[i]), three, 3);
    refused(path_of("int.npy"), 1, "its numbers are '<i4'", "float32 and float64 are read");
    refused(path_of("half.npy"), 1, "its numbers are '<f2'", "float32 and float64 are read");
    refused(path_of("flat.npy"), 1, "its shape is (9,)", "(n, 3)");
    refused(path_of("four.npy"), 1, "its shape is (2, 4)", "(n, 3)");
    refused(path_of("rec.npy"), 1, "is an array of records", "n x 3");
    refused(path_of("none.npy"), 1, "holds no bodies", "no bodies");
    refused(path_of("large.npy"), 1, "body 0 at byte 144: its z is too large", "3.4e38");
    refused(path_of("many.npz"), 1, "holds several arrays", ".npy");
}

static void torn_npy(void **state)
{
    (void)state;
    static const char head[] = "\x93NUMPY\1\0\x46\0{'descr': '<f4', 'fortran_order': False, "
                               "'shape': (2, 3), }          \n";
    bytes b = {.size = 0};
    memcpy(b.at, head, sizeof head - 1);
    assert_int_equal(sizeof head - 1, 80);
    b.size = 80 + 24;
    static const float zeros[2][3] = {{0, 0, 0}, {0, 0, 0}};
    holds(write_bytes("e.npy", b.at, b.size), zeros, 2);
    refused(write_bytes("e.npy", b.at, b.size - 1), 2, "announces 2 bodies of 12 bytes",
            "complete");
    refused(write_bytes("e.npy", b.at, 60), 1, "its NumPy header is torn", "torn");
    refused(write_bytes("e.npy", b.at + 1, 60), 1, "is no NumPy array", "numpy.save");
    b.at[6] = 9;
    refused(write_bytes("e.npy", b.at, b.size), 2, "format 9", "1 to 3");
}

/* What is found before anything runs, and again only where the file has changed. */
static void looking(void **state)
{
    (void)state;
    gb_error error = {GB_OK, ""};
    const char *path = write_text("b.csv", "x,y,z\n1,2,3\n4,5,6\n7,8,bad\n");
    assert_int_equal(oc_file_look(path, 2, &error), GB_OK);
    assert_int_equal(oc_file_look(path, 3, &error), GB_NO_INPUT);
    assert_says(error.text, ":4: its z is 'bad'", path);
    assert_int_equal(oc_file_look(path, 2, &error), GB_OK);
    path = write_text("b.csv", "x,y,z\n1,2,3\n4,,6\n");
    assert_int_equal(oc_file_look(path, 2, &error), GB_NO_INPUT);
    assert_says(error.text, ":3: its y is ''", path);
}

/* A name as long as names may be leaves room for what is wrong. */
static void long_names(void **state)
{
    (void)state;
    char path[1200];
    gb_error error = {GB_OK, ""};
    memset(path, 'a', sizeof path);
    for (size_t i = 200; i < sizeof path; i += 200)
        path[i] = '/';
    snprintf(path + sizeof path - 10, 10, "/end.csv");
    oc_file *file;
    assert_int_equal(oc_file_open(path, 1, &file, &error), GB_NO_INPUT);
    assert_says(error.text, "end.csv: cannot be opened: No such file", "a long path");
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
    refused(path_of("c.csv.gz"), 1, "is compressed", "unpack");
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
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triples),  cmocka_unit_test(text),    cmocka_unit_test(mistakes),
        cmocka_unit_test(ply),      cmocka_unit_test(pcd),     cmocka_unit_test(numpy),
        cmocka_unit_test(torn_npy), cmocka_unit_test(looking), cmocka_unit_test(long_names),
        cmocka_unit_test(no_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
