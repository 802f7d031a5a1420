/* A write to a file goes wrong: number WRITE_AT of them fails with WRITE_HOW (EIO or ENOSPC), or with "short" it writes half of
   what it is given and the next one finds no room, as on a disk that becomes full. WRITE_SAYS is made when that has happened.
   Loaded into a program before the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int count;

static const char *told(const char *name) {
    const char *text = getenv(name);
    return text ? text : "";
}

/* 0: as it is; 1: half of it; else an error. */
static int fate(int file, size_t length) {
    struct stat found;
    int at = atoi(told("WRITE_AT"));
    if (at <= 0 || length < 2 || fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
    int now = atomic_fetch_add(&count, 1) + 1, is_short = strcmp(told("WRITE_HOW"), "short") == 0;
    if (now == at + 1) return is_short ? ENOSPC : 0;
    if (now != at) return 0;
    int made = open(told("WRITE_SAYS"), O_CREAT | O_WRONLY, 0600);
    if (made >= 0) close(made);
    return is_short ? 1 : strcmp(told("WRITE_HOW"), "EIO") == 0 ? EIO : ENOSPC;
}

ssize_t write(int file, const void *bytes, size_t length) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    int is = fate(file, length);
    if (is > 1) { errno = is; return -1; }
    return real(file, bytes, is ? length / 2 : length);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    static ssize_t (*real)(int, const void *, size_t, off64_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    int is = fate(file, length);
    if (is > 1) { errno = is; return -1; }
    return real(file, bytes, is ? length / 2 : length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite64(file, bytes, length, offset);
}
