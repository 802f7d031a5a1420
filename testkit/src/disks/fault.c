/* Injects a fault into a system call. The program loads this library before the C library (LD_PRELOAD).
   FAULT_OF names a kind of call, FAULT_AT the number of the call of that kind that gets the fault, in any thread, and
   FAULT_HOW the fault. The file FAULT_SAYS is created when the fault happens.
   "write": the call fails with EIO or ENOSPC. "short": the call writes half of its data, and the next one fails with ENOSPC, as
     on a disk that becomes full. "slow": this call and all later ones take five milliseconds.
   "read": a read at an offset of a file fails with EIO.
   "lock": locking a range of a file fails with EIO or ENOLCK. Unlocking never fails.
   "thread": no thread can be created.
   "sync": fdatasync of a partial file fails with EIO. "slow": this call and all later ones take a tenth of a second.
   "name": fsync of a folder called "target" fails with EIO, so that its names are not durable.
   "look": statx of an open partial file fails with EIO. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) static typeof(name) *real; if (!real) real = (typeof(name) *)dlsym(RTLD_NEXT, #name)

static atomic_int count;

static const char *told(const char *name) {
    const char *text = getenv(name);
    return text ? text : "";
}

static int is(const char *name, const char *text) { return strcmp(told(name), text) == 0; }

static int is_file(int file) {
    struct stat found;
    return fstat(file, &found) == 0 && S_ISREG(found.st_mode);
}

static int ends_in(int file, const char *ending) {
    char path[64], name[4096];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ssize_t length = readlink(path, name, sizeof name), least = strlen(ending);
    return length > least && memcmp(name + length - least, ending, least) == 0;
}

/* Counts a call. Returns the number of calls since the faulty one: 0 for the faulty call itself, less than 0 for earlier
   calls and for calls of another kind. */
static int since(const char *kind) {
    int at = atoi(told("FAULT_AT"));
    if (at <= 0 || !is("FAULT_OF", kind)) return -1;
    int past = atomic_fetch_add(&count, 1) + 1 - at;
    if (past == 0) {
        int made = open(told("FAULT_SAYS"), O_CREAT | O_WRONLY, 0600);
        if (made >= 0) close(made);
    }
    return past;
}

static void take_milliseconds(long count) { nanosleep(&(struct timespec){.tv_nsec = count * 1000000}, NULL); }

/* Returns the fault of a write: 0 for none, 1 for half of the data, otherwise an error number. */
static int fate(int file, size_t length) {
    int past = length >= 2 && is_file(file) ? since("write") : -1;
    if (is("FAULT_HOW", "slow")) {
        if (past >= 0) take_milliseconds(5);
        return 0;
    }
    if (is("FAULT_HOW", "short")) return past == 0 ? 1 : past == 1 ? ENOSPC : 0;
    return past != 0 ? 0 : is("FAULT_HOW", "EIO") ? EIO : ENOSPC;
}

ssize_t write(int file, const void *bytes, size_t length) {
    REAL(write);
    int fated = fate(file, length);
    if (fated > 1) { errno = fated; return -1; }
    return real(file, bytes, fated ? length / 2 : length);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
    REAL(pwrite64);
    int fated = fate(file, length);
    if (fated > 1) { errno = fated; return -1; }
    return real(file, bytes, fated ? length / 2 : length, offset);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
    return pwrite64(file, bytes, length, offset);
}

ssize_t pread64(int file, void *bytes, size_t length, off64_t offset) {
    REAL(pread64);
    if (is_file(file) && since("read") == 0) { errno = EIO; return -1; }
    return real(file, bytes, length, offset);
}

ssize_t pread(int file, void *bytes, size_t length, off_t offset) {
    return pread64(file, bytes, length, offset);
}

int fdatasync(int file) {
    REAL(fdatasync);
    int past = ends_in(file, ".part") ? since("sync") : -1;
    if (past >= 0 && is("FAULT_HOW", "slow")) take_milliseconds(100);
    if (past == 0 && is("FAULT_HOW", "EIO")) { errno = EIO; return -1; }
    return real(file);
}

int statx(int file, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
    REAL(statx);
    int is_open = path[0] == 0 && ends_in(file, ".part");
    if (is_open && since("look") == 0) { errno = EIO; return -1; }
    return real(file, path, flags, mask, found);
}

int fsync(int file) {
    REAL(fsync);
    if (ends_in(file, "/target") && since("name") == 0) { errno = EIO; return -1; }
    return real(file);
}

/* Only locks can fail. Every other command is passed on unchanged. */
#define CONTROL(name) \
    int name(int file, int command, ...) { \
        REAL(name); \
        va_list more; \
        va_start(more, command); \
        void *with = va_arg(more, void *); \
        va_end(more); \
        int locks = (command == F_SETLK || command == F_SETLKW) && ((struct flock *)with)->l_type != F_UNLCK; \
        if (locks && since("lock") == 0) { errno = is("FAULT_HOW", "EIO") ? EIO : ENOLCK; return -1; } \
        return real(file, command, with); \
    }

CONTROL(fcntl)
CONTROL(fcntl64)

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *), void *with) {
    REAL(pthread_create);
    return since("thread") == 0 ? EAGAIN : real(thread, how, work, with);
}
