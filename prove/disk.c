/* Stands between a process and its files (LD_PRELOAD): writes down every write, truncation and fsync of some files
 * in order, can swallow fsync, and can be a full disk.
 *
 * DISK_FILES    path prefix of the files; those that end in "-shm" are left out, they do not outlive a power cut
 * DISK_TRACE    where to write records: op, file, length, offset, then data (see prove/disk.py)
 * DISK_SWALLOW  set: fsync does nothing and says that it did
 * DISK_FULL     a path; while it exists, no file may grow
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPENED = 1, WRITTEN, TRUNCATED, SYNC_BEGUN, SYNC_ENDED, REMOVED };
enum { DESCRIPTORS = 65536, FILES = 16 };

struct record { uint32_t op, file, length, pad; uint64_t offset; };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static unsigned char file_of[DESCRIPTORS]; /* 0: none of ours, else 1 + index into paths */
static char *paths[FILES];
static int trace = -1;
static uint64_t ticket;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int ours(int fd) { return fd >= 0 && fd < DESCRIPTORS ? file_of[fd] : 0; }

static void tell(uint32_t op, uint32_t file, uint64_t offset, const void *data, uint32_t length) {
    if (trace < 0) {
        const char *path = getenv("DISK_TRACE");
        if (!path || (trace = REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) < 0) return;
    }
    struct record head = {op, file, length, 0, offset};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, length}};
    if (writev(trace, parts, length ? 2 : 1) < 0) abort(); /* a trace with a gap would prove nothing */
}

static uint32_t number_of(const char *path) { /* 0 where the path is none of ours */
    const char *prefix = getenv("DISK_FILES");
    size_t length = strlen(path);
    if (!prefix || strncmp(path, prefix, strlen(prefix)) || (length > 4 && !strcmp(path + length - 4, "-shm"))) return 0;
    for (uint32_t i = 0; i < FILES; i++) {
        if (!paths[i]) {
            paths[i] = strdup(path);
            tell(OPENED, i + 1, 0, path, (uint32_t)length);
        }
        if (!strcmp(paths[i], path)) return i + 1;
    }
    abort();
}

static int opened(int fd, const char *path) {
    if (fd < 0 || fd >= DESCRIPTORS) return fd;
    pthread_mutex_lock(&turn);
    file_of[fd] = (unsigned char)number_of(path);
    pthread_mutex_unlock(&turn);
    return fd;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }

int open(const char *path, int flags, ...) { MODE(flags) return opened(REAL(open)(path, flags, mode), path); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(REAL(open64)(path, flags, mode), path); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opened(REAL(openat)(at, path, flags, mode), path); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opened(REAL(openat64)(at, path, flags, mode), path); }

int close(int fd) {
    if (ours(fd)) file_of[fd] = 0;
    return REAL(close)(fd);
}

static int is_full(int fd, uint64_t end) {
    const char *flag = getenv("DISK_FULL");
    struct stat now;
    return flag && !REAL(access)(flag, F_OK) && !fstat(fd, &now) && end > (uint64_t)now.st_size;
}

#define WRITE(call, at) \
    if (!ours(fd)) return call; \
    pthread_mutex_lock(&turn); \
    uint64_t place = (uint64_t)(at); \
    ssize_t done = -1; \
    if (is_full(fd, place + length)) errno = ENOSPC; \
    else if ((done = call) > 0) tell(WRITTEN, file_of[fd], place, data, (uint32_t)done); \
    int kept = errno; \
    pthread_mutex_unlock(&turn); \
    errno = kept; \
    return done;

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { WRITE(REAL(pwrite)(fd, data, length, offset), offset) }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { WRITE(REAL(pwrite64)(fd, data, length, offset), offset) }
ssize_t write(int fd, const void *data, size_t length) { WRITE(REAL(write)(fd, data, length), lseek(fd, 0, SEEK_CUR)) }

#define TRUNCATE(call) \
    if (!ours(fd)) return call; \
    pthread_mutex_lock(&turn); \
    int done = call; \
    if (!done) tell(TRUNCATED, file_of[fd], (uint64_t)size, NULL, 0); \
    pthread_mutex_unlock(&turn); \
    return done;

int ftruncate(int fd, off_t size) { TRUNCATE(REAL(ftruncate)(fd, size)) }
int ftruncate64(int fd, off64_t size) { TRUNCATE(REAL(ftruncate64)(fd, size)) }

#define SYNC(call) \
    if (!ours(fd)) return call; \
    if (getenv("DISK_SWALLOW")) return 0; \
    pthread_mutex_lock(&turn); \
    uint64_t number = ++ticket; \
    tell(SYNC_BEGUN, file_of[fd], number, NULL, 0); \
    pthread_mutex_unlock(&turn); \
    int done = call; \
    pthread_mutex_lock(&turn); \
    if (!done) tell(SYNC_ENDED, file_of[fd], number, NULL, 0); \
    pthread_mutex_unlock(&turn); \
    return done;

int fsync(int fd) { SYNC(REAL(fsync)(fd)) }
int fdatasync(int fd) { SYNC(REAL(fdatasync)(fd)) }

int unlink(const char *path) {
    pthread_mutex_lock(&turn);
    uint32_t file = number_of(path);
    int done = REAL(unlink)(path);
    if (!done && file) tell(REMOVED, file, 0, NULL, 0);
    pthread_mutex_unlock(&turn);
    return done;
}
