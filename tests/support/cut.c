/* The power of a disk goes: cut FOLDER HOW, with 0 for all that is written so far, 1 for what the file system's own log
   has, 2 for nothing that was not asked for. Nothing reaches the disk afterwards, until it is mounted anew. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#define EXT4_IOC_SHUTDOWN 0x8004587d

int main(int count, char **words) {
    if (count != 3) return 2;
    int folder = open(words[1], O_RDONLY | O_DIRECTORY);
    uint32_t how = (uint32_t)atoi(words[2]);
    return folder < 0 || ioctl(folder, EXT4_IOC_SHUTDOWN, &how) != 0;
}
